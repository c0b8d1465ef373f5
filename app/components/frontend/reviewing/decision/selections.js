/**
 * What the reviewer chooses, part by part, without DOM. Picks are plain values that are never
 * changed in place: {part: {how, side?, sides?, texts?, pages?, boxes?, rows?, at?}} as the server
 * takes them; a part that is not in them is put together as proposed.
 */

const TOGETHER = ["majority", "retention", "union", "intersection", "variants", "medoid"];
const MOST_VARIANTS = 500;
/** In place of an attempt: what the task came with is taken. */
export const DATASET = "dataset";
/** @typedef {readonly (string | number | null)[]} Entry */
/** @type {(a: Entry, b: Entry) => boolean} */
const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);
/** @type {(list: Entry[], entry: Entry) => boolean} */
export const has = (list, entry) => list.some((other) => same(other, entry));
/** @type {<T extends Entry>(list: T[], entry: T) => T[]} */
const toggled = (list, entry) =>
  has(list, entry) ? list.filter((other) => !same(other, entry)) : [...list, entry];

/**
 * What applies to a part now: what was picked, or what is proposed.
 * @param {Pt.Selections} picks
 * @param {Array<{part: string, how: string, side: string|null}>} choices proposed
 * @param {string} part
 * @returns {Pt.Selection|null}
 */
export function choiceOf(picks, choices, part) {
  return picks[part] ?? choices.find((choice) => choice.part === part) ?? null;
}

/**
 * Follow one person in a part.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {string} attempt
 */
export function takeFrom(picks, part, attempt) {
  return { ...picks, [part]: { how: "side", side: attempt } };
}

/**
 * Follow one person in every part that can be taken from a person.
 * @param {Record<string, string[]>} ways what each part allows
 * @param {string} attempt
 */
export function takeAll(ways, attempt) {
  const parts = Object.keys(ways).filter((part) => ways[part].includes("side"));
  return Object.fromEntries(parts.map((part) => [part, { how: "side", side: attempt }]));
}

/**
 * Put a part together in one of the ways that need nothing else, or accept several answers.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {string} how
 * @param {string[]} answered attempts with an answer; whoever is followed already comes first
 * @returns {Pt.Selections}
 */
export function takeWay(picks, part, how, answered = []) {
  if (how !== "variants") return { ...picks, [part]: { how } };
  const sides = new Set([...sidesOf(picks[part]), ...answered]);
  return { ...picks, [part]: { how, sides: [...sides].slice(0, MOST_VARIANTS) } };
}

/** Whose answers are accepted. @param {Pt.Selection | null | undefined} choice @returns {string[]} */
export function sidesOf(choice) {
  if (choice?.how === "variants") return choice.sides ?? [];
  return choice?.how === "side" && choice.side ? [choice.side] : [];
}

/**
 * Follow somebody in the answer; while several are accepted, accept theirs too, or no longer.
 * @param {Pt.Selections} picks
 * @param {Pt.Selection | null} choice
 * @param {string} attempt
 * @returns {Pt.Selections}
 */
export function takeAnswer(picks, choice, attempt) {
  if (choice?.how !== "variants") return takeFrom(picks, "answer", attempt);
  const before = choice.sides ?? [];
  const sides = before.includes(attempt)
    ? before.filter((other) => other !== attempt)
    : [...before, attempt];
  return sides.length
    ? { ...picks, answer: { how: "variants", sides } }
    : asProposed(picks, "answer");
}

/** Remove what was picked for a part. @param {Pt.Selections} picks @param {string} part */
export function asProposed(picks, part) {
  return Object.fromEntries(Object.entries(picks).filter(([name]) => name !== part));
}

/**
 * The next way of putting all people's work together.
 * @param {string[]} ways what the part allows
 * @param {string} how what it is now
 * @param {string} [proposed] where it is one person's, the way that the next one comes after
 * @returns {string|null} null where there is none
 */
export function nextWay(ways, how, proposed = "") {
  const together = TOGETHER.filter((way) => ways.includes(way));
  if (!together.length) return null;
  const current = together.includes(how) ? how : proposed;
  return together[(together.indexOf(current) + 1) % together.length];
}

/**
 * Take a page into the evidence, or out of it; what was in the draft is where it begins.
 * @param {Array<{document: string, page: number}>} evidence of the draft
 * @param {Pt.Selections} picks
 * @param {Pt.Place} place
 * @returns {Pt.Selections}
 */
export function togglePage(picks, evidence, { document, page }) {
  const picked = picks.evidence?.how === "pick" ? picks.evidence.pages : null;
  /** @type {[string, number][]} */
  const before = picked ?? evidence.map((kept) => [kept.document, kept.page]);
  return { ...picks, evidence: { how: "pick", pages: toggled(before, [document, page]) } };
}

/**
 * Whose boxes the draft's are: drawn ones carry the place of their participant before their id; a
 * model's elements keep theirs and are found by their contents.
 * @param {Pt.ReviewBox[]} boxes of the draft
 * @param {Pt.Participant[]} participants submitted ones, in their order
 * @returns {[string, string][]} attempt and box id
 */
