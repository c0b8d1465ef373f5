/** Tells how long it took from a click or key to the painted page. */

/**
 * @param stamp when it was asked for, on performance.now()'s clock
 * @param now when it was painted
 */
export function reportTurn({ document, page }: Pt.OpenPage, stamp: number, now: number) {
  const detail = { document, page, ms: now - stamp };
  performance.measure("pagetrail:turn", { start: Math.min(stamp, now), end: now, detail });
  window.dispatchEvent(new CustomEvent("pagetrail:painted", { detail }));
}
