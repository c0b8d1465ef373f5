/**
 * The reading order of a page's boxes: the client's copy of annotation/attempts/reading_order.py. A
 * model's element that nobody moved is where the model had it, however many boxes were put
 * between; a box that was placed has a number between those of its neighbours.
 */

import { fromTopToBottom } from "./page/rectangles";

/**
 * By id the number that sorts each box; null where it has no place.
 * @param boxes of one page, deleted ones included
 */
export function standing(boxes: Pt.PageBox[]): Map<string, number | null> {
  const given = modelNumbers(boxes);
  return new Map(
    boxes.map((box) => {
      const unmoved = box.model && box.order === box.model.order;
      return [box.id, unmoved ? (given.get(box.id) ?? null) : box.order];
    }),
  );
}

/** The boxes of a page in reading order, those without a place last, from top to bottom. */
export function inReadingOrder(boxes: Pt.PageBox[]) {
  const numbers = standing(boxes);
  const number = (box: Pt.PageBox) => numbers.get(box.id) ?? Infinity;
  return fromTopToBottom(boxes).sort((a, b) =>
    number(a) === number(b) ? 0 : number(a) - number(b),
  );
}

/**
 * By id the place, 1…n, of the boxes of a page that have one and are not deleted.
 * @param boxes deleted ones included
 */
export function finalOrder(boxes: Pt.PageBox[]): Map<string, number> {
  const numbers = standing(boxes);
  const placed = inReadingOrder(boxes).filter(
    (box) => !box.deleted && numbers.get(box.id) !== null,
  );
  return new Map(placed.map((box, i) => [box.id, i + 1]));
}

/**
 * The number that puts a box right after another.
 * @param boxes of the page, deleted ones included
 * @param box that is placed; null for a new one
 * @param after id of the box before it; null puts it first
 * @returns the model's own number where the model had the box there;
 * undefined where no number fits
 */
export function orderAfter(
  boxes: Pt.PageBox[],
  box: Pt.PageBox | null,
  after: string | null,
): number | undefined {
  const numbers = standing(boxes);
  const others = inReadingOrder(boxes).filter(
    (other) => other.id !== box?.id && numbers.get(other.id) !== null,
  );
  const at = others.findIndex(({ id }) => id === after);
  if (after !== null && at < 0) return orderAfter(boxes, box, others.at(-1)?.id ?? null);
  const [before, next] = [others[at], others[at + 1]];
  const low = before ? (numbers.get(before.id) as number) : -Infinity;
  const high = next ? (numbers.get(next.id) as number) : Infinity;
  const own = box ? modelNumbers(boxes).get(box.id) : undefined;
  if (own !== undefined && low < own && own < high) return box?.model?.order ?? undefined;
  return between(low, high, before && isPlaced(before), next && isPlaced(next));
}

/**
 * After which box a new one probably comes: the lowest of those above it in its column, else the
 * one before the highest of those below it there, else the last one above it on the page.
 * @param boxes of the page
 * @returns null for the first of the page
 */
export function likelyBefore(boxes: Pt.PageBox[], [x0, y0, x1, y1]: number[]): string | null {
  const numbers = standing(boxes);
  const all = inReadingOrder(boxes).filter(({ id }) => numbers.get(id) !== null);
  const middle = (rect: number[]) => (rect[1] + rect[3]) / 2;
  const here = (y0 + y1) / 2;
  const column = all.filter(({ rect }) => Math.min(x1, rect[2]) > Math.max(x0, rect[0]));
  const above = column.filter(({ rect }) => middle(rect) <= here);
  const lowest = (some: Pt.PageBox[]) =>
    some.reduce((a, b) => (middle(b.rect) >= middle(a.rect) ? b : a)).id;
  if (above.length) return lowest(above);
  if (column.length) {
    const next = column.reduce((a, b) => (middle(b.rect) < middle(a.rect) ? b : a));
    return all[all.indexOf(next) - 1]?.id ?? null;
  }
  const higher = all.filter(({ rect }) => middle(rect) <= here);
  return higher.length ? lowest(higher) : null;
}

/** Whether a person put the box where it is. */
const isPlaced = (box: Pt.PageBox) => !box.model || box.order !== box.model.order;

/** Of a gap's width; beside placed boxes less, so that many can follow each other. */
const STEP = 1 / 8;

/** A number between two others, with as few decimals as will do. */
function between(
  low: number,
  high: number,
  afterPlaced: boolean | undefined,
  beforePlaced: boolean | undefined,
) {
  if (low === -Infinity) return high === Infinity ? 1 : Math.ceil(high) - 1;
  if (high === Infinity) return Math.floor(low) + 1;
  const share = afterPlaced === beforePlaced ? 1 / 2 : afterPlaced ? STEP : 1 - STEP;
  const aim = low + (high - low) * share;
  for (let digits = 1; digits <= 12; digits += 1) {
    const number = Number(aim.toFixed(digits));
    if (low < number && number < high) return number;
  }
  return undefined;
}

/** Where the model had the elements that it numbered, each at a number of its own. */
function modelNumbers(boxes: Pt.PageBox[]): Map<string, number> {
  const groups: Map<number, string[]> = new Map();
  const elements = boxes.flatMap(({ id, model }) =>
    model && model.order !== null ? [{ id, order: model.order, rect: model.rect }] : [],
  );
  for (const { id, order } of fromTopToBottom(elements))
    groups
      .set(order, groups.get(order) ?? [])
      .get(order)
      ?.push(id);
  return new Map(
    [...groups].flatMap(([order, ids]) => ids.map((id, n) => [id, order + n / ids.length])),
  );
}
