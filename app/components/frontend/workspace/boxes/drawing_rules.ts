/**
 * Why a box cannot be drawn on a page: the rules of annotation/attempts/validation/boxes.py, applied
 * before anything is drawn; the sentences are its own.
 */

import { boxesOn } from "../../shared/box_state";
import { t, tn } from "../../shared/messages";
import { includesPlace } from "../../shared/places";
import { sentence } from "../../shared/sentences";
import { isReadOnly } from "../state/attempt_state";

/**
 * @param isNew drawn, and not a deleted box that comes back
 * @returns a sentence, or null where a box may be drawn
 */
export function drawRefusal(
  form: Pt.Form,
  { document, page }: Pt.Place,
  { isNew = true }: { isNew?: boolean } = {},
): string | null {
  const { protocol, state, given } = form;
  const { enabled, add, max_per_page, max_per_task } = protocol.boxes;
  const where = { document, page };
  if (state.closed) return sentence("batch_closed");
  if (isReadOnly(state)) return sentence("finished", { status: state.status });
  if (!enabled) return sentence("no_boxes");
  if (!add && isNew) return sentence("no_new_boxes");
  if (given && !given.some((other) => other.document === document && other.page === page))
    return sentence("not_given", where);
  if (!form.mayHaveBoxes(document, page))
    return sentence("page_takes_no_boxes", { ...where, because: because(form) });
  if (boxesOn(state.boxes, document, page).length >= max_per_page)
    return sentence("page_full", { ...where, most: max_per_page });
  return state.boxes.boxes.length >= max_per_task
    ? sentence("task_full", { most: max_per_task })
    : null;
}

/**
 * When a box on a page will count that may have none yet: it is kept until then.
 * @returns a sentence, or null where boxes count now or never will
 */
export function pendingReason(form: Pt.Form, place: Pt.Place, number = 1): string | null {
  const { protocol, state, given, ended } = form;
  const { enabled, add, when } = protocol.boxes;
  const spec = when && form.field(when.field);
  if (!enabled || !add || !spec || spec.scope !== "page" || isReadOnly(state) || ended) return null;
  if (given && !includesPlace(given, place)) return null;
  if (form.mayHaveBoxes(place.document, place.page)) return null;
  return tn(
    "The box is kept. It counts once “{label}” is {values}.",
    "{number} boxes are kept. They count once “{label}” is {values}.",
    number,
    { label: spec.label, values: neededValues(spec, when) },
  );
}

function neededValues(spec: Pt.FieldSpec, { values }: Pt.Condition) {
  const labels = values.map(
    (value) => spec.options.find((option) => option.value === value)?.label ?? value,
  );
  return labels.join(t(" or "));
}

function because(form: Pt.Form) {
  if (form.ended) return sentence("because_ended");
  const { when } = form.protocol.boxes;
  const spec = when && form.field(when.field);
  if (!spec) return "";
  return sentence("because_value", { label: spec.label, values: neededValues(spec, when) });
}
