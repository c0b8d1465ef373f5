/** Which rows and columns of a large table are drawn, and merged cells that reach into them. */

import assert from "node:assert";
import { test } from "node:test";
import {
  gapsOf,
  headerRows,
  isLarge,
  type Lines,
  piecesOf,
  rowsAround,
  runsOf,
  sizeOf,
  sizesOf,
} from "../../app/components/frontend/workspace/tables/table_window";

/** Numbers in a table, with the merged cells in the place of theirs. */
function tableOf(n_rows: number, n_columns: number, merged: Pt.TableCell[] = []) {
  const isCovered = (row: number, column: number) =>
    merged.some(
      (cell) =>
        row >= cell.row &&
        row < cell.row + (cell.rowspan ?? 1) &&
        column >= cell.column &&
        column < cell.column + (cell.colspan ?? 1),
    );
  const cells: Pt.TableCell[] = [...merged];
  for (let row = 0; row < n_rows; row++)
    for (let column = 0; column < n_columns; column++)
      if (!isCovered(row, column)) cells.push({ row, column, text: `${row * n_columns + column}` });
  cells.sort((a, b) => a.row - b.row || a.column - b.column);
  return { n_rows, n_columns, cells };
}

const linesIn = (runs: Lines[]) =>
  runs.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i));

test("what is on screen is drawn, wherever the table is scrolled to", () => {
  const { rows } = sizesOf(tableOf(200, 40));
  const height = 12;
  for (let top = -5; top < (rows.at(-1) ?? 0); top += 3.7) {
    const { start, end } = rowsAround(rows, top, top + height);
    assert.ok(start === 0 || (rows[start] ?? 0) <= top);
    assert.ok(end === 200 || (rows[end] ?? 0) >= top + height);
    assert.ok(end - start < 40);
  }
});

test("runs and gaps make up the table, and the line with the focus is drawn", () => {
  for (const focused of [0, 3, 30, 39, 40, 47, 48, 49, 199]) {
    const runs = runsOf({ start: 40, end: 48 }, focused, 200, 2);
    const gaps = gapsOf(runs, 200, 2);
    const lines = linesIn([...runs, ...gaps]).sort((a, b) => a - b);
    assert.deepEqual(lines, linesIn([{ start: 2, end: 200 }]));
    assert.ok(focused < 2 || linesIn(runs).includes(focused));
    assert.ok(linesIn(runs).length <= 9);
  }
});

test("a table that became smaller is drawn to its end", () => {
  assert.deepEqual(runsOf({ start: 150, end: 190 }, 3, 20), [{ start: 3, end: 4 }]);
});

test("a merged cell that reaches into the window is drawn there, and covers it", () => {
  const merged = [
    { row: 10, column: 5, rowspan: 40, colspan: 3, text: "tall" },
    { row: 30, column: 0, colspan: 5, text: "wide" },
  ];
  const table = tableOf(60, 12, merged);
  const run = { start: 24, end: 40 };
  const columns = [
    { start: 0, end: 1 },
    { start: 6, end: 10 },
  ];
  const covered = new Set<string>();
  for (let row = run.start; row < run.end; row++)
    for (const piece of piecesOf(table, row, run, columns))
      for (let down = 0; down < piece.rowspan; down++)
        for (let across = 0; across < piece.colspan; across++) {
          const slot = `${row + down},${piece.column + across}`;
          assert.ok(!covered.has(slot), slot);
          covered.add(slot);
        }
  assert.equal(covered.size, 16 * 12);
  const tall = piecesOf(table, 24, run, columns).find(({ cell }) => cell?.text === "tall");
  assert.deepEqual(
    { ...tall, cell: null },
    { cell: null, row: 24, column: 6, rowspan: 16, colspan: 2 },
  );
  const wide = piecesOf(table, 30, run, columns).filter(({ cell }) => cell?.text === "wide");
  assert.deepEqual(
    wide.map(({ column, colspan }) => [column, colspan]),
    [[0, 1]],
  );
});

test("rows are as high and columns as wide as their texts need, within bounds", () => {
  const long = "word ".repeat(4000);
  const table = tableOf(50, 20, [
    { row: 4, column: 2, text: long },
    { row: 6, column: 2, text: "two\nlines" },
  ]);
  const { rows, columns } = sizesOf(table);
  const height = (row: number) => sizeOf(rows, { start: row, end: row + 1 });
  const width = (column: number) => sizeOf(columns, { start: column, end: column + 1 });
  assert.ok(height(6) > height(5));
  assert.ok(height(4) > height(6) && height(4) < 25);
  assert.ok(width(2) > width(1) && width(2) <= 22);
});

test("small tables are drawn as a whole", () => {
  assert.ok(!isLarge(tableOf(40, 20)));
  assert.ok(isLarge(tableOf(200, 40)));
});

test("rows of headers at the top stay on screen, but never a whole table", () => {
  const header = (row: number, column: number) => ({ row, column, header: true, text: "h" });
  const headers = (rows: number) =>
    linesIn([{ start: 0, end: rows }]).flatMap((row) => [header(row, 0), header(row, 1)]);
  assert.equal(headerRows(tableOf(4, 2)), 0);
  assert.equal(headerRows(tableOf(4, 2, headers(2))), 2);
  assert.equal(headerRows(tableOf(2, 2, headers(2))), 1);
  assert.equal(headerRows(tableOf(9, 2, headers(8))), 3);
});
