/**
 * Two fingers on the page while a tool has the single one: they pan and zoom together, and what the
 * first finger had started is given up. Without a tool the browser scrolls by itself.
 */

import type { Stage } from "./page_stage";

export class Pinch {
  stage: Stage;
  fingers: Map<number, Pt.Point>;
  onBegin: () => void;
  spread: boolean | undefined;

  last = { x: 0, y: 0, distance: 1 };

  constructor(stage: Stage) {
    this.stage = stage;
    this.fingers = new Map();
    this.onBegin = () => {};
    const { pane } = stage;
    pane.addEventListener("pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel"] as const) {
      pane.addEventListener(type, (event) => this.lift(event));
    }
  }

  /** Whether two fingers are at work, or one is left of them. */
  get active() {
    return this.spread !== undefined;
  }

  /**
   * A finger comes down.
   * @returns whether the press belongs to a pinch
   */
  press(event: PointerEvent): boolean {
    if (event.pointerType !== "touch" || this.stage.tool === "pan") return false;
    // A primary finger is the first one: whatever is still listed was lifted out of sight.
    if (event.isPrimary) this.reset();
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size < 2) return false;
    this.onBegin();
    this.stage.pane.setPointerCapture(event.pointerId);
    this.last = this.measure();
    this.spread = true;
    return true;
  }

  measure() {
    const [a, b] = [...this.fingers.values()];
    return {
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
      distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
    };
  }

  move(event: PointerEvent) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (!this.active || this.fingers.size < 2) return;
    const { stage, last } = this;
    const now = this.measure();
    stage.pane.scrollLeft -= now.x - last.x;
    stage.pane.scrollTop -= now.y - last.y;
    const factor = now.distance / last.distance;
    if (Math.abs(factor - 1) > 0.01) {
      stage.zoomTo(stage.view.zoom * factor, { x: now.x, y: now.y });
      this.last = now;
    } else {
      this.last = { ...now, distance: last.distance };
    }
  }

  lift(event: PointerEvent) {
    this.fingers.delete(event.pointerId);
    if (!this.fingers.size) this.reset();
  }

  reset() {
    this.fingers.clear();
    this.spread = undefined;
  }
}
