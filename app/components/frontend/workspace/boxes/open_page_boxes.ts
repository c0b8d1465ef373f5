/** The boxes of the open page, and what may be done with them now. */

import { boxesOn } from "../../shared/box_state";
import { sentence } from "../../shared/sentences";
import type { Attempt } from "../state/attempt";
import { formOf } from "../state/form_state";
import { drawRefusal, pendingReason } from "./drawing_rules";

export class OpenPageBoxes {
  constructor(private readonly attempt: Attempt) {}

  get data() {
    return this.attempt.store.data;
  }

  /** Whether pages take boxes. */
  get enabled() {
    return Boolean(this.data.protocol?.boxes.enabled);
  }

  /** Whether words of pages can be selected. */
  get selects() {
    return this.enabled || Boolean(this.data.protocol?.text.select);
  }

  get editable() {
    return this.enabled && this.attempt.mayEdit;
  }

  /** Whether the words in a drawn box go into the text of the page. */
  get insertsWords() {
    return Boolean(this.data.protocol?.transcript.enabled) && this.attempt.mayEdit;
  }

  /** Whether something can be drawn. */
  get draws() {
    return this.editable || this.insertsWords;
  }

  /** Whether edges snap to words. */
  get snapping() {
    return this.enabled && this.data.protocol.boxes.snap && this.data.layout.snap !== false;
  }

  get boxes() {
    const { page, state } = this.data;
    return page && this.enabled ? boxesOn(state.boxes, page.document, page.page) : [];
  }

  /** The chosen box, or null. */
  get selected() {
    return this.boxes.find((box) => box.id === this.data.selected) ?? null;
  }

  /** Whether the chosen box was chosen on purpose (by click, Tab, Enter), so that keys move it. */
  get held() {
    return this.selected !== null && this.data.held === this.data.selected;
  }

  /** The label that a new box gets. */
  get activeLabel() {
    const { labels } = this.data.protocol.boxes;
    const known = labels.find(({ name }) => name === this.data.activeLabel);
    return (known ?? labels[0])?.name ?? null;
  }

  /** Why no box can be drawn, or null. */
  refusal() {
    const { page, timeOver } = this.data;
    if (timeOver) return sentence("time_over");
    if (!page || this.insertsWords || this.pendingReason()) return null;
    return drawRefusal(formOf(this.data), page);
  }

  /** When a box that is drawn now will count; null where it does at once. */
  pendingReason() {
    const { page, timeOver } = this.data;
    return page && !timeOver && this.enabled ? pendingReason(formOf(this.data), page) : null;
  }
}
