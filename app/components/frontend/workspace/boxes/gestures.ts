/**
 * One pointer on the boxes of a page: drawing, moving, resizing, choosing. A gesture holds the
 * pointer until it is lifted; whatever takes it away meanwhile (Esc, a second finger, a lost
 * capture, a turned page) leaves everything as it was. What is shown follows the display's frames.
 */

import type { BoxLayer } from "../../shared/page/box_layer";
import type { Stage } from "../../shared/page/page_stage";
import {
  boxesAtPoint,
  handlePoint,
  moved,
  rectBetween,
  rectsEqual,
  resized,
  shorterSide,
} from "../../shared/page/rectangles";
import { sentence } from "../../shared/sentences";
import { gripAt, REACH } from "./grips";
import type { snapped } from "./snapping";

const SLOP: Record<string, number> = { touch: 9, pen: 5, mouse: 3 };
const SAME_PLACE = 6;
const EDGE = 10;
const FULL = 40;
const SCROLL = 20;

type Guides = ReturnType<typeof snapped>["guides"];

/** What gestures ask, and tell. */
export interface GestureHost {
  model(): {
    /** of the open page */
    boxes: Pt.PageBox[];
    selected: string | null;
    hidden: boolean;
    editable: boolean;
    /** of a new box */
    label: string | null;
    /** smallest width and height */
    least: number;
  };
  /** Why no box can be drawn here, or null. */
  refusal(): string | null;
  /** @param handle that is dragged; null while drawing */
  snap(rect: Pt.Rect, handle: string | null, suspended: boolean): { rect: Pt.Rect; guides: Guides };
  select(id: string | null, onPurpose?: boolean): void;
  drawn(rect: Pt.Rect): void;
  moved(id: string, rect: Pt.Rect): void;
  resized(id: string, rect: Pt.Rect): void;
  showHint(text: string): void;
}

/** A pointer that is down: what it does, where it came down and where it is. */
interface Gesture {
  kind: string;
  id: number;
  type: string;
  from: Pt.Point;
  at: Pt.Point;
  /** on the page */
  start: Pt.Point;
  started: boolean;
  box?: Pt.PageBox;
  handle?: string;
  /** It came down on a box's name. */
  tag?: boolean;
  /** Nothing snaps; `straight`: it moves along one axis. */
  free?: boolean;
  straight?: boolean;
}

export class BoxGestures {
  private gesture: Gesture | null = null;
  private clicked: Pt.Point | null = null;
  private frame = 0;

  constructor(
    private readonly stage: Stage,
    private readonly layer: BoxLayer<Pt.PageBox>,
    private readonly host: GestureHost,
  ) {
    const { pane } = stage;
    pane.addEventListener("pointermove", (event) => this.move(event));
    pane.addEventListener("pointerup", (event) => this.up(event));
    for (const type of ["pointercancel", "lostpointercapture"] as const) {
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

  /** The box that a pointer is down on. */
  get box() {
    return this.gesture?.box ?? null;
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

  move(event: PointerEvent) {
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
    if (!gesture.started && far >= SLOP[gesture.type]) this.begin(gesture);
    this.schedule();
  }

  private begin(gesture: Gesture) {
    const { host, layer } = this;
    gesture.started = true;
    if (gesture.kind === "draw") {
      const refusal = host.refusal();
      if (refusal) {
        host.showHint(refusal);
        gesture.kind = "none";
        return;
      }
      host.select(null);
    } else if (gesture.kind === "move" && gesture.box) {
      host.select(gesture.box.id);
    }
    layer.stage.marks.classList.toggle("busy", gesture.kind !== "click");
  }

  schedule() {
    if (!this.busy || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const { gesture } = this;
      if (!gesture?.started) return;
      if (this.scroll(gesture)) this.schedule();
      this.draw(gesture);
    });
  }

  /** At the pane's edges the page scrolls along, the faster the further beyond. */
  private scroll({ at, kind }: Gesture) {
    if (kind === "click" || kind === "none") return false;
    const { pane } = this.stage;
    const rect = pane.getBoundingClientRect();
    const push = (value: number, low: number, length: number) => {
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
  private draw(gesture: Gesture) {
    const { kind, box } = gesture;
    const result = this.result(gesture);
    if (!result) return;
    if (kind === "draw") this.layer.setBand(result.rect, this.host.model().label);
    else if (box) this.layer.setDraft({ id: box.id, rect: result.rect });
    this.layer.setGuides(result.guides);
  }

  /** The rectangle that the gesture stands for now, and the lines it has snapped to. */
  private result(gesture: Gesture) {
    const { stage, host } = this;
    const { kind, box, start, at, handle, free = false, straight } = gesture;
    if (!stage.size) return null;
    const point = stage.toPagePoint(at.x, at.y);
    if (kind === "draw") return host.snap(rectBetween(start, point, stage.size), null, free);
    if (!box) return null;
    let [dx, dy] = [point.x - start.x, point.y - start.y];
    if (kind === "move") {
      if (straight && Math.abs(dx) > Math.abs(dy)) dy = 0;
      else if (straight) dx = 0;
      return { rect: moved(box.rect, dx, dy, stage.size), guides: [] };
    }
    if (kind !== "resize" || !handle) return null;
    const [x, y] = handlePoint(box.rect, handle);
    const to = { x: x + dx, y: y + dy };
    const rect = resized(box.rect, handle, to, stage.size, host.model().least);
    return host.snap(rect, handle, free);
  }

  up(event: PointerEvent) {
    const { gesture, host } = this;
    if (!gesture || event.pointerId !== gesture.id) return;
    gesture.at = { x: event.clientX, y: event.clientY };
    const result = gesture.started ? this.result(gesture) : null;
    this.end();
    if (!gesture.started) {
      this.click(gesture);
    } else if (result && gesture.kind === "draw") {
      const { least } = host.model();
      if (shorterSide(result.rect) >= least) host.drawn(result.rect);
      else host.showHint(sentence("too_small", { least }));
    } else if (result && gesture.box && !rectsEqual(result.rect, gesture.box.rect)) {
      host[gesture.kind === "move" ? "moved" : "resized"](gesture.box.id, result.rect);
    }
    this.layer.setDraft(null);
  }

  /** Choose what is under a click; again at the same place goes on to what is below. */
  click({ box, kind, tag, at, start, type }: Gesture) {
    const { boxes, selected, hidden } = this.host.model();
    if (hidden || kind === "resize") return;
    if (tag && box) {
      this.host.select(box.id, true);
      return;
    }
    const found = boxesAtPoint(boxes, start, REACH[type] / this.stage.scale);
    const again =
      this.clicked && Math.hypot(at.x - this.clicked.x, at.y - this.clicked.y) < SAME_PLACE;
    const place = again ? found.findIndex((other) => other.id === selected) + 1 : 0;
    this.clicked = at;
    this.host.select(found.length ? found[place % found.length].id : null, true);
  }

  lost(event: PointerEvent) {
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
    this.end();
    this.layer.setDraft(null);
    return busy;
  }

  end() {
    const { gesture } = this;
    if (!gesture) return;
    const { id, kind } = gesture;
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
  hover(event: PointerEvent) {
    if (event.pointerType === "touch" || event.buttons) return;
    const grip = this.grip(event);
    const way =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>(".box-handle")?.dataset.way
        : null;
    this.stage.pane.dataset.over = grip?.kind === "resize" ? `resize-${way}` : (grip?.kind ?? "");
  }
}
