/**
 * What buttons and keys do with boxes: tools, copies, deleting, undoing, labels, small steps. Each
 * method tells whether there was something to be done. What is done becomes an event at once; steps
 * are gathered until they pause.
 */

import { getBox, lastChange } from "../../shared/box_state";
import {
  around,
  between,
  grown,
  inOrder,
  moved,
  pageStep,
  same,
} from "../../shared/page/rectangles";
import { likelyBefore, orderAfter } from "../../shared/reading_order";
import { fillBox } from "./box_filling";
import { listed } from "./element_order";
import { BoxPage } from "./page_boxes";

const NUDGE_MS = 400;
const OFFSET = 8;
const PADDING = 1;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

export class BoxTool extends BoxPage {
  nudgeTimer: number | undefined;

  /** Choose a tool; the one in hand again is put away. */
  setTool(tool: string) {
    if (tool === "text" ? !this.selects : !this.enabled) return false;
    this.flush();
    this.gestures.cancel();
    const next = tool === this.data.tool ? "pan" : tool;
    if (next === "box" && !this.editable) {
      if (this.data.page) this.hint(this.refusal() ?? "");
      return true;
    }
    if (next !== "text") this.text.clear();
    this.store.set({ tool: next, boxesHidden: next === "box" ? false : this.data.boxesHidden });
    const { page } = this.data;
    if (!page) return true;
    if (next !== "pan") this.words.load(page);
    const refusal = next === "box" ? this.refusal() : null;
    if (refusal) this.hint(refusal);
    else if (next === "text") this.tellWithoutText(page);
    return true;
  }

  async tellWithoutText(page: Pt.OpenPage) {
    const words = await this.words.load(page);
    if (!words.length && page === this.data.page)
      this.hint("This page has no text that can be selected.");
  }

  /** Give up a drawing, a selection, box mode: the first of them that there is. */
  drawCancel() {
    if (this.gestures.cancel() || this.text.clear()) return true;
    if (this.selected) {
      this.flush();
      this.store.set({ selected: null });
      return true;
    }
    if (this.stage.tool === "pan") return false;
    this.store.set({ tool: "pan" });
    return true;
  }

  /** Put a box into the middle of what is in view: drawing without a pointer. */
  place() {
    if (!this.enabled || this.data.tool !== "box" || this.selected || !this.data.page) return false;
    const { x, y } = this.stage.centre();
    const middle = this.stage.toPagePoint(x, y);
    const [width, height] = this.stage.size;
    const least = this.data.protocol.boxes.min_size;
    const [dx, dy] = [width, height].map((side) => Math.max(least, side / 8) / 2);
    const at = { x: clamp(middle.x, dx, width - dx), y: clamp(middle.y, dy, height - dy) };
    const rect = between(
      { x: at.x - dx, y: at.y - dy },
      { x: at.x + dx, y: at.y + dy },
      this.stage.size,
    );
    return this.add({ rect, label: this.activeLabel, how: "drawn" }) && this.hold();
  }

  /** Let the arrow keys move the chosen box, which one that was only just drawn does not. */
  hold() {
    if (!this.selected) return false;
    this.store.set({ held: this.selected.id });
    this.hint("The arrow keys move the box; Esc lets go of it.");
    return true;
  }

  remove() {
    const box = this.changeable();
    if (!box) return false;
    this.attempt.record("box_deleted", { box: box.id });
    return true;
  }

  duplicate() {
    const box = this.changeable();
    if (!box) return false;
    const step = (by: number) => moved(box.rect, by, by, this.stage.size);
    const rect = same(step(OFFSET), box.rect) ? step(-OFFSET) : step(OFFSET);
    const copy = { rect, label: box.label ?? this.activeLabel, how: "duplicated", copy_of: box.id };
    if (this.add(copy)) this.store.set({ held: this.data.selected });
    return true;
  }

  undo() {
    return this.turn("undo", "undone");
  }

  redo() {
    return this.turn("redo", "redone");
  }

  turn(stack: "undo" | "redo", type: "undone" | "redone") {
    this.flush();
    const { page, state } = this.data;
    if (!this.editable || !page || this.gestures.busy) return false;
    const change = lastChange(state.boxes, stack, page.document, page.page);
    if (!change) return false;
    this.attempt.record(type, { document: page.document, page: page.page, change: change.id });
    this.store.set({ held: null });
    if (this.boxes.some((box: Pt.PageBox) => box.id === change.box))
      this.store.set({ selected: change.box });
    return true;
  }

