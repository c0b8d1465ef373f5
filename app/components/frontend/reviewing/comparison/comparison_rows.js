/** What the comparison shows, row by row: the parts of a task and the rows below them; no DOM. */

import { includesPlace, samePlace } from "../../shared/places.js";
import { sentence } from "../../shared/sentences.js";
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
 * @property {Pt.FieldSpec | undefined} spec the protocol's field
 * @property {number|null} score difference in [0, 1]; null where it is not compared
 * @property {boolean} agreed
 * @property {boolean} variants people differ, but gold could accept all their answers
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
 * The rows: parts that differ first, each group in the protocol's order. Parts that nobody filled in
 * anything for have none.
 * @param {Pt.ReviewData} data the task under review
 * @param {Pt.Place[]} [cited] pages of the draft's evidence, which nobody else need have marked
 * @returns {Row[]}
 */
export function rowsOf(data, cited = []) {
  const compared = new Map(data.parts.map((part) => [part.part, part]));
  const names = [...data.parts.map(({ part }) => part)];
  for (const part of Object.keys(data.ways)) if (!compared.has(part)) names.push(part);
  const rows = names
    .map((part) => row(data, part, compared.get(part), cited))
    .filter((found) => found !== null);
  return [...rows.filter(({ agreed }) => !agreed), ...rows.filter(({ agreed }) => agreed)];
}

/**
 * @param {Pt.ReviewData} data
 * @param {string} part
 * @param {Pt.ReviewedPart | undefined} compared
 * @param {Pt.Place[]} cited
 */
function row(data, part, compared, cited) {
  const spec = data.protocol.fields.find(({ name }) => name === part);
  const kind = FIXED.includes(part) && !spec ? part : kindOf(spec);
  const found = {
    part,
    kind,
    spec,
    label: compared?.label ?? spec?.label ?? sentence(`part.${part}`),
    score: compared?.score ?? null,
    agreed: (compared?.agreed ?? true) && !isTied(data, part),
    variants: compared?.variants ?? false,
    ways: data.ways[part] ?? [],
    follows: FOLLOWS[part] ?? null,
    pages: pagesOf(data, { part, kind }, compared?.places ?? [], cited),
  };
  const missing = part in (data.draft?.missing ?? {});
  return compared || missing || isGiven(data, found) ? found : null;
}

/** Whether the part ties as it is proposed. @param {Pt.ReviewData} data @param {string} part */
const isTied = ({ choices }, part) =>
  choices?.some((choice) => choice.part === part && choice.tied) ?? false;

/** @param {Pt.FieldSpec | undefined} spec */
function kindOf(spec) {
  if (spec?.kind === "records") return "records";
  return { task: "field", page: "pageField", box: "boxField" }[spec?.scope ?? "task"];
}

/** @param {Pt.ReviewData} data @param {{ part: string, kind: string }} given */
function isGiven(data, { part, kind }) {
  return submitted(data).some((participant) => {
    if (kind === "outcome") return true;
    if (kind === "question") return Boolean(participant.question_text);
    if (kind === "answer") return participant.answer.length > 0;
    if (kind === "evidence") return participant.citations.length > 0;
    if (kind === "boxes") return participant.boxes.length > 0;
    if (kind === "records") return participant.rows.some(({ field }) => field === part);
    return participant.fields.some(({ field }) => field === part);
  });
}

/**
 * @param {Pt.ReviewData} data
 * @param {{ part: string, kind: string }} given
 * @param {[string, number][]} places
 * @param {Pt.Place[]} cited in the draft
 */
function pagesOf(data, { part, kind }, places, cited) {
  const differing = places.map(([document, page]) => ({ document, page }));
  /** @type {Row["pages"]} */
  const found = [];
  /** @param {{ document: string | null, page: number | null }} place */
  const add = ({ document, page }) => {
    const place = { document, page };
    if (document && page && !includesPlace(found, place))
      found.push({ document, page, differs: includesPlace(differing, place) });
  };
  for (const participant of submitted(data)) {
    if (kind === "pageField") {
      participant.fields.filter(({ field, box }) => field === part && box === null).forEach(add);
    } else if (kind === "boxes" || kind === "content" || kind === "order") {
      participant.boxes.forEach(add);
    }
  }
  if (kind === "evidence") [...data.evidence, ...cited].forEach(add);
  return found.sort(
    (a, b) =>
      Number(b.differs) - Number(a.differs) || order(a.document, b.document) || a.page - b.page,
  );
}

