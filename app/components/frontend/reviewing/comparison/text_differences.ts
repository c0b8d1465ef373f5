/** Which words of somebody's text most of the others have otherwise; without DOM. */

import { diffWords } from "../../shared/text_diff";

/**
 * What the reader is to see: with two people every difference, with more, who differs from all others.
 */
export function isOdd(different: number, others: number) {
  return 2 * different > others;
}

/** Whether most of the others have another value; false without others. */
export function differsFromMost<Value>(value: Value, others: Value[] = []) {
  return isOdd(others.filter((other) => other !== value).length, others.length);
}

/**
 * Mark one text against the others.
 * @param others null has nothing like it
 * @returns joined they give the text; `differs`: more than half of the others have it
 * otherwise, `gap`: empty, and more than half of the others have more words there
 */
export function markedText(text: string, others: (string | null)[]): Pt.Run[] {
  const counts = new Uint16Array(text.length);
  const more = new Uint16Array(text.length + 1);
  for (const other of others) {
    let at = 0;
    for (const part of other === null ? [{ kind: "removed", text }] : diffWords(text, other)) {
      if (part.kind === "added") {
        if (part.text.trim()) more[at] += 1;
        continue;
      }
      if (part.kind === "removed")
        for (let i = at; i < at + part.text.length; i += 1) counts[i] += 1;
      at += part.text.length;
    }
  }
  const runs: Pt.Run[] = [];
  for (let i = 0; i <= text.length; i += 1) {
    const replaced = i > 0 && isOdd(counts[i - 1], others.length);
    if (!replaced && isOdd(more[i], others.length))
      runs.push({ text: "", differs: true, gap: true });
    if (i === text.length) break;
    const differs = isOdd(counts[i], others.length);
    const last = runs.at(-1);
    if (last && !last.gap && last.differs === differs) last.text += text[i];
    else runs.push({ text: text[i], differs });
  }
  return runs.map((run) => ({
    ...run,
    differs: run.gap || (run.differs && run.text.trim() !== ""),
  }));
}

/** As texts are compared: without regard to capital letters and to how much space there is. */
export const norm = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();

/** The share of letters that two texts have in common, in [0, 1]. */
function likeness(a: string, b: string) {
  if (norm(a) === norm(b)) return 1;
  const shared = diffWords(a, b)
    .filter(({ kind, text }) => kind === "same" && text.trim())
    .reduce((sum, { text }) => sum + text.trim().length, 0);
  return (2 * shared) / Math.max(1, a.trim().length + b.trim().length);
}

/**
 * Which string of one list stands for which of the other: the likest pairs first, each used once.
 * @returns for each of mine its counterpart, or null
 */
function counterparts(mine: string[], theirs: string[]): Array<string | null> {
  const pairs = mine.flatMap((a, i) => theirs.map((b, j) => [likeness(a, b), i, j]));
  pairs.sort((x, y) => y[0] - x[0] || x[1] - y[1] || x[2] - y[2]);
  const found = mine.map(() => null as string | null);
  const used = new Set();
  for (const [score, i, j] of pairs) {
    if (found[i] !== null || used.has(j) || score === 0) continue;
    found[i] = theirs[j];
    used.add(j);
  }
  return found;
}

/**
 * Mark one list of strings against other people's lists, string by string. What differs in capital
 * letters or spaces alone is not marked; a string that somebody has nothing like is marked wholly.
 * @returns for each of mine its runs
 */
export function markedList(mine: string[], others: string[][]): Pt.Run[][] {
  const matched = others.map((theirs) => counterparts(mine, theirs));
  return mine.map((text, i) => {
    const alike = (other: string | null) => other !== null && norm(other) === norm(text);
    return markedText(
      text,
      matched.map((found) => (alike(found[i]) ? text : found[i])),
    );
  });
}
