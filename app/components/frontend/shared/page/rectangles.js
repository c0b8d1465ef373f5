/**
 * Rectangles on a page, without DOM: [x0, y0, x1, y1] in page points, as in page_geometry.js. What is
 * recorded is ordered, inside the page and rounded to a hundredth of a point, like the server's.
 */

/** @type {Record<string, [number, number]>} handles of a box: which edges each one moves (-1 the first, 1 the second, 0 neither) */
export const HANDLES = {
  nw: [-1, -1],
  n: [0, -1],
  ne: [1, -1],
  e: [1, 0],
  se: [1, 1],
  s: [0, 1],
  sw: [-1, 1],
  w: [-1, 0],
};

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** Rounded as the server stores it. @param {number[]} rect */
export function rounded(rect) {
  return rect.map(round);
}

/** Whether two rectangles are the same. @param {number[]} a @param {number[]} b */
export function same(a, b) {
  return a.every((value, i) => value === b[i]);
}

/**
 * The rectangle between two corners, clipped to the page.
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @param {[number, number]} size page size
 * @returns {number[]} may be empty: x0 == x1 or y0 == y1
 */
export function between(a, b, [width, height]) {
  return rounded([
    clamp(Math.min(a.x, b.x), 0, width),
    clamp(Math.min(a.y, b.y), 0, height),
    clamp(Math.max(a.x, b.x), 0, width),
    clamp(Math.max(a.y, b.y), 0, height),
  ]);
}

/** Width or height, whichever is less. @param {number[]} given */
export function shortest([x0, y0, x1, y1]) {
  return round(Math.min(x1 - x0, y1 - y0));
}

/**
 * Moved as far as the page lets it; the size stays.
 * @param {number[]} rect
 * @param {number} dx
 * @param {number} dy
 * @param {[number, number]} size
 * @returns {number[]}
 */
export function moved([x0, y0, x1, y1], dx, dy, [width, height]) {
  // A given box may stick out of the page by a rounding: it must not jump when it is moved.
  const x = clamp(x0 + dx, Math.min(0, x0), Math.max(width - (x1 - x0), x0));
  const y = clamp(y0 + dy, Math.min(0, y0), Math.max(height - (y1 - y0), y0));
  return rounded([x, y, x + (x1 - x0), y + (y1 - y0)]);
}

/**
 * Resized by one handle: its edges go to the point, but not off the page and not nearer to the
 * opposite edge than the smallest size.
 * @param {number[]} rect
 * @param {string} handle a key of {@link HANDLES}
 * @param {{x: number, y: number}} point where the handle's edges go
 * @param {[number, number]} size
 * @param {number} least smallest width and height
 * @returns {number[]}
 */
export function resized(rect, handle, point, size, least) {
  const [across, down] = HANDLES[handle];
  const next = [...rect];
  const edge = (
    /** @type {number} */ direction,
    /** @type {number} */ first,
    /** @type {number} */ value,
    /** @type {number} */ limit,
  ) => {
    const floor = Math.min(least, rect[first + 2] - rect[first]);
    if (direction < 0) next[first] = clamp(value, 0, next[first + 2] - floor);
    if (direction > 0) next[first + 2] = clamp(value, next[first] + floor, limit);
  };
  edge(across, 0, point.x, size[0]);
  edge(down, 1, point.y, size[1]);
  return rounded(next);
}

/** Where a handle sits: [x, y] in points. @param {number[]} given @param {string} handle */
export function handlePoint([x0, y0, x1, y1], handle) {
  const [across, down] = HANDLES[handle];
  const at = (
    /** @type {number} */ direction,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => (direction < 0 ? low : direction > 0 ? high : (low + high) / 2);
  return [at(across, x0, x1), at(down, y0, y1)];
}

/** The smallest rectangle around all. @param {Pt.Rect[]} rects */
export function around(rects) {
  return rounded([
    Math.min(...rects.map((r) => r[0])),
    Math.min(...rects.map((r) => r[1])),
    Math.max(...rects.map((r) => r[2])),
    Math.max(...rects.map((r) => r[3])),
  ]);
}

/**
 * Larger by a margin all around, but not larger than the page.
 * @param {number[]} given
 * @param {number} margin
 * @param {[number, number]} given
 */
export function grown([x0, y0, x1, y1], margin, [width, height]) {
  return rounded([
    Math.max(0, x0 - margin),
    Math.max(0, y0 - margin),
    Math.min(width, x1 + margin),
    Math.min(height, y1 + margin),
  ]);
}

/** @param {number[]} given */
const area = ([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0);

/**
 * Whether the point is inside, or at most `reach` outside.
 * @param {number[]} given
 * @param {Pt.Point} point
 */
export function contains([x0, y0, x1, y1], { x, y }, reach = 0) {
  return x >= x0 - reach && x <= x1 + reach && y >= y0 - reach && y <= y1 + reach;
}

/**
 * Whether the point is at most `reach` from one of the edges.
 * @param {Pt.Rect} rect
 * @param {Pt.Point} point
 * @param {number} reach
 */
export function onBorder(rect, { x, y }, reach) {
  if (!contains(rect, { x, y }, reach)) return false;
  const [x0, y0, x1, y1] = rect;
  const inner = Math.min(reach, (x1 - x0) / 3, (y1 - y0) / 3);
  return !(x > x0 + inner && x < x1 - inner && y > y0 + inner && y < y1 - inner);
}

/**
 * The boxes under a point, smallest first; of equal ones the later drawn.
 * @param {Array<{rect: number[]}>} boxes
 * @param {{x: number, y: number}} point
 * @param {number} reach points around a border that still count
 */
export function under(boxes, point, reach) {
  return boxes
    .map((box, index) => ({ box, index, area: area(box.rect) }))
    .filter(({ box }) => contains(box.rect, point, reach))
    .sort((a, b) => a.area - b.area || b.index - a.index)
    .map(({ box }) => box);
}

/**
 * What a step on the screen is on the page, with the sheet turned clockwise by `rotation`.
 * @param {number} dx to the right on the screen
 * @param {number} dy down on the screen
 * @param {number} rotation 0, 90, 180 or 270
 * @returns {[number, number]} on the page
 */
export function pageStep(dx, dy, rotation) {
  // Without the + 0 a step of none would be -0.
  /** @type {Record<number, number[]>} */
  const ways = { 0: [dx, dy], 90: [dy, -dx], 180: [-dx, -dy], 270: [-dy, dx] };
  const [x, y] = ways[rotation];
  return [x + 0, y + 0];
}

/**
 * The way a handle points on the screen of a turned sheet.
 * @param {string} handle a key of {@link HANDLES}
 * @param {number} rotation
 * @returns {string} a key of {@link HANDLES}
 */
export function shownHandle(handle, rotation) {
  const names = Object.keys(HANDLES);
  return names[(names.indexOf(handle) + rotation / 45) % 8];
}

/** Boxes in reading order: by line, then from left to right. @param {any[]} boxes of any kind */
export function inOrder(boxes) {
  return [...boxes].sort((a, b) => a.rect[1] - b.rect[1] || a.rect[0] - b.rect[0]);
}
