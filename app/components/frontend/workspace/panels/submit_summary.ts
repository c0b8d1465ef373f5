/** A task in a few lines, for the dialog before it is submitted. */

import { verdict } from "../../shared/box_state";
import { N_, t, tn } from "../../shared/messages";
import { gradeField } from "../fields/page_marks";
import type { Form } from "../state/form_state";

const LINKS: Record<string, string> = {
  answer: N_("Go to the answer"),
  evidence: N_("Go to the page"),
  boxes: N_("Go to the page"),
  question: N_("Go to the question"),
  checks: N_("Go to the checks"),
};

/** What the link to something missing says. */
export function linkText(form: Pt.Form, part: string) {
  return part in LINKS
    ? t(LINKS[part])
    : t("Go to “{label}”", { label: form.field(part)?.label ?? part });
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
    return tn(
      "{number} row",
      "{number} rows",
      form.rows(spec).filter((row) => !row.deleted).length,
    );
  }
  const value = form.value(spec);
  if (value === null) return "–";
  if (spec.kind === "boolean") return value ? t("Yes") : t("No");
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
  if (unset) parts.push(t("{number} without", { number: unset }));
  return parts.length ? [[spec.label, parts.join(", ")]] : [];
}

function boxLines(form: Pt.Form): [string, string][] {
  if (!form.protocol.boxes.enabled || form.ended) return [];
  const verdicts = form.state.boxes.boxes.map(verdict);
  const count = (kind: string) => verdicts.filter((one) => one === kind).length;
  if (!form.protocol.boxes.seed) return [[t("Boxes"), String(count("added"))]];
  const words: Record<string, (number: number) => string> = {
    accepted: (number) => t("{number} accepted", { number }),
    corrected: (number) => t("{number} corrected", { number }),
    added: (number) => t("{number} added", { number }),
    deleted: (number) => t("{number} deleted", { number }),
    open: (number) => t("{number} to check", { number }),
  };
  const parts = Object.keys(words)
    .filter(count)
    .map((kind) => words[kind](count(kind)));
  return [[t("Elements"), parts.join(", ") || t("none")]];
}

/** Warnings do not block submitting, but nobody should submit without having seen them. */
function checkLines({ protocol, state }: Pt.Form): [string, string][] {
  if (!protocol.question.checks || !state.checks) return [];
  const { findings } = state.checks;
  const count = (kind: string) => findings.filter(({ status }) => status === kind).length;
  const words: Record<string, (number: number) => string> = {
    ok: (number) => t("{number} fine", { number }),
    warning: (number) => t("{number} to look at", { number }),
    skipped: (number) => t("{number} not possible", { number }),
  };
  const parts = Object.keys(words)
    .filter(count)
    .map((kind) => words[kind](count(kind)));
  return [[t("Checks"), parts.join(", ")]];
}
