/** The boxes of a page in the order in which they are gone through. */

import { verdict } from "../../shared/box_state";
import { fromTopToBottom } from "../../shared/page/rectangles";
import { inReadingOrder } from "../../shared/reading_order";

/** Boxes of one page: by the reading order where boxes have one, else from top to bottom. */
export function ordered(boxes: Pt.PageBox[], { order }: Pt.BoxesPart): Pt.PageBox[] {
  return order ? inReadingOrder(boxes) : fromTopToBottom(boxes);
}

/** The boxes of a page in that order, deleted ones included. */
export function listed(
  { boxes }: { boxes: Pt.PageBox[] },
  part: Pt.BoxesPart,
  { document, page }: Pt.Place,
): Pt.PageBox[] {
  return ordered(
    boxes.filter((box) => box.document === document && box.page === page),
    part,
  );
}

/** How many of a model's elements have been judged. */
export function checked(boxes: Pt.PageBox[]): { done: number; total: number } {
  const given = boxes.filter((box) => box.model);
  return { done: given.filter((box) => verdict(box) !== "open").length, total: given.length };
}
