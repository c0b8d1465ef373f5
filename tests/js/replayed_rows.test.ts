import assert from "node:assert/strict";
import test from "node:test";
import {
  rowBlocks,
  tablesIn,
  withCurrentCells,
} from "../../app/components/frontend/replay/replayed_rows";

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

const table = (...rows: string[][]) => [
  {
    id: "t1",
    caption: "",
    flag: "",
    rows: rows.map((cells) => cells.map((text) => ({ text, isCurrent: undefined }))),
  },
];

/** Texts of the cells that the last change is about. */
function currentTexts(now: ReturnType<typeof table>, before: ReturnType<typeof table>) {
  const [{ rows }] = withCurrentCells(now, before);
  return rows.flatMap((cells) => cells.filter((cell) => cell.isCurrent).map(({ text }) => text));
}

test("cells of the last change are marked: corrected, inserted, or after a deletion", () => {
  const before = table(["River", "2004"], ["Saale", "1O"], ["Ilm", "3"]);
  const corrected = table(["River", "2004"], ["Saale", "10"], ["Ilm", "3"]);
  assert.deepEqual(currentTexts(corrected, before), ["10"]);
  const withRow = table(["River", "2004"], ["Unstrut", "7"], ["Saale", "1O"], ["Ilm", "3"]);
  assert.deepEqual(currentTexts(withRow, before), ["Unstrut", "7"]);
  assert.deepEqual(currentTexts(before, withRow), ["Saale", "1O"]);
  const withColumn = table(["River", "x", "2004"], ["Saale", "y", "1O"], ["Ilm", "", "3"]);
  assert.deepEqual(currentTexts(withColumn, before), ["x", "y", ""]);
  assert.deepEqual(currentTexts(before, before), []);
  assert.deepEqual(withCurrentCells(before, []), before);
});

test("a row of the last change is not folded", () => {
  const rows = Array.from({ length: 100 }, (_, i) => [{ text: String(i), isCurrent: i === 50 }]);
  assert.deepEqual(
    rowBlocks(rows).map(({ first, isFolded }) => [first, isFolded]),
    [
      [0, false],
      [10, true],
      [50, false],
      [51, true],
    ],
  );
});
