/**
 * The pane that shows one page: image, overlay, zoom, fit, rotation, panning. The overlay is an
 * SVG in page points (viewBox = page size), turned and scaled with the sheet, so whatever is drawn
 * into it needs no arithmetic; `marks` over it is HTML that stays upright, placed in parts of the
 * frame as `shown` tells them. Client coordinates are converted in one place, `toPagePoint` and
 * `toClientPoint`, from the frame's measured rectangle; scroll, zoom and pixel ratio are in it.
 *
 * With the tool "pan" the pane scrolls and pans; other tools take the primary pointer through
 * `onPress`, and two fingers pan and zoom.
 */

import { h, type Props, svg } from "../dom";
import { t } from "../messages";
import * as geometry from "./page_geometry";
import { grab, isOnScrollBar, wheelFactor } from "./panning";
import { Pinch } from "./pinch_zoom";

const MARGIN = 12;
const HINT_MS = 4000;

export class Stage {
  onView: (view: Pt.View, byHand: boolean) => void;
  onLayout: () => void;
  onPress: (_event: PointerEvent) => boolean;
  /** One of the offered numbers was clicked. */
  onNumber: (_index: number) => void;
  tool: string;
  /** in points; null while no page is shown */
  size: Pt.Size | null = null;
  view: Pt.View;
  images: HTMLDivElement;
  highlights: SVGGElement;
  hits: SVGGElement;
  words: SVGGElement;
  boxes: SVGGElement;
  numbers: SVGGElement;
  overlay: SVGSVGElement;
  sheet: HTMLDivElement;
  marks: HTMLDivElement;
  text: HTMLDivElement;
  frame: HTMLDivElement;
  notice: HTMLDivElement;
  hintText: HTMLDivElement;
  pane: HTMLDivElement;
  voice: HTMLDivElement;
  element: HTMLDivElement;
  observer: ResizeObserver;
  hintTimer: number | undefined;
  spaceHeld: boolean | undefined;
  pinch: Pinch;
  private pixelRatio = window.devicePixelRatio || 1;

  /** @param options called on zoom, fit, turn */
  constructor({ onView }: { onView: (view: Pt.View, byHand: boolean) => void }) {
    this.onView = onView;
    this.onLayout = () => {};
    this.onPress = (_event: PointerEvent) => false;
    this.onNumber = (_index: number) => {};
    this.tool = "pan";
    this.view = { fit: "width", zoom: 100, rotation: 0 };
    this.images = h("div", { class: "sheet-images" });
    this.highlights = svg("g", { class: "highlights" });
    this.hits = svg("g", { class: "found" });
    this.words = svg("g", { class: "words" });
    this.boxes = svg("g", { class: "boxes" });
    this.numbers = svg("g", { class: "numbers", "data-testid": "printed-numbers" });
    this.overlay = svg(
      "svg",
      { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" },
      this.highlights,
      this.hits,
      this.words,
      this.boxes,
      this.numbers,
    );
    this.sheet = h("div", { class: "sheet" }, this.images, this.overlay);
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.text = h("div", { class: "unseen page-text", lang: "" });
    this.frame = h("div", { class: "frame", hidden: true }, this.sheet, this.marks, this.text);
    this.notice = h("div", { class: "stage-notice", role: "status", hidden: true });
    this.hintText = h("div", { class: "stage-hint", role: "status", testid: "stage-hint" });
    this.pane = h(
      "div",
      {
        class: "pane",
        tabindex: "0",
        testid: "page-pane",
        role: "region",
        "aria-label": t("Page"),
      },
      this.frame,
    );
    this.voice = h("div", { class: "unseen", role: "status" });
    this.element = h("div", { class: "stage" }, this.pane, this.notice, this.hintText, this.voice);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.pane);
    this.pinch = new Pinch(this);
    this.gestures();
  }

  /**
   * Show an empty sheet of this size at the top of the pane.
   * @param size points
   */
  setPage(size: Pt.Size) {
    this.size = size;
    this.frame.hidden = false;
    this.images.replaceChildren();
    this.highlights.replaceChildren();
    this.words.replaceChildren();
    this.showHint("");
    this.overlay.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    this.layout();
    this.pane.scrollTop = 0;
  }

  /** Nothing to show. */
  clear() {
    this.size = null;
    this.frame.hidden = true;
    this.images.replaceChildren();
  }

