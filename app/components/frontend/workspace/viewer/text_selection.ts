/**
 * Selecting the words of a page by dragging over them, from word to word in reading order, or by
 * their numbers. Ctrl+C copies them; `rects` is where they are.
 */

import { h, svg, takesText } from "../../shared/dom";
import { t } from "../../shared/messages";
import type { Stage } from "../../shared/page/page_stage";
import { joined } from "./word_text";

const OFF_LINE = 4;
const SLOP = 3;

/** What can be done with the selected words: a button, shown while it can be done. */
export interface SelectionOffer {
  text: string;
  testid: string;
  title?: string;
  isOffered?: () => boolean;
  run: () => unknown;
}

/** Numbers of the first and the last of some words of a page. */
export type WordRange = [number, number];

interface SelectionHost {
  /** the open page's */
  words: () => Promise<Pt.Word[]>;
  /** Words went to the clipboard. */
  onCopy: (text: string) => void;
}

interface Drag {
  id: number;
  from: Pt.Point;
  at: Pt.Point;
  /** on the page */
  start: Pt.Point;
  isStarted: boolean;
  /** whether the page's words are there, and whether the pointer is up */
  isReady: boolean;
  isDone: boolean;
}

export class TextSelection {
  private words: Pt.Word[] = [];
  range: WordRange | null = null;
  private drag: Drag | null = null;
  private readonly nodes: SVGRectElement[] = [];
  private readonly offers: { button: HTMLButtonElement; isOffered: () => boolean }[] = [];
  // At the end of what is selected, where the pointer is: nothing moves when it comes up.
  private readonly actions = h("div", { class: "selection-actions line", hidden: true });
  private frame = 0;

  constructor(
    private readonly stage: Stage,
    private readonly host: SelectionHost,
  ) {
    stage.frame.append(this.actions);
    this.addOffer({
      text: t("Copy"),
      testid: "copy-selection",
      title: t("Copy (Ctrl+C)"),
      run: () => this.toClipboard(),
    });
    const { pane } = stage;
    pane.addEventListener("pointermove", (event) => this.move(event));
    pane.addEventListener("pointerup", (event) => this.end(event));
    pane.addEventListener("pointercancel", (event) => this.end(event));
  }

  addOffer({ text, testid, title, run, isOffered = () => true }: SelectionOffer) {
    const button = h("button", { class: "button small", text, testid, title, on: { click: run } });
    this.offers.push({ button, isOffered });
    this.actions.append(button);
  }

  /** The selected words. */
  get selected() {
    return this.range ? this.words.slice(this.range[0], this.range[1] + 1) : [];
  }

  /** Where they are on the page. */
  get rects(): Pt.Rect[] {
    return this.selected.map(([x0, y0, x1, y1]) => [x0, y0, x1, y1]);
  }

  /** What they say, a line of the page a line. */
  get string() {
    return joined(this.selected);
  }

  /** A pointer comes down; always taken. */
  press(event: PointerEvent) {
    if (event.button !== 0 || !event.isPrimary) return false;
    this.clear();
    const from = { x: event.clientX, y: event.clientY };
    const start = this.stage.toPagePoint(from.x, from.y);
    const state = { isStarted: false, isReady: false, isDone: false };
    const drag: Drag = { id: event.pointerId, from, at: from, start, ...state };
    this.drag = drag;
    this.stage.pane.setPointerCapture(event.pointerId);
    this.host.words().then((words) => {
      if (drag !== this.drag) return;
      this.words = words;
      drag.isReady = true;
      if (drag.isDone) this.finish(drag);
      else this.schedule();
    });
    return true;
  }

  private move(event: PointerEvent) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    drag.at = { x: event.clientX, y: event.clientY };
    if (Math.hypot(drag.at.x - drag.from.x, drag.at.y - drag.from.y) >= SLOP) drag.isStarted = true;
    this.schedule();
  }

  private schedule() {
    if (this.frame || !this.drag?.isStarted) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.drag?.isReady) this.extend(this.drag);
    });
  }

  private extend({ start, at }: Drag) {
    const a = this.nearest(start);
    const b = this.nearest(this.stage.toPagePoint(at.x, at.y));
    if (a < 0) return;
    this.show([Math.min(a, b), Math.max(a, b)]);
  }

  /** The word nearest to a point; being off its line counts more than being left or right of it. */
  private nearest({ x, y }: Pt.Point) {
    let best = -1;
    let least = Infinity;
    this.words.forEach(([x0, y0, x1, y1], i) => {
      const across = Math.max(x0 - x, 0, x - x1);
      const down = Math.max(y0 - y, 0, y - y1);
      const off = across + OFF_LINE * down;
      if (off < least) [least, best] = [off, i];
    });
    return best;
  }

  /** Select these words of the open page. */
  select(words: Pt.Word[], range: WordRange) {
    this.drag = null;
    this.words = words;
    this.show(range);
    this.offer();
  }

  private show(range: WordRange) {
    if (String(range) === String(this.range)) return;
    this.range = range;
    const { rects, nodes } = this;
    for (const node of nodes.splice(rects.length)) node.remove();
    rects.forEach(([x0, y0, x1, y1], i) => {
      nodes[i] ??= svg("rect");
      if (!nodes[i].isConnected) this.stage.words.append(nodes[i]);
      const edges = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
      for (const [name, value] of Object.entries(edges)) nodes[i].setAttribute(name, String(value));
    });
  }

  /** Offer what can be done once the words are chosen; called again when the view has changed. */
  offer() {
    for (const { button, isOffered } of this.offers) button.hidden = !isOffered();
    const last = this.drag ? undefined : this.rects.at(-1);
    this.actions.hidden = !last;
    if (!last) return;
    const { right, left, bottom } = this.stage.shown(last);
    Object.assign(this.actions.style, {
      left: `clamp(9rem, ${50 * (left + right)}%, 100% - 9rem)`,
      top: `min(${100 * bottom}%, 100% - 2.5rem)`,
    });
  }

  private end(event: PointerEvent) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id || drag.isDone) return;
    drag.isDone = true;
    if (event.type === "pointerup") drag.at = { x: event.clientX, y: event.clientY };
    // On a slow line the words are still on their way; they are chosen when they have come.
    if (drag.isReady || !drag.isStarted || event.type !== "pointerup") this.finish(drag);
  }

  private finish(drag: Drag) {
    if (drag.isStarted && drag.isReady) this.extend(drag);
    this.drag = null;
    this.offer();
  }

  /**
   * Select nothing.
   * @returns whether something was selected
   */
  clear(): boolean {
    this.drag = null;
    if (!this.range) return false;
    this.range = null;
    for (const node of this.nodes.splice(0)) node.remove();
    this.offer();
    return true;
  }

  /**
   * Put the selected words on the clipboard, unless something else is selected there.
   * @param focused whatever has the focus on the screen
   */
  copy(event: ClipboardEvent, focused: Element | null) {
    if (!this.range || String(window.getSelection() ?? "")) return;
    // Firefox does not count what is selected in a text box.
    if (focused && takesText(focused)) return;
    event.clipboardData?.setData("text/plain", this.string);
    event.preventDefault();
    this.host.onCopy(this.string);
  }

  /** By the button; without HTTPS browsers leave the clipboard to keys. */
  private async toClipboard() {
    const { string } = this;
    try {
      await navigator.clipboard.writeText(string);
    } catch {
      this.stage.showHint(t("Press Ctrl+C to copy."));
      return;
    }
    this.host.onCopy(string);
    this.stage.showHint(t("Copied."));
  }
}
