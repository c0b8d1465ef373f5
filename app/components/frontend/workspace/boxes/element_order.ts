/** The boxes of a page in the order in which they are gone through. */

import { verdict } from "../../shared/box_state";
import { inOrder } from "../../shared/page/rectangles";
import { inReadingOrder } from "../../shared/reading_order";

/**
 * The boxes of a page, deleted ones included: by the reading order where boxes have one, else from
 * top to bottom.
 */
export function listed(
  { boxes }: { boxes: Pt.PageBox[] },
  part: Pt.BoxesPart,
  { document, page }: Pt.Place,
): Pt.PageBox[] {
  const here = boxes.filter((box) => box.document === document && box.page === page);
  return part.order ? inReadingOrder(here) : inOrder(here);
}

/** How many of a model's elements have been judged. */
export function checked(boxes: Pt.PageBox[]): { done: number; total: number } {
  const given = boxes.filter((box) => box.model);
  return { done: given.filter((box) => verdict(box) !== "open").length, total: given.length };
}
