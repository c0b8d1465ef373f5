/** The rows of a table of records: everybody's versions of each side by side; no DOM. */

import type { TableRow } from "../decision/row_selections";
import { rowWords } from "../formatting";
import { type Row, submitted } from "./comparison_rows";
import { norm } from "./text_differences";

export type Line = { versions: (TableRow | null)[]; differs: boolean };

/**
 * The lines of a table. A model's row is one line whatever people made of it; of the others those
 * that say the same are one, and then those that begin the same.
 * @returns versions in the order of the columns; null where somebody does not have it
 */
export function tableLines(data: Pt.ReviewData, { part, spec }: Row): Line[] {
  const participants = submitted(data);
  const lines: Map<string, (TableRow | null)[]> = new Map();
  participants.forEach((participant, i) => {
    const seen = new Map<string, number>();
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

/** The version of the first person who has the line. */
export const firstOf = (versions: (TableRow | null)[]) =>
  versions.find((row) => row !== null) as TableRow;

export const alike = (spec: Pt.FieldSpec | undefined, a: TableRow, b: TableRow) =>
  norm(rowWords(spec, a)) === norm(rowWords(spec, b));
