/**
 * What the reviewer chooses, part by part, without DOM. Picks are plain values that are never
 * changed in place: {part: {how, side?, pages?, boxes?, at?}} as the server takes them; a part that
 * is not in them is put together as proposed.
 */

const TOGETHER = ["majority", "retention", "union", "intersection", "medoid"];
/**
 * @param {any} a
 * @param {any} b
 */
const same = (a, b) =>
  a.length === b.length &&
  a.every((/** @type {any} */ value, /** @type {number} */ i) => value === b[i]);
/**
 * @param {any} list
 * @param {any} entry
 */
const has = (list, entry) => list.some((/** @type {any} */ other) => same(other, entry));
/**
 * @param {any} list
 * @param {any} entry
 */
const toggled = (list, entry) =>
  has(list, entry)
    ? list.filter((/** @type {any} */ other) => !same(other, entry))
    : [...list, entry];

/**
 * What stands for a part now: what was picked, or what is proposed.
 * @param {Pt.Selections} picks
 * @param {Array<{part: string, how: string, side: string|null}>} choices proposed
 * @param {string} part
 * @returns {{how: string, side?: string|null}|null}
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
export function takeSide(picks, part, attempt) {
  return { ...picks, [part]: { how: "side", side: attempt } };
}

/**
 * * Follow one person in every part that can be taken from a person.
 * @param {Record<string, string[]>} ways what each part allows
 * @param {string} attempt
 */
export function takeAll(ways, attempt) {
  const parts = Object.keys(ways).filter((part) => ways[part].includes("side"));
  return Object.fromEntries(parts.map((part) => [part, { how: "side", side: attempt }]));
}

/**
 * Put a part together in one of the ways that need nothing else.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {string} how
 */
export function takeWay(picks, part, how) {
  return { ...picks, [part]: { how } };
}

/**
 * Take back what was picked for a part.
 * @param {Pt.Selections} picks
 * @param {string} part
 */
export function asProposed(picks, part) {
  return Object.fromEntries(Object.entries(picks).filter(([name]) => name !== part));
}

/**
 * The next way of putting all people's work together.
 * @param {string[]} ways what the part allows
 * @param {string} how what it is now
 * @returns {string|null} null where there is none
 */
export function nextWay(ways, how) {
  const together = TOGETHER.filter((way) => ways.includes(way));
  if (!together.length) return null;
  return together[(together.indexOf(how) + 1) % together.length];
}

/**
 * * Take a page into the evidence, or out of it; what was in the draft is where it begins.
 * @param {Array<{document: string, page: number}>} evidence of the draft
 * @param {Pt.Selections} picks
 * @param {Pt.Place} place
 */
export function togglePage(picks, evidence, { document, page }) {
  const before =
    picks.evidence?.how === "pick"
      ? picks.evidence.pages
      : evidence.map((kept) => [kept.document, kept.page]);
  return { ...picks, evidence: { how: "pick", pages: toggled(before, [document, page]) } };
}

/**
 * Whose boxes the draft's are: drawn ones carry the place of their side before their id, a model's
 * elements keep theirs, and are looked for by what they hold.
 * @param {any} boxes of the draft
 * @param {Pt.Side[]} sides submitted ones, in their order
 * @returns {any[][]} attempt and box id
 */
export function boxSources(boxes, sides) {
  const found = [];
  for (const box of boxes) {
    const drawn = /** @type {any} */ (/^g(\d+)-(.*)$/s.exec(box.id));
    const side = drawn && sides[Number(drawn[1])];
    const own = side?.boxes.find(
      (/** @type {{ id: string }} */ { id }) =>
        id === drawn[2] || `g${drawn[1]}-${id}`.slice(0, 100) === box.id,
    );
    if (own) {
      found.push([side.attempt, own.id]);
      continue;
    }
    const holders = sides.filter((other) => other.boxes.some(({ id }) => id === box.id));
    const exact = holders.find((other) =>
      equal(
        other.boxes.find(({ id }) => id === box.id),
        box,
      ),
    );
    const holder = exact ?? holders[0];
    if (holder) found.push([holder.attempt, box.id]);
  }
  return found;
}

