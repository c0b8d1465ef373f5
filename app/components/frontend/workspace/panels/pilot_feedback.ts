/** What was right in a pilot task, beside its gold, and how the pilot is going. */

import type { OpenDialog } from "../../shared/dialogs";
import { dialogButton, openDialog } from "../../shared/dialogs";
import { h, plural } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { sentence } from "../../shared/sentences";
import { parseAnswers } from "../state/attempt_state";
import type { Form } from "../state/form_state";
import { disputeForm } from "./gold_dispute";

const PARTS: Record<string, string> = {
  answer: "Answer",
  outcome: "Answer",
  evidence: "Cited pages",
  boxes: "Boxes",
};

/** "4 of 5 right so far, 80 % needed" */
function progressSentence({
  done,
  total,
  right,
  pass_mark: mark,
}: {
  done: any;
  total: any;
  right: any;
  pass_mark: any;
}) {
  const counted = done < total ? `${right} of ${done} right so far` : `${right} of ${total} right`;
  return `${counted}, ${Math.round(100 * mark)} % needed`;
}

/** A value of a field in words. */
export function valueWords(spec: any, value: any): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) {
    if (value.some((item) => item !== null && typeof item === "object"))
      return plural(value.length, "row");
    return value.length ? value.map((item) => valueWords(spec, item)).join(", ") : "nothing";
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  return (
    spec?.options.find((option: Pt.Option) => option.value === String(value))?.label ??
    String(value)
  );
}

/** Which pages only one of the two cites. */
export function comparePages(
  mine: Array<{ document: string; page: number }>,
  gold: Array<{ document: string; page: number }>,
) {
  const within = (list: any[]) => (p: any) =>
    list.some((q) => q.document === p.document && q.page === p.page);
  return {
    shared: gold.filter(within(mine)),
    missing: gold.filter((page) => !within(mine)(page)),
    superfluous: mine.filter((page) => !within(gold)(page)),
  };
}

/**
 * Show the feedback on the task that was just submitted.
 * @param form as submitted
 * @param reply progress
 * is null for a task outside a batch
 * @param dispute none in a practice task, whose gold is a lesson
 */
export function openFeedback(
  host: Element,
  form: Form,
  {
    feedback,
    gold,
    why,
    progress,
  }: { feedback: any; gold: any; why: Record<string, string>; progress: any | null },
  dispute: ((reason: string) => void) | null,
): OpenDialog {
  const practice = dispute === null;
  const next = dialogButton(practice ? "To My batches" : "Continue", {
    main: true,
    testid: "feedback-continue",
  });
  const word = feedback.right ? "Right" : "Not right";
  const other = practice ? "what was expected" : "the gold";
  const lead = h(
    "p",
    { class: `lead feedback-lead ${feedback.right ? "right" : "wrong"}` },
    icon(feedback.right ? "check" : "close"),
    feedback.right ? `Everything agrees with ${other}.` : `Something differs from ${other}.`,
  );
  const dialog = openDialog(host, {
    title: word,
    testid: "feedback",
    wide: true,
    actions: [next],
    focus: next,
    body: [
      lead,
      h(
        "ul",
        { class: "stack" },
        ...feedback.parts.map((part: Pt.PartScore) =>
          partRow(
            part,
            form,
            { ...gold, called: practice ? "Expected" : "Gold" },
            why[part.part] ?? "",
          ),
        ),
      ),
      practice ? null : disputeForm(form.state.disputed, dispute),
      progress &&
        h("p", {
          class: "feedback-progress strong",
          testid: "feedback-progress",
          text: `${progressSentence(progress)}.`,
        }),
      progress && progress.passed !== null ? verdict(progress) : null,
    ].filter(Boolean),
    onSubmit: () => dialog.close("continue"),
  });
  return dialog;
}

function verdict({ passed }: { passed: any }) {
  return h(
    "p",
    {
      class: `feedback-verdict line notice strong ${passed ? "right" : "wrong"}`,
      testid: "pilot-verdict",
      role: "status",
    },
    icon(passed ? "check" : "close"),
    passed
      ? "Pilot passed. Batches that ask for it can now be taken."
      : "Pilot not passed. Ask your supervisor how to go on.",
  );
}

