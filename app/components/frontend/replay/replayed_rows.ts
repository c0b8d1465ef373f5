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

/** Rows to show and to fold: of a large table the first ones and those somebody worked on. */
export function rowBlocks(rows: ReplayedCell[][]): RowBlock[] {
  if (rows.length <= MOST_ROWS) return [{ first: 0, rows, isFolded: false }];
  const blocks: RowBlock[] = [];
  rows.forEach((cells, i) => {
    const isFolded = i >= FIRST_ROWS && !cells.some(({ changed, flag }) => changed || flag);
    const shown = cells.map((cell) => ({ ...cell, rowspan: 1 }));
    const last = blocks.at(-1);
    if (last?.isFolded === isFolded) last.rows.push(shown);
    else blocks.push({ first: i, rows: [shown], isFolded });
  });
  return blocks;
}
