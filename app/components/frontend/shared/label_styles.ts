/** A label's look beside its name: the sample of a box as it is drawn on the page. */

import { looks } from "./label_palette";

const known = new WeakMap<{ name: string }[], (label: string | null) => Pt.Look>();

/** How boxes of that label look, see label_palette.ts; worked out once for a list of labels. */
export function lookOf(labels: { name: string }[], label: string | null) {
  const look = known.get(labels) ?? looks(labels);
  known.set(labels, look);
  return look(label);
}
