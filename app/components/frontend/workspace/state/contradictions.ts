/**
 * What was said in two places that does not fit together: the rules of
 * annotation/attempts/contradictions.py, applied before the server answers.
 */

import { boxesOn } from "../../shared/box_state";

/**
 * Where a page's field and its boxes differ, whether confirmed or not; else null.
 * @returns options in the protocol's order
 */
export function contradiction(
  form: Pt.Form,
  spec: Pt.FieldSpec,
  target: Pt.Target,
): { chosen: string[]; drawn: string[] } | null {
  const { document, page } = target;
  if (!spec.matches_boxes || document === null || page === null) return null;
  const value = form.value(spec, target);
  if (!Array.isArray(value) || !form.mayHaveBoxes(document, page)) return null;
  const chosen = namedOptions(form, spec)
    .map((option) => option.value)
    .filter((option) => value.includes(option));
  const drawn = drawnOptions(form, spec, target);
  return !drawn.length || same(chosen, drawn) ? null : { chosen, drawn };
}

/** The options that are called like labels of boxes. */
function namedOptions(form: Pt.Form, spec: Pt.FieldSpec) {
  const labels = new Set(form.protocol.boxes.labels.map(({ name }) => name.toLowerCase()));
  return spec.options.filter((option) => labels.has(boxLabel(option)));
}

/** In English also where the option is shown in another language. */
const boxLabel = ({ box_label, label }: Pt.Option) => (box_label ?? label).toLowerCase();

/** The options that the labels of a page's boxes stand for, in the protocol's order. */
function drawnOptions(form: Pt.Form, spec: Pt.FieldSpec, { document, page }: Pt.Target) {
  const boxes = boxesOn(form.state.boxes, document ?? "", page ?? 0);
  const used = new Set(boxes.map(({ label }: Pt.PageBox) => label?.toLowerCase()));
  return namedOptions(form, spec)
    .filter((option) => used.has(boxLabel(option)))
    .map((option) => option.value);
}

/**
 * What a page's boxes fill a field with that nobody has set: it counts once it is confirmed.
 * @returns options in the protocol's order; null where there is nothing to confirm
 */
export function boxProposal(form: Pt.Form, spec: Pt.FieldSpec, target: Pt.Target) {
  const { document, page } = target;
  if (!spec.matches_boxes || !form.asked(spec, target) || form.stored(spec, target) !== null)
    return null;
  if (!form.mayHaveBoxes(document, page)) return null;
  const offered = form.options(spec, target).map((option) => option.value);
  const drawn = drawnOptions(form, spec, target).filter((option) => offered.includes(option));
  return drawn.length ? drawn : null;
}

/** What a field that agrees with its page's boxes holds, or null where it does not agree. */
export function agreedOptions(form: Pt.Form, spec: Pt.FieldSpec, target: Pt.Target) {
  const value = form.stored(spec, target);
  if (!spec.matches_boxes || !Array.isArray(value)) return null;
  const drawn = drawnOptions(form, spec, target);
  return drawn.length && same(value, drawn) ? drawn : null;
}

/** What the boxes fill a field with that agreed with them before they changed; null for no change. */
export function followedOptions(
  form: Pt.Form,
  spec: Pt.FieldSpec,
  target: Pt.Target,
  before: string[],
) {
  const drawn = drawnOptions(form, spec, target);
  return drawn.length && !same(drawn, before) ? drawn : null;
}

/** The same where nobody has said that both are right. */
export function unconfirmed(form: Pt.Form, spec: Pt.FieldSpec, target: Pt.Target) {
  const found = contradiction(form, spec, target);
  const confirmed =
    found &&
    form.state.confirmed.some(
      (held) =>
        held.field === spec.name &&
        held.document === target.document &&
        held.page === target.page &&
        same(held.chosen, found.chosen) &&
        same(held.drawn, found.drawn),
    );
  return confirmed ? null : found;
}

/**
 * What a change of a model's row makes of its verdict: the cells to store, or null where they say
 * that a changed row is not one.
 * @param row as stored
 * @param values the cells that change
 */
export function withVerdict(
  spec: Pt.FieldSpec,
  row: Pt.RecordRow | undefined,
  values: Record<string, string>,
): Record<string, string> | null {
  const column = spec.columns.find(({ when_changed: option }) => option !== null);
  if (!column || !row?.model) return values;
  const { name, when_changed: changed } = column;
  const after = { ...row.values, ...values };
  const said = values[name];
  if (differs(after, row.model, name)) {
    if (said && said !== changed) return null;
    return after[name] === changed ? values : { ...values, [name]: changed as string };
  }
  const back = differs(row.values, row.model, name) && row.values[name] === changed;
  return back && !said && after[name] ? { ...values, [name]: "" } : values;
}

/** @param verdict the column that does not count */
function differs(values: Record<string, string>, model: Record<string, string>, verdict: string) {
  return Object.keys({ ...values, ...model }).some(
    (name) => name !== verdict && (values[name] ?? "") !== (model[name] ?? ""),
  );
}

function same(one: string[], other: string[]) {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}