/** @type {(a: string, b: string) => number} */
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
 * @param {Pt.Place} place
 * @returns {{ id: string, model: boolean, versions: (Pt.ReviewBox | null)[], differs: boolean,
 *   reordered: (a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean }[]}
 *   versions in the order of the columns; null where somebody does not have it. Those that differ
 *   come first, from the top of the page to its foot.
 */
export function elementsOf(data, place) {
  const participants = submitted(data);
  /** @type {Map<string, { id: string, model: boolean, versions: (Pt.ReviewBox | null)[] }>} */
  const found = new Map();
  participants.forEach((participant, i) => {
    for (const box of participant.boxes) {
      if (!samePlace(box, place)) continue;
      const key = box.model ? box.id : `${i}/${box.id}`;
      const { id, model } = box;
      const element = found.get(key) ?? { id, model, versions: participants.map(() => null) };
      element.versions[i] = box;
      found.set(key, element);
    }
  });
  const all = [...found.values()].map((element) => {
    const { rect } = firstOf(element.versions);
    const reordered = orderDiffers([...found.values()], element.versions);
    return { ...element, rect, reordered, differs: differ(element.versions, reordered) };
  });
  return all.sort(
    (a, b) =>
      Number(b.differs) - Number(a.differs) || a.rect[1] - b.rect[1] || a.rect[0] - b.rect[0],
  );
}

/**
 * The version of the first person who has the element.
 * @param {(Pt.ReviewBox | null)[]} versions
 */
export const firstOf = (versions) =>
  /** @type {Pt.ReviewBox} */ (versions.find((version) => version !== null));

/**
 * Whether two versions of an element are in another order: somebody moved it, and it comes before
 * another element for one person and after it for the other. What was only shifted is not.
 * @param {{ model: boolean, versions: (Pt.ReviewBox | null)[] }[]} elements of the page
 * @param {(Pt.ReviewBox | null)[]} versions of the element
 * @returns {(a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean}
 */
function orderDiffers(elements, versions) {
  return (a, b) => {
    if (a.standing === b.standing) return false;
    const [mine, theirs] = [versions.indexOf(a), versions.indexOf(b)];
    const [here, there] = [a.order, b.order];
    if (here === null || there === null) return true;
    return elements.some(({ model, versions: others }) => {
      const [x, y] = [others[mine]?.order ?? null, others[theirs]?.order ?? null];
      return model && x !== null && y !== null && here < x !== there < y;
    });
  };
}

/**
 * @param {(Pt.ReviewBox | null)[]} versions
 * @param {(a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean} reordered
 */
function differ(versions, reordered) {
  const first = firstOf(versions);
  return versions.some(
    (other) => other === null || !alike(first, other) || reordered(first, other),
  );
}

/** @type {(a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean} */
const alike = (a, b) =>
  a.label === b.label && norm(a.content ?? "") === norm(b.content ?? "") && !moved(a, b);

/** @type {(a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean} */
const moved = (a, b) => a.rect.some((edge, i) => edge !== b.rect[i]);

/** @type {(box: Pt.ReviewBox, versions: (Pt.ReviewBox | null)[]) => Pt.ReviewBox[]} */
export const otherVersions = (box, versions) =>
  versions.flatMap((other) => (other && other !== box ? [other] : []));

/**
 * How a version of an element differs from the others', in a word or two each.
 * @param {Pt.ReviewBox} box
 * @param {{ versions: (Pt.ReviewBox | null)[], reordered: (a: Pt.ReviewBox, b: Pt.ReviewBox) => boolean }} element
 */
export function versionWords(box, { versions, reordered }) {
  const others = otherVersions(box, versions);
  const words = [box.label ?? "no label"];
  /** @param {(other: Pt.ReviewBox) => boolean} differs */
  const odd = (differs) => isOdd(others.filter(differs).length, others.length);
  if (odd((other) => moved(box, other))) words.push("other edges");
  if (odd((other) => reordered(box, other))) words.push(`order ${box.order ?? "—"}`);
  return words;
}

/**
 * All pages that anything on the screen is about, those that differ first.
 * @param {Pt.ReviewData} data
 */
export function interesting(data) {
  /** @type {{ document: string, page: number, why: string[] }[]} */
  const found = [];
  /** @type {(place: { document: string | null, page: number | null }, why: string) => void} */
  const add = ({ document, page }, why) => {
    if (document === null || page === null) return;
    const known = found.find((other) => samePlace(other, { document, page }));
    if (!known) found.push({ document, page, why: [why] });
    else if (!known.why.includes(why)) known.why.push(why);
  };
  for (const place of data.evidence) add(place, "cited");
  for (const participant of submitted(data)) {
    for (const box of participant.boxes) add(box, "boxes");
    for (const value of participant.fields) if (value.box === null) add(value, "graded");
  }
  for (const place of data.dataset_gold?.evidence ?? []) add(place, "dataset");
  for (const place of data.given ?? []) add(place, "given");
  const differing = data.parts.flatMap(({ places }) =>
    places.map(([document, page]) => ({ document, page })),
  );
  const marked = found.map((place) => ({ ...place, differs: includesPlace(differing, place) }));
  return [...marked.filter((place) => place.differs), ...marked.filter((place) => !place.differs)];
}
