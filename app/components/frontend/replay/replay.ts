/** The replay: one or two attempts on one clock. */

import { h, isTyping } from "../shared/dom";
import { applyTheme } from "../shared/theme";
import { Column } from "./attempt_column";
import { Transport } from "./playback_bar";
import { Player } from "./player";
import { Track } from "./script_state";
import { Lanes } from "./timeline";

const LONGEST_FRAME_MS = 250;

export class Replay {
  data: Pt.ReplayData;
  player: Player;
  transport: Transport;
  lanes: Lanes;
  columns: Column[];
  element: HTMLDivElement;
  frame: (now: number) => void;
  keys: (event: any) => void;
  running: boolean | undefined;

  last: any;

  /**
   * @param before the replay in whose place this one comes: of the same attempt, it
   * goes on where that one was
   */
  constructor(parent: ShadowRoot | HTMLElement, data: Pt.ReplayData, before: any = null) {
    this.data = data;
    const tracks = data.attempts.map((attempt) => new Track(attempt));
    this.player = new Player(tracks);
    if (before) {
      const { t, speed, skip } = before.player;
      this.player.speed = speed;
      this.player.setSkip(skip);
      if (before.data.attempts[0].id === data.attempts[0].id) this.player.seek(t);
    }
    this.transport = new Transport(this.player, {
      onPlay: () => this.act(() => this.player.toggle()),
      onStep: (by) => this.act(() => this.player.step(by)),
      onSpeed: (speed) => this.act(() => Object.assign(this.player, { speed })),
      onSkip: (skip) => this.shorten(skip),
    });
    this.lanes = new Lanes(this.player, {
      onSeek: (t) => this.act(() => this.player.seek(t), true),
    });
    this.columns = tracks.map(
      (track, side) =>
        new Column(track, {
          imageUrl: (sha, page, dpi) => this.imageUrl(sha, page, dpi),
          onJump: (seq) => this.act(() => this.player.jump(side, seq)),
          wide: tracks.length === 1,
        }),
    );
    this.element = h(
      "div",
      { class: "pt replay column", testid: "replay", role: "region", "aria-label": "Replay" },
      data.question
        ? h("p", { class: "ellipsis strong", title: data.question, text: data.question })
        : null,
      this.transport.element,
      this.lanes.element,
      h("div", { class: "columns" }, ...this.columns.map(({ element }) => element)),
    );
    parent.append(this.element);
    applyTheme(this.element);
    this.frame = (now: number) => this.tick(now);
    this.keys = (event: any) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.element.addEventListener("click", (event) => this.clicked(event));
    this.render(false);
    this.lanes.draw();
  }

  imageUrl(sha: string, page: number, dpi: number) {
    const { prefix, token } = this.data;
    return `${prefix}/page/${sha}/${page}?v=${encodeURIComponent(token)}&dpi=${dpi}`;
  }

  /** The script of the page ran again with the same attempts: another token, or other colours. */
  refresh(data: Pt.ReplayData) {
    this.data = { ...this.data, token: data.token };
    applyTheme(this.element);
    this.lanes.draw();
  }

  /** Do something to the player, then show what came of it. */
  act(run: (...args: any[]) => any, hurried = false) {
    run();
    this.transport.update();
    this.render(hurried);
    if (this.player.playing) this.start();
  }

  shorten(skip: boolean) {
    this.act(() => this.player.setSkip(skip));
    this.lanes.draw();
  }

  start() {
    if (this.running) return;
    this.running = true;
    this.last = null;
    requestAnimationFrame(this.frame);
  }

  tick(now: number) {
    if (!this.player.playing || !this.element.isConnected) {
      this.running = false;
      return;
    }
    // A tab that was away for a minute does not jump a minute ahead.
    const passed = this.last === null ? 0 : Math.min(LONGEST_FRAME_MS, now - this.last);
    this.last = now;
    this.player.advance(passed);
    this.render(this.player.speed > 8);
    if (!this.player.playing) this.transport.update();
    requestAnimationFrame(this.frame);
  }

  /** Bring everything to the present moment; what has not changed is not touched. */
  render(hurried: boolean) {
    const { player } = this;
    this.lanes.move(player.t);
    for (const [attempt, column] of this.columns.entries())
      column.show(player.seq(attempt), hurried);
    const event = player.events[player.index];
    this.transport.show(player.t, event ? this.words(event) : "");
  }

  words({ attempt, seq }: { attempt: number; seq: number }) {
    const { data } = this.player.tracks[attempt];
    const text = data.moments[seq - 1][2];
    return this.columns.length > 1 ? `${data.name}: ${text}` : text;
  }

  /** After a click with the pointer the keys mean the replay, not the button again. */
  clicked(event: PointerEvent) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.detail > 0 && target?.closest("button"))
      this.lanes.area.focus({ preventScroll: true });
  }

  key(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const path = event.composedPath();
    if (isTyping(event) || !(path.includes(this.element) || path[0] === document.body)) return;
    const onButton = path[0] instanceof Element && path[0].closest("button, input, select");
    const run = (
      {
        " ": () => this.player.toggle(),
        ArrowLeft: () => this.player.step(-1),
        ArrowRight: () => this.player.step(1),
        "+": () => this.player.changeSpeed(1),
        "=": () => this.player.changeSpeed(1),
        "-": () => this.player.changeSpeed(-1),
        Home: () => this.player.go(0),
        End: () => this.player.go(this.player.events.length - 1),
      } as Record<string, any>
    )[event.key];
    if (!run || (event.key === " " && onButton)) return;
    event.preventDefault();
    this.act(run);
  }

  destroy() {
    document.removeEventListener("keydown", this.keys);
    this.player.playing = false;
    this.lanes.destroy();
    for (const column of this.columns) column.destroy();
    this.element.remove();
  }
}
