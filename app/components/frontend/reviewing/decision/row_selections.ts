/** Rows of tables that are taken one by one, without DOM. */

import { has, mergedId } from "./selections";

export type TableRow = Pt.ReviewedContent["rows"][number];

/** attempt, page, and the row */
export type RowEntry = [string, string | null, number | null, string];

export const rowEntry = (attempt: string, { document, page, row }: TableRow): RowEntry => [
  attempt,
  document,
  page,
  row,
];

const samePlace: (a: TableRow, b: TableRow) => boolean = (a, b) =>
  a.field === b.field && a.document === b.document && a.page === b.page;

const sameCells: (a: TableRow, b: TableRow) => boolean = (a, b) =>
  JSON.stringify(a.values) === JSON.stringify(b.values);

/**
 * Whose rows the draft's are: added ones carry the place of their participant before their id; others
 * keep theirs and are found by their cells.
 * @param rows of the draft
 * @param participants submitted ones, in their order
 * @param followed whose table is taken
 */
export function rowSources(
  rows: TableRow[],
  participants: Pt.Participant[],
  followed: string | null = null,
): RowEntry[] {
  const first = participants.filter(({ attempt }) => attempt === followed);
  const everybody = [...first, ...participants];
  const added = participants.flatMap(({ attempt, rows: own }, index) =>
    own.map((one) => ({ attempt, one, id: mergedId(index, one.row) })),
  );
  return rows.flatMap((row) => {
    const own = added.find(({ id, one }) => id === row.row && samePlace(one, row));
    if (own) return [rowEntry(own.attempt, own.one)];
    const holder = (fits: (one: TableRow) => boolean) =>
      everybody.find(({ rows: theirs }) =>
        theirs.some((one) => samePlace(one, row) && one.row === row.row && fits(one)),
      );
    const found = holder((one) => sameCells(one, row)) ?? holder(() => true);
    return found ? [rowEntry(found.attempt, row)] : [];
  });
}

/**
 * Take somebody's version of a row in place of the others', or leave the row out.
 * @param before the rows that are taken now
 * @param lines every row of the table, with everybody's versions, in their order
 * @param taken whether this version is in the gold
 */
export function toggleRow(
  picks: Pt.Selections,
  part: string,
  before: RowEntry[],
  lines: RowEntry[][],
  entry: RowEntry,
  taken: boolean,
): Pt.Selections {
  const place = (one: RowEntry) => lines.findIndex((line) => has(line, one));
  const others = before.filter((one) => place(one) !== place(entry));
  const rows = taken ? others : [...others, entry];
  rows.sort((a, b) => place(a) - place(b));
  return { ...picks, [part]: { how: "pick", rows } };
}
