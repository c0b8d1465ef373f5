/**
 * The boxes that block a value: on pages that may have none with it. The same rule as
 * in annotation/attempts/work_validation.py, so that the way out is offered before the server refuses.
 */

import { t, tn } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { apply } from "../state/attempt_state";
import { Form } from "../state/form_state";

/** The payload that sets a field of a target. */
export function fieldSet(
  spec: Pt.FieldSpec,
  { document, page, box }: Pt.Target,
  value: Pt.Value,
): Pt.FieldSet {
  if (spec.scope === "task") return { field: spec.name, value };
  return spec.scope === "page"
    ? { field: spec.name, document, page, value }
    : { field: spec.name, box, value };
}

/**
 * @param form the questions as they are now
 * @param spec the field to be set
 * @param target see state/form_state.ts
 * @returns boxes to be deleted first
 */
export function boxesInTheWay(
  form: Form,
  spec: Pt.FieldSpec,
  target: Pt.Target,
  value: Pt.Value,
): Pt.PageBox[] {
  const { protocol, state, given } = form;
  const { when } = protocol.boxes;
  if (!protocol.boxes.enabled || !when || spec.scope === "box") return [];
  const here = ({ document, page }: Pt.Place) =>
    spec.scope === "task" || (document === target.document && page === target.page);
  const boxes = state.boxes.boxes.filter((box) => !box.deleted && here(box));
  if (!boxes.length) return [];
  const payload = fieldSet(spec, target, value);
  const event = { type: "field_set" as const, payload, id: "", seq: state.last_seq + 1 };
  const after = new Form(protocol, apply(state, event), given);
  if (after.ended) return []; // boxes on pages do not count any more
  const decides = value !== null && spec.name === when.field;
  return boxes.filter(
    ({ document, page }) =>
      !after.mayHaveBoxes(document, page) && (decides || form.mayHaveBoxes(document, page)),
  );
}

/** The boxes that block a value, in words. */
export function blockedBy(boxes: Pt.PageBox[]) {
  const [{ document, page }] = boxes;
  const same = boxes.every((box) => box.document === document && box.page === page);
  const several = boxes.length > 1;
  const count = tn("a box", "{number} boxes", boxes.length);
  if (!same)
    return t("There are {boxes} on several pages, which this value does not allow.", {
      boxes: count,
    });
  return sentence("has_boxes", {
    page,
    document,
    boxes: count,
    them: several ? t("them") : t("it"),
  });
}
