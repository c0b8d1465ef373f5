/** What undoing or redoing a step has put back, in words. */

import { t, tn } from "../shared/messages";
import type { Form } from "./state/form_state";

const SHOWN_CHARACTERS = 60;

/**
 * What a value or part is now.
 * @param step as it was before it was undone or redone: what it puts back
 */
export function stepSentence(form: Form, step: Pt.HistoryStep): string {
  const { value, present } = step;
  const place = { page: step.page, document: step.document };
  switch (step.part) {
    case "answer":
      return value
        ? t("The answer is now {value}.", { value: quoted(value) })
        : t("The answer is now empty.");
    case "question":
      return value
        ? t("The question is now {value}.", { value: quoted(value) })
        : t("The question is now empty.");
    case "note":
      return value
        ? t("The note is now {value}.", { value: quoted(value) })
        : t("The note is now empty.");
    case "scratchpad":
      return value
        ? t("The scratchpad is now {value}.", { value: quoted(value) })
        : t("The scratchpad is now empty.");
    case "bookmark":
      return present
        ? t("Page {page} of {document} is bookmarked again.", place)
        : t("Page {page} of {document} is not bookmarked any more.", place);
    case "flag":
      return value === null
        ? t("The task is not flagged any more.")
        : t("The task is flagged: {comment}", { comment: quoted(value) });
    case "citation":
      return present
        ? t("Page {page} of {document} is cited again.", place)
        : t("Page {page} of {document} is not cited any more.", place);
    case "transcript":
      return transcriptSentence(step);
    case "field":
      return fieldSentence(form, step);
    case "row":
      return rowSentence(form, step);
    case "rows":
      return rowsSentence(form, step);
    case "row_order":
      return t("The row is back at its place.");
    case "table":
      return t("Table {table} is as it was before the change.", { table: step.table });
    case "box":
      return boxSentence(form, step);
  }
}

function transcriptSentence({ transcript }: Pt.HistoryStep) {
  const number = transcript?.patches.length ?? 0;
  switch (transcript?.decision) {
    case "open":
      return tn("{number} patch is open again.", "{number} patches are open again.", number);
    case "accepted":
      return tn(
        "{number} patch is accepted again.",
        "{number} patches are accepted again.",
        number,
      );
    case "rejected":
      return tn(
        "{number} patch is rejected again.",
        "{number} patches are rejected again.",
        number,
      );
    default:
      return t("The text of the page is as it was before the change.");
  }
}

function fieldSentence(form: Form, step: Pt.HistoryStep) {
  const spec = form.field(step.field ?? "");
  const label = spec?.label ?? step.field;
  const names = { label, page: step.page, document: step.document };
  const isEmpty = step.value === null || step.value === "";
  if (isEmpty) {
    if (step.box !== null) return t("“{label}” of the box is now empty.", names);
    return step.page === null
      ? t("“{label}” is now empty.", names)
      : t("“{label}” of page {page} of {document} is now empty.", names);
  }
  const values = { ...names, value: valueWords(spec, step.value) };
  if (step.box !== null) return t("“{label}” of the box is now {value}.", values);
  return step.page === null
    ? t("“{label}” is now {value}.", values)
    : t("“{label}” of page {page} of {document} is now {value}.", values);
}

function valueWords(spec: Pt.FieldSpec | null, value: Pt.HistoryStep["value"]) {
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
  const label = (text: string) =>
    quoted(spec?.options.find((option) => option.value === text)?.label ?? text);
  if (Array.isArray(value)) return value.length ? value.map(label).join(", ") : t("none of these");
  return typeof value === "string" ? label(value) : String(value);
}

function rowSentence(form: Form, step: Pt.HistoryStep) {
  const label = form.field(step.field ?? "")?.label ?? step.field;
  if (!step.present) return t("The row of “{label}” is deleted.", { label });
  return Object.keys(step.cells).length
    ? t("The row of “{label}” has its former cells.", { label })
    : t("The row of “{label}” is back.", { label });
}

function rowsSentence(form: Form, step: Pt.HistoryStep) {
  return tn(
    "{number} row of “{label}” has its former cells.",
    "{number} rows of “{label}” have their former cells.",
    Object.keys(step.rows).length,
    { label: form.field(step.field ?? "")?.label ?? step.field },
  );
}

/** @param form after the step */
function boxSentence({ state }: Form, { box: id, page, document }: Pt.HistoryStep) {
  const box = state.boxes.boxes.find((other) => other.id === id);
  return !box || box.deleted
    ? t("The box on page {page} of {document} is deleted.", { page, document })
    : t("The box on page {page} of {document} is as it was.", { page, document });
}

/** A text on one line, shortened. */
function quoted(value: Pt.HistoryStep["value"]) {
  const text = String(value).replace(/\s+/g, " ").trim();
  const isLong = text.length > SHOWN_CHARACTERS;
  return `“${isLong ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}”`;
}
