/** The word diff of two texts. */

import assert from "node:assert/strict";
import test from "node:test";
import { diffWords } from "../../app/components/frontend/shared/text_diff";
import { randomOf } from "./random.js";

const join = (parts, without) =>
  parts
    .filter((part) => part.kind !== without)
    .map((part) => part.text)
    .join("");

function makesUpBoth(before, after) {
  const parts = diffWords(before, after);
  assert.equal(join(parts, "added"), before);
  assert.equal(join(parts, "removed"), after);
  return parts;
}

test("whole words change, punctuation apart; a run of changed words is one change", () => {
  const marks = {
    same: (text) => text,
    removed: (text) => `[-${text}]`,
    added: (text) => `[+${text}]`,
  };
  for (const [before, after, expected] of [
    ["", "", ""],
    ["same words", "same words", "same words"],
    ["", "new", "[+new]"],
    ["old", "", "[-old]"],
    ["Net sales 42", "Net sales 47", "Net sales [-42][+47]"],
    ["one two three", "four five three", "[-one two][+four five] three"],
    ["a b c", "a c", "a [-b ]c"],
    ["in spring.", "in spring!", "in spring[-.][+!]"],
    ["Straße", "Strasse", "[-Straße][+Strasse]"],
    ["e\u0301tude 🦦", "e\u0301tude 🦡", "e\u0301tude [-🦦][+🦡]"],
  ]) {
    const shown = diffWords(before, after).map((part) => marks[part.kind](part.text));
    assert.equal(shown.join(""), expected);
  }
});

test("no character is lost, and neighbours of one kind are one part", () => {
  const rng = randomOf(5);
  const words = ["a", "b", "b ", " ", "\n", "ä", "42", ".", "🦦", "<td>", "a b"];
  for (let i = 0; i < 400; i += 1) {
    const [before, after] = [0, 1].map(() => rng.choices(words, rng.integer(13)).join(""));
    const parts = makesUpBoth(before, after);
    for (const [at, part] of parts.entries()) {
      assert.ok(part.text);
      assert.notEqual(part.kind, parts[at + 1]?.kind);
    }
  }
});

test("texts of the largest size keep their common words, or are replaced as a whole", () => {
  for (const changed of [3_000, 9_000]) {
    const numbers = Array.from({ length: changed }, (_, n) => n);
    const before = numbers.map((n) => `${n}a`).join(" ");
    makesUpBoth(before, numbers.map((n) => (n % 2 ? `${n}a` : `${n}b`)).join(" "));
  }
});