/**
 * Whether two boxes hold the same.
 * @param {any} a
 * @param {any} b
 */
export function equal(a, b) {
  return (
    same(a.rect, b.rect) &&
    a.label === b.label &&
    (a.content ?? "") === (b.content ?? "") &&
    a.order === b.order
  );
}

/**
 * * Take somebody's box into the gold, or out of it. Of a model's element one person's version is
 * taken; another's takes its place.
 * @param {Pt.ReviewState[]} draft boxes of the draft
 * @param {Pt.Side[]} sides submitted ones
 * @param {string} attempt
 * @param {Pt.ReviewBox} box
 * @param {Pt.Selections} picks
 */
export function toggleBox(picks, draft, sides, attempt, box) {
  const before = picks.boxes?.how === "pick" ? picks.boxes.boxes : boxSources(draft, sides);
  const entry = [attempt, box.id];
  const others =
    box.model && !has(before, entry)
      ? before.filter((/** @type {any[]} */ [, id]) => id !== box.id)
      : before;
  return { ...picks, boxes: { how: "pick", boxes: toggled(others, entry) } };
}

/**
 * Drop a model's element from the gold, whoever it is taken from.
 * @param {Pt.Selections} picks
 * @param {Pt.ReviewState} draft
 * @param {Pt.Side[]} sides
 * @param {string} id
 */
export function dropElement(picks, draft, sides, id) {
  const before = picks.boxes?.how === "pick" ? picks.boxes.boxes : boxSources(draft, sides);
  return {
    ...picks,
    boxes: { how: "pick", boxes: before.filter((/** @type {any[]} */ [, other]) => other !== id) },
  };
}

/**
 * Follow one person on one page of a page's field; again: as on the other pages.
 * @param {Pt.Selections} picks
 * @param {any} choice
 * @param {string} part
 * @param {Pt.Place} place
 * @param {string} attempt
 */
export function sideAt(picks, choice, part, { document, page }, attempt) {
  const before = picks[part] ?? { how: choice.how, ...(choice.side ? { side: choice.side } : {}) };
  const at = before.at ?? [];
  const entry = [document, page, attempt];
  const rest = at.filter(
    (/** @type {any[]} */ [name, number]) => name !== document || number !== page,
  );
  return { ...picks, [part]: { ...before, at: has(at, entry) ? rest : [...rest, entry] } };
}

/**
 * Who is followed on one page, where that was chosen for it.
 * @param {Pt.Selections} picks
 * @param {string} part
 * @param {Pt.Place} place
 */
export function chosenAt(picks, part, { document, page }) {
  return (
    picks[part]?.at?.find(
      (/** @type {any[]} */ [name, number]) => name === document && number === page,
    )?.[2] ?? null
  );
}

/**
 * The picks without those that rest on work which is not there any more.
 * @param {any} picks
 * @param {Pt.ReviewData} data
 */
export function withoutMissing(picks, data) {
  const submitted = data.sides.filter(({ status }) => status === "submitted");
  const there = new Map(
    submitted.map((side) => [side.attempt, new Set(side.boxes.map(({ id }) => id))]),
  );
  const pages = data.evidence.map(({ document, page }) => [document, page]);
  /** @type {Record<string, string>} */
  const kept = {};
  for (const [part, pick] of Object.entries(picks)) {
    if (!data.ways[part]?.includes(pick.how)) continue;
    if (pick.how === "side" && !there.has(pick.side)) continue;
    const whole = { ...pick };
    if (pick.at)
      whole.at = pick.at.filter((/** @type {any[]} */ [, , attempt]) => there.has(attempt));
    if (pick.boxes)
      whole.boxes = pick.boxes.filter((/** @type {any[]} */ [attempt, id]) =>
        there.get(attempt)?.has(id),
      );
    if (pick.pages)
      whole.pages = pick.pages.filter((/** @type {number} */ page) => has(pages, page));
    kept[part] = whole;
  }
  return kept;
}
