/**
 * Snapping of box edges to the words of a page: left edges to where words begin, right ones to
 * where they end, upper and lower ones to the lines' edges, among the words beside the box only.
 */

import { HANDLES, rounded, shortest } from "../../shared/page/rectangles.js";

const BESIDE = 12;

/**
 * @param {number[]} rect
 * @param {string|null} handle the handle that is dragged; null while drawing: every edge snaps
 * @param {any[]} words of the page
 * @param {number} reach points within which an edge snaps
 * @param {number} least smallest side of a box; an edge that would make it smaller does not snap
 * @returns {{rect: number[], guides: Array<{axis: "x"|"y", at: number}>}}
 */
export function snapped(rect, handle, words, reach, least) {
  const [across, down] = handle ? HANDLES[handle] : [null, null];
  const next = [...rect];
  /** @type {{ axis: "x" | "y", at: number }[]} */
  const guides = [];
  const near = (
    /** @type {any} */ a0,
    /** @type {any} */ a1,
    /** @type {any} */ b0,
    /** @type {any} */ b1,
  ) => a1 > b0 - BESIDE && a0 < b1 + BESIDE;
  const pull = (/** @type {any} */ edge) => {
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
