/** What the comparison shows, row by row: the parts of a task and the rows below them; no DOM. */

import { includesPlace, samePlace } from "../../shared/places";
import { sentence } from "../../shared/sentences";
import { isOdd, norm } from "./text_differences";

const FIXED = ["question", "outcome", "answer", "evidence", "boxes", "content", "order"];
const FOLLOWS: Record<string, string> = { content: "boxes", order: "boxes" };

export interface Row {
  part: string;
  label: string;
  /** outcome | question | answer | evidence | boxes | content | order | field | pageField | boxField | records */
  kind: string;
  /** the protocol's field */
  spec: Pt.FieldSpec | undefined;
  /** difference in [0, 1]; null where it is not compared */
  score: number | null;
  agreed: boolean;
  /** people differ, but gold could accept all their answers */
  variants: boolean;
  /** how it can be put together; empty where another part decides it */
  ways: string[];
  /** the part that decides it */
  follows: string | null;
  /** those it is about */
  pages: Array<{ document: string; page: number; differs: boolean }>;
}

/** Those who submitted: their columns, in the order in which the server counts them. */
export function submitted(data: Pt.ReviewData) {
  return data.sides.filter(({ status }) => status === "submitted");
}

/**
 * The rows: parts that differ first, each group in the protocol's order. Parts that nobody filled in
 * anything for have none.
 * @param data the task under review
 * @param cited pages of the draft's evidence, which nobody else need have marked
 */
export function rowsOf(data: Pt.ReviewData, cited: Pt.Place[] = []): Row[] {
  const compared = new Map(data.parts.map((part) => [part.part, part]));
  const names = [...data.parts.map(({ part }) => part)];
  for (const part of Object.keys(data.ways)) if (!compared.has(part)) names.push(part);
  const rows = names
    .map((part) => row(data, part, compared.get(part), cited))
    .filter((found) => found !== null);
  return [...rows.filter(({ agreed }) => !agreed), ...rows.filter(({ agreed }) => agreed)];
}

function row(
  data: Pt.ReviewData,
  part: string,
  compared: Pt.ComparedPart | undefined,
  cited: Pt.Place[],
) {
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

/** Whether the part ties as it is proposed. */
const isTied = ({ choices }: Pt.ReviewData, part: string) =>
  choices?.some((choice) => choice.part === part && choice.tied) ?? false;

function kindOf(spec: Pt.FieldSpec | undefined) {
  if (spec?.kind === "records") return "records";
  return { task: "field", page: "pageField", box: "boxField" }[spec?.scope ?? "task"];
}

function isGiven(data: Pt.ReviewData, { part, kind }: { part: string; kind: string }) {
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

/** @param cited in the draft */
function pagesOf(
  data: Pt.ReviewData,
  { part, kind }: { part: string; kind: string },
  places: [string, number][],
  cited: Pt.Place[],
) {
  const differing = places.map(([document, page]) => ({ document, page }));
  const found: Row["pages"] = [];
  const add = ({ document, page }: { document: string | null; page: number | null }) => {
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

const order: (a: string, b: string) => number = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Whether a model's elements are verified, so that boxes of several people are the same thing. */
export function verifying(data: Pt.ReviewData) {
  return submitted(data).some(({ boxes }) => boxes.some(({ model }) => model));
}

/**
 * The elements of a page, each with what everybody made of it.
 * @returns versions in the order of the columns; null where somebody does not have it. Those that differ
 * come first, from the top of the page to its foot.
 */
export function elementsOf(
  data: Pt.ReviewData,
  place: Pt.Place,
): {
  id: string;
  model: boolean;
  versions: (Pt.ReviewedBox | null)[];
  differs: boolean;
  reordered: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean;
}[] {
  const participants = submitted(data);
  const found: Map<string, { id: string; model: boolean; versions: (Pt.ReviewedBox | null)[] }> =
    new Map();
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

/** The version of the first person who has the element. */
export const firstOf = (versions: (Pt.ReviewedBox | null)[]) =>
  versions.find((version) => version !== null) as Pt.ReviewedBox;

/**
 * Whether two versions of an element are in another order: somebody moved it, and it comes before
 * another element for one person and after it for the other. What was only shifted is not.
 * @param elements of the page
 * @param versions of the element
 */
function orderDiffers(
  elements: { model: boolean; versions: (Pt.ReviewedBox | null)[] }[],
  versions: (Pt.ReviewedBox | null)[],
): (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean {
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

function differ(
  versions: (Pt.ReviewedBox | null)[],
  reordered: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean,
) {
  const first = firstOf(versions);
  return versions.some(
    (other) => other === null || !alike(first, other) || reordered(first, other),
  );
}

const alike: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean = (a, b) =>
  a.label === b.label && norm(a.content ?? "") === norm(b.content ?? "") && !moved(a, b);

const moved: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean = (a, b) =>
  a.rect.some((edge, i) => edge !== b.rect[i]);

export const otherVersions: (
  box: Pt.ReviewedBox,
  versions: (Pt.ReviewedBox | null)[],
) => Pt.ReviewedBox[] = (box, versions) =>
  versions.flatMap((other) => (other && other !== box ? [other] : []));

/** How a version of an element differs from the others', in a word or two each. */
export function versionWords(
  box: Pt.ReviewedBox,
  {
    versions,
    reordered,
  }: {
    versions: (Pt.ReviewedBox | null)[];
    reordered: (a: Pt.ReviewedBox, b: Pt.ReviewedBox) => boolean;
  },
) {
  const others = otherVersions(box, versions);
  const words = [box.label ?? "no label"];
  const odd = (differs: (other: Pt.ReviewedBox) => boolean) =>
    isOdd(others.filter(differs).length, others.length);
  if (odd((other) => moved(box, other))) words.push("other edges");
  if (odd((other) => reordered(box, other))) words.push(`order ${box.order ?? "—"}`);
  return words;
}

/** All pages that anything on the screen is about, those that differ first. */
export function interesting(data: Pt.ReviewData) {
  const found: { document: string; page: number; why: string[] }[] = [];
  const add: (place: { document: string | null; page: number | null }, why: string) => void = (
    { document, page },
    why,
  ) => {
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
