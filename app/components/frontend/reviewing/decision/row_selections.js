/** Rows of tables that are taken one by one, without DOM. */

import { has } from "./selections.js";

/** @typedef {Pt.ReviewState["rows"][number]} TableRow */
/** @typedef {[string, string | null, number | null, string]} RowEntry attempt, page, and the row */

/** @param {string} attempt @param {TableRow} row @returns {RowEntry} */
export const rowEntry = (attempt, { document, page, row }) => [attempt, document, page, row];

/** @type {(a: TableRow, b: TableRow) => boolean} */
const samePlace = (a, b) => a.field === b.field && a.document === b.document && a.page === b.page;

/** @type {(a: TableRow, b: TableRow) => boolean} */
const sameCells = (a, b) => JSON.stringify(a.values) === JSON.stringify(b.values);

/**
 * Whose rows the draft's are: added ones carry the place of their participant before their id; others
 * keep theirs and are found by their cells.
 * @param {TableRow[]} rows of the draft
 * @param {Pt.Participant[]} participants submitted ones, in their order
 * @param {string | null} [followed] whose table is taken
 * @returns {RowEntry[]}
 */
export function rowSources(rows, participants, followed = null) {
  const first = participants.filter(({ attempt }) => attempt === followed);
  const everybody = [...first, ...participants];
  return rows.flatMap((row) => {
    const [, place, id] = /^g(\d+)-(.*)$/s.exec(row.row) ?? [];
    const participant = place === undefined ? undefined : participants[Number(place)];
    const own = participant?.rows.find((one) => samePlace(one, row) && one.row === id);
    if (participant && own) return [rowEntry(participant.attempt, own)];
    /** @param {(one: TableRow) => boolean} fits */
    const holder = (fits) =>
      everybody.find(({ rows: theirs }) =>
        theirs.some((one) => samePlace(one, row) && one.row === row.row && fits(one)),
      );
    const found = holder((one) => sameCells(one, row)) ?? holder(() => true);
    return found ? [rowEntry(found.attempt, row)] : [];
  });
}

/**
 * Take somebody's version of a row in place of the others', or leave the row out.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {RowEntry[]} before the rows that are taken now
 * @param {RowEntry[][]} lines every row of the table, with everybody's versions, in their order
 * @param {RowEntry} entry
 * @param {boolean} taken whether this version is in the gold
 * @returns {Pt.Selections}
 */
export function toggleRow(picks, part, before, lines, entry, taken) {
  const place = (/** @type {RowEntry} */ one) => lines.findIndex((line) => has(line, one));
  const others = before.filter((one) => place(one) !== place(entry));
  const rows = taken ? others : [...others, entry];
  rows.sort((a, b) => place(a) - place(b));
  return { ...picks, [part]: { how: "pick", rows } };
}
