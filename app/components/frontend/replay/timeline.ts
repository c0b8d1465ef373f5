/**
 * The time line: one block of lanes an attempt, drawn once on a canvas; what moves over it is one
 * element. Along it runs played time, so that long gaps, where they are made short, take no room.
 */

import { h, setAttr } from "../shared/dom";
import { clockTime } from "./formatting";
import type { Player } from "./player";
import { GAP, TimelineCanvas } from "./timeline_canvas";

export class Lanes {
  player: Player;
  host: { onSeek: (t: number) => void };
  cursor: HTMLDivElement;
  hover: HTMLDivElement;
  area: HTMLDivElement;
  blocks: { track: Pt.Track; rows: [string, string][] }[];
  canvas: TimelineCanvas;
  element: HTMLDivElement;
  width: number;
  observer: ResizeObserver;
  dragging: boolean | undefined;

  second: any;

  constructor(player: Player, host: { onSeek: (t: number) => void }) {
    this.player = player;
    this.host = host;
    const canvas = h("canvas", { "aria-hidden": "true" });
    this.cursor = h("div", { class: "lane-cursor" });
    this.hover = h("div", { class: "lane-hover number", hidden: true, "aria-hidden": "true" });
    this.area = h(
      "div",
      {
        class: "lane-area fill",
        role: "slider",
        tabindex: "0",
        testid: "replay-scrubber",
        "aria-label": "Time line",
        "aria-valuemin": "0",
      },
      canvas,
      this.cursor,
      this.hover,
    );
    this.blocks = player.tracks.map((track) => ({ track, rows: track.data.lanes }));
    const labels = this.blocks.map(({ rows, track }, i) =>
      h(
        "div",
        { class: "lane-block", style: i ? `margin-top: ${GAP}px` : "" },
        player.tracks.length > 1
          ? h("span", {
              class: "lane-owner ellipsis strong",
              title: track.data.name,
              text: track.data.name,
            })
          : null,
        h("div", {}, ...rows.map(([, name]) => h("div", { class: "lane-name", text: name }))),
      ),
    );
    this.canvas = new TimelineCanvas(canvas, this.blocks, (t) => this.x(t));
    this.area.style.height = `${this.canvas.height}px`;
    this.element = h(
      "div",
      { class: "lanes" },
      h("div", { class: "lane-names caption" }, ...labels),
      this.area,
    );
    this.width = 0;
    this.gestures();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.area);
  }

  gestures() {
    const { area } = this;
    const x = (event: any) => event.clientX - area.getBoundingClientRect().left;
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.host.onSeek(this.timeAt(x(event)));
    });
    area.addEventListener("pointermove", (event) => {
      const along = x(event);
      const t = this.timeAt(along);
      if (this.dragging) this.host.onSeek(t);
      this.hover.hidden = false;
      this.hover.textContent = [clockTime(t), ...this.away(t)].join(" · ");
      const middle = Math.min(this.width - 24, Math.max(24, along));
      this.hover.style.transform = `translateX(${middle}px) translateX(-50%)`;
    });
    const end = () => {
      this.dragging = false;
    };
    area.addEventListener("pointerup", end);
    area.addEventListener("pointercancel", end);
    area.addEventListener("pointerleave", () => {
      this.hover.hidden = true;
    });
  }

  x(t: number) {
    const { warp } = this.player;
    return warp.length ? (warp.played(t) / warp.length) * (this.width - 2) + 1 : 1;
  }

  timeAt(x: number) {
    const { warp } = this.player;
    return warp.time(((x - 1) / Math.max(1, this.width - 2)) * warp.length);
  }

  /** Who was not at work then, and why. */
  away(t: number) {
    const several = this.player.tracks.length > 1;
    return this.player.tracks.flatMap(({ data }) => {
      const span = data.spans.find(([, begin, end]) => begin <= t && t < end);
      return span ? [several ? `${data.name} ${span[0]}` : span[0]] : [];
    });
  }

  /** Show where the clock is; cheap, for every frame. */
  move(t: number) {
    this.cursor.style.transform = `translateX(${this.x(t).toFixed(1)}px)`;
    const second = Math.floor(t / 1000);
    if (second === this.second) return;
    this.second = second;
    setAttr(this.area, "aria-valuenow", String(second));
    setAttr(this.area, "aria-valuetext", clockTime(t));
  }

  /** Draw everything again: another width, theme, or way of counting gaps. */
  draw() {
    this.width = this.area.clientWidth;
    if (!this.width) return;
    this.canvas.draw({
      width: this.width,
      probe: this.cursor,
      timeAt: (x) => this.timeAt(x),
      short: this.player.warp.short,
    });
    setAttr(this.area, "aria-valuemax", String(Math.floor(this.player.duration / 1000)));
    this.second = -1;
    this.move(this.player.t);
  }

  destroy() {
    this.observer.disconnect();
  }
}
