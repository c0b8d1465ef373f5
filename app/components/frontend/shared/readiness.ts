/**
 * Whether what is on screen may be judged yet: nobody gives a verdict on what has not been painted,
 * or has been under decision for less than `LOOK_MS`. All keys and clicks that give verdicts ask
 * `judge`; parts of the screen report what is seen by `begin` and `end`.
 */

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { MAX_SEEN_MS, MIN_SEEN_MS } from "./limits";

/** How long something is on screen and under decision before it may be judged. */
export const LOOK_MS = MIN_SEEN_MS;

/** The time, and what happens later. */
export interface LookClock {
  now: () => number;
  /** Call back once the present screen is painted. */
  afterPaint: (run: (now: number) => void) => void;
  /** @returns cancels it */
  after: (ms: number, run: () => void) => () => void;
}

/** What a verdict is about. */
export interface JudgedUnit {
  id: string;
  /** what has to be on screen for it, by the names that `begin` gets */
  looks: readonly string[];
  /** what to say where it was not looked at */
  hint: string;
}

/** What the event of a verdict says of it. */
export interface Seen {
  seen_ms: number;
}

interface Look {
  /** on the clock of looking; null while it is not on screen, or not painted yet */
  since: number | null;
  /** tells a painting that is waited for from one before */
  opening: number;
  /** how long it was on screen before */
  before: number;
  isReady: Signal<boolean>;
  cancel: () => void;
}

export class Readiness {
  private readonly looks = new Map<string, Look>();
  private readonly resting = signal(false);
  private openings = 0;
  /** the last verdict's unit, which may be changed at once */
  private last: string | null = null;
  private pressed = Number.NEGATIVE_INFINITY;
  private dropped = Number.NEGATIVE_INFINITY;
  private endRest = () => {};
  /** when looking stopped, since a dialog or another tab covers the screen */
  private stopped: number | null = null;
  private resumed = Number.NEGATIVE_INFINITY;
  private stoppedFor = 0;

  constructor(
    private readonly clock: LookClock,
    private readonly onDropped: (hint: string) => void,
  ) {}

  /** A key or a button was pressed: what follows is by that press. */
  press(stamp: number) {
    this.pressed = stamp;
  }

  /** Nothing of another task counts. */
  forget() {
    for (const look of this.looks.values()) {
      close(look);
      look.before = 0;
    }
    this.last = null;
  }

  /** Something is on screen from the next frame on. */
  begin(name: string) {
    const look = this.look(name);
    if (look.since !== null || look.opening) return;
    this.openings += 1;
    const opening = this.openings;
    look.opening = opening;
    this.clock.afterPaint((now) => {
      if (look.opening !== opening) return;
      look.since = this.time(now);
      this.ripen(look);
    });
  }

  /** It is no longer on screen, or no longer under decision. */
  end(name: string) {
    const look = this.looks.get(name);
    if (!look) return;
    look.before = this.total(look, this.clock.now());
    close(look);
  }

  /** What is on screen already comes under decision. */
  restart(name: string) {
    const look = this.looks.get(name);
    if (look?.since == null) return;
    this.end(name);
    this.begin(name);
  }

  /** Time does not count while the screen is covered. */
  setCovered(isCovered: boolean) {
    const now = this.clock.now();
    if (isCovered === (this.stopped !== null)) return;
    if (this.stopped === null) {
      this.stopped = now;
      for (const look of this.looks.values()) look.cancel();
      return;
    }
    this.stoppedFor += now - this.stopped;
    this.stopped = null;
    this.resumed = now;
    for (const look of this.looks.values()) this.ripen(look);
  }

  /**
   * Ask whether the last press may judge. One that may not is dropped, with a message, and so are
   * all until none has come for `LOOK_MS`: they were meant for something else.
   * @returns null where it was dropped
   */
  judge({ id, looks, hint }: JudgedUnit): Seen | null {
    const stamp = this.pressed;
    const isOpen = id === this.last || looks.every((name) => this.isReadyAt(name, stamp));
    if (stamp - this.dropped < LOOK_MS || !isOpen) {
      this.drop(stamp, hint);
      return null;
    }
    this.last = id;
    return this.seen(looks);
  }

  /** The same for the end of a drag, which is aimed at what is on screen. */
  mayDrag({ looks, hint }: JudgedUnit) {
    const isSeen = looks.every((name) => this.isReadyAt(name, this.clock.now()));
    if (!isSeen) this.onDropped(hint);
    return isSeen;
  }

  /** How long something was on screen so far, since the task was opened. */
  seen(looks: readonly string[]): Seen {
    const now = this.clock.now();
    const totals = looks.map((name) => this.total(this.look(name), now));
    return { seen_ms: Math.min(MAX_SEEN_MS, ...totals.map(Math.round)) };
  }

  /** Whether a press would judge now, for an attribute. */
  ready(looks: readonly string[]): ReadonlySignal<"true" | "false"> {
    return computed(() => {
      const isReady = looks.every((name) => this.look(name).isReady.value);
      return isReady && !this.resting.value ? "true" : "false";
    });
  }

  private drop(stamp: number, hint: string) {
    this.dropped = stamp;
    this.resting.value = true;
    this.endRest();
    this.waitForRest();
    this.onDropped(hint);
  }

  private waitForRest() {
    const left = this.dropped + LOOK_MS - this.clock.now();
    if (left <= 0) this.resting.value = false;
    else this.endRest = this.clock.after(left, () => this.waitForRest());
  }

  private look(name: string): Look {
    let look = this.looks.get(name);
    if (!look) {
      look = { since: null, opening: 0, before: 0, isReady: signal(false), cancel: () => {} };
      this.looks.set(name, look);
    }
    return look;
  }

  /** A time on the clock of looking. */
  private time(stamp: number) {
    return Math.min(stamp, this.stopped ?? stamp) - this.stoppedFor;
  }

  private isReadyAt(name: string, stamp: number) {
    const since = this.looks.get(name)?.since ?? null;
    if (since === null || (this.stopped === null && stamp < this.resumed)) return false;
    return this.time(stamp) - since >= LOOK_MS;
  }

  private total({ since, before }: Look, now: number) {
    return since === null ? before : before + Math.max(0, this.time(now) - since);
  }

  /** Say that a look is ready once it is. */
  private ripen(look: Look) {
    look.cancel();
    if (look.since === null || this.stopped !== null) return;
    const left = look.since + LOOK_MS - this.time(this.clock.now());
    if (left <= 0) look.isReady.value = true;
    else look.cancel = this.clock.after(left, () => this.ripen(look));
  }
}

function close(look: Look) {
  look.cancel();
  look.since = null;
  look.opening = 0;
  look.isReady.value = false;
}
