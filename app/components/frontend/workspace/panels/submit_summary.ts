/** What a task holds in a few lines, for the question before it is submitted. */

import { verdict } from "../../shared/box_state";
import { h, plural } from "../../shared/dom";
import { gradeField } from "../fields/page_fields";
import type { Form } from "../state/form_state";

const WAYS: Record<string, string> = {
  answer: "Go to the answer",
  evidence: "Go to the page",
  boxes: "Go to the page",
  question: "Go to the question",
  checks: "Go to the checks",
};

/** What the link to something missing says. */
export function wayTo(form: Pt.Form, part: string) {
  return WAYS[part] ?? `Go to “${form.field(part)?.label ?? part}”`;
}

/** Fields of the task, grades of the pages, boxes. */
export function summary(form: Form): HTMLElement[] {
  const lines = [...taskLines(form), ...pageLines(form), ...boxLines(form), ...checkLines(form)];
  if (!lines.length) return [];
  const entries = lines.map(([name, text]) =>
    h("div", {}, h("dt", { text: name }), h("dd", { text })),
  );
  return [
    h("dl", { class: "summary-fields pairs stack tight", testid: "summary-fields" }, ...entries),
  ];
}

function taskLines(form: Pt.Form) {
  return form
    .scoped("task")
    .filter((spec) => form.asked(spec))
    .map((spec) => [spec.label, said(form, spec)]);
}

function said(form: Pt.Form, spec: Pt.FieldSpec) {
  if (spec.kind === "records") {
    return plural(form.rows(spec).filter((row) => !row.deleted).length, "row");
  }
  const value = form.value(spec);
  if (value === null) return "–";
  if (spec.kind === "boolean") return value ? "Yes" : "No";
  const label = (one: any) =>
    spec.options.find((option) => option.value === one)?.label ?? String(one);
  return (Array.isArray(value) ? value : [value]).map(label).join(", ");
}

function pageLines(form: Pt.Form) {
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

function boxLines(form: Pt.Form) {
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
function checkLines({ protocol, state }: Pt.Form) {
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
