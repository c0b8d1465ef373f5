/**
 * The time line: one block of lanes an attempt, drawn once on a canvas; what moves over it is one
 * element. Along it runs played time, so that long gaps, where they are made short, take no room.
 */

import { h, setAttr } from "../shared/dom.js";
import { lookOf } from "../shared/label_styles.js";
import { clockTime } from "./formatting.js";

const ROW = 15;
const GAP = 8;
const AXIS = 18;
const TICK_EVERY = 96;

export class Lanes {
  /** @type {any} */
  second;

  /** @type {Record<string, string>} colours of the theme */
  ink = {};

  /**
   * @param {import("./player.js").Player} player
   * @param {{onSeek: (t: number) => void}} host
   */
  constructor(player, host) {
    this.player = player;
    this.host = host;
    this.canvas = h("canvas", { "aria-hidden": "true" });
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
      this.canvas,
      this.cursor,
      this.hover,
    );
    this.blocks = player.tracks.map((track) => {
      const held = new Set(track.data.moments.map(([, lane]) => lane));
      const rows = track.data.lanes.filter(([lane]) => held.has(lane));
      return { track, rows: rows.length ? rows : [["page", "Pages"]] };
    });
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
    this.height =
      this.blocks.reduce((sum, { rows }) => sum + rows.length * ROW, 0) +
      GAP * (this.blocks.length - 1) +
      AXIS;
    this.area.style.height = `${this.height}px`;
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
    const x = (/** @type {any} */ event) => event.clientX - area.getBoundingClientRect().left;
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
      this.hover.textContent = [this.label(t), ...this.away(t)].join(" · ");
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

  /** @param {number} t */
  x(t) {
    const { warp } = this.player;
    return warp.length ? (warp.played(t) / warp.length) * (this.width - 2) + 1 : 1;
  }

  /** @param {number} x */
  timeAt(x) {
    const { warp } = this.player;
    return warp.time(((x - 1) / Math.max(1, this.width - 2)) * warp.length);
  }

  /** @param {number} t */
  label(t) {
    return clockTime(t);
  }

  /**
   * Who was not at work then, and why.
   * @param {number} t
   */
  away(t) {
    const several = this.player.tracks.length > 1;
    return this.player.tracks.flatMap(({ data }) => {
      const span = data.spans.find(([, begin, end]) => begin <= t && t < end);
      return span ? [several ? `${data.name} ${span[0]}` : span[0]] : [];
    });
  }

  /**
   * Where the clock stands; cheap, for every frame.
   * @param {number} t
   */
  move(t) {
    this.cursor.style.transform = `translateX(${this.x(t).toFixed(1)}px)`;
    const second = Math.floor(t / 1000);
    if (second === this.second) return;
    this.second = second;
    setAttr(this.area, "aria-valuenow", String(second));
    setAttr(this.area, "aria-valuetext", this.label(t));
  }

