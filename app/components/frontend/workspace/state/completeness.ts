/**
 * What is still missing before a task can be submitted: the rules of
 * annotation/attempts/completeness.py, applied before the server answers; the sentences are its own.
 */

import { boxesOn, verdict } from "../../shared/box_state";
import { t, tn } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { openFixes } from "../../shared/table_state";
import { parseAnswers, strip } from "./attempt_state";
import { unconfirmed } from "./contradictions";
import { boxTarget } from "./form_state";

const SHOWN = 3;

/** What is missing, by part of the screen or field name. */
export function missing(form: Pt.Form, outcome: Pt.Outcome): Record<string, string> {
  const { protocol, state, ended } = form;
  const found: Record<string, string> = {};
  if (!ended) {
    if (protocol.question.kind === "editable" && !strip(state.question_text ?? ""))
      found.question = sentence("question_empty");
    if (outcome === "answered") Object.assign(found, missingAnswer(form));
    if (outcome === "unanswerable" && protocol.evidence.enabled && state.citations.length)
      found.evidence = sentence("unanswerable_with_pages", {
        places: places(state.citations, "page"),
      });
    Object.assign(found, missingBoxes(form), missingDecisions(form), missingConfirmations(form));
  }
  for (const spec of protocol.fields) {
    const problem = missingField(form, spec) ?? differingPages(form, spec);
    if (problem) found[spec.name] = problem;
  }
  if (!ended && protocol.question.checks && !Object.keys(found).length)
    Object.assign(found, missingChecks(form));
  return found;
}

/** Whether the live checks have seen the question, answer and evidence as they are. */
export function checksCurrent(state: Pt.AttemptState) {
  return state.checks !== null && state.checks.at_seq >= state.draft_seq;
}

function missingConfirmations({ protocol, state }: Pt.Form): Record<string, string> {
  const number = state.tables.tables.reduce((sum, table) => sum + openFixes(table).number, 0);
  if (!protocol.tables.enabled || !number) return {};
  const changes = tn("{number} change", "{number} changes", number);
  return { tables: sentence("unconfirmed_fixes", { changes }) };
}

function missingAnswer({ protocol: { answer, evidence }, state }: Pt.Form) {
  const found: Record<string, string> = {};
  if (answer.kind !== "off" && !parseAnswers(state.answer_text).length)
    found.answer = sentence(answer.not_found ? "answer_or_not_found" : "answer_empty");
  if (evidence.enabled && evidence.required && !state.citations.length)
    found.evidence = sentence("no_evidence");
  return found;
}

function missingField(form: Pt.Form, spec: Pt.FieldSpec) {
  if (spec.kind === "records") return missingCells(form, spec);
  if (!spec.required) return null;
  const unset = form.targets(spec).filter((target) => form.isUnset(spec, target));
  if (!unset.length) return null;
  const { label, scope } = spec;
  return scope === "task"
    ? sentence("unset", { label })
    : sentence("unset_at", { label, places: places(unset, scope) });
}

function differingPages(form: Pt.Form, spec: Pt.FieldSpec) {
  if (!spec.matches_boxes) return null;
  const found = form.targets(spec).filter((target) => unconfirmed(form, spec, target));
  if (!found.length) return null;
  return sentence("contradiction", { label: spec.label, places: places(found, "page") });
}

function missingCells(form: Pt.Form, spec: Pt.FieldSpec) {
  const { label } = spec;
  const needed = spec.columns.filter((column) => column.required);
  for (const target of form.targets(spec)) {
    const rows = form.rows(spec, target).filter((row) => !row.deleted);
    if (spec.required && !rows.length) return sentence("no_row", { label });
    const incomplete = rows.filter((row) =>
      needed.some(({ name }) => !strip(row.values[name] ?? "")),
    );
    if (incomplete.length) {
      const names = needed.map((column) => column.label).join(", ");
      return sentence("empty_cells", {
        label,
        rows: tn("{number} row", "{number} rows", incomplete.length),
        names,
      });
    }
  }
  return null;
}

function missingBoxes(form: Pt.Form) {
  const { boxes } = form.protocol;
  const state = form.state.boxes;
  if (!boxes.enabled) return {};
  const open = boxes.check_all ? state.boxes.filter((box) => verdict(box) === "open") : [];
  if (open.length)
    return { boxes: sentence("not_checked", { places: places(open.map(boxTarget), "element") }) };
  const without = form
    .pages()
    .filter(
      ({ document, page }) =>
        boxes.required &&
        form.mayHaveBoxes(document, page) &&
        !boxesOn(state, document, page).length,
    );
  return without.length ? { boxes: sentence("no_box", { places: places(without, "page") }) } : {};
}

function missingDecisions({ protocol, state: { transcript } }: Pt.Form) {
  const open = transcript?.patches.filter(({ state }) => state === "open").length ?? 0;
  if (!protocol.transcript.enabled || !open) return {};
  const patches = tn("{number} patch", "{number} patches", open);
  return { transcript: sentence("undecided_patches", { patches }) };
}

function missingChecks({ protocol: { question }, state }: Pt.Form) {
  if (!state.checks || !checksCurrent(state)) return { checks: sentence("stale_checks") };
  const blocking = state.checks.findings.filter(
    ({ check, status }) => question.blocking.includes(check) && status === "warning",
  );
  return blocking.length ? { checks: blocking.map(({ message }) => message).join(" ") } : {};
}

/** "5 pages: page 2 of a.pdf, … and 2 more" */
function places(
  targets: { document: string | null; page: number | null }[],
  noun: "page" | "box" | "element",
) {
  const pages = [
    ...new Set(
      targets.map(({ document, page }) => t("page {page} of {document}", { page, document })),
    ),
  ];
  const named = pages.slice(0, SHOWN).join(", ");
  if (noun === "page" && targets.length === 1) return named;
  const listed =
    pages.length > SHOWN
      ? t("{pages} and {number} more", { pages: named, number: pages.length - SHOWN })
      : named;
  const values = { pages: listed };
  switch (noun) {
    case "page":
      return tn("{number} page: {pages}", "{number} pages: {pages}", targets.length, values);
    case "box":
      return tn("{number} box on {pages}", "{number} boxes on {pages}", targets.length, values);
    case "element":
      return tn(
        "{number} element on {pages}",
        "{number} elements on {pages}",
        targets.length,
        values,
      );
  }
}
