/** Numbers among the words of a page, with their signs, units and groups of digits. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { printedNumbers } from "../../app/components/frontend/workspace/fields/printed_numbers";

/** Words on one line, 10 points high and 5 per letter, with a gap of so many points between them. */
function line(text: string, gap = 2.5, top = 0): Pt.Word[] {
  let x = 0;
  return text.split(" ").map((word): Pt.Word => {
    const x0 = x;
    x += 5 * word.length + gap;
    return [x0, top, x - gap, top + 10, word];
  });
}

const texts = (words: Pt.Word[], rect: Pt.Rect | null = null) =>
  printedNumbers(words, rect).map(({ text }) => text);

test("words that look like numbers are numbers", () => {
  const words = line("64% of 1,234.5 adults in 2020, up -3.2 (4.5) 10k 3,5 $7 −12 .5 ٤٢", 20);
  assert.deepEqual(texts(words), [
    ..."64% 1,234.5 2020 -3.2 (4.5) 10k 3,5 $7 −12 .5 ٤٢".split(" "),
  ]);
});

test("other words with digits are none", () => {
  assert.deepEqual(texts(line("18-29 Q10b. COVID-19 1st 3D-print 1/2 v2.0.1 a4 % – .", 20)), []);
});

test("what ends a sentence or another word's bracket is no part of a number", () => {
  assert.deepEqual(texts(line("job (64%) was 43%. (82 vs 54)", 20)), ["(64%)", "43%", "82", "54"]);
});

test("units, currencies and groups of thousands that are printed apart belong to it", () => {
  assert.deepEqual(texts(line("12.5 % and € 3.2 million")), ["12.5 %", "€ 3.2 million"]);
  assert.deepEqual(texts(line("1 234 567 people")), ["1 234 567"]);
  assert.deepEqual(texts(line("€ 1 234")), ["€ 1 234"]);
  assert.deepEqual(texts(line("12.5 % and 100 200 300", 8)), ["12.5", "100", "200", "300"]);
});

test("a number is around its words, and alone where it is in the part that is asked for", () => {
  const words = [...line("10 20", 20), ...line("30 %", 2.5, 50)];
  assert.deepEqual(printedNumbers(words, [0, 40, 100, 100]), [
    { text: "30 %", rect: [0, 50, 17.5, 60] },
  ]);
  assert.deepEqual(texts(words, [0, 0, 15, 15]), ["10"]);
  assert.deepEqual(printedNumbers([], null), []);
});
