/** A label's look beside its name: the sample of a box as it is drawn on the page. */

import { looks } from "./label_palette";

const known = new WeakMap();

/** How boxes of that label look, see label_palette.ts; worked out once for a list of labels. */
export function lookOf(labels: { name: string }[], label: string | null) {
  if (!known.has(labels)) known.set(labels, looks(labels));
  return known.get(labels)(label);
}
