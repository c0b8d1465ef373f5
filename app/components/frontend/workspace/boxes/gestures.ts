/**
 * One pointer on the boxes of a page: drawing, moving, resizing, choosing. A gesture holds the
 * pointer until it is lifted; whatever takes it away meanwhile (Esc, a second finger, a lost
 * capture, a turned page) leaves everything as it was. What is shown follows the display's frames.
 */

import type { BoxLayer } from "../../shared/page/box_layer";
import type { Stage } from "../../shared/page/page_stage";
import {
  between,
  handlePoint,
  moved,
  resized,
  same,
  shortest,
  under,
} from "../../shared/page/rectangles";
import { sentence } from "../../shared/sentences";
import { gripAt, REACH } from "./grips";

const SLOP: Record<string, any> = { touch: 9, pen: 5, mouse: 3 };
const SAME_PLACE = 6;
const EDGE = 10;
const FULL = 40;
const SCROLL = 20;

export class BoxGestures {
  stage: Stage;
  layer: BoxLayer;
  host: any;
  gesture: any;
  clicked: any;
  frame: any;

  /**
   * @param host   model() → {boxes, selected, hidden, editable, label, least}: the boxes of the open page, the
   *   chosen one's id, whether they may be changed, a new box's label, the smallest width and height
   *   refusal() → why no box can be drawn here, or null
   *   snap(rect, edges, suspended) → {rect, guides}: edges [-1|0|1, -1|0|1] as in HANDLES, or null
   *   for all four
   *   select(id|null, onPurpose), drawn(rect), moved(id, rect), resized(id, rect), hint(text)
   */
  constructor(stage: Stage, layer: BoxLayer, host: any) {
    this.stage = stage;
    this.layer = layer;
    this.host = host;
    this.gesture = null;
    this.clicked = null;
    const { pane } = stage;
    pane.addEventListener("pointermove", (event) => this.move(event));
    pane.addEventListener("pointerup", (event) => this.up(event));
    for (const type of ["pointercancel", "lostpointercapture"]) {
      pane.addEventListener(type, (event) => this.lost(event));
    }
    pane.addEventListener("scroll", () => this.schedule(), { passive: true });
    // A finger that rests before it draws asks for no menu.
    pane.addEventListener("contextmenu", (event) => {
      if (this.gesture && this.gesture.type !== "mouse" && this.gesture.kind !== "click")
        event.preventDefault();
    });
    stage.pinch.onBegin = () => this.cancel();
  }

  /** Whether something is being drawn or dragged. */
  get busy() {
    return Boolean(this.gesture?.started);
  }

  /**
   * A pointer comes down on the pane.
   * @returns whether the tool takes it; false leaves it to panning
   */
  press(event: PointerEvent): boolean {
    if (this.gesture) {
      const palm = this.gesture.type === "pen" && event.pointerType === "touch";
      if (palm || !event.isPrimary) return true;
      this.cancel(); // its end was never told
    }
    if (event.button !== 0 || !event.isPrimary || !this.stage.size) return false;
    this.stage.pane.dataset.pointer = event.pointerType;
    const grip = this.grip(event);
    const kind = grip?.kind ?? (this.stage.tool === "box" ? "draw" : "click");
    this.gesture = {
      kind,
      id: event.pointerId,
      type: event.pointerType,
      from: { x: event.clientX, y: event.clientY },
      at: { x: event.clientX, y: event.clientY },
      start: this.stage.toPagePoint(event.clientX, event.clientY),
      started: false,
      ...grip,
    };
    if (kind === "click") return false;
    this.stage.pane.setPointerCapture(event.pointerId);
    return true;
  }

  grip(event: PointerEvent) {
    return gripAt(this.stage, this.host.model(), event);
  }

  move(event: any) {
    const { gesture } = this;
    if (!gesture) {
      this.hover(event);
      return;
    }
    if (event.pointerId !== gesture.id) return;
    gesture.at = { x: event.clientX, y: event.clientY };
    gesture.free = event.altKey;
    gesture.straight = event.shiftKey;
    const far = Math.hypot(gesture.at.x - gesture.from.x, gesture.at.y - gesture.from.y);
    if (!gesture.started && far >= SLOP[gesture.type]) this.begin();
    this.schedule();
  }

  begin() {
    const { gesture, host, layer } = this;
    gesture.started = true;
    if (gesture.kind === "draw") {
      const refusal = host.refusal();
      if (refusal) {
        host.hint(refusal);
        gesture.kind = "none";
        return;
      }
      host.select(null);
    } else if (gesture.kind === "move") {
      host.select(gesture.box.id);
    }
    layer.stage.marks.classList.toggle("busy", gesture.kind !== "click");
  }

