/**
 * The calculator: reads what people type or take from pages, and computes it exactly; no `eval`. The
 * server computes it again (annotation/arithmetic.py).
 */

import { MAX_EXPRESSION, RESULT_DECIMALS } from "../../shared/limits";
import { N_ } from "../../shared/messages";

/** A value as an exact fraction. */
interface Fraction {
  over: bigint;
  under: bigint;
}

/** Why there is no result: a sentence to translate. */
export class CalculationError extends Error {}

const NOT_A_CALCULATION = N_("This is not a calculation.");
const DIVISION_BY_ZERO = N_("A division by zero has no result.");
const NOT_CLOSED = N_("A parenthesis is not closed.");

const SIGNS: Record<string, string> = {
  "−": "-",
  "–": "-",
  "—": "-",
  "‑": "-",
  "×": "*",
  "·": "*",
  x: "*",
  X: "*",
  "÷": "/",
  ":": "/",
  "’": "'",
  "٪": "%",
};

/** As in annotation/answers/quantities.py: groups of digits, or a number with a decimal mark. */
const NUMBER =
  /(?:(\d{1,3}([ .,'])\d{3}(?:\2\d{3})*(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d))([.,]\d+)?|(\d+(?:[.,]\d+)?|[.,]\d+))/y;

/** The text with one way to write digits, spaces and signs. */
const cleaned = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .replace(/[−–—‑×·xX÷:’٪]/g, (sign) => SIGNS[sign])
    .trim();

/** The digits of a match of NUMBER with a decimal point. */
function digitsOf([, whole, group = ",", tail = "", plain]: RegExpExecArray): string {
  if (plain !== undefined) {
    const digits = plain.replace(",", ".");
    return digits.startsWith(".") ? `0${digits}` : digits;
  }
  const parts = whole.split(group);
  // "1.234" and "0,123" have decimals; "1,234" has a group.
  const isDecimal =
    parts.length === 2 && !tail && (group === "." || (group === "," && /^0*$/.test(parts[0])));
  return isDecimal ? parts.join(".") : parts.join("") + tail.replace(",", ".");
}

/**
 * What was typed in the one notation that is computed and stored.
 * @throws CalculationError where it is something else
 */
export function normalised(text: string): string {
  const typed = cleaned(text);
  let expression = "";
  let at = 0;
  let wasNumber = false;
  while (at < typed.length) {
    NUMBER.lastIndex = at;
    const match = NUMBER.exec(typed);
    if (match && !wasNumber) {
      expression += digitsOf(match);
      at += match[0].length;
      wasNumber = true;
    } else {
      const sign = typed[at];
      if (sign !== " " && !"+-*/()%".includes(sign)) throw new CalculationError(NOT_A_CALCULATION);
      at += 1;
      if (sign === " ") continue;
      expression += sign;
      wasNumber = false;
    }
  }
  if (!expression || expression.length > MAX_EXPRESSION)
    throw new CalculationError(NOT_A_CALCULATION);
  return expression;
}

/**
 * The result of an expression in that notation, rounded as the server does.
 * @throws CalculationError where it has none
 */
export function calculate(expression: string): string {
  const parser = new Parser(expression.match(/\d+(?:\.\d+)?|[-+*/()%]/g) ?? []);
  const value = parser.sum();
  if (parser.next !== undefined) throw new CalculationError(NOT_A_CALCULATION);
  return formatted(value);
}

/** The numbers in words of a page, each as it is written; in parentheses they are negative. */
export function numbersIn(words: string[]): string[] {
  return words.flatMap((word) => {
    const text = cleaned(word);
    const match = /(\(?)(-?)[^\d\s.,()-]*((?:\d|[.,]\d)[\d.,']*\d|\d)(%?)(\)?)/.exec(text);
    if (!match) return [];
    const [, opened, minus, digits, percent, closed] = match;
    const isNegative = minus !== "" || (opened !== "" && closed !== "");
    return [`${isNegative ? "−" : ""}${digits}${percent}`];
  });
}

export type Result = { expression: string; result: string };

/** What a typed text comes to: a result, or why there is none; null for nothing. */
export function calculationOf(text: string): Result | { problem: string } | null {
  if (!text.trim()) return null;
  try {
    const expression = normalised(text);
    return { expression, result: calculate(expression) };
  } catch (error) {
    if (error instanceof CalculationError) return { problem: error.message };
    throw error;
  }
}

const PRINTED: Record<string, string> = { "+": " + ", "-": " − ", "*": " × ", "/": " ÷ " };

/** A calculation as it is printed: "(120 − 100) ÷ 100 = 0.2". */
export function shownCalculation({ expression, result }: Result) {
  const printed = expression.replace(/[-+*/]/g, (sign, at: number) =>
    /[\d)%]/.test(expression[at - 1] ?? "") ? PRINTED[sign] : PRINTED[sign].trim(),
  );
  return `${printed} = ${result.replace("-", "−")}`;
}

/** A text with numbers of a page at its end, added up. */
export function withNumbers(text: string, numbers: string[]) {
  const before = text.trim();
  const needsSign = before !== "" && !/[-+−–×÷*/:(]$/.test(before);
  return [before, ...(needsSign ? ["+"] : []), numbers.join(" + ")].filter(Boolean).join(" ");
}

const DIGITS = 10n ** BigInt(RESULT_DECIMALS);

function formatted({ over, under }: Fraction): string {
  const isNegative = over < 0n !== under < 0n;
  const [top, bottom] = [over < 0n ? -over : over, under < 0n ? -under : under];
  let scaled = (top * DIGITS) / bottom;
  if (2n * ((top * DIGITS) % bottom) >= bottom) scaled += 1n;
  const digits = String(scaled).padStart(RESULT_DECIMALS + 1, "0");
  const decimals = digits.slice(-RESULT_DECIMALS).replace(/0+$/, "");
  const number = digits.slice(0, -RESULT_DECIMALS) + (decimals && `.${decimals}`);
  return isNegative && scaled ? `-${number}` : number;
}

/** Recursive descent: a sum of products of signed values. */
class Parser {
  private at = 0;

  constructor(private readonly tokens: string[]) {}

  get next(): string | undefined {
    return this.tokens[this.at];
  }

  sum(): Fraction {
    let value = this.product();
    while (this.next === "+" || this.next === "-") {
      const sign = this.take() === "+" ? 1n : -1n;
      const { over, under } = this.product();
      value = { over: value.over * under + sign * over * value.under, under: value.under * under };
    }
    return value;
  }

  private take() {
    const token = this.next;
    this.at += 1;
    return token;
  }

  private product(): Fraction {
    let value = this.signed();
    while (this.next === "*" || this.next === "/") {
      const operator = this.take();
      const { over, under } = this.signed();
      if (operator === "/" && over === 0n) throw new CalculationError(DIVISION_BY_ZERO);
      value =
        operator === "*"
          ? { over: value.over * over, under: value.under * under }
          : { over: value.over * under, under: value.under * over };
    }
    return value;
  }

  private signed(): Fraction {
    if (this.next !== "+" && this.next !== "-") return this.value();
    if (this.take() === "+") return this.signed();
    const { over, under } = this.signed();
    return { over: -over, under };
  }

  private value(): Fraction {
    const token = this.take();
    let value: Fraction;
    if (token === "(") {
      value = this.sum();
      if (this.take() !== ")") throw new CalculationError(NOT_CLOSED);
    } else if (token && /^\d/.test(token)) {
      const [whole, decimals = ""] = token.split(".");
      value = { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
    } else throw new CalculationError(NOT_A_CALCULATION);
    while (this.next === "%") {
      this.take();
      value = { ...value, under: value.under * 100n };
    }
    return value;
  }
}
