/** What the comparison shows, row by row: the parts of a task and what lies below them; no DOM. */

import { sentence } from "../../shared/sentences.js";
import { newlyPending } from "../decision/pending_work.js";
import { samePlace } from "../formatting.js";
import { isOdd, norm } from "./text_differences.js";

const FIXED = ["question", "outcome", "answer", "evidence", "boxes", "content", "order"];
/** @type {Record<string, string>} */
const FOLLOWS = { content: "boxes", order: "boxes" };

/**
 * @typedef {Object} Row
 * @property {string} part
 * @property {string} label
 * @property {string} kind outcome | question | answer | evidence | boxes | content | order | field |
 *   pageField | boxField | records
 * @property {any} [spec] the protocol's field
 * @property {number|null} score difference in [0, 1]; null where it is not compared
 * @property {boolean} agreed
 * @property {string[]} ways how it can be put together; empty where another part decides it
 * @property {string|null} follows the part that decides it
 * @property {Array<{document: string, page: number, differs: boolean}>} pages those it is about
 */

/**
 * Those who submitted: their columns, in the order in which the server counts them.
 * @param {Pt.ReviewData} data
 */
export function submitted(data) {
  return data.sides.filter(({ status }) => status === "submitted");
}

/**
 * The rows: parts that differ first, each group in the protocol's order. Parts that nobody gave
 * anything for have none.
 * @param {Pt.ReviewData} data the task under review
 * @returns {Row[]}
 */
export function rowsOf(data) {
  const compared = new Map(data.parts.map((part) => [part.part, part]));
  const names = [...data.parts.map(({ part }) => part)];
  for (const part of Object.keys(data.ways)) if (!compared.has(part)) names.push(part);
  const rows = names
    .map((part) => row(data, part, compared.get(part)))
    .filter((found) => found !== null);
  return [...rows.filter(({ agreed }) => !agreed), ...rows.filter(({ agreed }) => agreed)];
}

/**
 * @param {Pt.ReviewData} data
 * @param {string} part
 * @param {any} compared
 */
function row(data, part, compared) {
  const spec = data.protocol.fields.find(({ name }) => name === part);
  const kind = FIXED.includes(part) && !spec ? part : kindOf(spec);
  const found = {
    part,
    kind,
    spec,
    label: compared?.label ?? spec?.label ?? sentence(`part.${part}`),
    score: compared?.score ?? null,
    agreed: compared?.agreed ?? true,
    ways: data.ways[part] ?? [],
    follows: FOLLOWS[part] ?? null,
    pages: /** @type {any[]} */ ([]),
  };
  found.pages = pagesOf(data, found, compared?.places ?? []);
  return compared || isGiven(data, found) ? found : null;
}

/** @param {any} spec */
function kindOf(spec) {
  if (spec?.kind === "records") return "records";
  return (
    /** @type {Record<string, string>} */ ({ page: "pageField", box: "boxField" })[spec?.scope] ??
    "field"
  );
}

/**
 * @param {Pt.ReviewData} data
 * @param {{ part: string, kind: string }} given
 */
function isGiven(data, { part, kind }) {
  return submitted(data).some((side) => {
    if (kind === "outcome") return true;
    if (kind === "question") return Boolean(side.question_text);
    if (kind === "answer") return side.answer.length > 0;
    if (kind === "evidence") return side.citations.length > 0;
    if (kind === "boxes") return side.boxes.length > 0;
    if (kind === "records") return side.rows.some(({ field }) => field === part);
    return side.fields.some(({ field }) => field === part);
  });
}

/**
 * @param {Pt.ReviewData} data
 * @param {{ part: string, kind: string }} given
 * @param {[string, number][]} places
 */
