/** Tells how long it took from a click or key to the painted page. */

/**
 * @param {Pt.OpenPage} target
 * @param {number} stamp when it was asked for, on performance.now()'s clock
 * @param {number} now when it was painted
 */
export function reportTurn({ document, page }, stamp, now) {
  const detail = { document, page, ms: now - stamp };
  performance.measure("pagetrail:turn", { start: Math.min(stamp, now), end: now, detail });
  window.dispatchEvent(new CustomEvent("pagetrail:painted", { detail }));
}
