/** What was submitted in a pilot task next to its gold, part by part, in words. */

import { t, tn } from "../../shared/messages";
import { includesPlace } from "../../shared/places";
import { sentence } from "../../shared/sentences";
import { parseAnswers } from "../state/attempt_state";

/** a heading and what it says; null for a line about both participants */
export type ComparisonLine = [heading: string | null, text: string];

/** A value of a field in words. */
function valueWords(spec: Pt.FieldSpec, value: unknown): string {
  if (value === null || value === undefined || value === "") return t("nothing");
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item === "object"))
      return tn("{number} row", "{number} rows", value.length);
    return value.length ? value.map((item) => valueWords(spec, item)).join(", ") : t("nothing");
  }
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  return spec.options.find((option) => option.value === String(value))?.label ?? String(value);
}

export type Verdict = "agrees" | "differs" | "open";

/** What a task's comparison with its gold comes to; open where its undecided parts decide. */
export function verdictOf({ right, parts }: Pt.Feedback): Verdict {
  if (right) return "agrees";
  return parts.some((part) => part.undecided) && parts.every((part) => part.right || part.undecided)
    ? "open"
    : "differs";
}

/** Which pages only one of the two cites. */
export function comparePages(mine: Pt.PageReference[], gold: Pt.PageReference[]) {
  return {
    shared: gold.filter((page) => includesPlace(mine, page)),
    missing: gold.filter((page) => !includesPlace(mine, page)),
    superfluous: mine.filter((page) => !includesPlace(gold, page)),
  };
}

/**
 * How a part compares with the gold.
 * @param goldName what the gold is called
 */
export function comparePart(
  part: string,
  form: Pt.Form,
  gold: Pt.ShownGold,
  goldName: string,
): ComparisonLine[] {
  const pair = (mine: string, other: string): ComparisonLine[] => [
    [t("You"), mine],
    [goldName, other],
  ];
  if (part === "answer" || part === "outcome")
    return pair(answerWords(form.state), gold.answers.join(t(" — or: ")) || t("no answer"));
  if (part === "evidence") return citationLines(form.state.citations, gold.evidence);
  if (part === "boxes") {
    const mine = form.state.boxes.boxes.filter(
      ({ deleted, document, page }) => !deleted && form.mayHaveBoxes(document, page),
    );
    return pair(boxWords(mine), boxWords(gold.boxes));
  }
  const spec = form.field(part);
  if (!spec) return [];
  if (spec.scope === "page") return pageLines(spec, form, gold.pages);
  const value = gold.fields[part];
  if (spec.kind !== "records")
    return pair(valueWords(spec, form.value(spec)), valueWords(spec, value));
  const rows = form.rows(spec).filter((row) => !row.deleted);
  return pair(
    rowWords(
      spec,
      rows.map(({ values }) => values),
    ),
    rowWords(spec, (value ?? []) as Record<string, unknown>[]),
  );
}

function answerWords({ answer_text: text, outcome }: Pt.AttemptState) {
  if (outcome === "answered") return parseAnswers(text).join("; ") || t("nothing");
  return outcome ? sentence(`outcome.${outcome}`) : t("skipped");
}

const pageWords = ({ document, page }: Pt.PageReference) =>
  t("page {page} of {document}", { page, document });

function citationLines(mine: Pt.PageReference[], gold: Pt.PageReference[]): ComparisonLine[] {
  const { shared, missing, superfluous } = comparePages(mine, gold);
  const lines: [string, Pt.PageReference[]][] = [
    [t("Right"), shared],
    [t("Missing"), missing],
    [t("Too many"), superfluous],
  ];
  return lines
    .filter(([, pages]) => pages.length)
    .map(([title, pages]) => [title, pages.map(pageWords).join(", ")]);
}

function pageLines(spec: Pt.FieldSpec, form: Pt.Form, pages: Pt.GoldPageFields[]) {
  const asked = pages.filter(({ fields }) => spec.name in fields);
  const wrong = asked.flatMap(({ document, page, fields }): ComparisonLine[] => {
    const mine = valueWords(spec, form.value(spec, { document, page, box: null }));
    const gold = valueWords(spec, fields[spec.name]);
    return mine === gold
      ? []
      : [
          [
            t("Page {page} of {document}", { page, document }),
            t("you: {mine}; gold: {gold}", { mine, gold }),
          ],
        ];
  });
  const count = tn(
    "{right} of {number} page right",
    "{right} of {number} pages right",
    asked.length,
    { right: asked.length - wrong.length },
  );
  return [[null, count] as ComparisonLine, ...wrong];
}

/** "2 on page 4 of a.pdf" */
function boxWords(boxes: Pt.PageReference[]) {
  const counts = new Map<string, number>();
  for (const box of boxes) counts.set(pageWords(box), (counts.get(pageWords(box)) ?? 0) + 1);
  return (
    [...counts]
      .map(([page, count]) => t("{number} on {page}", { number: count, page }))
      .join(", ") || t("none")
  );
}

function rowWords(spec: Pt.FieldSpec, rows: Record<string, unknown>[]) {
  const rowText = (row: Record<string, unknown>) =>
    spec.columns
      .map(({ name }) => row?.[name])
      .filter(Boolean)
      .join(" · ");
  return rows.map(rowText).join("\n") || t("none");
}
