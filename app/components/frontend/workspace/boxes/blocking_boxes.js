/**
 * The boxes that block a value: on pages that may have none with it. The same rule as
 * in annotation/attempts/work_validation.py, so that the way out is offered before the server refuses.
 */

import { apply } from "../state/attempt_state.js";
import { Form } from "../state/form_state.js";

/**
 * The payload that sets a field of a target.
 * @param {Pt.FieldSpec} spec
 * @param {Pt.Target} target
 * @param {any} value
 */
export function fieldSet(spec, { document, page, box }, value) {
  if (spec.scope === "task") return { field: spec.name, value };
  return spec.scope === "page"
    ? { field: spec.name, document, page, value }
    : { field: spec.name, box, value };
}

/**
 * @param {Form} form the questions as they are now
 * @param {Pt.FieldSpec} spec the field to be set
 * @param {Pt.Target} target see state/form_state.js
 * @param {*} value
 * @returns {any[]} boxes to be deleted first
 */
export function boxesInTheWay(form, spec, target, value) {
  const { protocol, state, given } = form;
  const { when } = protocol.boxes;
  if (!protocol.boxes.enabled || !when || spec.scope === "box") return [];
  const here = (/** @type {Pt.Place} */ { document, page }) =>
    spec.scope === "task" || (document === target.document && page === target.page);
  const boxes = state.boxes.boxes.filter((box) => !box.deleted && here(box));
  if (!boxes.length) return [];
  const event = { type: "field_set", payload: fieldSet(spec, target, value) };
  const after = new Form(protocol, apply(state, event), given);
  if (after.ended) return []; // boxes on pages do not count any more
  const decides = value !== null && spec.name === when.field;
  return boxes.filter(
    ({ document, page }) =>
      !after.mayHaveBoxes(document, page) && (decides || form.mayHaveBoxes(document, page)),
  );
}