  /**
   * Move the chosen box by a step.
   * @param dx points to the right, as the page is turned on the screen
   * @param dy points down
   */
  nudge(dx: number, dy: number) {
    const box = this.selected;
    if (!box || !this.held || !this.editable || this.data.boxesHidden) return false;
    if (this.gestures.busy) return false;
    const step = pageStep(dx, dy, this.stage.view.rotation);
    const rect = moved(this.nudged?.rect ?? box.rect, ...step, this.stage.size) as Pt.Rect;
    clearTimeout(this.nudgeTimer);
    this.nudged = { id: box.id, rect };
    this.layer.setDraft(this.nudged);
    this.stage.reveal(rect);
    this.nudgeTimer = setTimeout(() => this.flush(), NUDGE_MS);
    return true;
  }

  /** Hand gathered steps to the outbox now. */
  flush() {
    const { nudged } = this;
    if (!nudged) return;
    clearTimeout(this.nudgeTimer);
    this.nudged = null;
    this.reshape("box_moved", { box: nudged.id, rect: nudged.rect, how: "nudge" });
    this.layer.setDraft(null);
  }

  /** Give the chosen box a label; new boxes get it too from now on. */
  label(name: string) {
    if (!this.enabled || !this.data.protocol.boxes.labels.some((label) => label.name === name))
      return false;
    this.flush();
    const box = this.selected;
    if (box && this.editable && box.label !== name) {
      this.attempt.record("box_labelled", { box: box.id, label: name });
    }
    this.store.set({ activeLabel: name });
    return true;
  }

  /** Hide the boxes, or show them again. */
  hide() {
    if (!this.enabled) return false;
    this.flush();
    this.gestures.cancel();
    const boxesHidden = !this.data.boxesHidden;
    this.store.set({ boxesHidden, selected: boxesHidden ? null : this.data.selected });
    return true;
  }

  /** Snap edges to words, or stop doing so; remembered in this browser. */
  toggleSnap() {
    if (!this.enabled || !this.data.protocol.boxes.snap) return false;
    this.remember({ snap: !this.snapping });
    return true;
  }

  /**
   * Choose the next box in reading order.
   * @param around whether the first follows the last
   * @returns false at the end, or without boxes
   */
  selectNext(step: 1 | -1 = 1, { wrap = true }: { wrap?: boolean } = {}): boolean {
    const boxes = inOrder(this.boxes);
    if (!boxes.length || this.data.boxesHidden) return false;
    this.flush();
    const here = boxes.findIndex((box) => box.id === this.data.selected);
    let next = here < 0 ? (step > 0 ? 0 : boxes.length - 1) : here + step;
    if (!boxes[next]) {
      if (!wrap) return false;
      next = (next + boxes.length) % boxes.length;
    }
    this.store.set({ selected: boxes[next].id, held: boxes[next].id });
    return true;
  }

  /** Choose a box, on whichever page it is. */
  show(id: string) {
    const box = getBox(this.data.state.boxes, id);
    if (!box || box.deleted) return false;
    const { page } = this.data;
    this.store.set({ boxesHidden: false });
    if (page?.document === box.document && page.page === box.page) {
      this.store.set({ selected: id });
    } else {
      this.wanted = id;
      this.goTo({ document: box.document, page: box.page });
    }
    return true;
  }

  /** Draw a box around the selected words. */
  boxSelection() {
    if (!this.enabled || !this.text.rects.length) return false;
    const rect = grown(around(this.text.rects), PADDING, this.stage.size);
    if (this.add({ rect, label: this.activeLabel, how: "selection" })) this.text.clear();
    return true;
  }

  changeable() {
    this.flush();
    return this.editable && !this.gestures.busy ? this.selected : null;
  }

  /** Where a new box comes in the reading order. */
  orderOf(rect: Pt.Rect, copied?: string) {
    const { page, protocol, state } = this.data;
    if (!protocol.boxes.order) return {};
    const here = listed(state.boxes, protocol.boxes, page);
    const order = orderAfter(here, null, copied ?? likelyBefore(here, rect));
    return order === undefined ? {} : { order };
  }

  /** Put a new box on the open page and choose it. */
  add({ rect, label, how, copy_of }: Record<string, any>) {
    const refusal = this.refusal();
    if (refusal) {
      this.hint(refusal);
      return false;
    }
    const { document, page } = this.data.page;
    const box = `b-${this.attempt.nextId()}`;
    const from = copy_of ? { copy_of } : {};
    const drawn = {
      box,
      document,
      page,
      rect,
      label,
      how,
      ...from,
      ...this.orderOf(rect, copy_of),
    };
    this.pointing = true;
    this.attempt.together(() => {
      this.attempt.record("box_drawn", drawn);
      fillBox(this, box, null);
      this.store.set({ activeLabel: label, boxesHidden: false, selected: box });
    });
    this.pointing = false;
    return true;
  }
}
