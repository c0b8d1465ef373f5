/** Gold that has one person's answer and another's pages, in a sentence; no DOM. */

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
  const names = new Map(data.sides.map(({ attempt, name }) => [attempt, name]));
  names.set(DATASET, "the dataset");
  const named: (attempts: string[]) => string[] = (attempts) =>
    attempts.map((attempt) => names.get(attempt) ?? "somebody");
  const whose = mixed.taken
    ? `${capital(named([mixed.taken])[0])}’s answer`
    : `The answer of ${listed(named(mixed.answered))}`;
  const short = shortNames([...mixed.added, ...mixed.left_out].map(([document]) => document));
  const pages: (pages: [string, number][]) => string = (places) => {
    const words = places
      .slice(0, MOST_PAGES)
      .map(
        ([document, page]) =>
          `${short.has(document) ? `${short.get(document)} ` : ""}${grouped(page)}`,
      );
    if (places.length > MOST_PAGES) words.push(`${grouped(places.length - MOST_PAGES)} more`);
    return `${places.length === 1 ? "page" : "pages"} ${listed(words)}`;
  };
  const others = data.evidence
    .filter((place) =>
      mixed.added.some(([name, page]) => name === place.document && page === place.page),
    )
    .flatMap(({ by }) => by);
  const by = others.length ? ` (${listed(named([...new Set(others)]))})` : "";
  const parts = [
    mixed.added.length ? `${pages(mixed.added)} added${by}` : "",
    mixed.left_out.length ? `${pages(mixed.left_out)} left out` : "",
  ];
  return `${whose} with other evidence: ${parts.filter(Boolean).join(", ")}.`;
}

function listed(words: string[]) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

const capital = (text: string) =>
  text.startsWith("the ") ? text[0].toUpperCase() + text.slice(1) : text;