  /** Draw everything anew: another width, theme, or way of counting gaps. */
  draw() {
    const width = this.area.clientWidth;
    if (!width) return;
    this.width = width;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.area);
    const colour = (/** @type {string} */ name) => {
      this.cursor.style.color = `var(${name})`;
      const value = getComputedStyle(this.cursor).color;
      this.cursor.style.color = "";
      return value;
    };
    this.ink = {
      accent: colour("--pt-accent"),
      quiet: colour("--pt-quiet"),
      desk: colour("--pt-desk"),
      border: colour("--pt-border"),
      text: colour("--pt-text"),
      control: colour("--pt-control"),
      tint: colour("--pt-tint-strong"),
      green: colour("--pt-green"),
      font: style.fontFamily,
    };
    let top = 0;
    for (const { track, rows } of this.blocks) {
      this.block(pen, track, rows, top);
      top += rows.length * ROW + GAP;
    }
    this.axis(pen, this.height - AXIS);
    setAttr(this.area, "aria-valuemax", String(Math.floor(this.player.duration / 1000)));
    this.second = -1;
    this.move(this.player.t);
  }

  /**
   * @param {any} pen
   * @param {Pt.Track} track
   * @param {any} rows
   * @param {any} top
   */
  block(pen, track, rows, top) {
    const { data } = track;
    const height = rows.length * ROW;
    pen.fillStyle = this.ink.desk;
    for (const [, begin, end] of data.spans) {
      const [a, b] = [this.x(begin), this.x(end)];
      pen.fillRect(a, top, Math.max(1, b - a), height);
    }
    // The lines end where the attempt does, which may be long before the other's end.
    const end = this.x(data.duration) + 1;
    pen.fillStyle = this.ink.border;
    for (const i of rows.keys()) pen.fillRect(0, top + (i + 1) * ROW - 1, end, 1);
    pen.fillStyle = this.ink.control;
    pen.fillRect(end - 1, top, 1, height);
    rows.forEach((/** @type {any[]} */ [lane], /** @type {number} */ i) => {
      const y = top + i * ROW;
      if (lane === "page") this.pages(pen, track, y);
      else if (lane === "citation") this.citations(pen, track, y);
      else if (lane === "box") this.boxes(pen, track, y);
      else this.marks(pen, track, lane, y);
    });
  }

  /**
   * @param {any} pen
   * @param {Pt.Track} track
   * @param {string} lane
   * @param {number} y
   */
  marks(pen, track, lane, y) {
    pen.fillStyle = lane === "search" ? this.ink.accent : this.ink.quiet;
    track.data.moments.forEach(([t, own]) => {
      if (own === lane) pen.fillRect(this.x(t) - 1, y + 2, 2.5, ROW - 5);
    });
  }

  /**
   * Looks at pages that are cited in the end stand out.
   * @param {any} pen
   * @param {Pt.Track} track
   * @param {number} y
   */
  pages(pen, track, y) {
    const cited = new Set(track.citations(track.length));
    for (const [, page, begin, end] of track.data.looks) {
      const [a, b] = [this.x(begin), this.x(end)];
      pen.fillStyle = cited.has(page) ? this.ink.accent : this.ink.control;
      pen.globalAlpha = cited.has(page) ? 0.85 : 0.45;
      pen.fillRect(a, y + 2, Math.max(1, b - a - 1), ROW - 5);
    }
    pen.globalAlpha = 1;
  }

  /**
   * @param {any} pen
   * @param {Pt.Track} track
   * @param {number} y
   */
  citations(pen, track, y) {
    const { times } = track;
    const middle = y + ROW / 2 - 1;
    for (const [, begin, end] of track.data.citations) {
      const a = this.x(times[begin - 1]);
      const b = end === null ? this.x(times[times.length - 1]) : this.x(times[end - 1]);
      pen.fillStyle = this.ink.green;
      pen.globalAlpha = 0.35;
      pen.fillRect(a, middle, Math.max(0, b - a), 1.5);
      pen.globalAlpha = 1;
      pen.beginPath();
      pen.arc(a, middle + 0.5, 4, 0, 2 * Math.PI);
      pen.fill();
      if (end === null) continue;
      pen.strokeStyle = this.ink.green;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(b, middle + 0.5, 3.2, 0, 2 * Math.PI);
      pen.stroke();
    }
  }

  /**
   * @param {any} pen
   * @param {Pt.Track} track
   * @param {number} y
   */
  boxes(pen, track, y) {
    const { times, data } = track;
    for (const [, , states] of data.boxes) {
      states.forEach(([seq, rect, label], i) => {
        pen.fillStyle = rect ? lookOf(data.labels, label).line : this.ink.quiet;
        const [size, drop] = i === 0 ? [9, 0] : [6, 1.5];
        pen.fillRect(this.x(times[seq - 1]) - size / 4, y + 2 + drop, size / 2, size);
      });
    }
  }

  /**
   * @param {any} pen
   * @param {number} y
   */
  axis(pen, y) {
    pen.font = `11px ${this.ink.font}`;
    pen.textBaseline = "top";
    const ticks = Math.max(1, Math.floor(this.width / TICK_EVERY));
    for (let i = 0; i <= ticks; i += 1) {
      const x = 1 + (i / ticks) * (this.width - 2);
      pen.fillStyle = this.ink.control;
      pen.fillRect(x - 0.5, y, 1, 4);
      pen.fillStyle = this.ink.quiet;
      pen.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
      pen.fillText(this.label(this.timeAt(x)), x, y + 6);
    }
    // Where time was made short, the axis is broken.
    for (const [begin, end] of this.player.warp.short) {
      const middle = (this.x(begin) + this.x(end)) / 2;
      if (this.x(end) - this.x(begin) < 6) continue;
      pen.fillStyle = this.ink.control;
      for (const shift of [-4, 0, 4]) pen.fillRect(middle + shift - 0.75, y - 1, 1.5, 1.5);
    }
  }

  destroy() {
    this.observer.disconnect();
  }
}
