/** A label's look beside its name: the sample of a box as it is drawn on the page. */

import { setAttr, svg } from "./dom";
import { looks } from "./label_palette";

const known = new WeakMap();

/** How boxes of that label look, see label_palette.ts; worked out once for a list of labels. */
export function lookOf(labels: { name: string }[], label: string | null) {
  if (!known.has(labels)) known.set(labels, looks(labels));
  return known.get(labels)(label);
}

/**
 * Make a swatch, or show another label in one.
 * @param labels the protocol's labels
 */
export function swatch(
  labels: { name: string }[] = [],
  label: string | null = null,
  node: SVGElement = empty(),
): SVGElement {
  const { line, dash } = lookOf(labels, label);
  const box = node.firstChild as Element;
  setAttr(box, "stroke", line);
  setAttr(box, "fill", line);
  setAttr(box, "stroke-dasharray", dash);
  return node;
}

function empty() {
  const box = svg("rect", {
    x: 1.5,
    y: 1.5,
    width: 15,
    height: 11,
    rx: 1,
    "stroke-width": 2.5,
    "fill-opacity": 0.18,
  });
  return svg(
    "svg",
    { class: "swatch", viewBox: "0 0 18 14", "aria-hidden": "true", focusable: "false" },
    box,
  );
}
