/** Which cells of a table a text is in, and which of them comes next. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  cellAfter,
  cellsWith,
} from "../../app/components/frontend/workspace/tables/table_selection";

const texts = [
  ["Harbour", "North", "South"],
  ["Oslo", "12", "north of 12"],
];
const cells: Pt.TableCell[] = texts.flatMap((line, row) =>
  line.map((text, column) => ({ row, column, text })),
);
const table = { n_rows: 2, n_columns: 3, cells };
const placesOf = (hits: Pt.TableCell[]) => hits.map(({ row, column }) => [row, column]);

test("cells are found by part of their text, whatever its case", () => {
  assert.deepEqual(placesOf(cellsWith(table, "north")), [
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(cellsWith(table, ""), []);
  assert.deepEqual(cellsWith(table, "west"), []);
});

test("hits follow each other in both directions, round the end", () => {
  const hits = cellsWith(table, "north");
  const step = (row: number, column: number, by: 1 | -1) =>
    placesOf([cellAfter(hits, { row, column }, by) as Pt.TableCell])[0];
  assert.deepEqual(step(0, 0, 1), [0, 1]);
  assert.deepEqual(step(0, 1, 1), [1, 2]);
  assert.deepEqual(step(1, 2, 1), [0, 1]);
  assert.deepEqual(step(1, 0, -1), [0, 1]);
  assert.deepEqual(step(0, 1, -1), [1, 2]);
  assert.equal(cellAfter([], { row: 0, column: 0 }, 1), undefined);
});
