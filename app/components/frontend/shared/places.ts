/** Pages by document and number: comparing and naming them; no DOM. */

import { t } from "./messages";
import { grouped } from "./notation";

export type Place = { document?: string | null; page?: number | null } | null | undefined;

/** Whether two places are the same page. */
export function samePlace(a: Place, b: Place) {
  return Boolean(a && b) && a?.document === b?.document && a?.page === b?.page;
}

/** Whether a page is among others. */
export const includesPlace = (places: Place[], place: Place) =>
  places.some((other) => samePlace(other, place));

/** "report.pdf, page 3". */
export const placeWords = ({ document, page }: { document: string | null; page: number | null }) =>
  t("{document}, page {page}", { document, page: grouped(page ?? 0) });

/**
 * What tells documents apart on a narrow card: their names without what they begin with in common.
 * @returns empty when it is the same document throughout
 */
export function shortNames(documents: string[]): Map<string, string> {
  const names = [...new Set(documents)];
  if (names.length < 2) return new Map();
  const [first, ...others] = names;
  const stem = first.lastIndexOf(".");
  let same = 0;
  while (same < stem && others.every((name) => name[same] === first[same])) same += 1;
  const cut = first.slice(0, same).search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u) + 1; // whole words only
  return new Map(names.map((name) => [name, name.slice(cut)]));
}
