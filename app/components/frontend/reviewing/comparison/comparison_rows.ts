/** What the comparison shows, row by row: the parts of a task and the pages below them; no DOM. */

import { includesPlace, samePlace } from "../../shared/places";
import { sentence } from "../../shared/sentences";
import { pairsOf } from "../decision/text_decisions";

const OF_EVERY_TASK = [
  "question",
  "outcome",
  "answer",
  "evidence",
  "transcript",
  "tables",
  "boxes",
  "content",
  "order",
] as const;
const FIELD_KINDS = { task: "field", page: "pageField", box: "boxField" } as const;
const FOLLOWS: Record<string, string> = { content: "boxes", order: "boxes" };

type Kind = (typeof OF_EVERY_TASK)[number] | "field" | "pageField" | "boxField" | "records";
type OptionalPlace = { document: string | null; page: number | null };

export interface Row {
  part: string;
  label: string;
  kind: Kind;
  /** the protocol's field */
  spec: Pt.FieldSpec | undefined;
  /** difference in [0, 1]; null where it is not compared */
  score: number | null;
  agreed: boolean;
  /** people differ, but gold could accept all their answers */
  variants: boolean;
  /** how it can be put together; empty where another part decides it */
  ways: Pt.MergeMethod[];
  /** the part that decides it */
  follows: string | null;
  /** two versions are merged below the row */
  isMerged: boolean;
  /** those it is about */
  pages: { document: string; page: number; differs: boolean }[];
}

/** Those who submitted: their columns, in the order in which the server counts them. */
export function submitted(data: Pt.ReviewData) {
  return data.participants.filter(({ status }) => status === "submitted");
}

/** Those who submitted, then models' drafts: everything that gold can be taken from, by column. */
export function versionsOf(data: Pt.ReviewData): (Pt.Participant | Pt.ModelDraft)[] {
  return [...submitted(data), ...data.model_drafts];
}

/** The columns of the comparison: the parts, everybody, the drafts and the gold. */
export const columnCount = (data: Pt.ReviewData) =>
  data.participants.length + data.model_drafts.length + 2;

/**
 * The rows: parts that differ first, each group in the protocol's order. Parts that nobody filled in
 * anything for have none.
 * @param cited pages of the draft's evidence, which nobody else need have marked
 */
export function rowsOf(data: Pt.ReviewData, cited: Pt.Place[] = []): Row[] {
  const names = new Set([
    ...data.parts.map(({ part }) => part),
    ...Object.keys(data.merge_methods),
  ]);
  const rows = [...names].flatMap((part) => rowOf(data, part, cited) ?? []);
  return [...rows.filter(({ agreed }) => !agreed), ...rows.filter(({ agreed }) => agreed)];
}

function rowOf(data: Pt.ReviewData, part: string, cited: Pt.Place[]): Row | null {
  const compared = data.parts.find((other) => other.part === part);
  const spec = data.protocol.fields.find(({ name }) => name === part);
  const kind = kindOf(part, spec);
  const isMissing = part in (data.draft?.missing ?? {});
  if (!compared && !isMissing && !isGiven(data, part, kind)) return null;
  const isTied = data.choices?.some((choice) => choice.part === part && choice.tied) ?? false;
  return {
    part,
    kind,
    spec,
    label: compared?.label ?? spec?.label ?? sentence(`part.${part}`),
    score: compared?.score ?? null,
    agreed: (compared?.agreed ?? true) && !isTied,
    variants: compared?.variants ?? false,
    ways: data.merge_methods[part] ?? [],
    follows: FOLLOWS[part] ?? null,
    isMerged: pairsOf(data, part).length > 0,
    pages: pagesOfPart(data, part, kind, compared?.places ?? [], cited),
  };
}

function kindOf(part: string, spec: Pt.FieldSpec | undefined): Kind {
  if (spec) return spec.kind === "records" ? "records" : FIELD_KINDS[spec.scope];
  return OF_EVERY_TASK.find((name) => name === part) ?? "field";
}

function isGiven(data: Pt.ReviewData, part: string, kind: Kind) {
  return versionsOf(data).some((participant) => {
    if (kind === "outcome") return participant.outcome !== null;
    if (kind === "question") return Boolean(participant.question_text);
    if (kind === "answer") return participant.answer.length > 0;
    if (kind === "evidence") return participant.citations.length > 0;
    if (kind === "transcript") return participant.transcript !== null;
    if (kind === "tables") return participant.tables.length > 0;
    if (kind === "boxes") return participant.boxes.length > 0;
    if (kind === "records") return participant.rows.some(({ field }) => field === part);
    return participant.fields.some(({ field }) => field === part);
  });
}

/** @param cited in the draft */
function pagesOfPart(
  data: Pt.ReviewData,
  part: string,
  kind: Kind,
  differing: [string, number][],
  cited: Pt.Place[],
) {
  const places: OptionalPlace[] = kind === "evidence" ? [...data.evidence, ...cited] : [];
  if (kind === "evidence") places.push(...data.model_drafts.flatMap((draft) => draft.citations));
  for (const { fields, boxes } of versionsOf(data)) {
    if (kind === "pageField")
      places.push(...fields.filter(({ field, box }) => field === part && box === null));
    else if (kind === "boxes" || kind === "content" || kind === "order") places.push(...boxes);
  }
  const pages: Row["pages"] = [];
  for (const { document, page } of places) {
    if (document === null || page === null || includesPlace(pages, { document, page })) continue;
    const differs = differing.some(([name, number]) => name === document && number === page);
    pages.push({ document, page, differs });
  }
  return pages.sort(
    (a, b) =>
      Number(b.differs) - Number(a.differs) || order(a.document, b.document) || a.page - b.page,
  );
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** All pages that anything on the screen is about, those that differ first. */
export function pagesOfTask(data: Pt.ReviewData) {
  const pages: { document: string; page: number; why: string[] }[] = [];
  const add = (places: OptionalPlace[], why: string) => {
    for (const { document, page } of places) {
      if (document === null || page === null) continue;
      const known = pages.find((other) => samePlace(other, { document, page }));
      if (!known) pages.push({ document, page, why: [why] });
      else if (!known.why.includes(why)) known.why.push(why);
    }
  };
  add(data.evidence, "cited");
  for (const { citations } of data.model_drafts) add(citations, "drafted");
  for (const { boxes, fields } of versionsOf(data)) {
    add(boxes, "boxes");
    add(
      fields.filter(({ box }) => box === null),
      "graded",
    );
  }
  add(data.dataset_gold?.evidence ?? [], "dataset");
  add(data.given_pages ?? [], "given");
  const differing = data.parts.flatMap(({ places }) =>
    places.map(([document, page]) => ({ document, page })),
  );
  const marked = pages.map((place) => ({ ...place, differs: includesPlace(differing, place) }));
  return [...marked.filter(({ differs }) => differs), ...marked.filter(({ differs }) => !differs)];
}
