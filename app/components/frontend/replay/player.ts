/**
 * The one clock of all attempts on screen. Without DOM.
 *
 * Time t is milliseconds since the first event, of each attempt its own. What is played is p, the
 * same with long gaps made short; `warp` leads from one to the other.
 */

import type { Track } from "./script_state";
import { upTo } from "./script_state";

export const LONG_GAP_MS = 5000;
export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 30, 60];

/** Piecewise linear time: a gap between events of more than `longest` ms counts as `longest`. */
export class Warp {
  t: number[];
  p: number[];
  /** gaps that are shortened: from, to */
  short: [number, number][];

  /**
   * @param times of events, sorted
   * @param longest Infinity leaves time as it is
   */
  constructor(times: number[], longest: number = Infinity) {
    this.t = [0];
    this.p = [0];
    this.short = [];
    for (const time of times) {
      const gap = time - this.t[this.t.length - 1];
      if (gap <= 0) continue;
      const played = Math.min(gap, longest);
      if (played < gap) this.short.push([this.t[this.t.length - 1], time]);
      this.t.push(time);
      this.p.push(this.p[this.p.length - 1] + played);
    }
  }

  /** Milliseconds that playing all of it takes. */
  get length() {
    return this.p[this.p.length - 1];
  }

  played(t: number) {
    return between(this.t, this.p, t);
  }

  time(p: number) {
    return between(this.p, this.t, p);
  }
}

function between(from: number[], to: number[], value: number) {
  const last = from.length - 1;
  if (value <= from[0]) return to[0];
  if (value >= from[last]) return to[last];
  const i = upTo(from, value) - 1;
  const part = (value - from[i]) / (from[i + 1] - from[i]);
  return to[i] + part * (to[i + 1] - to[i]);
}

export class Player {
  tracks: Track[];
  events: { t: number; attempt: number; seq: number }[];
  playing: boolean;
  speed: number;
  skip: boolean;
  t: number;
  /** index of the event that was jumped to, while nothing has moved since */
  at: number | null;

  warp: Warp;

  constructor(tracks: Track[]) {
    this.tracks = tracks;
    this.events = tracks
      .flatMap((track, attempt) => Array.from(track.times, (t, i) => ({ t, attempt, seq: i + 1 })))
      .sort((a, b) => a.t - b.t || a.attempt - b.attempt || a.seq - b.seq);
    this.playing = false;
    this.speed = 4;
    this.skip = true;
    this.t = 0;
    this.at = null;
    this.warp = this.bentTime();
  }

  private bentTime() {
    const times = this.events.map(({ t }) => t);
    return new Warp(times, this.skip ? LONG_GAP_MS : Infinity);
  }

  get duration() {
    return this.events.at(-1)?.t ?? 0;
  }

  get ended() {
    return this.t >= this.duration && (this.at === null || this.at === this.events.length - 1);
  }

  /** Index of the last event that has happened, -1 for none. */
  get index() {
    return this.at ?? upTo(this.events, this.t, ({ t }) => t) - 1;
  }

  /**
   * The last event of one attempt that has happened, 0 for none.
   * @param attempt its place among the tracks
   */
  seq(attempt: number) {
    if (this.at === null) return this.tracks[attempt].seqAt(this.t);
    for (let i = this.at; i >= 0; i -= 1) {
      if (this.events[i].attempt === attempt) return this.events[i].seq;
    }
    return 0;
  }

  setSpeed(speed: number) {
    this.speed = speed;
  }

  setSkip(skip: boolean) {
    this.skip = skip;
    this.warp = this.bentTime();
  }

  /** Faster or slower by one step; returns whether that is possible. */
  changeSpeed(step: number) {
    const next = SPEEDS[SPEEDS.indexOf(this.speed) + step];
    if (next) this.speed = next;
    return Boolean(next);
  }

  /** Play, from the beginning where the end was reached; or pause. */
  toggle() {
    if (!this.playing && this.ended) this.seek(0);
    this.playing = !this.playing && this.events.length > 0;
  }

  /** Let real milliseconds pass. */
  advance(ms: number) {
    if (!this.playing) return;
    this.at = null;
    this.t = this.warp.time(this.warp.played(this.t) + ms * this.speed);
    if (this.t >= this.duration) this.playing = false;
  }

  /** Go to a time. */
  seek(t: number) {
    this.at = null;
    this.t = Math.min(this.duration, Math.max(0, t));
  }

  /**
   * Go to just after an event.
   * @param attempt its place among the tracks
   */
  jump(attempt: number, seq: number) {
    const index = this.events.findIndex((event) => event.attempt === attempt && event.seq === seq);
    if (index >= 0) this.go(index);
  }

  go(index: number) {
    if (!this.events.length) return;
    this.at = Math.min(this.events.length - 1, Math.max(0, index));
    this.t = this.events[this.at].t;
  }

  /** Go to the next or the previous event, of whichever attempt. */
  step(by: number) {
    const { index } = this;
    const within = by < 0 && this.at === null && this.t > (this.events[index]?.t ?? 0);
    this.go(within ? index : index + by);
  }
}
