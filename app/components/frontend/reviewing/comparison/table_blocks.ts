/** Which rows of a merged table are folded: runs in which nothing differs; no DOM. */

/** Fewer rows are not worth a fold. */
const MIN_FOLDED = 4;

export interface RowBlock {
  /** number of its first row, from 0 */
  first: number;
  rows: Pt.ComparedRow[];
  isFolded: boolean;
}

/** The rows in blocks to show and to fold; next to a difference one more row is shown. */
export function blocksOf({ rows }: Pick<Pt.ComparedTable, "rows">): RowBlock[] {
  const isPlain = plainRows(rows);
  const isFoldable = rows.map((_, i) => [i - 1, i, i + 1].every((other) => isPlain[other] ?? true));
  const blocks: RowBlock[] = [];
  rows.forEach((row, i) => {
    const last = blocks.at(-1);
    if (last && last.isFolded === isFoldable[i]) last.rows.push(row);
    else blocks.push({ first: i, rows: [row], isFolded: isFoldable[i] });
  });
  return blocks.map((block) => ({
    ...block,
    isFolded: block.isFolded && block.rows.length >= MIN_FOLDED,
  }));
}

/** Rows without a difference that are no headers and that no cell reaches into or out of. */
function plainRows(rows: Pt.ComparedRow[]): boolean[] {
  const isPlain = rows.map(
    ({ presence, differences, cells }) =>
      presence === "both" &&
      !differences.length &&
      cells.some(({ header }) => !header) &&
      cells.every((cell) => !cell.differences),
  );
  rows.forEach(({ cells }, i) => {
    const reach = Math.max(1, ...cells.map(({ rowspan }) => rowspan ?? 1));
    if (reach > 1) isPlain.fill(false, i, i + reach);
  });
  return isPlain;
}
