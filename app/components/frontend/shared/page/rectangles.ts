/**
 * Rectangles on a page, without DOM: [x0, y0, x1, y1] in page points, as in page_geometry.ts. What is
 * recorded is ordered, inside the page and rounded to a hundredth of a point, like the server's.
 */

/** handles of a box: which edges each one moves (-1 the first, 1 the second, 0 neither) */
export const HANDLES: Record<string, [number, number]> = {
  nw: [-1, -1],
  n: [0, -1],
  ne: [1, -1],
  e: [1, 0],
  se: [1, 1],
  s: [0, 1],
  sw: [-1, 1],
  w: [-1, 0],
};

const round = (value: number) => Math.round(value * 100) / 100;
export const clamp = (value: number, low: number, high: number) =>
  Math.min(Math.max(value, low), high);

/** Points: more than rounding to hundredths changes a position or a size by. */
export const ROUNDING_TOLERANCE = 0.05;

/** Rounded as the server stores it. */
export function rounded([x0, y0, x1, y1]: number[]): Pt.Rect {
  return [round(x0), round(y0), round(x1), round(y1)];
}

/** Whether two rectangles are the same. */
export function rectsEqual(a: number[], b: number[]) {
  return a.every((value, i) => value === b[i]);
}

/**
 * The rectangle between two corners, clipped to the page.
 * @param size page size
 * @returns may be empty: x0 == x1 or y0 == y1
 */
export function rectBetween(
  a: { x: number; y: number },
  b: { x: number; y: number },
  [width, height]: [number, number],
): Pt.Rect {
  return rounded([
    clamp(Math.min(a.x, b.x), 0, width),
    clamp(Math.min(a.y, b.y), 0, height),
    clamp(Math.max(a.x, b.x), 0, width),
    clamp(Math.max(a.y, b.y), 0, height),
  ]);
}

/** Width or height, whichever is less. */
export function shorterSide([x0, y0, x1, y1]: number[]) {
  return round(Math.min(x1 - x0, y1 - y0));
}

/** Moved as far as the page lets it; the size stays. */
export function moved(
  [x0, y0, x1, y1]: number[],
  dx: number,
  dy: number,
  [width, height]: [number, number],
): Pt.Rect {
  // A given box may stick out of the page by a rounding: it must not jump when it is moved.
  const x = clamp(x0 + dx, Math.min(0, x0), Math.max(width - (x1 - x0), x0));
  const y = clamp(y0 + dy, Math.min(0, y0), Math.max(height - (y1 - y0), y0));
  return rounded([x, y, x + (x1 - x0), y + (y1 - y0)]);
}

/**
 * Resized by one handle: its edges go to the point, but not off the page and not nearer to the
 * opposite edge than the smallest size.
 * @param handle a key of {@link HANDLES}
 * @param point where the handle's edges go
 * @param least smallest width and height
 */
export function resized(
  rect: number[],
  handle: string,
  point: { x: number; y: number },
  size: [number, number],
  least: number,
): Pt.Rect {
  const [across, down] = HANDLES[handle];
  const next = [...rect];
  const edge = (direction: number, first: number, value: number, limit: number) => {
    const floor = Math.min(least, rect[first + 2] - rect[first]);
    if (direction < 0) next[first] = clamp(value, 0, next[first + 2] - floor);
    if (direction > 0) next[first + 2] = clamp(value, next[first] + floor, limit);
  };
  edge(across, 0, point.x, size[0]);
  edge(down, 1, point.y, size[1]);
  return rounded(next);
}

/** Where a handle sits: [x, y] in points. */
export function handlePoint([x0, y0, x1, y1]: number[], handle: string) {
  const [across, down] = HANDLES[handle];
  const at = (direction: number, low: number, high: number) =>
    direction < 0 ? low : direction > 0 ? high : (low + high) / 2;
  return [at(across, x0, x1), at(down, y0, y1)];
}

/** The smallest rectangle around all. */
export function boundingRect(rects: Pt.Rect[]): Pt.Rect {
  return rounded([
    Math.min(...rects.map((r) => r[0])),
    Math.min(...rects.map((r) => r[1])),
    Math.max(...rects.map((r) => r[2])),
    Math.max(...rects.map((r) => r[3])),
  ]);
}