function pagesOf(data, { part, kind }, places) {
  const differing = places.map(([document, page]) => ({ document, page }));
  /** @type {any[]} */
  const found = [];
  const add = (/** @type {any} */ { document, page }) => {
    const place = { document, page };
    if (document && page && !found.some((other) => samePlace(other, place))) {
      found.push({ ...place, differs: differing.some((other) => samePlace(other, place)) });
    }
  };
  for (const side of submitted(data)) {
    if (kind === "pageField") {
      side.fields.filter(({ field, box }) => field === part && box === null).forEach(add);
    } else if (kind === "boxes" || kind === "content" || kind === "order") {
      side.boxes.forEach(add);
    }
  }
  if (kind === "evidence") data.evidence.forEach(add);
  return found.sort(
    (a, b) =>
      Number(b.differs) - Number(a.differs) || order(a.document, b.document) || a.page - b.page,
  );
}

/**
 * @param {any} a
 * @param {any} b
 */
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Whether a model's elements are verified, so that boxes of several people are the same thing.
 * @param {Pt.ReviewData} data
 */
export function verifying(data) {
  return submitted(data).some(({ boxes }) => boxes.some(({ model }) => model));
}

/**
 * The elements of a page, each with what everybody made of it.
 * @param {Pt.ReviewData} data
 * @param {any} place
 * @returns {Array<{id: string, model: boolean, versions: Array<any|null>, differs: boolean}>}
 *   versions in the order of the columns; null where somebody does not have it. Those that differ
 *   come first, from the top of the page to its foot.
 */
export function elementsOf(data, place) {
  const sides = submitted(data);
  const found = new Map();
  sides.forEach((side, i) => {
    for (const box of side.boxes) {
      if (!samePlace(box, place)) continue;
      const key = box.model ? box.id : `${i}/${box.id}`;
      if (!found.has(key))
        found.set(key, { id: box.id, model: box.model, versions: sides.map(() => null) });
      found.get(key).versions[i] = box;
    }
  });
  const all = [...found.values()].map((element) => ({
    ...element,
    differs: differ(element.versions),
  }));
  const top = (/** @type {{ versions: any[] }} */ { versions }) => versions.find(Boolean).rect;
  return all.sort(
    (a, b) =>
      Number(b.differs) - Number(a.differs) || top(a)[1] - top(b)[1] || top(a)[0] - top(b)[0],
  );
}

/** @param {any[]} versions */
function differ(versions) {
  const [first, ...others] = versions;
  return versions.includes(null) || others.some((other) => !alike(first, other));
}

/**
 * @param {any} a
 * @param {any} b
 */
function alike(a, b) {
  const text = (/** @type {Pt.ReviewBox} */ box) => norm(box.content ?? "");
  return a.label === b.label && a.order === b.order && text(a) === text(b) && !moved(a, b);
}

/**
 * @param {any} a
 * @param {any} b
 */
const moved = (a, b) =>
  a.rect.some((/** @type {any} */ edge, /** @type {number} */ i) => edge !== b.rect[i]);

/**
 * How a version of an element differs from the others', in a word or two each.
 * @param {Pt.ReviewBox} box
 * @param {any[]} versions
 */
export function versionWords(box, versions) {
  const others = versions.filter((other) => other && other !== box);
  const words = [box.label ?? "no label"];
  const odd = (/** @type {any} */ differs) => isOdd(others.filter(differs).length, others.length);
  if (odd((/** @type {any} */ other) => moved(box, other))) words.push("other edges");
  if (odd((/** @type {any} */ other) => other.order !== box.order))
    words.push(`order ${box.order ?? "—"}`);
  return words;
}

/**
 * All pages that anything on the screen is about, those that differ first.
 * @param {Pt.ReviewData} data
 */
