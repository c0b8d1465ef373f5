/** What the rows of pages say: whose work is on a page, how far it agrees, and why it is gold; no DOM. */

import { t, tn } from "../../shared/messages";
import { includesPlace, samePlace } from "../../shared/places";
import { boxWords, countedTexts, fieldValue, NOTHING, valueWords } from "../formatting";
import type { Row } from "./comparison_rows";
import { verifiesElements } from "./page_elements";

/** "2 × Fully relevant, 1 × Irrelevant". */
export function gradeCounts(
  spec: Pt.FieldSpec | undefined,
  part: string,
  { fields }: Pt.ReviewedContent,
) {
  const values = fields.filter(({ field, box }) => field === part && box === null);
  return countedTexts(values.map(({ value }) => valueWords(spec, value))) || NOTHING;
}

/** What somebody has on a page, for a row of pages. */
export function pageWords({ kind, part, spec }: Row, place: Pt.Place, content: Pt.ReviewedContent) {
  if (kind === "evidence") return includesPlace(content.citations, place) ? t("cited") : "";
  if (kind === "pageField") return valueWords(spec, fieldValue(content, part, place));
  return boxWords(content.boxes.filter((box) => samePlace(box, place)));
}

/** The agreement of the boxes on a page: "IoU 0.62, Dice 0.77". */
export function zoneWords(data: Pt.ReviewData, place: Pt.Place) {
  const zone = data.zones.find((other) => samePlace(other, place));
  if (!zone || zone.iou === null || verifiesElements(data)) return "";
  return t("IoU {iou}, Dice {dice}", { iou: zone.iou.toFixed(2), dice: zone.dice?.toFixed(2) });
}

/** What the retention rule did on a page of a part; undefined where the part does not follow it. */
export function pageRule(draft: Pt.ReviewedDraft, part: string, place: Pt.Place) {
  return draft.page_rules?.find((rule) => rule.part === part && samePlace(rule, place));
}

/** Why a page is in the gold, or not. */
export function goldReason(
  data: Pt.ReviewData,
  draft: Pt.ReviewedDraft,
  { part }: Row,
  place: Pt.Place,
) {
  const rule = pageRule(draft, part, place);
  if (rule) return rule.reason;
  return part === "evidence" ? evidenceReason(data, place, draft.evidence ?? []) : "";
}

function evidenceReason(
  data: Pt.ReviewData,
  place: Pt.Place,
  kept: Pt.ReviewedContent["evidence"],
) {
  const marked = data.evidence.find((page) => samePlace(page, place));
  const isKept = includesPlace(kept, place);
  const draft = data.model_drafts.find(({ citations }) => includesPlace(citations, place));
  if (!marked && draft) {
    const { name: model } = draft;
    return isKept
      ? t("kept by the reviewer, proposed by {model}", { model })
      : t("proposed by {model} only", { model });
  }
  if (!marked) return isKept ? t("added by the reviewer") : "";
  const people = tn("one annotator", "{number} annotators", marked.annotators);
  return isKept
    ? t("kept: {people} and the reviewer", { people })
    : t("{people}, left out by the reviewer", { people });
}