export function boxSources(boxes, participants) {
  return boxes.flatMap((box) => {
    const [, place, id] = /^g(\d+)-(.*)$/s.exec(box.id) ?? [];
    const participant = place === undefined ? undefined : participants[Number(place)];
    const own = participant?.boxes.find(
      (one) => one.id === id || `g${place}-${one.id}`.slice(0, 100) === box.id,
    );
    if (participant && own) return [[participant.attempt, own.id]];
    const holders = participants.filter((other) => other.boxes.some((one) => one.id === box.id));
    const exact = holders.find((other) =>
      other.boxes.some((one) => one.id === box.id && equal(one, box)),
    );
    const holder = exact ?? holders[0];
    return holder ? [[holder.attempt, box.id]] : [];
  });
}

/** @type {(a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean} */
const equal = (a, b) =>
  same(a.rect, b.rect) &&
  a.label === b.label &&
  (a.content ?? "") === (b.content ?? "") &&
  a.order === b.order;

/**
 * Mark a page that follows the retention rule, or reject it; again: as the rule has it.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {Pt.Place} place
 * @param {Pt.PageVerdict} verdict
 * @returns {Pt.Selections}
 */
export function decidePage(picks, part, { document, page }, verdict) {
  const before = picks[part]?.how === "retention" ? picks[part] : { how: "retention" };
  /** @type {[string, number]} */
  const entry = [document, page];
  const chosen = toggled(before[verdict] ?? [], entry);
  return { ...picks, [part]: { ...undecided(before, entry), [verdict]: chosen } };
}

/** A choice without what it says of one page. @param {Pt.Selection} choice @param {[string, number]} entry */
const undecided = (choice, entry) => ({
  ...choice,
  pages: (choice.pages ?? []).filter((other) => !same(other, entry)),
  rejected: (choice.rejected ?? []).filter((other) => !same(other, entry)),
  at: (choice.at ?? []).filter(([document, page]) => !same([document, page], entry)),
});

/**
 * Take somebody's box into the gold, or out of it. Of a model's element one person's version is
 * taken; another's takes its place.
 * @param {Pt.Selections} picks
 * @param {Pt.ReviewBox[]} draft its boxes
 * @param {Pt.Participant[]} participants submitted ones
 * @param {string} attempt
 * @param {Pt.ReviewBox} box
 * @returns {Pt.Selections}
 */
export function toggleBox(picks, draft, participants, attempt, box) {
  const picked = picks.boxes?.how === "pick" ? picks.boxes.boxes : null;
  const before = picked ?? boxSources(draft, participants);
  /** @type {[string, string]} */
  const entry = [attempt, box.id];
  const others =
    box.model && !has(before, entry) ? before.filter(([, id]) => id !== box.id) : before;
  return { ...picks, boxes: { how: "pick", boxes: toggled(others, entry) } };
}

/**
 * Follow one person on one page of a page's field; again: as on the other pages.
 * @param {Pt.Selections} picks
 * @param {Pt.Selection | null} choice
 * @param {string} part
 * @param {Pt.Place} place
 * @param {string} attempt
 * @returns {Pt.Selections}
 */
export function takeOnPage(picks, choice, part, { document, page }, attempt) {
  const { how = "side", side } = choice ?? {};
  const before = picks[part] ?? { how, ...(side ? { side } : {}) };
  const at = before.at ?? [];
  const others = before.how === "retention" ? undecided(before, [document, page]) : before;
  /** @type {[string, number, string]} */
  const entry = [document, page, attempt];
  const rest = at.filter(([name, number]) => name !== document || number !== page);
  return { ...picks, [part]: { ...others, at: has(at, entry) ? rest : [...rest, entry] } };
}

/**
 * Who is followed on one page, where that was chosen for it.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {Pt.Place} place
 */
export function chosenAt(picks, part, { document, page }) {
  const found = picks[part]?.at?.find(([name, number]) => name === document && number === page);
  return found?.[2] ?? null;
}

/**
 * The picks without those that rest on work which no longer exists.
 * @param {Pt.Selections} picks
 * @param {Pt.ReviewData} data
 */
export function withoutMissing(picks, data) {
  const submitted = data.sides.filter(({ status }) => status === "submitted");
  const there = new Map(
    submitted.map((participant) => [
      participant.attempt,
      new Set(participant.boxes.map(({ id }) => id)),
    ]),
  );
  const places = [...data.evidence, ...(data.dataset_gold?.evidence ?? [])];
  const known = places.map(({ document, page }) => [document, page]);
  /** @type {(part: string, side: string) => boolean} */
  const exists = (part, side) =>
    there.has(side) || (side === DATASET && Boolean(data.dataset_gold?.parts?.includes(part)));
  const tables = submitted.flatMap(({ attempt, rows }) =>
    rows.map(({ field, document, page, row }) => [field, attempt, document, page, row]),
  );
  /** @type {Pt.Selections} */
  const left = {};
  for (const [part, pick] of Object.entries(picks)) {
    const { how, side, sides, at, boxes, pages, rejected, rows } = pick;
    if (!data.ways[part]?.includes(how)) continue;
    if (how === "side" && !exists(part, side ?? "")) continue;
    const whole = { ...pick };
    if (sides) whole.sides = sides.filter((other) => exists(part, other));
    if (how === "variants" && !whole.sides?.length) continue;
    if (rows) whole.rows = rows.filter((row) => has(tables, [part, ...row]));
    if (at) whole.at = at.filter(([, , attempt]) => there.has(attempt));
    if (boxes) whole.boxes = boxes.filter(([attempt, id]) => there.get(attempt)?.has(id));
    if (pages) whole.pages = pages.filter((page) => has(known, page));
    if (rejected) whole.rejected = rejected.filter((page) => has(known, page));
    left[part] = whole;
  }
  return left;
}