/** Larger by a margin all around, but not larger than the page. */
export function expanded(
  [x0, y0, x1, y1]: number[],
  margin: number,
  [width, height]: [number, number],
) {
  return rounded([
    Math.max(0, x0 - margin),
    Math.max(0, y0 - margin),
    Math.min(width, x1 + margin),
    Math.min(height, y1 + margin),
  ]);
}

/** At least that wide and high, around the same middle but not off the page. */
export function withMinimumSize(
  [x0, y0, x1, y1]: number[],
  least: number,
  [width, height]: [number, number],
): Pt.Rect {
  const [across, down] = [Math.max(least, x1 - x0), Math.max(least, y1 - y0)];
  const x = clamp((x0 + x1 - across) / 2, 0, Math.max(width - across, 0));
  const y = clamp((y0 + y1 - down) / 2, 0, Math.max(height - down, 0));
  return rounded([x, y, x + across, y + down]);
}

/** The edge that a step on a turned sheet moves, as a key of {@link HANDLES}: right or lower. */
export function edgeOfStep(dx: number, rotation: number): string {
  const [x, y] = dx ? pageStep(1, 0, rotation) : pageStep(0, 1, rotation);
  return x > 0 ? "e" : x < 0 ? "w" : y > 0 ? "s" : "n";
}

const area = ([x0, y0, x1, y1]: number[]) => (x1 - x0) * (y1 - y0);

/** Whether the point is inside, or at most `reach` outside. */
export function contains([x0, y0, x1, y1]: number[], { x, y }: Pt.Point, reach = 0) {
  return x >= x0 - reach && x <= x1 + reach && y >= y0 - reach && y <= y1 + reach;
}

/** Whether the point is at most `reach` from one of the edges. */
export function isOnBorder(rect: Pt.Rect, { x, y }: Pt.Point, reach: number) {
  if (!contains(rect, { x, y }, reach)) return false;
  const [x0, y0, x1, y1] = rect;
  const inner = Math.min(reach, (x1 - x0) / 3, (y1 - y0) / 3);
  return !(x > x0 + inner && x < x1 - inner && y > y0 + inner && y < y1 - inner);
}

/**
 * The boxes under a point, smallest first; of equal ones the later drawn.
 * @param reach points around a border that still count
 */
export function boxesAtPoint<Box extends { rect: number[] }>(
  boxes: Box[],
  point: Pt.Point,
  reach: number,
): Box[] {
  return boxes
    .map((box, index) => ({ box, index, area: area(box.rect) }))
    .filter(({ box }) => contains(box.rect, point, reach))
    .sort((a, b) => a.area - b.area || b.index - a.index)
    .map(({ box }) => box);
}

/**
 * What a step on the screen is on the page, with the sheet turned clockwise by `rotation`.
 * @param dx to the right on the screen
 * @param dy down on the screen
 * @param rotation 0, 90, 180 or 270
 * @returns on the page
 */
export function pageStep(dx: number, dy: number, rotation: number): [number, number] {
  // Without the + 0 a step of none would be -0.
  const ways: Record<number, number[]> = {
    0: [dx, dy],
    90: [dy, -dx],
    180: [-dx, -dy],
    270: [-dy, dx],
  };
  const [x, y] = ways[rotation];
  return [x + 0, y + 0];
}

/**
 * The way a handle points on the screen of a turned sheet.
 * @param handle a key of {@link HANDLES}
 * @returns a key of {@link HANDLES}
 */
export function shownHandle(handle: string, rotation: number): string {
  const names = Object.keys(HANDLES);
  return names[(names.indexOf(handle) + rotation / 45) % 8];
}

/**
 * Boxes from top to bottom, at the same height from left to right.
 */
export function fromTopToBottom<Box extends { rect: number[] }>(boxes: Box[]) {
  return [...boxes].sort((a, b) => a.rect[1] - b.rect[1] || a.rect[0] - b.rect[0]);
}
