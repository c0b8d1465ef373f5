/**
 * Snapping of box edges to the words of a page: left edges to where words begin, right ones to
 * where they end, upper and lower ones to the lines' edges, among the words beside the box only.
 */

import { HANDLES, rounded, shorterSide } from "../../shared/page/rectangles";

const BESIDE = 12;

/**
 * @param handle the handle that is dragged; null while drawing: every edge snaps
 * @param words of the page
 * @param reach points within which an edge snaps
 * @param least smallest side of a box; an edge that would make it smaller does not snap
 */
export function snapped(
  rect: Pt.Rect,
  handle: string | null,
  words: Pt.Word[],
  reach: number,
  least: number,
): { rect: Pt.Rect; guides: Array<{ axis: "x" | "y"; at: number }> } {
  const [across, down] = handle ? HANDLES[handle] : [null, null];
  const next: Pt.Rect = [...rect];
  const guides: { axis: "x" | "y"; at: number }[] = [];
  const near = (a0: number, a1: number, b0: number, b1: number) =>
    a1 > b0 - BESIDE && a0 < b1 + BESIDE;
  const pull = (edge: 0 | 1 | 2 | 3) => {
    const along = edge % 2; // 0: an edge across x, 1: one across y
    const [low, high] = [rect[1 - along], rect[3 - along]];
    let best = null;
    for (const [x0, y0, x1, y1] of words) {
      const word = [x0, y0, x1, y1];
      if (!near(word[1 - along], word[3 - along], low, high)) continue;
      const at = word[edge];
      const off = Math.abs(at - rect[edge]);
      if (off <= reach && (best === null || off < best.off)) best = { off, at };
    }
    if (!best) return;
    const before = next[edge];
    next[edge] = best.at;
    if (next[2 + along] - next[along] < least) next[edge] = before;
    else guides.push({ axis: along ? "y" : "x", at: best.at });
  };
  if (across === null || across < 0) pull(0);
  if (across === null || across > 0) pull(2);
  if (down === null || down < 0) pull(1);
  if (down === null || down > 0) pull(3);
  const result = rounded(next);
  return shorterSide(result) >= least || handle ? { rect: result, guides } : { rect, guides: [] };
}