  /**
   * Put an image on the sheet, in place of the one before.
   * @param image decoded
   */
  setImage(image: HTMLCanvasElement) {
    this.images.replaceChildren(image);
  }

  /** A sentence over the page ("Page image not available…"), or null. */
  setNotice(text: string | null) {
    this.notice.hidden = !text;
    this.notice.textContent = text ?? "";
  }

  /** A sentence that goes away by itself: what cannot be done here, and why. */
  showHint(text: string) {
    clearTimeout(this.hintTimer);
    this.hintText.textContent = text;
    if (text) this.hintTimer = setTimeout(() => this.showHint(""), HINT_MS);
  }

  /** @param text for screen readers only */
  announce(text: string) {
    this.voice.textContent = text;
  }

  /** @param tool what the primary pointer does: "pan", "box" or "text" */
  setTool(tool: string) {
    this.tool = tool;
    this.pane.dataset.tool = tool;
  }

  /**
   * Outline rectangles on the page.
   * @param boxes x0, y0, x1, y1 in points
   */
  setHighlights(boxes: Array<[number, number, number, number]>) {
    this.highlights.replaceChildren(...boxes.map((box) => outline(box, { rx: 1.5 })));
  }

  /** Mark the words of hits; the present one stands out. */
  setHits(hits: Pt.Word[][], present = -1) {
    this.hits.replaceChildren(
      ...hits.flatMap((words, index) =>
        words.map((word) => outline(word, { class: index === present ? "present" : "" })),
      ),
    );
  }

  /**
   * Mark numbers that can be taken by a click, which leaves the focus where it is.
   * @param present the one that stands out; −1 for none
   */
  setNumbers(numbers: { text: string; rect: Pt.Rect }[], present: number) {
    this.numbers.replaceChildren(
      ...numbers.map(({ text, rect }, index) => {
        const mark = outline(rect, {
          rx: 2,
          class: index === present ? "present" : "",
          "data-number": text,
        });
        mark.addEventListener("pointerdown", (event) => event.stopPropagation());
        mark.addEventListener("mousedown", (event) => event.preventDefault());
        mark.addEventListener("click", () => this.onNumber(index));
        return mark;
      }),
    );
  }

  /** The text of the page for screen readers. */
  setText(paragraphs: string[]) {
    this.text.replaceChildren(...paragraphs.map((text) => h("p", { text })));
  }

  /** CSS pixels per point. */
  get scale() {
    return (geometry.PX_PER_POINT * this.view.zoom) / 100;
  }

  /** The size of the page that is shown. */
  get pageSize(): Pt.Size {
    if (!this.size) throw new Error("No page is shown.");
    return this.size;
  }

  /** from client coordinates to page points */
  toPagePoint(x: number, y: number): Pt.Point {
    const frame = this.frame.getBoundingClientRect();
    return geometry.toPagePoint({ x, y }, frame, this.pageSize, this.view.rotation);
  }

  /** from page points to client coordinates */
  toClientPoint(x: number, y: number): Pt.Point {
    const frame = this.frame.getBoundingClientRect();
    return geometry.toClientPoint({ x, y }, frame, this.pageSize, this.view.rotation);
  }

  /**
   * Where a rectangle is in the turned frame: edges as parts of the frame's width and
   * height, and these in CSS pixels.
   */
  shown(rect: number[]) {
    const { rotation } = this.view;
    return geometry.placeInFrame(rect, this.pageSize, rotation, this.scale);
  }

  /** Scroll so that a rectangle is in view. */
  reveal(rect: number[]) {
    if (!this.size) return;
    const [a, b] = [this.toClientPoint(rect[0], rect[1]), this.toClientPoint(rect[2], rect[3])];
    const pane = this.pane.getBoundingClientRect();
    const shift = geometry.scrollShift;
    const { clientWidth, clientHeight } = this.pane;
    this.pane.scrollLeft += shift(Math.min(a.x, b.x), Math.max(a.x, b.x), pane.left, clientWidth);
    this.pane.scrollTop += shift(Math.min(a.y, b.y), Math.max(a.y, b.y), pane.top, clientHeight);
  }

