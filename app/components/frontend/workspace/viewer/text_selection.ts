/**
 * Selecting the words of a page by dragging over them, from word to word in reading order. Ctrl+C
 * copies them; `rects` is where they are.
 */

import { button } from "../../shared/buttons";
import type { Props } from "../../shared/dom";
import { h, svg } from "../../shared/dom";
import { t } from "../../shared/messages";
import type { Stage } from "../../shared/page/page_stage";
import { joined } from "./word_text";

const OFF_LINE = 4;
const SLOP = 3;

export class TextSelection {
  stage: Stage;
  host: any;
  words: any[];
  range: any;
  drag: any;
  nodes: any[];
  offers: { button: HTMLElement; offered: () => boolean }[];
  actions: HTMLDivElement;
  frame: any;

  /** @param host words() → the open page's, onCopy(text) when they were copied */
  constructor(stage: Stage, host: any) {
    this.stage = stage;
    this.host = host;
    this.words = [];
    this.range = null;
    this.drag = null;
    this.nodes = [];
    this.offers = [];
    // At the end of what is selected, where the pointer is: nothing moves when it comes up.
    this.actions = h("div", { class: "selection-actions line", hidden: true });
    stage.frame.append(this.actions);
    this.addOffer(t("Copy"), { testid: "copy-selection", title: t("Copy (Ctrl+C)") }, () =>
      this.toClipboard(),
    );
    const { pane } = stage;
    pane.addEventListener("pointermove", (event) => this.move(event));
    pane.addEventListener("pointerup", (event) => this.end(event));
    pane.addEventListener("pointercancel", (event) => this.end(event));
  }

  /**
   * What can be done with the selected words.
   * @param text of its button
   * @param offered whether it can be done now
   */
  addOffer(text: string, props: Props, run: () => any, offered: () => boolean = () => true) {
    const made = button(text, run, props);
    this.offers.push({ button: made, offered });
    this.actions.append(made);
  }

  /** The selected words. */
  get chosen() {
    return this.range ? this.words.slice(this.range[0], this.range[1] + 1) : [];
  }

  /** Where they are on the page. */
  get rects() {
    return this.chosen.map((word) => word.slice(0, 4));
  }

  /** What they say, a line of the page a line. */
  get string() {
    return joined(this.chosen);
  }

  /** A pointer comes down; always taken. */
  press(event: any) {
    if (event.button !== 0 || !event.isPrimary) return false;
    this.clear();
    const from = { x: event.clientX, y: event.clientY };
    const start = this.stage.toPagePoint(from.x, from.y);
    const drag: any = { id: event.pointerId, from, at: from, start, started: false };
    this.drag = drag;
    this.stage.pane.setPointerCapture(event.pointerId);
    this.host.words().then((words: Pt.Word[]) => {
      if (drag !== this.drag) return;
      this.words = words;
      drag.ready = true;
      if (drag.done) this.finish();
      else this.schedule();
    });
    return true;
  }

  move(event: PointerEvent) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    drag.at = { x: event.clientX, y: event.clientY };
    if (Math.hypot(drag.at.x - drag.from.x, drag.at.y - drag.from.y) >= SLOP) drag.started = true;
    this.schedule();
  }

  schedule() {
    if (this.frame || !this.drag?.started) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.drag?.ready) this.extend();
    });
  }

  extend() {
    const { start, at } = this.drag;
    const a = this.nearest(start);
    const b = this.nearest(this.stage.toPagePoint(at.x, at.y));
    if (a < 0) return;
    this.show([Math.min(a, b), Math.max(a, b)]);
  }

  /** The word nearest to a point; being off its line counts more than being left or right of it. */
  nearest({ x, y }: Pt.Point) {
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

  show(range: any) {
    if (String(range) === String(this.range)) return;
    this.range = range;
    const { rects, nodes } = this;
    while (nodes.length < rects.length) {
      const node = svg("rect", {});
      this.nodes.push(node);
      this.stage.words.append(node);
    }
    for (const node of nodes.splice(rects.length)) node.remove();
    rects.forEach(([x0, y0, x1, y1], i) => {
      const node = nodes[i];
      if (!node.isConnected) this.stage.words.append(node);
      for (const [name, value] of Object.entries({
        x: x0,
        y: y0,
        width: x1 - x0,
        height: y1 - y0,
      })) {
        node.setAttribute(name, value);
      }
    });
  }

  /** Offer what can be done once the words are chosen; called again when the view has changed. */
  offer() {
    for (const { button: made, offered } of this.offers) made.hidden = !offered();
    this.actions.hidden = !this.range || Boolean(this.drag);
    if (this.actions.hidden) return;
    const { right, left, bottom } = this.stage.shown(this.rects.at(-1));
    Object.assign(this.actions.style, {
      left: `clamp(9rem, ${50 * (left + right)}%, 100% - 9rem)`,
      top: `min(${100 * bottom}%, 100% - 2.5rem)`,
    });
  }

  end(event: PointerEvent) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id || drag.done) return;
    drag.done = true;
    if (event.type === "pointerup") drag.at = { x: event.clientX, y: event.clientY };
    // On a slow line the words are still on their way; they are chosen when they have come.
    if (drag.ready || !drag.started || event.type !== "pointerup") this.finish();
  }

  finish() {
    if (this.drag.started && this.drag.ready) this.extend();
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

  /** Put the selected words on the clipboard, unless something else is selected there. */
  copy(event: any) {
    if (!this.range || event.defaultPrevented || String(window.getSelection() ?? "")) return;
    event.clipboardData.setData("text/plain", this.string);
    event.preventDefault();
    this.host.onCopy(this.string);
  }

  /** By the button; without HTTPS browsers leave the clipboard to keys. */
  async toClipboard() {
    const { string } = this;
    try {
      await navigator.clipboard.writeText(string);
    } catch {
      this.stage.hint(t("Press Ctrl+C to copy."));
      return;
    }
    this.host.onCopy(string);
    this.stage.hint(t("Copied."));
  }
}