  schedule() {
    if (!this.busy || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.busy) return;
      if (this.scroll()) this.schedule();
      this.draw();
    });
  }

  /** At the pane's edges the page scrolls along, the faster the further beyond. */
  scroll() {
    const { at, kind } = this.gesture;
    if (kind === "click" || kind === "none") return false;
    const { pane } = this.stage;
    const rect = pane.getBoundingClientRect();
    const push = (value: any, low: number, length: any) => {
      const [before, after] = [low + EDGE - value, value - (low + length - EDGE)];
      return (
        SCROLL * (Math.min(1, Math.max(0, after / FULL)) - Math.min(1, Math.max(0, before / FULL)))
      );
    };
    const before = [pane.scrollLeft, pane.scrollTop];
    pane.scrollLeft += push(at.x, rect.left, pane.clientWidth);
    pane.scrollTop += push(at.y, rect.top, pane.clientHeight);
    return pane.scrollLeft !== before[0] || pane.scrollTop !== before[1];
  }

  /** Show what the gesture has come to. */
  draw() {
    const { kind, box } = this.gesture;
    const result = this.result();
    if (!result) return;
    if (kind === "draw") this.layer.setBand(result.rect, this.host.model().label);
    else this.layer.setDraft({ id: box.id, rect: result.rect });
    this.layer.setGuides(result.guides);
  }

  /** The rectangle that the gesture stands for now, and the lines it has snapped to. */
  result() {
    const { stage, host, gesture } = this;
    const { kind, box, start, at, handle, free, straight } = gesture;
    if (!stage.size) return null;
    const point = stage.toPagePoint(at.x, at.y);
    if (kind === "draw") return host.snap(between(start, point, stage.size), null, free);
    let [dx, dy] = [point.x - start.x, point.y - start.y];
    if (kind === "move") {
      if (straight && Math.abs(dx) > Math.abs(dy)) dy = 0;
      else if (straight) dx = 0;
      return { rect: moved(box.rect, dx, dy, stage.size), guides: [] };
    }
    if (kind !== "resize") return null;
    const [x, y] = handlePoint(box.rect, handle);
    const to = { x: x + dx, y: y + dy };
    const rect = resized(box.rect, handle, to, stage.size, host.model().least);
    return host.snap(rect, handle, free);
  }

  up(event: any) {
    const { gesture, host } = this;
    if (!gesture || event.pointerId !== gesture.id) return;
    gesture.at = { x: event.clientX, y: event.clientY };
    const result = gesture.started ? this.result() : null;
    this.end();
    if (!gesture.started) {
      this.click(gesture);
    } else if (result && gesture.kind === "draw") {
      const { least } = host.model();
      if (shortest(result.rect) >= least) host.drawn(result.rect);
      else host.hint(sentence("too_small", { least }));
    } else if (result && !same(result.rect, gesture.box.rect)) {
      host[gesture.kind === "move" ? "moved" : "resized"](gesture.box.id, result.rect);
    }
    this.layer.setDraft(null);
  }

  /** Choose what is under a click; again at the same place goes on to what is below. */
  click({
    box,
    kind,
    tag,
    at,
    start,
    type,
  }: {
    box: Pt.PageBox;
    kind: string;
    tag: any;
    at: any;
    start: any;
    type: string;
  }) {
    const { boxes, selected, hidden } = this.host.model();
    if (hidden || kind === "resize") return;
    if (tag) {
      this.host.select(box.id, true);
      return;
    }
    const found: any[] = under(boxes, start, REACH[type] / this.stage.scale);
    const again =
      this.clicked && Math.hypot(at.x - this.clicked.x, at.y - this.clicked.y) < SAME_PLACE;
    const place = again ? found.findIndex((other) => other.id === selected) + 1 : 0;
    this.clicked = at;
    this.host.select(found.length ? found[place % found.length].id : null, true);
  }

  lost(event: any) {
    if (event.pointerId !== this.gesture?.id) return;
    // A plain click's pointer is held, and let go, by the panning.
    if (this.gesture.kind !== "click" || event.type === "pointercancel") this.cancel();
  }

  /**
   * Give up what is being drawn or dragged.
   * @returns whether there was something
   */
  cancel(): boolean {
    const { busy } = this;
    if (this.gesture) this.end();
    this.layer.setDraft(null);
    return busy;
  }

  end() {
    const { id, kind } = this.gesture;
    this.gesture = null;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { pane, marks } = this.stage;
    if (kind !== "click" && pane.hasPointerCapture(id)) pane.releasePointerCapture(id);
    marks.classList.remove("busy");
    this.layer.setBand(null);
    this.layer.setGuides([]);
  }

  /** The cursor says what a press would do. */
  hover(event: any) {
    if (event.pointerType === "touch" || event.buttons) return;
    const grip = this.grip(event);
    const way =
      event.target instanceof Element ? event.target.closest(".box-handle")?.dataset.way : null;
    this.stage.pane.dataset.over = grip?.kind === "resize" ? `resize-${way}` : (grip?.kind ?? "");
  }
}
