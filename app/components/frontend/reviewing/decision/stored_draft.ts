/** The draft that is stored in the gold stream, and the choices that it was made by; without DOM. */

import { submitted, versionsOf } from "../comparison/comparison_rows";
import { rowSources } from "./row_selections";
import { boxSources, withoutMissing } from "./selections";
import { isMerged } from "./text_decisions";

/** Whether there is a stored draft, which can be accepted as it is. */
export function hasStored({ gold }: Pt.ReviewData) {
  return gold !== null && (gold.choices.length > 0 || gold.edited);
}

/** Whether it is shown first: it was edited, or rests on the work as it is now. */
export function storedFirst(data: Pt.ReviewData) {
  const { gold, reviewed_version: seen } = data;
  if (!gold || !hasStored(data)) return false;
  const rests = new Map(gold.sources.map(({ attempt, seq }) => [attempt, seq]));
  return (
    gold.edited ||
    submitted(data).every(({ attempt }) => rests.get(attempt) === seen.sources[attempt])
  );
}

/**
 * Picks that put it together as it was, as far as that is known: drafts of older versions do not
 * say who was followed on single pages.
 */
export function storedPicks(data: Pt.ReviewData) {
  if (!data.gold) return {};
  const { choices, draft } = data.gold;
  const participants = submitted(data);
  const found: Pt.Selections = {};
  for (const { part, how, side, sides, page_decisions: pages, text_decisions } of choices) {
    if (!data.merge_methods[part]?.includes(how)) continue;
    found[part] = { how, ...(side ? { side } : {}), ...(sides?.length ? { sides } : {}) };
    if (how === "edited") found[part].texts = acceptedTexts(draft);
    if (pages?.length) Object.assign(found[part], decidedPages(pages));
    if (text_decisions?.length) found[part].text_decisions = text_decisions;
    if (how !== "pick" || isMerged(part)) continue;
    const rows = draft.rows.filter(({ field }) => field === part);
    if (data.protocol.fields.some(({ name }) => name === part))
      found[part].rows = rowSources(rows, participants);
    else if (part === "evidence")
      found[part].pages = draft.citations.map(({ document, page }) => [document, page]);
    else found[part].boxes = boxSources(draft.boxes, versionsOf(data));
  }
  return withoutMissing(found, data);
}

/** What was decided on single pages, as a pick has it. */
function decidedPages(pages: Pt.Choice["page_decisions"]) {
  const all: (decision: string) => [string, number][] = (decision) =>
    pages
      .filter((page) => page.decision === decision)
      .map(({ document, page }) => [document, page]);
  return {
    pages: all("marked"),
    rejected: all("rejected"),
    at: pages.flatMap(({ document, page, side }) =>
      side ? [[document, page, side] as [string, number, string]] : [],
    ),
  };
}

/** The answers that a draft accepts, each as its text. */
export const acceptedTexts = ({ answer_text: text, variants }: Pt.ReviewedContent) =>
  [text, ...(variants ?? [])].filter((one) => one.trim());

/** What tells one stored draft from another. */
export function draftKey({ gold }: Pt.ReviewData) {
  const stored = gold && (gold.choices.length || gold.edited || gold.version);
  return JSON.stringify(stored ? [gold.version, gold.draft] : null);
}
