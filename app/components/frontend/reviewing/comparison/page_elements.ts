/** The elements of a page, with what everybody made of them; no DOM. */

import { t } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import { submitted } from "./comparison_rows";
import { isOdd, markedList, norm } from "./text_differences";

type Box = Pt.ReviewedBox;
/** In the order of the columns; null where somebody does not have it. */
type Versions = (Box | null)[];

export interface PageElement {
  id: string;
  model: boolean;
  versions: Versions;
  /** the version of the first person who has it */
  first: Box;
  differs: boolean;
  /** whether two versions are in another order */
  isReordered: (one: Box, other: Box) => boolean;
}

/** Whether a model's elements are verified, so that boxes of several people are the same thing. */
export function verifiesElements(data: Pt.ReviewData) {
  return submitted(data).some(({ boxes }) => boxes.some(({ model }) => model));
}

/** The elements of a page: those that differ first, from the top of the page to its foot. */
export function elementsOf(data: Pt.ReviewData, place: Pt.Place): PageElement[] {
  const participants = submitted(data);
  const elements = new Map<string, Pick<PageElement, "id" | "model" | "versions" | "first">>();
  for (const [i, { boxes }] of participants.entries()) {
    for (const box of boxes.filter((other) => samePlace(other, place))) {
      const { id, model } = box;
      const key = model ? id : `${i}/${id}`;
      const versions: Versions = participants.map(() => null);
      const element = elements.get(key) ?? { id, model, versions, first: box };
      element.versions[i] = box;
      elements.set(key, element);
    }
  }
  const orders = [...elements.values()].flatMap(({ model, versions }) => (model ? [versions] : []));
  return [...elements.values()]
    .map((element) => {
      const { first, versions } = element;
      const isReordered = (one: Box, other: Box) => orderDiffers(orders, versions, one, other);
      const differs = versions.some(
        (other) => other === null || !alike(first, other) || isReordered(first, other),
      );
      return { ...element, isReordered, differs };
    })
    .sort(
      (a, b) =>
        Number(b.differs) - Number(a.differs) ||
        a.first.rect[1] - b.first.rect[1] ||
        a.first.rect[0] - b.first.rect[0],
    );
}

/**
 * Whether two versions of an element are in another order: somebody moved it, and it comes before
 * another element for one person and after it for the other. What was only shifted is not.
 * @param elements a model's, on the page
 * @param versions of the element
 */
function orderDiffers(elements: Versions[], versions: Versions, one: Box, other: Box) {
  if (one.sort_number === other.sort_number) return false;
  const [mine, theirs] = [versions.indexOf(one), versions.indexOf(other)];
  const [here, there] = [one.order, other.order];
  if (here === null || there === null) return true;
  return elements.some((others) => {
    const [x, y] = [others[mine]?.order ?? null, others[theirs]?.order ?? null];
    return x !== null && y !== null && here < x !== there < y;
  });
}

const alike = (one: Box, other: Box) =>
  one.label === other.label &&
  norm(one.content ?? "") === norm(other.content ?? "") &&
  !hasMoved(one, other);

const hasMoved = (one: Box, other: Box) => one.rect.some((edge, i) => edge !== other.rect[i]);

/** How a version of an element differs from the other versions. */
export function versionDifferences(box: Box, { versions, isReordered }: PageElement) {
  const others = versions.flatMap((other) => (other && other !== box ? [other] : []));
  const isUnusual = (differs: (other: Box) => boolean) =>
    isOdd(others.filter(differs).length, others.length);
  const texts = others.map(({ content }) => content ?? "");
  return {
    label: isUnusual(({ label }) => label !== box.label),
    /** in a word or two each */
    words: [
      isUnusual((other) => hasMoved(box, other)) ? t("other edges") : "",
      isUnusual((other) => isReordered(box, other))
        ? t("order {order}", { order: box.order ?? "—" })
        : "",
    ].filter(Boolean),
    /** its text marked against the others'; null where all have the same */
    content:
      box.content && texts.some((text) => norm(text) !== norm(box.content ?? ""))
        ? markedList(
            [box.content],
            texts.map((text) => [text]),
          )[0]
        : null,
  };
}
