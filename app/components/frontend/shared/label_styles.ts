/** How boxes with a label look, and what their label is called in the reader's language. */

import { looks } from "./label_palette";

const known = new WeakMap<{ name: string }[], (label: string | null) => Pt.Look>();

/** How boxes of that label look, see label_palette.ts; worked out once for a list of labels. */
export function lookOf(labels: { name: string }[], label: string | null) {
  const look = known.get(labels) ?? looks(labels);
  known.set(labels, look);
  return look(label);
}

/** A label as it is shown; null for a box without one. */
export function labelTitle(labels: { name: string; title: string }[], label: string | null) {
  return labels.find(({ name }) => name === label)?.title ?? label;
}
