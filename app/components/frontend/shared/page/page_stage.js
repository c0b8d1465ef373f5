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

import { h, svg } from "../dom.js";
import * as geometry from "./page_geometry.js";
import { grab, isOnScrollBar, wheelFactor } from "./panning.js";
import { Pinch } from "./pinch_zoom.js";

const MARGIN = 12;
const HINT_MS = 4000;

export class Stage {
  /** @type {any} */
  pinch;

  /** @param {{onView: (view: any, byHand: boolean) => void}} options called on zoom, fit, turn */
  constructor({ onView }) {
    this.onView = onView;
    this.onLayout = () => {};
    this.onPress = (/** @type {PointerEvent} */ _event) => false;
    this.tool = "pan";
    /** @type {Pt.Size} in points; null while no page is shown */
    this.size = /** @type {any} */ (null);
    this.view = { fit: "width", zoom: 100, rotation: 0 };
    this.images = h("div", { class: "sheet-images" });
    this.highlights = svg("g", { class: "highlights" });
    this.words = svg("g", { class: "words" });
    this.boxes = svg("g", { class: "boxes" });
    this.overlay = svg(
      "svg",
      { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" },
      this.highlights,
      this.words,
      this.boxes,
    );
    this.sheet = h("div", { class: "sheet" }, this.images, this.overlay);
    this.marks = h("div", { class: "marks", "aria-hidden": "true" });
    this.frame = h("div", { class: "frame", hidden: true }, this.sheet, this.marks);
    this.notice = h("div", { class: "stage-notice", role: "status", hidden: true });
    this.hintText = h("div", { class: "stage-hint", role: "status", testid: "stage-hint" });
    this.pane = h(
      "div",
      { class: "pane", tabindex: "0", testid: "page-pane", role: "region", "aria-label": "Page" },
      this.frame,
    );
    this.voice = h("div", { class: "unseen", role: "status" });
    this.element = h("div", { class: "stage" }, this.pane, this.notice, this.hintText, this.voice);
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.pane);
    this.gestures();
  }

  /** Show an empty sheet of this size at the top of the pane. @param {Pt.Size} size points */
  setPage(size) {
    this.size = size;
    this.frame.hidden = false;
    this.images.replaceChildren();
    this.highlights.replaceChildren();
    this.words.replaceChildren();
    this.hint("");
    this.overlay.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    this.layout();
    this.pane.scrollTop = 0;
  }

  /** Nothing to show. */
  clear() {
    this.size = /** @type {any} */ (null);
    this.frame.hidden = true;
    this.images.replaceChildren();
  }

  /**
   * Put an image on the sheet, in place of the one before.
   * @param {HTMLImageElement} image decoded
   */
  setImage(image) {
    this.images.replaceChildren(image);
  }

  /**
   * A sentence over the page ("Page image not available…"), or null.
   * @param {string | null} text
   */
  setNotice(text) {
    this.notice.hidden = !text;
    this.notice.textContent = text ?? "";
  }

  /**
   * A sentence that goes away by itself: what cannot be done here, and why.
   * @param {string} text
   */
  hint(text) {
    clearTimeout(this.hintTimer);
    this.hintText.textContent = text;
    if (text) this.hintTimer = setTimeout(() => this.hint(""), HINT_MS);
  }

  /** @param {string} text for screen readers only */
  say(text) {
    this.voice.textContent = text;
  }

  /** @param {string} tool what the primary pointer does: "pan", "box" or "text" */
  setTool(tool) {
    this.tool = tool;
    this.pane.dataset.tool = tool;
  }

  /**
   * Outline rectangles on the page.
   * @param {Array<[number, number, number, number]>} boxes x0, y0, x1, y1 in points
   */
  setHighlights(boxes) {
    this.highlights.replaceChildren(
      ...boxes.map(([x0, y0, x1, y1]) =>
        svg("rect", { x: x0 - 1, y: y0 - 1, width: x1 - x0 + 2, height: y1 - y0 + 2, rx: 1.5 }),
      ),
    );
  }

