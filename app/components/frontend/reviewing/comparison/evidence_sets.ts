/**
 * Evidence as sets: which pages which people cited, and where that goes in a diagram. Two or
 * three people get circles, more a matrix of the combinations that occur; without DOM.
 */

/** Circles and the anchors of the regions (by who is in them), in an image of 100 × 60. */
const TWO = {
  circles: [
    { cx: 36, cy: 30, r: 26 },
    { cx: 64, cy: 30, r: 26 },
  ],
  anchors: { 0: [22, 30], 1: [78, 30], "0,1": [50, 30] },
};
const THREE = {
  circles: [
    { cx: 36, cy: 22, r: 20 },
    { cx: 64, cy: 22, r: 20 },
    { cx: 50, cy: 39, r: 20 },
  ],
  anchors: {
    0: [25, 17],
    1: [75, 17],
    2: [50, 52],
    "0,1": [50, 14],
    "0,2": [36, 36],
    "1,2": [64, 36],
    "0,1,2": [50, 28],
  },
};
const ONE = { circles: [{ cx: 50, cy: 30, r: 27 }], anchors: { 0: [50, 30] } };

type CitedPage = Pick<Pt.MarkedPage, "document" | "page" | "attempts">;

/** The pages that the same people cited. */
export interface PageGroup {
  key: string;
  /** places in the list of attempts */
  members: number[];
  pages: Pt.Place[];
}

/**
 * The pages by who cited them, the largest groups of people first.
 * @param attempts in the order of the columns
 */
export function combinations(evidence: CitedPage[], attempts: string[]): PageGroup[] {
  const groups = new Map<string, PageGroup>();
  for (const page of evidence) {
    const members = attempts
      .map((attempt, i) => (page.attempts.includes(attempt) ? i : -1))
      .filter((i) => i >= 0);
    if (!members.length) continue;
    const key = members.join(",");
    const group = groups.get(key) ?? { key, members, pages: [] };
    groups.set(key, group);
    group.pages.push(page);
  }
  return [...groups.values()].sort(
    (a, b) =>
      b.members.length - a.members.length ||
      b.pages.length - a.pages.length ||
      (a.key < b.key ? -1 : 1),
  );
}

/**
 * Circles and regions of up to three people.
 * @param attempts one to three
 * @returns in an image of 100 × 60; every region that there can be, empty ones too
 */
export function venn(
  evidence: CitedPage[],
  attempts: string[],
): {
  circles: { cx: number; cy: number; r: number }[];
  regions: { key: string; x: number; y: number; pages: Pt.Place[] }[];
} {
  const { circles, anchors } = [ONE, TWO, THREE][attempts.length - 1];
  const groups = new Map(combinations(evidence, attempts).map((group) => [group.key, group.pages]));
  const regions = Object.entries(anchors).map(([key, [x, y]]) => ({
    key,
    x,
    y,
    pages: groups.get(key) ?? [],
  }));
  return { circles, regions };
}
