/**
 * What the reviewer makes of the differences between two versions of a text or of tables, and then
 * between what was merged of them and the next version; without DOM.
 */

export const TRANSCRIPT = "transcript";
export const TABLES = "tables";

export type TextDecision = NonNullable<Pt.PickRequest["text_decisions"]>[number];
export type Difference = Pick<TextDecision, "number" | "left" | "right">;
/** Two texts, or two versions of tables: of two people, or of a person and a model. */
export type MergedPair = Pt.TextPair | Pt.ComparedTables;

/** Whether a part is merged difference by difference. */
export const isMerged = (part: string) => part === TRANSCRIPT || part === TABLES;

export const partOf = (pair: MergedPair) => ("tables" in pair ? TABLES : TRANSCRIPT);

/** The pairs of people, and of people and drafts, whose versions of a part can be merged. */
export function pairsOf(data: Pt.ReviewData, part: string): MergedPair[] {
  if (part === TRANSCRIPT) return data.text_pairs;
  return part === TABLES ? data.table_pairs : [];
}

/** The versions that are merged: two, or more one after the other. */
export const sidesOf = ({ left, right, merged_from: merged }: MergedPair) => [
  ...(merged ?? [left]),
  right,
];

const sameSides = (pair: MergedPair, sides: string[]) =>
  sidesOf(pair).join("\n") === sides.join("\n");

/**
 * The versions that are compared: those of the pick, or the two that it began with; else the first
 * pair with the version that is taken as a whole, else the first one.
 */
export function comparedPair<Pair extends MergedPair>(
  pairs: Pair[],
  pick: Pt.PickRequest | null | undefined,
): Pair | undefined {
  const sides = pick?.how === "pick" ? (pick.sides ?? []) : [];
  const whole = pick?.how === "side" ? pick.side : null;
  return (
    pairs.find((pair) => sameSides(pair, sides)) ??
    pairs.find((pair) => sameSides(pair, sides.slice(0, 2))) ??
    pairs.find(({ left, right }) => left === whole || right === whole) ??
    pairs[0]
  );
}

/** A passage of a pair of texts; differences are numbered from 0, or on from those before. */
export type NumberedPassage =
  | { text: string; difference?: undefined }
  | { text?: undefined; difference: Difference };

export function numberedPassages({
  passages,
  first_number: first = 0,
}: Pt.TextPair): NumberedPassage[] {
  let number = first;
  return passages.map(({ left, right }) => {
    if (right === undefined) return { text: left };
    number += 1;
    return { difference: { number: number - 1, left, right } };
  });
}

export function differencesOf(pair: MergedPair): Difference[] {
  if ("tables" in pair)
    return pair.tables.flatMap(({ differences }) =>
      differences.map(({ number, left, right }) => ({ number, left, right })),
    );
  return numberedPassages(pair).flatMap(({ difference }) => difference ?? []);
}

/** The decisions on a pair's differences that still have the texts which were decided. */
export function validDecisions(pair: MergedPair | undefined, decisions: TextDecision[]) {
  if (!pair) return [];
  const differences = new Map(differencesOf(pair).map((one) => [one.number, one]));
  return decisions.filter(({ number, left, right }) => {
    const difference = differences.get(number);
    return difference?.left === left && difference.right === right;
  });
}

/** Decide a difference; again: open it. */
export function decide(
  picks: Pt.Selections,
  pair: MergedPair,
  { number, left, right }: Difference,
  decision: TextDecision["decision"],
  text = "",
): Pt.Selections {
  const before = decisionsOf(picks, pair);
  const others = before.filter((other) => other.number !== number);
  const current = before.find((other) => other.number === number);
  const isSame = current?.decision === decision && decision !== "edited";
  return withDecisions(
    picks,
    pair,
    isSame ? others : [...others, { number, left, right, decision, text }],
  );
}

/** Decide every open difference as one version has it. */
export function decideRest(
  picks: Pt.Selections,
  pair: MergedPair,
  decision: "left" | "right",
): Pt.Selections {
  const before = decisionsOf(picks, pair);
  const decided = new Set(before.map(({ number }) => number));
  const rest = differencesOf(pair)
    .filter(({ number }) => !decided.has(number))
    .map((difference) => ({ ...difference, decision, text: "" }));
  return withDecisions(picks, pair, [...before, ...rest]);
}

/** Compare two other people's versions; nothing of theirs is decided. */
export function comparePair(picks: Pt.Selections, pair: MergedPair): Pt.Selections {
  return withDecisions(picks, pair, []);
}

/** Compare what was merged of a pair with another version. */
export function compareMerged(
  picks: Pt.Selections,
  pair: MergedPair,
  version: string,
): Pt.Selections {
  const merged = withDecisions(picks, pair, decisionsOf(picks, pair));
  const pick = merged[partOf(pair)];
  return { ...merged, [partOf(pair)]: { ...pick, sides: [...sidesOf(pair), version] } };
}

/** The versions that a pair can be compared with once it is merged: all others of the pairs. */
export function otherVersions(pairs: MergedPair[], pair: MergedPair): string[] {
  const merged = new Set(sidesOf(pair));
  const versions = new Set(pairs.flatMap(({ left, right }) => [left, right]));
  return [...versions].filter((version) => !merged.has(version));
}

/** The decisions of the picks on this pair; all for one person where their whole version was taken. */
export function decisionsOf(picks: Pt.Selections, pair: MergedPair): TextDecision[] {
  const pick = picks[partOf(pair)];
  const numbers = new Set(differencesOf(pair).map(({ number }) => number));
  if (pick?.how === "pick" && startsWith(pick, pair))
    return (pick.text_decisions ?? []).filter(({ number }) => numbers.has(number));
  if (pick?.how !== "side") return [];
  const decision = { [pair.left]: "left", [pair.right]: "right" }[pick.side ?? ""];
  if (decision !== "left" && decision !== "right") return [];
  return differencesOf(pair).map((difference) => ({ ...difference, decision, text: "" }));
}

/** Whether the pair is the pick's, or one that it has been through. */
const startsWith = ({ sides = [] }: Pt.PickRequest, pair: MergedPair) =>
  sameSides(pair, sides.slice(0, sidesOf(pair).length));

function withDecisions(
  picks: Pt.Selections,
  pair: MergedPair,
  decisions: TextDecision[],
): Pt.Selections {
  const { first_number: first = 0 } = pair;
  const earlier = picks[partOf(pair)]?.text_decisions?.filter(({ number }) => number < first) ?? [];
  const inOrder = [...earlier, ...decisions].sort((a, b) => a.number - b.number);
  return {
    ...picks,
    [partOf(pair)]: { how: "pick", sides: sidesOf(pair), text_decisions: inOrder },
  };
}
