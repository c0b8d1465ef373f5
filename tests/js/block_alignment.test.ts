/** Where the blocks of a text are on its page. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  blockAt,
  blockNear,
  placeBlocks,
  tokensOf,
} from "../../app/components/frontend/workspace/transcript/block_alignment";
import { blocksOf } from "../../app/components/frontend/workspace/transcript/markdown_parser";

const LINE_HEIGHT = 20;
const WORD_WIDTH = 50;

/** The words of a page, each line below the one before, as the server sends them. */
function wordsOf(lines: string[]): Pt.Word[] {
  return lines.flatMap((line, row) =>
    line.split(" ").map((text, column): Pt.Word => {
      const [x, y] = [column * WORD_WIDTH, row * LINE_HEIGHT];
      return [x, y, x + WORD_WIDTH - 5, y + 15, text];
    }),
  );
}

/** The lines of the page on which each block of the text is, null where it is not found. */
function linesOfBlocks(text: string, lines: string[]) {
  return placeBlocks(text, blocksOf(text), wordsOf(lines)).map(
    ({ rect }) => rect && [rect[1] / LINE_HEIGHT, Math.floor(rect[3] / LINE_HEIGHT)],
  );
}

const textsOf = (text: string) => blocksOf(text).map(({ from, to }) => text.slice(from, to));

test("headings, paragraphs, list items and rows are blocks of their own", () => {
  const text =
    "# Otters\n\nThey swim\nin rivers.\n\n- one\n- two\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |";
  assert.deepEqual(textsOf(text), [
    ...["# Otters", "They swim\nin rivers.", "one", "two", "said"],
    ...["| a | b |", "| 1 | 2 |"],
  ]);
});

test("HTML and code are broken up by line", () => {
  const text = "<table>\n<tr><td>1</td></tr>\n</table>\n\n```\nfirst\n\nsecond\n```";
  assert.deepEqual(textsOf(text), [
    ...["<table>", "<tr><td>1</td></tr>", "</table>"],
    ...["```", "first", "second", "```"],
  ]);
});

test("each block is placed around the words that it repeats", () => {
  const page = ["Otter survey", "Counting took place", "in the spring", "Unstrut 42"];
  const text = "# Otter survey\n\nCounting took place in the spring\n\n| Unstrut | 42 |\n|---|---|";
  assert.deepEqual(linesOfBlocks(text, page), [
    [0, 0],
    [1, 2],
    [3, 3],
  ]);
});

test("a wrong digit, a missing word and other letters do not matter", () => {
  const page = ["The HARBOUR report of 2023", "was read by nobody at all"];
  const text = "The Harbour report of 2024\n\nwas read nobody at all";
  assert.deepEqual(linesOfBlocks(text, page), [
    [0, 0],
    [1, 1],
  ]);
});

test("repeated blocks keep their order", () => {
  const page = ["Total 12 boats", "North shore", "Total 12 boats", "South shore"];
  const text = "Total 12 boats\n\nNorth shore\n\nTotal 12 boats\n\nSouth shore";
  assert.deepEqual(linesOfBlocks(text, page), [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

test("what is not on the page has no place, and does not mislead the next block", () => {
  const page = ["Otter survey", "Counting took place"];
  const text = "# Otter survey\n\nA paragraph made up by the model\n\nCounting took place";
  assert.deepEqual(linesOfBlocks(text, page), [[0, 0], null, [1, 1]]);
});

test("a page without words and a text without blocks are aligned to nothing", () => {
  assert.deepEqual(linesOfBlocks("# Otter survey", []), [null]);
  assert.deepEqual(placeBlocks("", blocksOf(""), wordsOf(["Otter survey"])), []);
});

test("scripts without spaces are compared by character", () => {
  assert.deepEqual(tokensOf("水獺 Ｏtter ﬁsh"), ["水", "獺", "otter", "fish"]);
  const page = ["水獺調査報告", "春の川で数えた"];
  assert.deepEqual(linesOfBlocks("水獺調査報吿\n\n春の川で数えた", page), [
    [0, 0],
    [1, 1],
  ]);
});

test("text from right to left is found by its words", () => {
  const page = ["تقرير الميناء السنوي", "الحركة في الشمال"];
  assert.deepEqual(linesOfBlocks("# تقرير الميناء السنوي\n\nالحركة في الشمال", page), [
    [0, 0],
    [1, 1],
  ]);
});

test("characters of two units are counted as the editor counts them", () => {
  const text = "🦦🦦 Otter survey\n\nCounting took place";
  const [first, second] = placeBlocks(text, blocksOf(text), wordsOf(["Counting took place"]));
  assert.equal(first.rect, null);
  assert.equal(text.slice(second.from, second.to), "Counting took place");
});

test("a page of 20,000 characters is aligned", () => {
  const lines = Array.from({ length: 400 }, (_, n) => `row ${n} of the harbour report table`);
  const text = lines.join("\n\n");
  const placed = linesOfBlocks(text, lines);
  assert.deepEqual(
    placed,
    lines.map((_, n) => [n, n]),
  );
});

test("the block of a position is the last that begins there or before", () => {
  const blocks = [
    { from: 2, to: 5 },
    { from: 7, to: 9 },
  ];
  const starts = [0, 2, 6, 7, 100].map((position) => blockAt(blocks, position)?.from ?? null);
  assert.deepEqual(starts, [null, 2, 2, 7, 7]);
  assert.equal(blockAt([], 3), null);
});

test("the block near a height is the nearest that has a place, the earlier of equals", () => {
  const rect = (top: number, bottom: number): Pt.Rect => [0, top, 10, bottom];
  const blocks = [
    { from: 0, to: 1, rect: rect(0, 10) },
    { from: 2, to: 3, rect: null },
    { from: 4, to: 5, rect: rect(20, 30) },
  ];
  const starts = [-5, 5, 12, 15, 16, 25, 99].map((y) => blockNear(blocks, y)?.from);
  assert.deepEqual(starts, [0, 0, 0, 0, 4, 4, 4]);
  assert.equal(blockNear([], 0), null);
});
