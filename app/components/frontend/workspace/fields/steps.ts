/** What was to be seen at each step of an attempt that is judged, read from the steps' words. */

import { samePlace } from "../../shared/places";
import { namedPages } from "./named_pages";

/** the pages that a search found */
export interface Found {
  /** counted from 0 */
  step: number;
  said: string;
  /** those that the task gives */
  pages: (Pt.Place & { rank: number | null })[];
}

/** one view of a replay; a step that reads several pages has several */
export interface Frame {
  /** counted from 0 */
  step: number;
  /** what was done */
  said: string;
  page: Pt.Place | null;
  /** whether this page was open; else it is the first result */
  seen: boolean;
  /** by the last search */
  found: Found | null;
}

const SEARCH = /^(Searched (again )?for|Looked back at the search for) “/;
const HITS = /^\d+\. /;
const QUOTED = /“.*”/; // what somebody typed may name pages, too

const LEAST_MS = 3000;
const MOST_MS = 12_000;
const PAGE_MS = 2000;
const WORD_MS = 250;

/** The column that tells the steps, where a field is a list of them. */
export function stepColumn({ kind, scope, seed, columns }: Pt.FieldSpec) {
  if (kind !== "records" || scope !== "task" || seed !== "steps") return null;
  return columns.find(({ editable }) => !editable) ?? null;
}

/**
 * @param texts of the steps
 * @param given pages that can be opened
 * @returns in order, one or more for each step
 */
export function framesOf(texts: string[], given: Pt.Place[]): Frame[] {
  let found: Found | null = null;
  let open: Pt.Place | null = null;
  return texts.flatMap((text, step) => {
    const lines = text.split("\n");
    const searched = SEARCH.test(text);
    const hits = searched && HITS.test(lines.at(-1) ?? "") ? String(lines.pop()) : "";
    const said = lines.join(" ");
    if (searched) found = { step, said, pages: ranked(hits, given) };
    const named = namedPages(said.replace(QUOTED, ""), given).flatMap(({ page }) => page ?? []);
    open = named.at(-1) ?? open;
    const pages = named.length ? named : [open ?? found?.pages[0] ?? null];
    return pages.map((page) => ({ step, said, page: place(page), seen: open !== null, found }));
  });
}

const place = (page: Pt.Place | null) => page && { document: page.document, page: page.page };

function ranked(hits: string, given: Pt.Place[]) {
  const pieces = namedPages(hits, given);
  return pieces.flatMap(({ page }, i) => {
    const rank = /(\d+)\. $/.exec(pieces[i - 1]?.text ?? "")?.[1];
    return page ? [{ document: page.document, page: page.page, rank: rank ? +rank : null }] : [];
  });
}

/**
 * How long a frame is shown while it plays, milliseconds: the time to read what is new. The pace of
 * the attempt itself would tell people from programs.
 */
export function paceOf({ step, said, page }: Frame, before?: Frame) {
  const words = step === before?.step ? 0 : said.split(/\s+/).length;
  const turned = page && !samePlace(page, before?.page) ? PAGE_MS : 0;
  return Math.min(MOST_MS, LEAST_MS + turned + words * WORD_MS);
}
