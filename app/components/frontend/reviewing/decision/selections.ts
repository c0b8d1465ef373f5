/**
 * What the reviewer chooses, part by part, without DOM. Picks are plain values that are never
 * changed in place: {part: {how, side?, sides?, texts?, pages?, boxes?, rows?, at?}} as the server
 * takes them; a part that is not in them is put together as proposed.
 */

import { MAX_VARIANTS } from "../../shared/limits";
import { comparedPair, differencesOf, pairsOf, validDecisions } from "./text_decisions";

const TOGETHER: Pt.MergeMethod[] = [
  "majority",
  "retention",
  "union",
  "intersection",
  "variants",
  "medoid",
];
/** In place of an attempt: what the task came with is taken. */
export const DATASET = "dataset";
export type Entry = readonly (string | number | null)[];

const same: (a: Entry, b: Entry) => boolean = (a, b) =>
  a.length === b.length && a.every((value, i) => value === b[i]);
export const has: (list: Entry[], entry: Entry) => boolean = (list, entry) =>
  list.some((other) => same(other, entry));
const toggled: <T extends Entry>(list: T[], entry: T) => T[] = (list, entry) =>
  has(list, entry) ? list.filter((other) => !same(other, entry)) : [...list, entry];

/**
 * What applies to a part now: what was picked, or what is proposed.
 * @param choices proposed
 */
export function choiceOf(
  picks: Pt.Selections,
  choices: Pt.Choice[],
  part: string,
): Pt.PickRequest | null {
  return picks[part] ?? choices.find((choice) => choice.part === part) ?? null;
}

/** Follow one person in a part. */
export function takeFrom(picks: Pt.Selections, part: string, attempt: string): Pt.Selections {
  return { ...picks, [part]: { how: "side", side: attempt } };
}

/**
 * Follow one person in every part that can be taken from a person.
 * @param ways what each part allows
 */
export function takeAll(ways: Record<string, Pt.MergeMethod[]>, attempt: string): Pt.Selections {
  const parts = Object.keys(ways).filter((part) => ways[part].includes("side"));
  const pick: Pt.PickRequest = { how: "side", side: attempt };
  return Object.fromEntries(parts.map((part) => [part, pick]));
}

/** Follow a model's draft in every part that it states; the other choices stay. */
export function takeDraft(
  picks: Pt.Selections,
  ways: Record<string, Pt.MergeMethod[]>,
  { attempt, parts }: Pt.ModelDraft,
): Pt.Selections {
  const all = takeAll(ways, attempt);
  const stated = Object.entries(all).filter(([part]) => parts.includes(part));
  return { ...picks, ...Object.fromEntries(stated) };
}

/** The draft that an answer was taken from, also if it was edited since; null for anybody else's. */
export function draftOfAnswer(choice: Pt.PickRequest | null, drafts: Pt.ModelDraft[]) {
  const side = choice?.side ?? null;
  return drafts.some(({ attempt }) => attempt === side) ? side : null;
}

/**
 * Put a part together in one of the ways that need nothing else, or accept several answers.
 * @param answered attempts with an answer; whoever is followed already comes first
 */
export function takeWay(
  picks: Pt.Selections,
  part: string,
  how: Pt.MergeMethod,
  answered: string[] = [],
): Pt.Selections {
  if (how !== "variants") return { ...picks, [part]: { how } };
  const sides = new Set([...sidesOf(picks[part]), ...answered]);
  return { ...picks, [part]: { how, sides: [...sides].slice(0, MAX_VARIANTS) } };
}

/** Whose answers are accepted. */
export function sidesOf(choice: Pt.PickRequest | null | undefined): string[] {
  if (choice?.how === "variants") return choice.sides ?? [];
  return choice?.how === "side" && choice.side ? [choice.side] : [];
}

/** Follow somebody in the answer; while several are accepted, accept theirs too, or no longer. */
export function takeAnswer(
  picks: Pt.Selections,
  choice: Pt.PickRequest | null,
  attempt: string,
): Pt.Selections {
  if (choice?.how !== "variants") return takeFrom(picks, "answer", attempt);
  const before = choice.sides ?? [];
  const sides = before.includes(attempt)
    ? before.filter((other) => other !== attempt)
    : [...before, attempt];
  return sides.length
    ? { ...picks, answer: { how: "variants", sides } }
    : asProposed(picks, "answer");
}

