/** What a page has been given, and what is missing on it. */

import { boxesOn, verdict } from "../../shared/box_state";
import { t, tn } from "../../shared/messages";
import { boxProposal, unconfirmed } from "../state/contradictions";
import type { Form } from "../state/form_state";
import { boxTarget, pageTarget } from "../state/form_state";

export interface PageMarks {
  /** the option of the page's first closed field */
  grade: Pt.Option | null;
  /** whether anything is asked of it */
  asks: boolean;
  /** what is missing, in words */
  missing: string[];
  /** It needs a box and has none. */
  needsBox: boolean;
  boxes: number;
}

const known = new WeakMap<Form, Map<string, PageMarks>>();

/** What a page has and what is missing on it; worked out once for each state. */
export function pageMarks(form: Form, place: Pt.Place): PageMarks {
  const ofForm = known.get(form) ?? new Map<string, PageMarks>();
  known.set(form, ofForm);
  const key = `${place.page} ${place.document}`;
  const marks = ofForm.get(key) ?? marksOf(form, place);
  ofForm.set(key, marks);
  return marks;
}

function marksOf(form: Form, { document, page }: Pt.Place): PageMarks {
  const target = pageTarget(document, page);
  const { boxes: part } = form.protocol;
  const boxes = part.enabled ? boxesOn(form.state.boxes, document, page) : [];
  const specs = form.scoped("page").filter((spec) => form.asked(spec, target));
  const missing = specs
    .filter((spec) => spec.required && form.isUnset(spec, target))
    .map((spec) =>
      boxProposal(form, spec, target) ? t("{label} to confirm", { label: spec.label }) : spec.label,
    );
  for (const spec of specs) {
    if (unconfirmed(form, spec, target))
      missing.push(t("{label}, unlike the boxes", { label: spec.label }));
  }
  const needsBox = part.required && !boxes.length && form.mayHaveBoxes(document, page);
  if (needsBox) missing.push(t("a box"));
  if (part.check_all && !form.ended) {
    const open = boxes.filter((box: Pt.PageBox) => verdict(box) === "open").length;
    if (open) missing.push(tn("{number} element to check", "{number} elements to check", open));
  }
  for (const spec of form.scoped("box")) {
    const unset = (box: Pt.PageBox) =>
      form.asked(spec, boxTarget(box)) && form.isUnset(spec, boxTarget(box));
    if (spec.required && boxes.some(unset)) missing.push(spec.label);
  }
  const badge = gradeField(form.protocol);
  const value = badge && form.value(badge, target);
  const grade =
    value === null ? null : (badge?.options.find((option) => option.value === value) ?? null);
  const asks = specs.some((spec) => spec.required) || (part.check_all && boxes.length > 0);
  return { grade, asks, missing, needsBox, boxes: boxes.length };
}

/** The field whose value is a page's badge: the first closed one. */
export function gradeField(protocol: Pt.Protocol) {
  const closed = (spec: Pt.FieldSpec) =>
    spec.scope === "page" && (spec.kind === "ordinal" || spec.kind === "choice");
  return protocol.fields.find(closed) ?? null;
}

/** How strong a grade is among the options: "high", "middle", "low", or "some" without codes. */
export function gradeRank(protocol: Pt.Protocol, option: Pt.Option) {
  const codes = (gradeField(protocol) as Pt.FieldSpec).options
    .map((o) => o.code)
    .filter((code) => code !== null);
  if (option.code === null || codes.length < 2) return "some";
  if (option.code === Math.max(...codes)) return "high";
  return option.code === Math.min(...codes) ? "low" : "middle";
}
