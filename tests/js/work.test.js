/** The pure parts of verifying, tables, writing and feedback. */

import assert from "node:assert/strict";
import test from "node:test";
import { shortNames } from "../../app/components/frontend/shared/places";
import { useSentences } from "../../app/components/frontend/shared/sentences";
import { listed } from "../../app/components/frontend/workspace/boxes/element_order";
import { typedRect } from "../../app/components/frontend/workspace/boxes/typed_rect";
import { digitsOf, optionKeys } from "../../app/components/frontend/workspace/fields/options";
import {
  nextUndecided,
  rowState,
  shownColumns,
} from "../../app/components/frontend/workspace/fields/record_state";
import { cut, hopSentence } from "../../app/components/frontend/workspace/panels/check_words";
import { comparePages } from "../../app/components/frontend/workspace/panels/pilot_comparison";

useSentences({
  not_a_number: "{value} is not a number.",
  too_small: "A box must be at least {least} points wide and high.",
});

test("spans mark the characters that Python counts, beyond the first plane as well", () => {
  for (const [text, spans, marked] of [
    ["What does page 4 say?", [[10, 16]], ["page 4"]],
    ["🦦🦦 in this document", [[6, 19]], ["this document"]],
    ["one two", [], []],
    ["whole", [[0, 5]], ["whole"]],
    [
      "ab",
      [
        [0, 1],
        [1, 2],
      ],
      ["a", "b"],
    ],
    ["e\u0301 on page 2", [[6, 12]], ["page 2"]],
  ]) {
    const parts = cut(text, spans);
    assert.equal(parts.map((part) => part.text).join(""), text);
    assert.deepEqual(
      parts.filter((part) => part.marked).map((part) => part.text),
      marked,
    );
  }
});

test("each option has a key of its own: its first letter where it is free", () => {
  assert.deepEqual(Object.fromEntries(optionKeys(["approve", "reject", "rewrite", "a", "100"])), {
    approve: "a",
    reject: "r",
    rewrite: "e",
    a: "4",
    100: "5",
  });
});

test("digits choose the first ten options of a field that has no keys of its own", () => {
  const options = (count, key = null) => Array.from({ length: count }, () => ({ key }));
  assert.deepEqual(digitsOf(options(2)), ["1", "2"]);
  assert.equal(digitsOf(options(12)).join(""), "1234567890");
  assert.deepEqual(digitsOf([...options(2), ...options(1, "y")]), []);
});

test("four typed numbers make a rectangle on the page, or a sentence says why not", () => {
  const outside = { error: "The box must be on the page, which is 100 × 60 points." };
  for (const [texts, expected] of [
    [["10", "20", "30", "40"], { rect: [10, 20, 40, 60] }],
    [["10,5", "20", "30", "40"], { rect: [10.5, 20, 40.5, 60] }],
    [["0", "0", "100.04", "50"], { rect: [0, 0, 100, 50] }],
    [["x", "0", "10", "10"], { error: "“x” is not a number." }],
    [["", "0", "10", "10"], { error: "One of the four numbers is missing." }],
    [["0", "0", "2", "10"], { error: "A box must be at least 3 points wide and high." }],
    [["95", "0", "10", "10"], outside],
    [["1e308", "0", "10", "10"], outside],
  ]) {
    assert.deepEqual(typedRect(texts, [100, 60], 3), expected);
  }
});

test("what became of a row; a decision about it is no change of it", () => {
  const model = { value: "1" };
  for (const [row, state] of [
    [{ model, values: { value: "1" }, deleted: false }, "given"],
    [{ model, values: { value: "1", verdict: "right" }, deleted: false }, "given"],
    [{ model, values: { value: "2" }, deleted: false }, "changed"],
    [{ model, values: { value: "1", note: "n" }, deleted: false }, "changed"],
    [{ model, values: { value: "2" }, deleted: true }, "deleted"],
    [{ model: null, values: {}, deleted: false }, "added"],
  ]) {
    assert.equal(rowState(row, { name: "verdict" }), state);
  }
});

test("the next row without a decision comes after this one, else first; deleted rows never", () => {
  const row = (name, verdict, deleted = false) => ({ row: name, values: { verdict }, deleted });
  const rows = [row("a", ""), row("b", "right"), row("c", "", true), row("d", "")];
  const decision = { name: "verdict" };
  assert.equal(nextUndecided(rows, decision), "a");
  assert.equal(nextUndecided(rows, decision, "a"), "d");
  assert.equal(nextUndecided(rows, decision, "d"), "a");
  assert.equal(nextUndecided([row("b", "right")], decision), null);
  assert.equal(nextUndecided(rows, null), null);
});

test("a decision is right under the old and the new text of its proposal", () => {
  const column = (name, editable) => ({ name, editable, required: true, kind: "choice" });
  const columns = [column("note"), column("old"), column("new"), column("decision", true)];
  columns[0] = { name: "note", editable: true, kind: "text" };
  const names = (add_rows) => shownColumns({ columns, add_rows }).map(({ name }) => name);
  assert.deepEqual(names(false), ["old", "new", "decision", "note"]);
  assert.deepEqual(names(true), ["note", "old", "new", "decision"]);
});

test("questions on several pages: count, share and target in one sentence", () => {
  for (const [written, several, target, sentence] of [
    [9, 2, 0.2, "2 of 9 questions on several pages (22 %; target 20 %)"],
    [1, 0, null, "0 of 1 question on several pages (0 %)"],
    [0, 0, 0.2, "No question submitted yet; target 20 % on several pages"],
    [0, 0, null, ""],
  ]) {
    assert.equal(hopSentence({ written, multi_hop: several, target }), sentence);
  }
});

test("each page of an answer is right, missing or too many", () => {
  const [a, b, c] = ["a.pdf", "b.pdf", "c.pdf"].map((document) => ({ document, page: 1 }));
  const expected = { shared: [b], missing: [c], superfluous: [a] };
  assert.deepEqual(comparePages([a, b], [b, c]), expected);
});

test("elements come in reading order where there is one, else from top to bottom", () => {
  const box = (id, top, order, page = 1) => {
    return { id, document: "a.pdf", page, rect: [10, top, 50, top + 5], order };
  };
  const boxes = [box("low", 90, 1), box("high", 5, 2), box("none", 50, null), box("else", 1, 1, 2)];
  const ids = (order) =>
    listed({ boxes }, { order }, { document: "a.pdf", page: 1 }).map((entry) => entry.id);
  assert.deepEqual(ids(true), ["low", "high", "none"]);
  assert.deepEqual(ids(false), ["high", "none", "low"]);
});

test("names on cards leave out the whole words that all begin with, never all of a name", () => {
  for (const [documents, names] of [
    [["a.pdf", "a.pdf"], {}],
    [
      ["tarn-water-annual.pdf", "tarn-water-audit.pdf"],
      { "tarn-water-annual.pdf": "annual.pdf", "tarn-water-audit.pdf": "audit.pdf" },
    ],
    [["a.pdf", "b.pdf"], { "a.pdf": "a.pdf", "b.pdf": "b.pdf" }],
    [["jahr.pdf", "jahr.pdf.pdf"], { "jahr.pdf": "jahr.pdf", "jahr.pdf.pdf": "jahr.pdf.pdf" }],
  ]) {
    assert.deepEqual(Object.fromEntries(shortNames(documents)), names);
  }
});