  /**
   * Change zoom, fit or rotation.
   * @param options `at` (client coordinates)
   * stays under the pointer
   */
  setView(
    change: Partial<Pt.View>,
    { byHand = true, at = null }: { byHand?: boolean; at?: Pt.Point | null } = {},
  ) {
    const anchor = this.size ? (at ?? this.centre()) : null;
    const point = anchor && change.zoom ? this.toPagePoint(anchor.x, anchor.y) : null;
    this.view = { ...this.view, ...change };
    this.layout();
    if (point) {
      const now = this.toClientPoint(point.x, point.y);
      this.pane.scrollLeft += now.x - (anchor as Pt.Point).x;
      this.pane.scrollTop += now.y - (anchor as Pt.Point).y;
    }
    this.onView(this.view, byHand);
  }

  /** Zoom by hand to a percentage, or one step in or out. */
  zoomTo(zoom: number, at: Pt.Point | null = null) {
    this.setView({ fit: "none", zoom: geometry.clampZoom(zoom) }, { at });
  }

  zoomStep(direction: 1 | -1) {
    this.zoomTo(geometry.zoomStep(this.view.zoom, direction));
  }

  centre() {
    const pane = this.pane.getBoundingClientRect();
    return { x: pane.left + this.pane.clientWidth / 2, y: pane.top + this.pane.clientHeight / 2 };
  }

  /** The zoom in which a page of this size is shown, in percent. */
  private zoomFor(size: Pt.Size) {
    const { fit, rotation, zoom } = this.view;
    if (fit === "none") return zoom;
    return geometry.fitZoom(fit, geometry.turned(size, rotation), {
      width: Math.max(80, this.pane.clientWidth - 2 * MARGIN),
      height: Math.max(80, this.pane.clientHeight - 2 * MARGIN),
    });
  }

  /**
   * The image that suits a page of this size in the present view.
   * @param dpi what the server is asked for
   */
  resolutionFor(size: Pt.Size, dpi?: number) {
    return geometry.resolutionFor(size, this.zoomFor(size), this.pixelRatio, dpi);
  }

  /** Sizes of frame and sheet from page, view and pane. */
  layout() {
    if (!this.size) return;
    const { rotation } = this.view;
    const zoom = this.zoomFor(this.size);
    const pixelRatio = window.devicePixelRatio || 1;
    if (Math.abs(zoom - this.view.zoom) > 0.01 || pixelRatio !== this.pixelRatio) {
      this.pixelRatio = pixelRatio;
      this.view = { ...this.view, zoom };
      this.onView(this.view, false);
    }
    const [width, height] = geometry.shownSize(this.size, this.view.zoom, pixelRatio);
    const [frameWidth, frameHeight] = geometry.turned([width, height], rotation);
    Object.assign(this.frame.style, { width: `${frameWidth}px`, height: `${frameHeight}px` });
    Object.assign(this.sheet.style, {
      width: `${width}px`,
      height: `${height}px`,
      transform: geometry.sheetTransform(frameWidth, frameHeight, rotation),
    });
    this.onLayout();
  }

  gestures() {
    this.pane.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.pane.addEventListener("pointerdown", (event) => this.press(event));
    this.pane.addEventListener("dragstart", (event) => event.preventDefault());
    this.pane.addEventListener("keydown", (event) => {
      if (event.key !== " " || this.tool !== "box") return;
      event.preventDefault();
      this.holdSpace(true);
    });
    this.pane.addEventListener("keyup", (event) => event.key === " " && this.holdSpace(false));
    this.pane.addEventListener("blur", () => this.holdSpace(false));
  }

  /** While the space bar is held, the pointer pans with any tool. */
  holdSpace(held: boolean) {
    this.spaceHeld = held;
    this.pane.classList.toggle("space-held", held);
  }

  /** The tool first, then panning. */
  press(event: PointerEvent) {
    const control = event.target instanceof Element && event.target.closest("button");
    if (control || isOnScrollBar(this.pane, event)) return;
    const pans = event.button === 1 || this.spaceHeld;
    if (this.pinch.press(event)) return;
    if (!pans && this.onPress(event)) return;
    if (pans || this.tool === "pan") grab(this.pane, event);
  }

  wheel(event: WheelEvent) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    if (!this.size) return;
    const factor = wheelFactor(event);
    this.zoomTo(this.view.zoom * factor, { x: event.clientX, y: event.clientY });
  }

  destroy() {
    clearTimeout(this.hintTimer);
    this.observer.disconnect();
  }
}

/** A rectangle around one in points. */
function outline([x0, y0, x1, y1]: Pt.Word | Pt.Rect, props: Props) {
  return svg("rect", { x: x0 - 1, y: y0 - 1, width: x1 - x0 + 2, height: y1 - y0 + 2, ...props });
}
