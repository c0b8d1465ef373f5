/** What keys outline on a page: blocks and words, one or several. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeOfStep, withMinimumSize } from "../../app/components/frontend/shared/page/rectangles";
import { stepped } from "../../app/components/frontend/workspace/boxes/text_outline";

const BLOCKS = [
  [0, 3],
  [4, 4],
  [5, 9],
];

test("blocks and words are outlined one by one, and stop at the ends of the page", () => {
  for (const [range, step, expected] of [
    [null, "nextBlock", [4, 4]],
    [null, "previousWord", [4, 4]],
    [null, "moreBlocks", [4, 4]],
    [[0, 3], "nextBlock", [4, 4]],
    [[5, 9], "nextBlock", [5, 9]],
    [[0, 3], "previousBlock", [0, 3]],
    [[7, 7], "previousBlock", [4, 4]],
    [[0, 3], "moreBlocks", [0, 4]],
    [[0, 4], "moreBlocks", [0, 9]],
    [[0, 9], "moreBlocks", [0, 9]],
    [[0, 9], "fewerBlocks", [0, 4]],
    [[0, 3], "fewerBlocks", [0, 3]],
    [[5, 9], "nextWord", [5, 5]],
    [[5, 5], "nextWord", [6, 6]],
    [[9, 9], "nextWord", [9, 9]],
    [[5, 9], "previousWord", [9, 9]],
    [[0, 0], "previousWord", [0, 0]],
    [[6, 6], "moreWords", [6, 7]],
    [[6, 9], "moreWords", [6, 9]],
    [[6, 7], "fewerWords", [6, 6]],
    [[6, 6], "fewerWords", [6, 6]],
  ])
    assert.deepEqual(stepped(range, step, BLOCKS, 4), expected, `${range} ${step}`);
});

test("a box around a short word is as large as a box has to be, on the page", () => {
  assert.deepEqual(withMinimumSize([50, 50, 52, 60], 8, [100, 100]), [47, 50, 55, 60]);
  assert.deepEqual(withMinimumSize([98, 0, 100, 10], 8, [100, 100]), [92, 0, 100, 10]);
  assert.deepEqual(withMinimumSize([10, 10, 40, 40], 8, [100, 100]), [10, 10, 40, 40]);
});

test("steps to the right and down move the edges that are right and below on the screen", () => {
  const edges = [0, 90, 180, 270].map((turn) => [edgeOfStep(1, turn), edgeOfStep(0, turn)]);
  assert.deepEqual(edges, [
    ["e", "s"],
    ["n", "e"],
    ["w", "n"],
    ["s", "w"],
  ]);
});