/** Remove what was picked for a part. */
export function asProposed(picks: Pt.Selections, part: string) {
  return Object.fromEntries(Object.entries(picks).filter(([name]) => name !== part));
}

/**
 * The next way of putting all people's work together.
 * @param ways what the part allows
 * @param how what it is now
 * @param proposed where it is one person's, the way that the next one comes after
 * @returns null where there is none
 */
export function nextWay(
  ways: Pt.MergeMethod[],
  how: Pt.MergeMethod | "",
  proposed: Pt.MergeMethod | "" = "",
): Pt.MergeMethod | null {
  const together = TOGETHER.filter((way) => ways.includes(way));
  if (!together.length) return null;
  const names: string[] = together;
  const current = names.includes(how) ? how : proposed;
  return together[(names.indexOf(current) + 1) % together.length];
}

/**
 * Take a page into the evidence, or out of it; what was in the draft is where it begins.
 * @param evidence of the draft
 */
export function togglePage(
  picks: Pt.Selections,
  evidence: Array<{ document: string; page: number }>,
  { document, page }: Pt.Place,
): Pt.Selections {
  const picked = picks.evidence?.how === "pick" ? picks.evidence.pages : null;
  const before: [string, number][] = picked ?? evidence.map((kept) => [kept.document, kept.page]);
  return { ...picks, evidence: { how: "pick", pages: toggled(before, [document, page]) } };
}

/** Somebody's boxes: a person's, or those of a model's draft. */
type BoxOwner = Pick<Pt.Participant, "attempt" | "boxes">;

/**
 * @param index of its participant
 * @returns the id in a draft of a box or row that somebody made
 */
export const mergedId = (index: number, id: string) => `g${index}-${id}`.slice(0, 100);

/**
 * Whose boxes the draft's are: drawn ones carry the place of their participant before their id; a
 * model's elements keep theirs and are found by their contents.
 * @param boxes of the draft
 * @param participants submitted ones, in their order, then models' drafts
 * @returns attempt and box id
 */
export function boxSources(boxes: Pt.ReviewedBox[], participants: BoxOwner[]): [string, string][] {
  const sources = new Map<string, [string, string]>();
  participants.forEach(({ attempt, boxes: own }, index) => {
    for (const { id } of own) sources.set(mergedId(index, id), [attempt, id]);
  });
  return boxes.flatMap((box) => {
    const source = sources.get(box.id);
    if (source) return [source];
    const holders = participants.filter((other) => other.boxes.some((one) => one.id === box.id));
    const exact = holders.find((other) =>
      other.boxes.some((one) => one.id === box.id && equal(one, box)),
    );
    const holder = exact ?? holders[0];
    return holder ? [[holder.attempt, box.id]] : [];
  });
}

const equal: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean = (a, b) =>
  same(a.rect, b.rect) &&
  a.label === b.label &&
  (a.content ?? "") === (b.content ?? "") &&
  a.order === b.order;

/** Mark a page that follows the retention rule, or reject it; again: as the rule has it. */
export function decidePage(
  picks: Pt.Selections,
  part: string,
  { document, page }: Pt.Place,
  verdict: Pt.PageVerdict,
): Pt.Selections {
  const before: Pt.PickRequest =
    picks[part]?.how === "retention" ? picks[part] : { how: "retention" };
  const entry: [string, number] = [document, page];
  const chosen = toggled(before[verdict] ?? [], entry);
  return { ...picks, [part]: { ...undecided(before, entry), [verdict]: chosen } };
}

/** A choice without what it says of one page. */
const undecided = (choice: Pt.PickRequest, entry: [string, number]) => ({
  ...choice,
  pages: (choice.pages ?? []).filter((other) => !same(other, entry)),
  rejected: (choice.rejected ?? []).filter((other) => !same(other, entry)),
  at: (choice.at ?? []).filter(([document, page]) => !same([document, page], entry)),
});

/**
 * Take somebody's box into the gold, or out of it. Of a model's element one person's version is
 * taken; another's takes its place.
 * @param draft its boxes
 * @param participants submitted ones, then models' drafts
 */
