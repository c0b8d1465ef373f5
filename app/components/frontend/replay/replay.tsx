import { render } from "preact";
import { h, isTyping } from "../shared/dom";
import { isPressOf, keyOf } from "../shared/keys";
import { language, t } from "../shared/messages";
import { createStore } from "../shared/store";
import { applyTheme } from "../shared/theme";
import { AttemptView } from "./attempt_view";
import { Player } from "./player";
import { ReplayScreen } from "./ReplayScreen";
import { Track } from "./script_state";
import { Timeline } from "./timeline";

const LONGEST_FRAME_MS = 250;
const HURRIED_SPEED = 8;

/** What the screen shows of the player. */
export interface ReplayValues {
  playing: boolean;
  speed: number;
  /** whether long gaps are played as short ones */
  skip: boolean;
  /** milliseconds since the first event */
  t: number;
  /** index of the last event that has happened, -1 for none */
  index: number;
}

/** The replay: one or two attempts on one clock. */
export class Replay {
  data: Pt.ReplayData;
  readonly player: Player;
  readonly store;
  readonly views: AttemptView[];
  readonly timeline: Timeline;
  private readonly element: HTMLElement;
  private isRunning = false;
  private lastFrame: number | null = null;

  /**
   * @param before the replay in whose place this one comes: if it is of the same attempt, this one
   *   continues where that one was
   */
  constructor(parent: ShadowRoot | HTMLElement, data: Pt.ReplayData, before?: Replay) {
    this.data = data;
    const tracks = data.attempts.map((attempt) => new Track(attempt));
    this.player = new Player(tracks);
    if (before) {
      const { t, speed, skip } = before.player;
      this.player.speed = speed;
      this.player.setSkip(skip);
      if (before.data.attempts[0].id === data.attempts[0].id) this.player.seek(t);
    }
    this.store = createStore<ReplayValues>(this.values());
    this.views = tracks.map((track) => new AttemptView(track));
    this.timeline = new Timeline(this.player, {
      onSeek: (t) => this.act(() => this.player.seek(t), true),
    });
    this.element = h("div", {
      class: "pt replay column",
      testid: "replay",
      role: "region",
      "aria-label": t("Replay"),
      lang: language(),
    });
    parent.append(this.element);
    applyTheme(this.element);
    this.show(false);
    render(<ReplayScreen replay={this} />, this.element);
    document.addEventListener("keydown", this.pressKey);
    this.element.addEventListener("click", (event) => this.focusTimeline(event));
    this.timeline.draw();
  }

  readonly imageUrl = (sha: string, page: number, dpi: number) => {
    const { prefix, token } = this.data;
    return `${prefix}/page/${sha}/${page}?v=${encodeURIComponent(token)}&dpi=${dpi}`;
  };

  /** The script of the page ran again with the same attempts: another token, or other colours. */
  refresh(data: Pt.ReplayData) {
    this.data = { ...this.data, token: data.token };
    applyTheme(this.element);
    this.timeline.draw();
  }

  /**
   * Do something to the player, then show what came of it.
   * @param hurried whether many events go by
   */
  act(change: () => void, hurried = false) {
    change();
    this.show(hurried);
    if (this.player.playing) this.start();
  }

  setSkip(skip: boolean) {
    this.act(() => this.player.setSkip(skip));
    this.timeline.draw();
  }

  destroy() {
    document.removeEventListener("keydown", this.pressKey);
    this.player.playing = false;
    render(null, this.element);
    this.timeline.destroy();
    for (const view of this.views) view.destroy();
    this.element.remove();
  }

  private start() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.lastFrame = null;
    requestAnimationFrame(this.tick);
  }

  private readonly tick = (now: number) => {
    if (!this.player.playing || !this.element.isConnected) {
      this.isRunning = false;
      return;
    }
    // A tab that was away for a minute does not jump a minute ahead.
    const passed = this.lastFrame === null ? 0 : Math.min(LONGEST_FRAME_MS, now - this.lastFrame);
    this.lastFrame = now;
    this.player.advance(passed);
    this.show(this.player.speed > HURRIED_SPEED);
    requestAnimationFrame(this.tick);
  };

  private values(): ReplayValues {
    const { playing, speed, skip, t, index } = this.player;
    return { playing, speed, skip, t, index };
  }

  private show(hurried: boolean) {
    this.timeline.move(this.player.t);
    this.store.setTogether(() => {
      this.store.set(this.values());
      for (const [attempt, view] of this.views.entries())
        view.show(this.player.seq(attempt), hurried);
    });
  }

  /** After a click with the pointer the keys mean the replay, not the button again. */
  private focusTimeline(event: PointerEvent) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.detail > 0 && target?.closest("button"))
      this.timeline.element.focus({ preventScroll: true });
  }

  private readonly pressKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const path = event.composedPath();
    if (isTyping(event) || !(path.includes(this.element) || path[0] === document.body)) return;
    const onButton = path[0] instanceof Element && path[0].closest("button, input, select");
    const { player } = this;
    const commands: Record<Pt.ReplayCommand, () => void> = {
      toggle: () => player.toggle(),
      previousEvent: () => player.step(-1),
      nextEvent: () => player.step(1),
      faster: () => player.changeSpeed(1),
      slower: () => player.changeSpeed(-1),
      firstEvent: () => player.go(0),
      lastEvent: () => player.go(player.events.length - 1),
    };
    const pressed = {
      key: keyOf(event),
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      shift: event.shiftKey,
    };
    const name = this.data.keys.find((key) => isPressOf(key, pressed))?.command;
    const command = name ? commands[name as Pt.ReplayCommand] : null;
    if (!command || (event.key === " " && onButton)) return;
    event.preventDefault();
    this.act(command);
  };
}
