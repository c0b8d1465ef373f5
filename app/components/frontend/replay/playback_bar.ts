/** The bar above the time line: play, steps, time, speed, gaps. */

import { h, setAttr, setText } from "../shared/dom";
import { icon } from "../shared/icons";
import { clockTime } from "./formatting";
import type { Player } from "./player";
import { SPEEDS } from "./player";

export class Transport {
  player: Player;
  play: HTMLButtonElement;
  time: HTMLSpanElement;
  speed: HTMLSelectElement;
  skip: HTMLInputElement;
  happened: HTMLSpanElement;
  element: HTMLDivElement;

  constructor(
    player: Player,
    host: {
      onPlay: () => void;
      onStep: (by: 1 | -1) => void;
      onSpeed: (speed: number) => void;
      onSkip: (skip: boolean) => void;
    },
  ) {
    this.player = player;
    const button = (name: string, label: string, testid: string, run: (...args: any[]) => any) =>
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          title: label,
          "aria-label": label,
          testid,
          on: { click: run },
        },
        icon(name),
      );
    this.play = button("play", "Play (space)", "replay-play", host.onPlay);
    this.play.classList.add("play");
    this.time = h("span", { class: "replay-time number", testid: "replay-time" });
    this.speed = h(
      "select",
      {
        "aria-label": "Speed",
        title: "Speed (+ and −)",
        testid: "replay-speed",
        on: { change: () => host.onSpeed(Number(this.speed.value)) },
      },
      ...SPEEDS.map((speed) => h("option", { value: String(speed), text: `${speed}×` })),
    );
    this.skip = h("input", {
      type: "checkbox",
      testid: "replay-skip",
      on: { change: () => host.onSkip(this.skip.checked) },
    });
    this.happened = h("span", {
      class: "replay-happened quiet ellipsis fill",
      testid: "replay-happened",
    });
    this.element = h(
      "div",
      { class: "transport line", role: "toolbar", "aria-label": "Replay" },
      button("previous", "Previous event (←)", "replay-previous", () => host.onStep(-1)),
      this.play,
      button("next", "Next event (→)", "replay-next", () => host.onStep(1)),
      this.time,
      h("label", { class: "replay-speed inline nowrap" }, h("span", { text: "Speed" }), this.speed),
      h(
        "label",
        {
          class: "replay-skip inline nowrap",
          title: "Gaps of more than 5 s are played, and drawn, as 5 s",
        },
        this.skip,
        "Shorten idle gaps",
      ),
      this.happened,
    );
    this.update();
  }

  /** What changes seldom. */
  update() {
    const { playing, speed, skip } = this.player;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    const label = playing ? "Pause (space)" : "Play (space)";
    setAttr(this.play, "aria-label", label);
    setAttr(this.play, "title", label);
    setAttr(this.play, "data-playing", String(playing));
    this.speed.value = String(speed);
    this.skip.checked = skip;
  }

  /** The time, and what has just happened. */
  show(t: number, words: string) {
    setText(this.time, `${clockTime(t)} / ${clockTime(this.player.duration)}`);
    setText(this.happened, words);
    setAttr(this.happened, "title", words);
  }
}
