/** What the screen shows of fields, worked out from its state. */

import { getBox } from "../../shared/box_state";
import { includesPlace } from "../../shared/places";
import { sentence } from "../../shared/sentences";
import { boxTarget, type Form, pageTarget, TASK } from "../state/form_state";

export interface FieldProblem {
  message: string;
  /** a way out */
  way?: { label: string; run: () => void };
  /** The server did not take the value: the sentence stays until another is chosen. */
  refused?: boolean;
  /** the value that it is about, as JSON */
  value: string;
}

/** What is to take the focus: a field, a row of a table or its cell, or a table itself. */
export interface FocusRequest {
  /** as of `fieldKey` */
  field: string;
  row?: string;
  column?: string;
  /** It comes into view, and the focus stays where it is. */
  onlyShown?: boolean;
}

/** Tells a field of one target from all others; those of a box are keyed by the box alone. */
export function fieldKey(attempt: string, spec: Pt.FieldSpec, { document, page, box }: Pt.Target) {
  return JSON.stringify([attempt, spec.name, ...(box ? [box] : [document, page])]);
}

/** Why a field cannot be changed any more, or null. */
export function frozenReason({ protocol, state }: Form, spec: Pt.FieldSpec) {
  if (!protocol.pages_after.includes(spec.name) || !state.n_page_views) return null;
  return sentence("pages_opened", { label: spec.label });
}

type Selected = Pick<Pt.WorkspaceData, "page" | "selected" | "state" | "given_pages">;

/** What a key's option would be set on now, by scope. */
export function currentTargets({ page, selected, state, given_pages: given }: Selected) {
  const targets: Partial<Record<Pt.Scope, Pt.Target>> = { task: TASK };
  if (page && (!given || includesPlace(given, page)))
    targets.page = pageTarget(page.document, page.page);
  const box = selected && getBox(state.boxes, selected);
  if (box && !box.deleted) targets.box = boxTarget(box);
  return targets;
}

/** The page in the viewer if it is judged, or null. */
export function judgedPage(page: Pt.Place | null, form: Form) {
  return page && includesPlace(form.pages(), page) ? pageTarget(page.document, page.page) : null;
}

/** Whether the fields of pages are shown at all. */
export const showsPageFields = (form: Form, locked: readonly unknown[]) =>
  form.scoped("page").length > 0 && !form.ended && !locked.length;

/** What the fields of a scope are shown for now, or null. */
export function shownTarget(
  scope: Pt.Scope,
  data: Selected & Pick<Pt.WorkspaceData, "locked">,
  form: Form,
) {
  if (scope === "page")
    return showsPageFields(form, data.locked) ? judgedPage(data.page, form) : null;
  return currentTargets(data)[scope] ?? null;
}
