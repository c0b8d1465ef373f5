/** Numbers that are printed on a page, among its words. Pure, without DOM. */

import { wordsIn } from "../viewer/word_text";

export interface PrintedNumber {
  /** as it is printed, with its sign and unit */
  text: string;
  /** around its words, in points */
  rect: Pt.Rect;
}

const DIGITS = String.raw`(?:\p{Nd}{1,3}(?:[.,'’\u00a0\u202f\u2009]\p{Nd}{3})+(?:[.,]\p{Nd}+)?|\p{Nd}*[.,٫]?\p{Nd}+)`;
const SIGN = String.raw`[~≈<>≤≥]?[-+−–]?\p{Sc}?[-+−–]?`;
const UNIT = String.raw`(?:\p{Sc}|[%‰٪°]|(?!st|nd|rd|th)\p{L}{1,3})?`;
const NUMBER = new RegExp(String.raw`^[(\[]?${SIGN}${DIGITS}${UNIT}[)\]]?[*†‡]?$`, "iu");
const CURRENCY = /^\p{Sc}$/u;
const UNIT_WORD =
  /^(?:[%‰٪°]|\p{Sc}|thousand|million|billion|trillion|mn|mln|bn|tn|mio\.?|mrd\.?|m|k|pp|bps)$/iu;
const GROUP_START = new RegExp(String.raw`^${SIGN}\p{Nd}{1,3}$`, "u");
const GROUP = /^\p{Nd}{3}(?:[.,]\p{Nd}+)?[%‰]?$/u;

/** Parts of a line's height: between a number and its unit, and between groups of digits. */
const UNIT_GAP = 0.6;
const GROUP_GAP = 0.3;

/**
 * The numbers among the words of a page, or of a part of it, in reading order. A currency, a unit
 * or groups of thousands that are printed apart are part of their number.
 * @param rect the part; null for the whole page
 */
export function printedNumbers(words: Pt.Word[], rect: Pt.Rect | null): PrintedNumber[] {
  const inside = rect ? wordsIn(rect, words) : words;
  const numbers: PrintedNumber[] = [];
  for (let i = 0; i < inside.length; i++) {
    const text = withoutPunctuation(inside[i][4]);
    if (!NUMBER.test(text)) continue;
    const parts = [inside[i]];
    const before = inside[i - 1];
    if (before && CURRENCY.test(before[4]) && isNear(before, inside[i], UNIT_GAP))
      parts.unshift(before);
    while (isNextGroup(parts, inside[i + 1])) parts.push(inside[++i]);
    const after = inside[i + 1];
    if (after && UNIT_WORD.test(withoutPunctuation(after[4])) && isNear(inside[i], after, UNIT_GAP))
      parts.push(inside[++i]);
    numbers.push({
      text: withoutPunctuation(parts.map((word) => word[4]).join(" ")),
      rect: around(parts),
    });
  }
  return numbers;
}

/** Whether a word has the next three digits of a number. */
function isNextGroup(parts: Pt.Word[], word: Pt.Word | undefined) {
  const last = parts[parts.length - 1];
  const isOpen = parts.length > 1 ? GROUP.test(last[4]) : GROUP_START.test(last[4]);
  return (
    word !== undefined &&
    (isOpen || CURRENCY.test(parts[0][4])) &&
    GROUP.test(withoutPunctuation(word[4])) &&
    isNear(last, word, GROUP_GAP)
  );
}

/** Without what ends a sentence, and without a bracket whose other half is another word's. */
function withoutPunctuation(word: string) {
  const text = word.replace(/[,.;:!?]+$/u, "");
  const opens = /^[([]/.test(text);
  const closes = /[)\]]$/.test(text);
  if (opens && !closes) return text.slice(1);
  return closes && !opens ? text.slice(0, -1) : text;
}

/** Whether a word follows another on its line, with a small gap. */
function isNear(left: Pt.Word, right: Pt.Word, gap: number) {
  const middle = (right[1] + right[3]) / 2;
  const height = Math.max(left[3] - left[1], right[3] - right[1]);
  const distance = right[0] - left[2];
  const isOnLine = middle > left[1] && middle < left[3];
  return isOnLine && distance <= gap * height && distance > -height;
}

const around = (words: Pt.Word[]): Pt.Rect => [
  Math.min(...words.map((word) => word[0])),
  Math.min(...words.map((word) => word[1])),
  Math.max(...words.map((word) => word[2])),
  Math.max(...words.map((word) => word[3])),
];
