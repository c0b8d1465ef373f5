import assert from "node:assert/strict";
import test from "node:test";
import { blocksOf } from "../../app/components/frontend/reviewing/comparison/table_blocks";

const row = (change: Partial<Pt.ComparedRow> = {}): Pt.ComparedRow => ({
  presence: "both",
  differences: [],
  cells: [{ text: "a" }],
  ...change,
});
const folds = (rows: Pt.ComparedRow[]) =>
  blocksOf({ rows }).map(({ first, rows: shown, isFolded }) => [first, shown.length, isFolded]);

test("rows in which nothing differs are folded, but those next to a difference", () => {
  const rows = Array.from({ length: 14 }, () => row());
  rows[0] = row({ cells: [{ text: "River", header: true }] });
  rows[8] = row({ cells: [{ text: "1O", differences: [0] }] });
  assert.deepEqual(folds(rows), [
    [0, 2, false],
    [2, 5, true],
    [7, 3, false],
    [10, 4, true],
  ]);
});

test("short runs are shown", () => {
  const rows = Array.from({ length: 6 }, () => row());
  rows[0] = row({ presence: "left", differences: [0] });
  rows[5] = row({ presence: "right", differences: [1] });
  assert.ok(blocksOf({ rows }).every(({ isFolded }) => !isFolded));
});

test("rows that a merged cell covers stay together", () => {
  const rows = Array.from({ length: 8 }, () => row());
  rows[1] = row({ cells: [{ text: "a", rowspan: 6 }] });
  assert.ok(blocksOf({ rows }).every(({ isFolded }) => !isFolded));
});