export function toggleBox(
  picks: Pt.Selections,
  draft: Pt.ReviewedBox[],
  participants: BoxOwner[],
  attempt: string,
  box: Pt.ReviewedBox,
): Pt.Selections {
  const picked = picks.boxes?.how === "pick" ? picks.boxes.boxes : null;
  const before = picked ?? boxSources(draft, participants);
  const entry: [string, string] = [attempt, box.id];
  const others =
    box.model && !has(before, entry) ? before.filter(([, id]) => id !== box.id) : before;
  return { ...picks, boxes: { how: "pick", boxes: toggled(others, entry) } };
}

/** Follow one person on one page of a page's field; again: as on the other pages. */
export function takeOnPage(
  picks: Pt.Selections,
  choice: Pt.PickRequest | null,
  part: string,
  { document, page }: Pt.Place,
  attempt: string,
): Pt.Selections {
  const { how = "side", side } = choice ?? {};
  const before = picks[part] ?? { how, ...(side ? { side } : {}) };
  const at = before.at ?? [];
  const others = before.how === "retention" ? undecided(before, [document, page]) : before;
  const entry: [string, number, string] = [document, page, attempt];
  const rest = at.filter(([name, number]) => name !== document || number !== page);
  return { ...picks, [part]: { ...others, at: has(at, entry) ? rest : [...rest, entry] } };
}

/** Who is followed on one page, where that was chosen for it. */
export function chosenAt(picks: Pt.Selections, part: string, { document, page }: Pt.Place) {
  const found = picks[part]?.at?.find(([name, number]) => name === document && number === page);
  return found?.[2] ?? null;
}

/** The picks without those that rest on work which no longer exists. */
export function withoutMissing(picks: Pt.Selections, data: Pt.ReviewData) {
  const submitted = data.participants.filter(({ status }) => status === "submitted");
  const drafts = data.model_drafts.filter(({ rejected }) => rejected === null);
  const there = new Map(
    [...submitted, ...drafts].map((participant) => [
      participant.attempt,
      new Set(participant.boxes.map(({ id }) => id)),
    ]),
  );
  const places = [
    ...data.evidence,
    ...(data.dataset_gold?.evidence ?? []),
    ...drafts.flatMap(({ citations }) => citations),
  ];
  const known = places.map(({ document, page }) => [document, page]);
  const exists: (part: string, side: string) => boolean = (part, side) =>
    (there.has(side) &&
      (drafts.find(({ attempt }) => attempt === side)?.parts.includes(part) ?? true)) ||
    (side === DATASET && Boolean(data.dataset_gold?.parts?.includes(part)));
  const tables = submitted.flatMap(({ attempt, rows }) =>
    rows.map(({ field, document, page, row }) => [field, attempt, document, page, row]),
  );
  const left: Pt.Selections = {};
  for (const [part, pick] of Object.entries(picks)) {
    const { how, side, sides, at, boxes, pages, rejected, rows } = pick;
    if (!data.merge_methods[part]?.includes(how)) continue;
    if (how === "side" && !exists(part, side ?? "")) continue;
    const whole = { ...pick };
    if (how === "edited" && side && !exists(part, side)) delete whole.side;
    if (sides) whole.sides = sides.filter((other) => exists(part, other));
    if (how === "variants" && !whole.sides?.length) continue;
    if (rows) whole.rows = rows.filter((row) => has(tables, [part, ...row]));
    if (pick.text_decisions) {
      if (!sides?.slice(0, 2).every((side) => exists(part, side))) continue;
      const pair = comparedPair(pairsOf(data, part), whole);
      const valid = validDecisions(pair, pick.text_decisions);
      const isWhole = whole.sides?.length === sides.length && sides.length > 2;
      if (isWhole && pair && valid.length === differencesOf(pair).length)
        whole.text_decisions = pick.text_decisions; // the server knows the differences that follow
      else {
        whole.sides = sides.slice(0, 2);
        whole.text_decisions = valid;
      }
    }
    if (at) whole.at = at.filter(([, , attempt]) => there.has(attempt));
    if (boxes) whole.boxes = boxes.filter(([attempt, id]) => there.get(attempt)?.has(id));
    if (pages) whole.pages = pages.filter((page) => has(known, page));
    if (rejected) whole.rejected = rejected.filter((page) => has(known, page));
    left[part] = whole;
  }
  return left;
}
