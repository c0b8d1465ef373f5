/** Pages by document and number: comparing and naming them; no DOM. */

import { grouped } from "./notation.js";

/** @typedef {{ document?: string | null, page?: number | null } | null | undefined} Place */

/** Whether two places are the same page. @param {Place} a @param {Place} b */
export function samePlace(a, b) {
  return Boolean(a && b) && a?.document === b?.document && a?.page === b?.page;
}

/** Whether a page is among others. @param {Place[]} places @param {Place} place */
export const includesPlace = (places, place) => places.some((other) => samePlace(other, place));

/** "report.pdf, page 3". @param {{ document: string | null, page: number | null }} place */
export const placeWords = ({ document, page }) => `${document}, page ${grouped(page ?? 0)}`;

/**
 * What tells documents apart on a narrow card: their names without what they begin with in common.
 * @param {string[]} documents
 * @returns {Map<string, string>} empty when it is the same document throughout
 */
export function shortNames(documents) {
  const names = [...new Set(documents)];
  if (names.length < 2) return new Map();
  const [first, ...others] = names;
  const stem = first.lastIndexOf(".");
  let same = 0;
  while (same < stem && others.every((name) => name[same] === first[same])) same += 1;
  const cut = first.slice(0, same).search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u) + 1; // whole words only
  return new Map(names.map((name) => [name, name.slice(cut)]));
}
