/**
 * Snapping of box edges to the words of a page: left edges to where words begin, right ones to
 * where they end, upper and lower ones to the lines' edges, among the words beside the box only.
 */

import { HANDLES, rounded, shortest } from "../../shared/page/rectangles";

const BESIDE = 12;

/**
 * @param handle the handle that is dragged; null while drawing: every edge snaps
 * @param words of the page
 * @param reach points within which an edge snaps
 * @param least smallest side of a box; an edge that would make it smaller does not snap
 */
export function snapped(
  rect: number[],
  handle: string | null,
  words: any[],
  reach: number,
  least: number,
): { rect: number[]; guides: Array<{ axis: "x" | "y"; at: number }> } {
  const [across, down] = handle ? HANDLES[handle] : [null, null];
  const next = [...rect];
  const guides: { axis: "x" | "y"; at: number }[] = [];
  const near = (a0: number, a1: number, b0: number, b1: number) =>
    a1 > b0 - BESIDE && a0 < b1 + BESIDE;
  const pull = (edge: number) => {
    const along = edge % 2; // 0: an edge across x, 1: one across y
    const [low, high] = [rect[1 - along], rect[3 - along]];
    let best = null;
    for (const word of words) {
      if (!near(word[1 - along], word[3 - along], low, high)) continue;
      const off = Math.abs(word[edge] - rect[edge]);
      if (off <= reach && (best === null || off < best.off)) best = { off, at: word[edge] };
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
  return shortest(result) >= least || handle ? { rect: result, guides } : { rect, guides: [] };
}
