/** What a task holds in a few lines, for the question before it is submitted. */

import { verdict } from "../../shared/box_state.js";
import { h, plural } from "../../shared/dom.js";
import { gradeField } from "../fields/page_fields.js";

/** @type {Record<string, string>} */
const WAYS = {
  answer: "Go to the answer",
  evidence: "Go to the page",
  boxes: "Go to the page",
  question: "Go to the question",
  checks: "Go to the checks",
};

/** What the link to something missing says. @param {Pt.Form} form @param {string} part */
export function wayTo(form, part) {
  return WAYS[part] ?? `Go to “${form.field(part)?.label ?? part}”`;
}

/**
 * Fields of the task, grades of the pages, boxes.
 * @param {import("../state/form_state.js").Form} form
 * @returns {HTMLElement[]}
 */
export function summary(form) {
  const lines = [...taskLines(form), ...pageLines(form), ...boxLines(form), ...checkLines(form)];
  if (!lines.length) return [];
  const entries = lines.map(([name, text]) =>
    h("div", {}, h("dt", { text: name }), h("dd", { text })),
  );
  return [
    h("dl", { class: "summary-fields pairs stack tight", testid: "summary-fields" }, ...entries),
  ];
}

/** @param {Pt.Form} form */
function taskLines(form) {
  return form
    .scoped("task")
    .filter((spec) => form.asked(spec))
    .map((spec) => [spec.label, said(form, spec)]);
}

/** @param {Pt.Form} form @param {Pt.FieldSpec} spec */
function said(form, spec) {
  if (spec.kind === "records") {
    return plural(form.rows(spec).filter((row) => !row.deleted).length, "row");
  }
  const value = form.value(spec);
  if (value === null) return "–";
  if (spec.kind === "boolean") return value ? "Yes" : "No";
  const label = (/** @type {any} */ one) =>
    spec.options.find((option) => option.value === one)?.label ?? String(one);
  return (Array.isArray(value) ? value : [value]).map(label).join(", ");
}

/** @param {Pt.Form} form */
function pageLines(form) {
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

/** @param {Pt.Form} form */
function boxLines(form) {
  if (!form.protocol.boxes.enabled || form.ended) return [];
  const verdicts = form.state.boxes.boxes.map(verdict);
  const count = (/** @type {string} */ kind) => verdicts.filter((one) => one === kind).length;
  if (!form.protocol.boxes.seed) return [["Boxes", String(count("added"))]];
  const kinds = ["accepted", "corrected", "added", "deleted", "open"];
  /** @type {Record<string, string>} */
  const word = { open: "to check" };
  const parts = kinds.filter(count).map((kind) => `${count(kind)} ${word[kind] ?? kind}`);
  return [["Elements", parts.join(", ") || "none"]];
}

/**
 * Warnings do not block submitting, but nobody should submit without having seen them.
 * @param {Pt.Form} workspaceData
 */
function checkLines({ protocol, state }) {
  if (!protocol.question.checks || !state.checks) return [];
  const { findings } = state.checks;
  const count = (/** @type {string} */ kind) =>
    findings.filter(({ status }) => status === kind).length;
  /** @type {Record<string, string>} */
  const words = { ok: "fine", warning: "to look at", skipped: "not possible" };
  const parts = Object.keys(words)
    .filter(count)
    .map((kind) => `${count(kind)} ${words[kind]}`);
  return [["Checks", parts.join(", ")]];
}
