/**
 * Geometry of a displayed page, without DOM. Points are PDF points (1/72 inch) on the page as
 * displayed by the document: origin top-left, x to the right, y down. The view may turn the sheet
 * clockwise by `rotation`; `frame` is the turned sheet's rectangle on screen, in client pixels.
 */

export const PX_PER_POINT = 96 / 72;
const MIN_ZOOM = 50;
const MAX_ZOOM = 400;
const STEPS = [50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, 350, 400];

/**
 * Size after turning.
 * @param size [width, height]
 * @param rotation 0, 90, 180 or 270
 */
export function turned([width, height]: [number, number], rotation: number): [number, number] {
  return rotation % 180 === 0 ? [width, height] : [height, width];
}

/**
 * Client coordinates → page points.
 * @param size page size in points, unturned
 * @returns may be outside the page; clip where it matters
 */
export function toPagePoint(
  client: { x: number; y: number },
  frame: { left: number; top: number; width: number; height: number },
  size: [number, number],
  rotation: number,
): { x: number; y: number } {
  const u = (client.x - frame.left) / frame.width;
  const v = (client.y - frame.top) / frame.height;
  const ways = { 0: [u, v], 90: [v, 1 - u], 180: [1 - u, 1 - v], 270: [1 - v, u] };
  const [a, b] = (ways as Record<number, number[]>)[rotation];
  return { x: a * size[0], y: b * size[1] };
}

/**
 * /**
 *  * Page points → client coordinates; the inverse of {@link toPagePoint}.
 *  *
 */
export function toClientPoint(
  point: { x: number; y: number },
  frame: { left: number; top: number; width: number; height: number },
  size: [number, number],
  rotation: number,
): { x: number; y: number } {
  const a = point.x / size[0];
  const b = point.y / size[1];
  const ways = { 0: [a, b], 90: [1 - b, a], 180: [1 - a, 1 - b], 270: [b, 1 - a] };
  const [u, v] = (ways as Record<number, number[]>)[rotation];
  return { x: frame.left + u * frame.width, y: frame.top + v * frame.height };
}

/**
 * The zoom that fits a page into a pane.
 * @param size points, as turned
 * @param pane CSS pixels available
 * @returns percent
 */
export function fitZoom(
  fit: string,
  size: [number, number],
  pane: { width: number; height: number },
): number {
  const across = pane.width / (size[0] * PX_PER_POINT);
  const down = pane.height / (size[1] * PX_PER_POINT);
  const zoom = 100 * (fit === "page" ? Math.min(across, down) : across);
  return Math.min(MAX_ZOOM, Math.max(10, zoom));
}

/**
 * The next round zoom step.
 * @param zoom percent
 */
export function zoomStep(zoom: number, direction: 1 | -1): number {
  if (direction > 0) return STEPS.find((step) => step > zoom + 0.5) ?? MAX_ZOOM;
  return [...STEPS].reverse().find((step) => step < zoom - 0.5) ?? MIN_ZOOM;
}

/**
 * Limit a zoom to what may be chosen by hand.
 * @param zoom percent
 */
export function clampZoom(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
}

/** The image of a page that suits the size in which it is shown. */
export interface Resolution {
  /** what the server is asked for */
  dpi: number;
  /** what it is reduced to, width and height; null to keep all pixels */
  pixels: [number, number] | null;
}

/**
 * The resolution to ask the server for: at most twice of what is shown.
 * @param zoom percent
 * @param pixelRatio device pixels per CSS pixel
 */
export function dpiFor(zoom: number, pixelRatio: number): number {
  const shown = (zoom / 100) * 96 * pixelRatio;
  return [40, 75].find((dpi) => dpi >= shown) ?? (shown > 180 ? 220 : 150);
}

/**
 * The image of a page that is shown in this zoom: one pixel per device pixel, if the server's image
 * has as many.
 * @param size points
 * @param zoom percent
 * @param pixelRatio device pixels per CSS pixel
 */
export function resolutionFor(
  size: Pt.Size,
  zoom: number,
  pixelRatio: number,
  dpi: number = dpiFor(zoom, pixelRatio),
): Resolution {
  const [width, height] = shownSize(size, zoom, pixelRatio);
  const pixels: Pt.Size = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
  return { dpi, pixels: pixels[0] < (size[0] * dpi) / 72 ? pixels : null };
}

/**
 * A page's size on screen in CSS pixels, unturned; whole device pixels, so that its image is not
 * resampled.
 */
export function shownSize(size: Pt.Size, zoom: number, pixelRatio: number): Pt.Size {
  const [width, height] = size.map(
    (points) => Math.round(((points * PX_PER_POINT * zoom) / 100) * pixelRatio) / pixelRatio,
  );
  return [width, height];
}

/**
 * The CSS transform that turns a sheet inside its frame.
 * @param width of the frame in pixels
 */
export function sheetTransform(width: number, height: number, rotation: number) {
  const transforms: Record<number, string> = {
    0: "none",
    90: `translateX(${width}px) rotate(90deg)`,
    180: `translate(${width}px, ${height}px) rotate(180deg)`,
    270: `translateY(${height}px) rotate(270deg)`,
  };
  return transforms[rotation];
}

const NEAR = 24;

/**
 * By how much to scroll so that a stretch from low to high is in view.
 * @param start of the view
 * @param length of the view
 */
export function scrollShift(low: number, high: number, start: number, length: number) {
  const [before, after] = [low - start - NEAR, high - start - length + NEAR];
  if (before * after <= 0) return 0; // all of it in view, or nothing else
  return Math.abs(before) < Math.abs(after) ? before : after;
}

/**
 * Where a rectangle is in the frame of a turned sheet: edges as parts of the frame's width and
 * height, and these in CSS pixels.
 * @param scale CSS pixels per point
 */
export function placeInFrame(
  [x0, y0, x1, y1]: number[],
  size: Pt.Size,
  rotation: number,
  scale: number,
) {
  const unit = { left: 0, top: 0, width: 1, height: 1 };
  const a = toClientPoint({ x: x0, y: y0 }, unit, size, rotation);
  const b = toClientPoint({ x: x1, y: y1 }, unit, size, rotation);
  const [width, height] = turned(size, rotation);
  return {
    left: Math.min(a.x, b.x),
    right: Math.max(a.x, b.x),
    top: Math.min(a.y, b.y),
    bottom: Math.max(a.y, b.y),
    width: width * scale,
    height: height * scale,
  };
}
