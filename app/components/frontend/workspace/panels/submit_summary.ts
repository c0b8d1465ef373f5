/** A task in a few lines, for the dialog before it is submitted. */

import { verdict } from "../../shared/box_state";
import { plural } from "../../shared/dom";
import { gradeField } from "../fields/page_marks";
import type { Form } from "../state/form_state";

const LINKS: Record<string, string> = {
  answer: "Go to the answer",
  evidence: "Go to the page",
  boxes: "Go to the page",
  question: "Go to the question",
  checks: "Go to the checks",
};

/** What the link to something missing says. */
export function linkText(form: Pt.Form, part: string) {
  return LINKS[part] ?? `Go to “${form.field(part)?.label ?? part}”`;
}

/** Name and text: fields of the task, grades of the pages, boxes, checks. */
export function summaryLines(form: Form): [string, string][] {
  return [...taskLines(form), ...pageLines(form), ...boxLines(form), ...checkLines(form)];
}

function taskLines(form: Pt.Form): [string, string][] {
  return form
    .scoped("task")
    .filter((spec) => form.asked(spec))
    .map((spec) => [spec.label, valueText(form, spec)]);
}

function valueText(form: Pt.Form, spec: Pt.FieldSpec) {
  if (spec.kind === "records") {
    return plural(form.rows(spec).filter((row) => !row.deleted).length, "row");
  }
  const value = form.value(spec);
  if (value === null) return "–";
  if (spec.kind === "boolean") return value ? "Yes" : "No";
  const label = (value: unknown) =>
    spec.options.find((option) => option.value === value)?.label ?? String(value);
  return (Array.isArray(value) ? value : [value]).map(label).join(", ");
}

function pageLines(form: Pt.Form): [string, string][] {
  const spec = gradeField(form.protocol);
  if (!spec || form.ended) return [];
  const values = form.targets(spec).map((target) => form.value(spec, target));
  const counts = spec.options.map(({ value, label }) => [
    label,
    values.filter((v) => v === value).length,
  ]);
  const parts = counts.filter(([, count]) => count).map(([label, count]) => `${count} × ${label}`);
  const unset = values.filter((value) => value === null).length;
  if (unset) parts.push(`${unset} without`);
  return parts.length ? [[spec.label, parts.join(", ")]] : [];
}

function boxLines(form: Pt.Form): [string, string][] {
  if (!form.protocol.boxes.enabled || form.ended) return [];
  const verdicts = form.state.boxes.boxes.map(verdict);
  const count = (kind: string) => verdicts.filter((one) => one === kind).length;
  if (!form.protocol.boxes.seed) return [["Boxes", String(count("added"))]];
  const kinds = ["accepted", "corrected", "added", "deleted", "open"];
  const word: Record<string, string> = { open: "to check" };
  const parts = kinds.filter(count).map((kind) => `${count(kind)} ${word[kind] ?? kind}`);
  return [["Elements", parts.join(", ") || "none"]];
}

/** Warnings do not block submitting, but nobody should submit without having seen them. */
function checkLines({ protocol, state }: Pt.Form): [string, string][] {
  if (!protocol.question.checks || !state.checks) return [];
  const { findings } = state.checks;
  const count = (kind: string) => findings.filter(({ status }) => status === kind).length;
  const words: Record<string, string> = {
    ok: "fine",
    warning: "to look at",
    skipped: "not possible",
  };
  const parts = Object.keys(words)
    .filter(count)
    .map((kind) => `${count(kind)} ${words[kind]}`);
  return [["Checks", parts.join(", ")]];
}
