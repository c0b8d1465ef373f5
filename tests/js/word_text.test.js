/** What words of a page say, and what a box gets of them. */

import assert from "node:assert/strict";
import test from "node:test";
import { runsTogether } from "../../app/components/frontend/workspace/search/writing_systems";
import { everyHit } from "../../app/components/frontend/workspace/viewer/document_search";
import { withRecent } from "../../app/components/frontend/workspace/viewer/RecentPages";
import {
  filledText,
  findWords,
  joined,
  normalised,
  paragraphs,
  textIn,
} from "../../app/components/frontend/workspace/viewer/word_text";

const WORDS = [
  [10, 10, 30, 20, "net"],
  [34, 11, 60, 21, "income"],
  [10, 30, 30, 40, "12"],
  [34, 30, 40, 40, "m"],
];

test("words are joined line by line, and belong to a box that has their middle", () => {
  assert.equal(joined(WORDS), "net income\n12 m");
  assert.equal(textIn([0, 0, 100, 25], WORDS), "net income");
  assert.equal(textIn([0, 0, 21, 100], WORDS), "net\n12");
  assert.equal(textIn([200, 200, 300, 300], WORDS), "");
});

test("a word that the end of a line divides is one word, with a box for each part", () => {
  const words = [
    [10, 10, 30, 20, "an"],
    [34, 10, 60, 20, "inter\u00ad"],
    [10, 30, 40, 40, "national"],
    [44, 30, 60, 40, "plan"],
  ];
  assert.equal(joined(words), "an international plan");
  assert.deepEqual(findWords(words, "International plan"), [words.slice(1)]);
  assert.deepEqual(findWords(words, "an inter\u00adnational"), [words.slice(0, 3)]);
  assert.deepEqual(findWords(words, "national"), [words.slice(2, 3)]);
  assert.equal(joined(words.slice(0, 2)), "an inter");
});

test("a box's text follows the page until somebody writes another", () => {
  const [line, both, away] = [
    [0, 0, 100, 25],
    [0, 0, 100, 50],
    [200, 200, 300, 300],
  ];
  for (const [content, rect, before, expected] of [
    ["", line, null, "net income"],
    ["", away, null, null],
    ["net income", both, line, "net income\n12 m"],
    ["net income", away, line, ""],
    ["net outcome", both, line, null],
    ["", both, line, "net income\n12 m"],
    ["net income", line, line, null],
  ]) {
    assert.equal(filledText(content, rect, before, WORDS), expected);
  }
});

test("a text is found across words and lines, whatever its case and forms", () => {
  const found = (wanted) => findWords(WORDS, wanted).map((part) => part.map((word) => word[4]));
  assert.deepEqual(found("NET  Income"), [["net", "income"]]);
  assert.deepEqual(found("income 12"), [["income", "12"]]);
  assert.deepEqual(found("m"), [["income"], ["m"]]);
  assert.deepEqual(found(" "), []);
  assert.equal(normalised("Ｎet\u00a0 proﬁt\n"), "net profit");
});

test("paragraphs end at gaps and columns; hits are counted page by page", () => {
  const below = [
    [10, 48, 30, 58, "next"],
    [80, 10, 99, 20, "column"],
  ];
  assert.deepEqual(paragraphs([...WORDS, ...below]), ["net income", "12 m", "next", "column"]);
  assert.deepEqual(
    everyHit([
      [2, 2],
      [5, 1],
    ]),
    [
      { page: 2, at: 0 },
      { page: 2, at: 1 },
      { page: 5, at: 0 },
    ],
  );
  const [a, b] = [
    { document: "a.pdf", page: 1 },
    { document: "b.pdf", page: 1 },
  ];
  assert.deepEqual(withRecent([a, b], b), [b, a]);
});

test("queries without spaces between words are told of stars", () => {
  for (const [query, expected] of [
    ["売上高", true],
    ["매출액 2017", true],
    ["*売上高*", false],
    ["net sales", false],
    ["الإيرادات", false],
  ])
    assert.equal(runsTogether(query), expected, query);
});
