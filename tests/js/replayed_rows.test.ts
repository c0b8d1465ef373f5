import assert from "node:assert/strict";
import test from "node:test";
import { rowBlocks, tablesIn } from "../../app/components/frontend/replay/replayed_rows";

test("a small table is shown as it is", () => {
  const rows = [[{ text: "a", rowspan: 2 }], []];
  assert.deepEqual(rowBlocks(rows), [{ first: 0, rows, isFolded: false }]);
});

test("of a large table the first rows are shown, and those with changes and flags", () => {
  const rows = Array.from({ length: 100 }, (_, i) => [
    { text: String(i), changed: i === 50, flag: i === 51 ? "wrong" : "" },
  ]);
  assert.deepEqual(
    rowBlocks(rows).map(({ first, rows: block, isFolded }) => [first, block.length, isFolded]),
    [
      [0, 10, false],
      [10, 40, true],
      [50, 2, false],
      [52, 48, true],
    ],
  );
});

test("there are no tables before any was given", () => {
  assert.deepEqual(tablesIn(""), []);
});
