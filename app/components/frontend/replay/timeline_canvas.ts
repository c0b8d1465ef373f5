/** Draws the time line: one block of lanes per attempt on a canvas, and an axis below them. */

import { lookOf } from "../shared/label_styles";
import { clockTime } from "./formatting";

export const ROW = 15;
export const GAP = 8;
export const AXIS = 18;
const TICK_EVERY = 96;
const INK = {
  accent: "--pt-accent",
  quiet: "--pt-quiet",
  desk: "--pt-desk",
  border: "--pt-border",
  control: "--pt-control",
  green: "--pt-green",
};

/** an attempt and its lanes */
export type Block = { track: Pt.Track; rows: [string, string][] };

/**
 * The colours of the theme as the canvas takes them.
 * @param probe an element whose colour nobody sees
 */
function inkOf(probe: HTMLElement): Record<string, string> {
  const entries = Object.entries(INK).map(([name, property]) => {
    probe.style.color = `var(${property})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.style.color = "";
  return Object.fromEntries(entries);
}

export class TimelineCanvas {
  element: HTMLCanvasElement;
  blocks: Block[];
  x: (t: number) => number;
  height: number;

  /** colours of the theme */
  ink: Record<string, string> = {};

  /** @param x where a time is */
  constructor(element: HTMLCanvasElement, blocks: Block[], x: (t: number) => number) {
    this.element = element;
    this.blocks = blocks;
    this.x = x;
    this.height =
      blocks.reduce((sum, { rows }) => sum + rows.length * ROW, 0) +
      GAP * (blocks.length - 1) +
      AXIS;
  }

  /** Draw everything again: another width, theme, or way of counting gaps. */
  draw({
    width,
    probe,
    timeAt,
    short,
  }: {
    width: number;
    /** an element whose colour nobody sees */
    probe: HTMLElement;
    timeAt: (x: number) => number;
    /** the gaps that are drawn shorter than they were */
    short: [number, number][];
  }) {
    const ratio = window.devicePixelRatio || 1;
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(this.height * ratio);
    const pen = this.element.getContext("2d") as CanvasRenderingContext2D;
    pen.scale(ratio, ratio);
    this.ink = inkOf(probe);
    pen.font = `11px ${getComputedStyle(probe).fontFamily}`;
    let top = 0;
    for (const block of this.blocks) {
      this.block(pen, block, top);
      top += block.rows.length * ROW + GAP;
    }
    this.axis(pen, this.height - AXIS, width, timeAt);
    this.breaks(pen, this.height - AXIS, short);
  }

  block(pen: CanvasRenderingContext2D, { track, rows }: Block, top: number) {
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
    rows.forEach(([lane], i) => {
      const y = top + i * ROW;
      if (lane === "page") this.pages(pen, track, y);
      else if (lane === "citation") this.citations(pen, track, y);
      else if (lane === "box") this.boxes(pen, track, y);
      else this.marks(pen, track, lane, y);
    });
  }

  marks(pen: CanvasRenderingContext2D, track: Pt.Track, lane: string, y: number) {
    pen.fillStyle = lane === "search" ? this.ink.accent : this.ink.quiet;
    track.data.moments.forEach(([t, own]) => {
      if (own === lane) pen.fillRect(this.x(t) - 1, y + 2, 2.5, ROW - 5);
    });
  }

  /** Looks at pages that are cited in the end stand out. */
  pages(pen: CanvasRenderingContext2D, track: Pt.Track, y: number) {
    const cited = new Set(track.citations(track.length));
    for (const [page, begin, end] of track.data.looks) {
      const [a, b] = [this.x(begin), this.x(end)];
      pen.fillStyle = cited.has(page) ? this.ink.accent : this.ink.control;
      pen.globalAlpha = cited.has(page) ? 0.85 : 0.45;
      pen.fillRect(a, y + 2, Math.max(1, b - a - 1), ROW - 5);
    }
    pen.globalAlpha = 1;
  }

  citations(pen: CanvasRenderingContext2D, track: Pt.Track, y: number) {
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

  boxes(pen: CanvasRenderingContext2D, track: Pt.Track, y: number) {
    const { times, data } = track;
    for (const [, , states] of data.boxes) {
      states.forEach(([seq, rect, label], i) => {
        pen.fillStyle = rect ? lookOf(data.labels, label).line : this.ink.quiet;
        const [size, drop] = i === 0 ? [9, 0] : [6, 1.5];
        pen.fillRect(this.x(times[seq - 1]) - size / 4, y + 2 + drop, size / 2, size);
      });
    }
  }

  axis(pen: CanvasRenderingContext2D, y: number, width: number, timeAt: (x: number) => number) {
    pen.textBaseline = "top";
    const ticks = Math.max(1, Math.floor(width / TICK_EVERY));
    for (let i = 0; i <= ticks; i += 1) {
      const x = 1 + (i / ticks) * (width - 2);
      pen.fillStyle = this.ink.control;
      pen.fillRect(x - 0.5, y, 1, 4);
      pen.fillStyle = this.ink.quiet;
      pen.textAlign = i === 0 ? "left" : i === ticks ? "right" : "center";
      pen.fillText(clockTime(timeAt(x)), x, y + 6);
    }
  }

  /** Where time was made short, the axis is broken. */
  breaks(pen: CanvasRenderingContext2D, y: number, short: [number, number][]) {
    for (const [begin, end] of short) {
      const middle = (this.x(begin) + this.x(end)) / 2;
      if (this.x(end) - this.x(begin) < 6) continue;
      pen.fillStyle = this.ink.control;
      for (const shift of [-4, 0, 4]) pen.fillRect(middle + shift - 0.75, y - 1, 1.5, 1.5);
    }
  }
}
