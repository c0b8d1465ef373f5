import assert from "node:assert/strict";
import { test } from "node:test";
import {
  calculationOf,
  normalised,
  numbersIn,
  shownCalculation,
  withNumbers,
} from "../../app/components/frontend/workspace/panels/arithmetic";

test("numbers and signs are read however they are written", () => {
  for (const [typed, expression] of [
    ["1,234.5 + 2", "1234.5+2"],
    ["1.234,5 × 2", "1234.5*2"],
    ["1 234 567 ÷ 3", "1234567/3"],
    ["1'234’567 − 1", "1234567-1"],
    ["12,34,567 · 2", "1234567*2"],
    ["0,5 x 3", "0.5*3"],
    ["1,234", "1234"],
    ["1.234", "1.234"],
    [".5 : 2", "0.5/2"],
    ["(120 − 100) ÷ 100%", "(120-100)/100%"],
    ["１２ ＋ ３", "12+3"],
  ])
    assert.equal(normalised(typed), expression, typed);
});

test("what is no calculation has a reason, not a result", () => {
  for (const typed of ["1 +", "a", "1 2", "2 ** 3", "(1", "1/0", "alert(1)", "1".repeat(201)])
    assert.ok("problem" in calculationOf(typed), typed);
  assert.equal(calculationOf("  "), null);
});

test("a calculation is printed with the signs that people write", () => {
  assert.equal(shownCalculation(calculationOf("(100-120)/100")), "(100 − 120) ÷ 100 = −0.2");
  assert.equal(shownCalculation(calculationOf("-5*-2")), "−5 × −2 = 10");
});

test("selected words give their numbers, which are added to what is there", () => {
  assert.deepEqual(numbersIn(["Revenue", "€1,234.5", "(56)", "-7", "12%", "FY", "2019."]), [
    "1,234.5",
    "−56",
    "−7",
    "12%",
    "2019",
  ]);
  assert.equal(withNumbers("", ["1", "2"]), "1 + 2");
  assert.equal(withNumbers("5 ×", ["2"]), "5 × 2");
  assert.equal(withNumbers("5", ["2"]), "5 + 2");
});
