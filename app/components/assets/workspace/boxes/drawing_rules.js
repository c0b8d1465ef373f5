/**
 * Why a box cannot be drawn on a page, in the words of annotation/attempts/work_validation.py. The server decides;
 * this says the same before anything is drawn.
 */

import { boxesOn } from "../../shared/box_state.js";
import { isReadOnly } from "../state/attempt_state.js";

/**
 * @param {import("../state/form_state.js").Form} form
 * @param {Pt.OpenPage} place
 * @returns {string|null} a sentence, or null where a box may be drawn
 */
export function drawRefusal(form, { document, page }) {
  const { protocol, state, given } = form;
  const { boxes } = protocol;
  const where = `Page ${page} of ${document}`;
  if (state.closed) return "This batch is closed. It can be read but not changed.";
  if (isReadOnly(state)) return `This task is ${state.status}. Reopen it to go on working.`;
  if (!boxes.enabled) return "This task takes no boxes.";
  if (!boxes.add) return "Boxes cannot be added in this task.";
  if (given && !given.some((other) => other.document === document && other.page === page)) {
    return `${where} is not among this task's pages.`;
  }
  if (!form.mayHaveBoxes(document, page)) return `${where} takes no boxes${because(form)}.`;
  if (boxesOn(state.boxes, document, page).length >= boxes.max_per_page) {
    return `${where} has ${boxes.max_per_page} boxes, which is all it may have. Delete one first.`;
  }
  if (state.boxes.boxes.length >= boxes.max_per_task) {
    return `This task has had ${boxes.max_per_task} boxes, which is all it may have.`;
  }
  return null;
}

/** @param {Pt.Form} form */
function because(form) {
  if (form.ended) return ": the task has ended with what was said of the question";
  const { when } = form.protocol.boxes;
  const spec = when && form.field(when.field);
  if (!spec) return "";
  const name = (/** @type {any} */ value) =>
    spec.options.find((option) => option.value === value)?.label ?? value;
  return ` unless “${spec.label}” is ${when.values.map(name).join(" or ")}`;
}
