import { h, setAttr } from "../shared/dom";
import { t } from "../shared/messages";
import { clockTime } from "./formatting";
import type { Player } from "./player";
import { TimelineCanvas } from "./timeline_canvas";

const HOVER_MARGIN = 24;

/**
 * The time line, an island: lanes of all attempts on a canvas that is drawn once, and a cursor that
 * moves over it. Along it runs played time, so that long gaps, where they are made short, take no
 * room.
 */
export class Timeline {
  readonly element: HTMLElement;
  private readonly cursor = h("div", { class: "lane-cursor" });
  private readonly hover = h("div", {
    class: "lane-hover number",
    hidden: true,
    "aria-hidden": "true",
  });
  private readonly canvas: TimelineCanvas;
  private readonly observer = new ResizeObserver(() => this.draw());
  private width = 0;
  private second = -1;
  private isDragging = false;

  constructor(
    private readonly player: Player,
    private readonly callbacks: { onSeek: (t: number) => void },
  ) {
    const canvas = h("canvas", { "aria-hidden": "true" });
    this.element = h(
      "div",
      {
        class: "lane-area fill",
        role: "slider",
        tabindex: "0",
        testid: "replay-scrubber",
        "aria-label": t("Time line"),
        "aria-valuemin": "0",
      },
      canvas,
      this.cursor,
      this.hover,
    );
    const blocks = player.tracks.map((track) => ({ track, rows: track.data.lanes }));
    this.canvas = new TimelineCanvas(canvas, blocks, (t) => this.x(t));
    this.element.style.height = `${this.canvas.height}px`;
    this.listen();
    this.observer.observe(this.element);
  }

  /** Show where the clock is; cheap, for every frame. */
  move(t: number) {
    this.cursor.style.transform = `translateX(${this.x(t).toFixed(1)}px)`;
    const second = Math.floor(t / 1000);
    if (second === this.second) return;
    this.second = second;
    setAttr(this.element, "aria-valuenow", String(second));
    setAttr(this.element, "aria-valuetext", clockTime(t));
  }

  /** Draw everything again: another width, theme, or way of counting gaps. */
  draw() {
    this.width = this.element.clientWidth;
    if (!this.width) return;
    this.canvas.draw({
      width: this.width,
      probe: this.cursor,
      timeAt: (x) => this.timeAt(x),
      short: this.player.warp.short,
    });
    setAttr(this.element, "aria-valuemax", String(Math.floor(this.player.duration / 1000)));
    this.second = -1;
    this.move(this.player.t);
  }

  destroy() {
    this.observer.disconnect();
  }

  private listen() {
    const area = this.element;
    const xOf = (event: PointerEvent) => event.clientX - area.getBoundingClientRect().left;
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      area.setPointerCapture(event.pointerId);
      this.isDragging = true;
      this.callbacks.onSeek(this.timeAt(xOf(event)));
    });
    area.addEventListener("pointermove", (event) => {
      const x = xOf(event);
      const t = this.timeAt(x);
      if (this.isDragging) this.callbacks.onSeek(t);
      this.hover.hidden = false;
      this.hover.textContent = [clockTime(t), ...this.absences(t)].join(" · ");
      const middle = Math.min(this.width - HOVER_MARGIN, Math.max(HOVER_MARGIN, x));
      this.hover.style.transform = `translateX(${middle}px) translateX(-50%)`;
    });
    const end = () => {
      this.isDragging = false;
    };
    area.addEventListener("pointerup", end);
    area.addEventListener("pointercancel", end);
    area.addEventListener("pointerleave", () => {
      this.hover.hidden = true;
    });
  }

  private x(t: number) {
    const { warp } = this.player;
    return warp.length ? (warp.played(t) / warp.length) * (this.width - 2) + 1 : 1;
  }

  private timeAt(x: number) {
    const { warp } = this.player;
    return warp.time(((x - 1) / Math.max(1, this.width - 2)) * warp.length);
  }

  /** Who was not at work at a time, and why. */
  private absences(t: number) {
    const { tracks } = this.player;
    return tracks.flatMap(({ data }) => {
      const span = data.spans.find(([, begin, end]) => begin <= t && t < end);
      if (!span) return [];
      return [tracks.length > 1 ? `${data.name} ${span[0]}` : span[0]];
    });
  }
}
