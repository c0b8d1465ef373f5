/** Tables of a replay, and which of their rows are folded; no DOM. */

/** A cell; `changed`: another text than a model gave, or made by the annotator. */
export interface ReplayedCell {
  text: string;
  rowspan?: number;
  colspan?: number;
  header?: boolean;
  changed?: boolean;
  /** what is wrong with it, in words */
  flag?: string;
  /** the last event changed it */
  isCurrent?: boolean;
}

export interface ReplayedTable {
  id: string;
  caption: string;
  flag: string;
  rows: ReplayedCell[][];
}

/** Larger tables are folded, since thousands of cells take longer to paint than an event lasts. */
const MOST_ROWS = 60;
const FIRST_ROWS = 10;

interface RowBlock {
  first: number;
  rows: ReplayedCell[][];
  isFolded: boolean;
}

/** The tables that a script's text holds, see `annotation/replay/lifetimes.py`. */
export const tablesIn = (text: string): ReplayedTable[] => (text ? JSON.parse(text) : []);

/** The tables with the cells marked that are not as they were before the last change. */
export function withCurrentCells(tables: ReplayedTable[], before: ReplayedTable[]) {
  const previous = new Map(before.map((table) => [table.id, table.rows]));
  return tables.map((table) => {
    const rows = previous.get(table.id);
    if (!rows || JSON.stringify(rows) === JSON.stringify(table.rows)) return table;
    return { ...table, rows: changedRows(table.rows, rows) };
  });
}

/** Of as many rows or cells each that differs, else what was inserted, or what follows a deletion. */
function changedRows(rows: ReplayedCell[][], before: ReplayedCell[][]) {
  const isRowChanged = changes(rows, before);
  return rows.map((cells, i) => {
    if (!isRowChanged(i)) return cells;
    const isCellChanged = rows.length === before.length ? changes(cells, before[i]) : () => true;
    return cells.map((cell, k) => (isCellChanged(k) ? { ...cell, isCurrent: true } : cell));
  });
}

/** Which of some values are not as before. */
function changes(values: unknown[], before: unknown[]): (index: number) => boolean {
  const [texts, textsBefore] = [values, before].map((all) => all.map((one) => JSON.stringify(one)));
  if (texts.length === textsBefore.length) return (i) => texts[i] !== textsBefore[i];
  let first = 0;
  while (first < texts.length && texts[first] === textsBefore[first]) first += 1;
  const inserted = Math.max(1, texts.length - textsBefore.length);
  return (i) => i >= first && i < first + inserted;
}

/** Rows to show and to fold: of a large table the first ones and those somebody worked on. */
export function rowBlocks(rows: ReplayedCell[][]): RowBlock[] {
  if (rows.length <= MOST_ROWS) return [{ first: 0, rows, isFolded: false }];
  const blocks: RowBlock[] = [];
  rows.forEach((cells, i) => {
    const isFolded =
      i >= FIRST_ROWS &&
      !cells.some(({ changed, flag, isCurrent }) => changed || flag || isCurrent);
    const shown = cells.map((cell) => ({ ...cell, rowspan: 1 }));
    const last = blocks.at(-1);
    if (last?.isFolded === isFolded) last.rows.push(shown);
    else blocks.push({ first: i, rows: [shown], isFolded });
  });
  return blocks;
}
