/** How people look: a colour and a line each, by their column; and the gold draft's own. */

import { svg } from "../shared/dom";
import { looks } from "../shared/label_palette";

export const GOLD = "gold";

/** @param participants submitted ones, in the order of the columns */
export function peopleLooks(participants: Pt.Participant[]): Pt.ReviewView["look"] {
  return looks(participants.map(({ attempt }) => ({ name: attempt })));
}

/** A sample of somebody's line. */
export function lineSwatch({ line, dash }: Pt.Look) {
  return svg(
    "svg",
    { class: "line-swatch", viewBox: "0 0 28 14", "aria-hidden": "true", focusable: "false" },
    svg("rect", {
      x: 2,
      y: 2,
      width: 24,
      height: 10,
      rx: 1,
      stroke: line,
      fill: line,
      "fill-opacity": 0.14,
      "stroke-width": 2.5,
      "stroke-dasharray": dash,
    }),
  );
}

/** The gold draft's line: dark with a light rim, which nobody has. */
export function goldSwatch() {
  return svg(
    "svg",
    { class: "line-swatch", viewBox: "0 0 28 14", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "gold-rim", x: 2, y: 2, width: 24, height: 10 }),
    svg("rect", { class: "gold-line", x: 2, y: 2, width: 24, height: 10 }),
  );
}
