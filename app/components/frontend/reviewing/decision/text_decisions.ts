/** What the reviewer makes of the differences between two people's texts, without DOM. */

export const TRANSCRIPT = "transcript";

export type TextDecision = NonNullable<Pt.PickRequest["text_decisions"]>[number];
export type Difference = Pick<TextDecision, "number" | "left" | "right">;

/** The two texts that are compared: those of the pick, else the first two. */
export function comparedPair(pairs: Pt.TextPair[], pick: Pt.PickRequest | null | undefined) {
  const sides = pick?.how === "pick" ? (pick.sides ?? []) : [];
  return pairs.find(({ left, right }) => left === sides[0] && right === sides[1]) ?? pairs[0];
}

/** A passage of a pair of texts; differences are numbered from 0. */
export type NumberedPassage =
  | { text: string; difference?: undefined }
  | { text?: undefined; difference: Difference };

export function numberedPassages({ passages }: Pt.TextPair): NumberedPassage[] {
  let number = 0;
  return passages.map(({ left, right }) => {
    if (right === undefined) return { text: left };
    number += 1;
    return { difference: { number: number - 1, left, right } };
  });
}

export const differencesOf = (pair: Pt.TextPair): Difference[] =>
  numberedPassages(pair).flatMap(({ difference }) => difference ?? []);

/** The decisions on a pair's differences that still have the texts which were decided. */
export function validDecisions(pair: Pt.TextPair | undefined, decisions: TextDecision[]) {
  if (!pair) return [];
  const differences = differencesOf(pair);
  return decisions.filter(({ number, left, right }) => {
    const difference = differences[number];
    return difference?.left === left && difference.right === right;
  });
}

/** Decide a difference; again: open it. */
export function decide(
  picks: Pt.Selections,
  pair: Pt.TextPair,
  difference: Difference,
  decision: TextDecision["decision"],
  text = "",
): Pt.Selections {
  const before = decisionsOf(picks, pair);
  const others = before.filter(({ number }) => number !== difference.number);
  const current = before.find(({ number }) => number === difference.number);
  const isSame = current?.decision === decision && decision !== "edited";
  return withDecisions(
    picks,
    pair,
    isSame ? others : [...others, { ...difference, decision, text }],
  );
}

/** Decide every open difference as one text has it. */
export function decideRest(
  picks: Pt.Selections,
  pair: Pt.TextPair,
  decision: "left" | "right",
): Pt.Selections {
  const before = decisionsOf(picks, pair);
  const decided = new Set(before.map(({ number }) => number));
  const rest = differencesOf(pair)
    .filter(({ number }) => !decided.has(number))
    .map((difference) => ({ ...difference, decision, text: "" }));
  return withDecisions(picks, pair, [...before, ...rest]);
}

/** Compare two other texts; nothing of theirs is decided. */
export function comparePair(picks: Pt.Selections, pair: Pt.TextPair): Pt.Selections {
  return withDecisions(picks, pair, []);
}

/** The decisions of the picks on this pair; all for one person where their whole text was taken. */
export function decisionsOf(picks: Pt.Selections, pair: Pt.TextPair): TextDecision[] {
  const pick = picks[TRANSCRIPT];
  if (pick?.how === "pick" && comparedPair([pair], pick) === pair && isOf(pick, pair))
    return pick.text_decisions ?? [];
  if (pick?.how !== "side") return [];
  const decision = { [pair.left]: "left", [pair.right]: "right" }[pick.side ?? ""];
  if (decision !== "left" && decision !== "right") return [];
  return differencesOf(pair).map((difference) => ({ ...difference, decision, text: "" }));
}

const isOf = (pick: Pt.PickRequest, pair: Pt.TextPair) =>
  pick.sides?.[0] === pair.left && pick.sides[1] === pair.right;

function withDecisions(
  picks: Pt.Selections,
  pair: Pt.TextPair,
  decisions: TextDecision[],
): Pt.Selections {
  const inOrder = [...decisions].sort((a, b) => a.number - b.number);
  const sides = [pair.left, pair.right];
  return { ...picks, [TRANSCRIPT]: { how: "pick", sides, text_decisions: inOrder } };
}
