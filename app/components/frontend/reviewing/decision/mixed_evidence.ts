/** Gold that has one person's answer and another's pages, in a sentence; no DOM. */

import { joinedWords, t, tn } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { shortNames } from "../../shared/places";
import { DATASET } from "./selections";

const MOST_PAGES = 5;

/**
 * "alma’s answer with other evidence: page 3 added (bruno), pages 4 and 5 left out."
 * @param mixed of the draft that is shown
 * @returns empty where the pages are those of whose answer it is
 */
export function mixedWords(
  data: Pt.ReviewData,
  mixed: Pt.MixedEvidence | null | undefined,
): string {
  if (!mixed) return "";
  const names = new Map(data.participants.map(({ attempt, name }) => [attempt, name]));
  names.set(DATASET, t("the dataset"));
  const named: (attempts: string[]) => string[] = (attempts) =>
    attempts.map((attempt) => names.get(attempt) ?? t("somebody"));
  const whose =
    mixed.taken === DATASET
      ? t("The dataset’s answer")
      : mixed.taken
        ? t("{name}’s answer", { name: named([mixed.taken])[0] })
        : t("The answer of {names}", { names: joinedWords(named(mixed.answered)) });
  const short = shortNames([...mixed.added, ...mixed.left_out].map(([document]) => document));
  const pages: (pages: [string, number][]) => string = (places) => {
    const words = places
      .slice(0, MOST_PAGES)
      .map(
        ([document, page]) =>
          `${short.has(document) ? `${short.get(document)} ` : ""}${grouped(page)}`,
      );
    if (places.length > MOST_PAGES)
      words.push(t("{number} more", { number: grouped(places.length - MOST_PAGES) }));
    return joinedWords(words);
  };
  const others = data.evidence
    .filter((place) =>
      mixed.added.some(([name, page]) => name === place.document && page === place.page),
    )
    .flatMap(({ attempts: by }) => by);
  const by = joinedWords(named([...new Set(others)]));
  const added = { pages: pages(mixed.added), names: by };
  const parts = [
    mixed.added.length
      ? by
        ? tn(
            "page {pages} added ({names})",
            "pages {pages} added ({names})",
            mixed.added.length,
            added,
          )
        : tn("page {pages} added", "pages {pages} added", mixed.added.length, added)
      : "",
    mixed.left_out.length
      ? tn("page {pages} left out", "pages {pages} left out", mixed.left_out.length, {
          pages: pages(mixed.left_out),
        })
      : "",
  ];
  return t("{whose} with other evidence: {pages}.", {
    whose,
    pages: parts.filter(Boolean).join(", "),
  });
}
