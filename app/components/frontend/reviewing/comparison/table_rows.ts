/** The rows of a table of records: everybody's versions of each side by side, to take one by one. */

import { h, plural } from "../../shared/dom";
import { rowEntry } from "../decision/row_selections";
import { has } from "../decision/selections";
import { rowWords } from "../formatting";
import { runNodes } from "./cells";
import { submitted } from "./comparison_rows";
import { foldRow } from "./page_rows";
import { markedList, norm } from "./text_differences";

export type TableRow = Pt.ReviewedContent["rows"][number];

export type RowEntry = import("../decision/row_selections").RowEntry;

export type Line = { versions: (TableRow | null)[]; differs: boolean };

/**
 * The lines of a table. A model's row is one line whatever people made of it; of the others those
 * that say the same are one, and then those that begin the same.
 * @returns versions in the order of the columns; null where somebody does not have it
 */
export function tableLines(data: Pt.ReviewData, { part, spec }: Pt.ComparisonRow): Line[] {
  const participants = submitted(data);
  const lines: Map<string, (TableRow | null)[]> = new Map();
  participants.forEach((participant, i) => {
    const seen = new Map();
    for (const row of participant.rows.filter(({ field }) => field === part)) {
      const cells = row.model ? row.row : norm(rowWords(spec, row));
      const said = JSON.stringify([row.document, row.page, row.model, cells]);
      seen.set(said, (seen.get(said) ?? 0) + 1);
      const key = `${said}${seen.get(said)}`;
      const versions = lines.get(key) ?? participants.map(() => null);
      versions[i] = row;
      lines.set(key, versions);
    }
  });
  return joined([...lines.values()], spec).map((versions) => ({
    versions,
    differs: versions.some((row) => !row || !alike(spec, row, firstOf(versions))),
  }));
}

/** Lines that begin the same, of different people, as one. */
function joined(lines: (TableRow | null)[][], spec: Pt.FieldSpec | undefined) {
  const first = spec?.columns[0]?.name ?? "";
  const start = ({ document, page, values }: TableRow) =>
    JSON.stringify([document, page, norm(values[first] ?? "")]);
  const found: (TableRow | null)[][] = [];
  for (const line of lines) {
    const own = firstOf(line);
    const beside = found.find(
      (other) =>
        !own.model &&
        !firstOf(other).model &&
        start(firstOf(other)) === start(own) &&
        other.every((row, i) => row === null || line[i] === null),
    );
    if (!beside) found.push([...line]);
    else
      line.forEach((row, i) => {
        beside[i] ??= row;
      });
  }
  return found;
}

const firstOf = (versions: (TableRow | null)[]) => versions.find((row) => row !== null) as TableRow;

const alike: (spec: Pt.FieldSpec | undefined, a: TableRow, b: TableRow) => boolean = (spec, a, b) =>
  norm(rowWords(spec, a)) === norm(rowWords(spec, b));

/** The lines that differ, to choose from; the others are folded. */
export function tableRows(matrix: Pt.Matrix, part: Pt.ComparisonRow) {
  if (part.spec?.scope === "box") return [];
  const lines = tableLines(matrix.view.data, part);
  const participants = submitted(matrix.view.data);
  const entries = lines.map(({ versions }) =>
    versions.flatMap((row, i) => (row ? [rowEntry(participants[i].attempt, row)] : [])),
  );
  const differing = lines.filter(({ differs }) => differs);
  const agreed = lines.length - differing.length;
  const key = `rows-${part.part}`;
  const folds = agreed > 0 && differing.length > 0;
  const shown = !folds || matrix.isOpen(key) ? lines : differing;
  const common = lines.flatMap(({ differs }, n) => (differs ? [] : [entries[n][0]]));
  const found = shown.map((line) =>
    lineRow(matrix, part, line, { number: lines.indexOf(line), entries, common }),
  );
  if (folds) found.push(foldRow(matrix, key, `${plural(agreed, "row")} alike`));
  return found;
}

/**
 * @param table its place, everybody's
 * versions of each line, and one of each line that all have
 */
function lineRow(
  matrix: Pt.Matrix,
  part: Pt.ComparisonRow,
  { versions, differs }: Line,
  { number, entries, common }: { number: number; entries: RowEntry[][]; common: RowEntry[] },
) {
  const { data, busy, chosenRows, tied } = matrix.view;
  const { spec } = part;
  const chosen = chosenRows(part.part);
  const participants = submitted(data);
  const kept = versions.find(
    (row, i) => row && has(chosen, rowEntry(participants[i].attempt, row)),
  );
  const texts = versions.map((row) => (row ? rowWords(spec, row) : null));
  const cells = data.sides.map((participant) => {
    const i = participants.indexOf(participant);
    const row = versions[i];
    if (i < 0) return h("td", {});
    if (!row) return h("td", {}, h("span", { class: "quiet", text: "—" }));
    const taken = Boolean(kept && alike(spec, kept, row));
    const others = texts.filter((_, j) => j !== i).map((text) => (text === null ? [] : [text]));
    const [runs] = markedList([texts[i] ?? ""], others);
    const props = {
      class: differs ? "value version differs toggle" : "value version toggle",
      "aria-pressed": String(taken),
      disabled: !matrix.view.editable || !part.ways.includes("pick"),
      title: `Take ${participant.name}’s row, or leave it out`,
      testid: "take-row",
      "data-focus": `row-${part.part}-${number}-${i}`,
      on: {
        click: (event: MouseEvent) => {
          event.stopPropagation();
          // Of a table that ties nothing is taken yet: what all have goes without saying.
          const before = tied.includes(part.part) ? common : chosen;
          const entry = rowEntry(participant.attempt, row);
          matrix.actions.row(part.part, before, entries, entry, taken);
        },
      },
    };
    return h("td", {}, h("button", props, h("span", {}, ...runNodes(runs))));
  });
  const gold = kept
    ? h("span", { text: rowWords(spec, kept) })
    : h("span", { class: "quiet", text: "left out" });
  const page = firstOf(versions).page;
  const name = page === null ? `Row ${number + 1}` : `Row ${number + 1}, page ${page}`;
  return h(
    "tr",
    { class: "sub", testid: "table-row" },
    h("th", { scope: "row", class: "part-col" }, h("span", { class: "caption", text: name })),
    ...cells,
    h("td", { class: "gold-col", "aria-busy": String(busy) }, gold),
  );
}