  /** CSS pixels per point. */
  get scale() {
    return (geometry.PX_PER_POINT * this.view.zoom) / 100;
  }

  /** @type {(clientX: number, clientY: number) => Pt.Point} from client coordinates to page points */
  toPagePoint(x, y) {
    const frame = this.frame.getBoundingClientRect();
    return geometry.toPagePoint({ x, y }, frame, this.size, this.view.rotation);
  }

  /** @type {(x: number, y: number) => Pt.Point} from page points to client coordinates */
  toClientPoint(x, y) {
    const frame = this.frame.getBoundingClientRect();
    return geometry.toClientPoint({ x, y }, frame, this.size, this.view.rotation);
  }

  /**
   * Where a rectangle is in the turned frame: edges as parts of the frame's width and
   * height, and these in CSS pixels.
   * @param {Pt.Rect | number[]} rect
   */
  shown(rect) {
    const { rotation } = this.view;
    return geometry.placeInFrame(rect, this.size, rotation, this.scale);
  }

  /** Scroll so that a rectangle is in view. @param {number[]} rect */
  reveal(rect) {
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
   * @param {{fit?: string, zoom?: number, rotation?: number}} change
   * @param {{byHand?: boolean, at?: Pt.Point | null}} [options] `at` (client coordinates)
   *   stays under the pointer
   */
  setView(change, { byHand = true, at = null } = {}) {
    const anchor = this.size ? (at ?? this.centre()) : null;
    const point = anchor && change.zoom ? this.toPagePoint(anchor.x, anchor.y) : null;
    this.view = { ...this.view, ...change };
    this.layout();
    if (point) {
      const now = this.toClientPoint(point.x, point.y);
      this.pane.scrollLeft += now.x - /** @type {Pt.Point} */ (anchor).x;
      this.pane.scrollTop += now.y - /** @type {Pt.Point} */ (anchor).y;
    }
    this.onView(this.view, byHand);
  }

  /** Zoom by hand to a percentage, or one step in or out. @param {number} zoom @param {any} [at] */
  zoomTo(zoom, at = null) {
    this.setView({ fit: "none", zoom: geometry.clampZoom(zoom) }, { at });
  }

  /** @param {1|-1} direction */
  zoomStep(direction) {
    this.zoomTo(geometry.zoomStep(this.view.zoom, direction));
  }

  centre() {
    const pane = this.pane.getBoundingClientRect();
    return { x: pane.left + this.pane.clientWidth / 2, y: pane.top + this.pane.clientHeight / 2 };
  }

  /** Sizes of frame and sheet from page, view and pane. */
  layout() {
    if (!this.size) return;
    const { rotation } = this.view;
    const shown = geometry.turned(this.size, rotation);
    if (this.view.fit !== "none") {
      const pane = {
        width: Math.max(80, this.pane.clientWidth - 2 * MARGIN),
        height: Math.max(80, this.pane.clientHeight - 2 * MARGIN),
      };
      const zoom = geometry.fitZoom(this.view.fit, shown, pane);
      if (Math.abs(zoom - this.view.zoom) > 0.01) {
        this.view = { ...this.view, zoom };
        this.onView(this.view, false);
      }
    }
    const [width, height] = this.size.map((points) => points * this.scale);
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
    this.pinch = new Pinch(this);
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

  /** While the space bar is held, the pointer pans with any tool. @param {boolean} held */
  holdSpace(held) {
    this.spaceHeld = held;
    this.pane.classList.toggle("space-held", held);
  }

  /** The tool first, then panning. @param {PointerEvent} event */
  press(event) {
    const control = event.target instanceof Element && event.target.closest("button");
    if (control || isOnScrollBar(this.pane, event)) return;
    const pans = event.button === 1 || this.spaceHeld;
    if (this.pinch.press(event)) return;
    if (!pans && this.onPress(event)) return;
    if (pans || this.tool === "pan") grab(this.pane, event);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
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