function partRow(part: Pt.PartScore, form: Pt.Form, gold: any, why: string) {
  const spec = form.field(part.part);
  const partly = !part.right && part.score > 0 ? ` (${Math.round(100 * part.score)} % agrees)` : "";
  return h(
    "li",
    {
      class: `feedback-part stack ${part.right ? "right" : "wrong"}`,
      testid: "feedback-part",
      "data-part": part.part,
      "data-right": String(part.right),
    },
    h(
      "p",
      { class: "check-head line" },
      icon(part.right ? "check" : "close"),
      h("span", {
        class: "check-title strong fill",
        text: PARTS[part.part] ?? spec?.label ?? part.part,
      }),
      h("span", { class: "check-word nowrap", text: part.right ? "right" : `wrong${partly}` }),
    ),
    ...details(part, form, gold, spec),
    why ? h("p", { class: "medium", testid: "feedback-why", text: why }) : null,
  );
}

function details(part: Pt.PartScore, form: Pt.Form, gold: any, spec: any) {
  const { state } = form;
  if (part.part === "answer" || part.part === "outcome") {
    const answers = parseAnswers(state.answer_text);
    const mine =
      state.outcome === "answered"
        ? answers.join("; ")
        : state.outcome
          ? sentence(`outcome.${state.outcome}`)
          : "skipped";
    return [
      pair("You", mine || "nothing"),
      pair(gold.called, gold.answers.join(" — or: ") || "no answer"),
    ];
  }
  if (part.part === "evidence") return pages(comparePages(state.citations, gold.evidence));
  if (part.part === "boxes") return boxes(form, gold.boxes);
  if (spec?.scope === "page") return pageValues(spec, form, gold.pages);
  const mine =
    spec?.kind === "records"
      ? form
          .rows(spec)
          .filter((row) => !row.deleted)
          .map(({ values }) => values)
      : form.value(spec);
  if (spec?.kind === "records") return rows(spec, mine, gold.fields[part.part] ?? [], gold.called);
  return [
    pair("You", valueWords(spec, mine)),
    pair(gold.called, valueWords(spec, gold.fields[part.part])),
  ];
}

function pair(who: any, text: string) {
  return h(
    "p",
    { class: "feedback-pair" },
    h("span", { class: "feedback-who quiet", text: who }),
    h("span", { text }),
  );
}

const named = (list: any[]) =>
  list.map(({ document, page }) => `page ${page} of ${document}`).join(", ");

function pages({ shared, missing, superfluous }: { shared: any; missing: any; superfluous: any }) {
  return [
    shared.length ? pair("Right", named(shared)) : null,
    missing.length ? pair("Missing", named(missing)) : null,
    superfluous.length ? pair("Too many", named(superfluous)) : null,
  ].filter(Boolean);
}

function pageValues(spec: any, form: Pt.Form, goldPages: any) {
  const asked = goldPages.filter(({ fields }: { fields: Pt.FieldValue[] }) => spec.name in fields);
  const wrong = asked
    .map(
      ({ document, page, fields }: { document: string; page: number; fields: Pt.FieldValue[] }) => {
        const mine = form.value(spec, { document, page, box: null });
        return {
          document,
          page,
          mine: valueWords(spec, mine),
          gold: valueWords(spec, fields[spec.name]),
        };
      },
    )
    .filter(({ mine, gold }: { mine: any; gold: any }) => mine !== gold);
  const lines = wrong.map(
    ({ document, page, mine, gold }: { document: string; page: number; mine: any; gold: any }) =>
      pair(`Page ${page} of ${document}`, `you: ${mine}; gold: ${gold}`),
  );
  return [
    h("p", {
      class: "quiet",
      text: `${asked.length - wrong.length} of ${plural(asked.length, "page")} right`,
    }),
    ...lines,
  ];
}

function boxes(form: Pt.Form, gold: any) {
  const count = (list: any[]) => {
    const places = new Map();
    for (const { document, page } of list) {
      const key = `page ${page} of ${document}`;
      places.set(key, (places.get(key) ?? 0) + 1);
    }
    return [...places].map(([place, n]) => `${n} on ${place}`).join(", ") || "none";
  };
  const mine = form.state.boxes.boxes.filter(
    ({ deleted, document, page }) => !deleted && form.mayHaveBoxes(document, page),
  );
  return [pair("You", count(mine)), pair(gold.called, count(gold))];
}

function rows(spec: Pt.FieldSpec, mine: any, gold: any, called: string) {
  const line = (values: any) =>
    spec.columns
      .map(({ name }: { name: string }) => values[name])
      .filter(Boolean)
      .join(" · ");
  const show = (list: any[]) => list.map(line).join("\n") || "none";
  return [
    pair("You", show(mine)),
    pair(
      called,
      show(gold.map((row: Pt.RecordRow) => (row && typeof row === "object" ? row : {}))),
    ),
  ];
}