export function interesting(data) {
  /** @type {any[]} */
  const found = [];
  const add = (/** @type {Pt.Place} */ place, /** @type {any} */ why) => {
    const known = found.find((other) => samePlace(other, place));
    if (known) {
      if (!known.why.includes(why)) known.why.push(why);
    } else {
      found.push({ document: place.document, page: place.page, why: [why] });
    }
  };
  for (const { document, page } of data.evidence) add({ document, page }, "cited");
  for (const side of submitted(data)) {
    for (const box of side.boxes) add(box, "boxes");
    for (const value of side.fields)
      if (value.box === null && value.document) add(/** @type {Pt.Place} */ (value), "graded");
  }
  const differs = (/** @type {Pt.Place} */ place) =>
    data.parts.some(({ places }) =>
      places.some(([document, page]) => samePlace(place, { document, page })),
    );
  for (const place of data.dataset_gold?.evidence ?? []) add(place, "dataset");
  const marked = found.map((place) => ({ ...place, differs: differs(place) }));
  return [...marked.filter((place) => place.differs), ...marked.filter((place) => !place.differs)];
}

/**
 * Why a person has to look although no part differs, in a sentence; empty where it needs none.
 * @param {Pt.ReviewData} data
 * @returns {string}
 */
export function whyLooked(data) {
  if (!["conflict", "single"].includes(data.status)) return "";
  if (data.parts.some(({ agreed }) => !agreed)) return "";
  if (data.flagged) return "Somebody flagged it.";
  if (data.sides.some(({ status }) => status === "skipped")) return "Somebody skipped it.";
  if (data.gold?.reopened) return "Its gold was reopened.";
  if (data.status === "single") return "Too few people have submitted it to compare.";
  return data.rule.accept === "off" ? "In this campaign every task is looked at." : "";
}

/**
 * What has changed between two looks at a task, in sentences.
 * @param {any} before
 * @param {any} after
 * @returns {string[]}
 */
export function changes(before, after) {
  const names = new Map(
    [...before.sides, ...after.sides].map(({ attempt, name }) => [attempt, name]),
  );
  const said = workChanges(before.seen.sources, after.seen.sources, names, returned(after));
  said.push(...newlyPending(before, after));
  const [old, now] = [before.gold?.version ?? 0, after.gold?.version ?? 0];
  if (now > old && after.gold.decided_by !== after.me)
    said.push(`${after.gold.decided_by} has decided it: gold version ${now}.`);
  if (after.holder && after.holder !== after.me && after.holder !== before.holder) {
    said.push(`${after.holder} has taken it.`);
  }
  return said;
}

/**
 * What people have handed in, anew or taken up since the gold was decided, in sentences.
 * @param {Pt.ReviewData} data
 * @returns {string[]}
 */
export function sinceGold({ gold, seen, sides }) {
  if (!gold?.version) return [];
  const was = Object.fromEntries(
    gold.sources.map((/** @type {{ attempt: string, seq: number }} */ { attempt, seq }) => [
      attempt,
      seq,
    ]),
  );
  const names = new Map(
    gold.sources.map(
      (/** @type {{ attempt: string, annotator: any }} */ { attempt, annotator }) => [
        attempt,
        annotator,
      ],
    ),
  );
  for (const { attempt, name } of sides) names.set(attempt, name);
  return workChanges(was, seen.sources, names, returned({ sides }));
}

/** @param {any} reviewData */
const returned = ({ sides }) =>
  new Set(
    sides
      .filter((/** @type {Pt.Side} */ side) => side.returned)
      .map((/** @type {{ attempt: string }} */ { attempt }) => attempt),
  );

/**
 * @param {any} was
 * @param {any} is
 * @param {any} names
 * @param {any} back
 */
function workChanges(was, is, names, back) {
  const said = [];
  for (const attempt of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const name = names.get(attempt) ?? "Somebody";
    if (!(attempt in was)) said.push(`${sentence("has_submitted", { name })}.`);
    else if (!(attempt in is) && back.has(attempt)) said.push(`${name} was sent it back.`);
    else if (!(attempt in is)) said.push(`${sentence("has_reopened", { name })}.`);
    else if (was[attempt] !== is[attempt]) said.push(`${sentence("has_resubmitted", { name })}.`);
  }
  return said;
}
