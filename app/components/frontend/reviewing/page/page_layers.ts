/** Whose boxes are on the open page; without DOM. */

import { samePlace } from "../../shared/places";
import type { ReviewStore } from "../store";

const GOLD = "gold";

/** The boxes of one person, a model's draft or the gold draft on the open page. */
export interface PageLayer {
  /** an attempt, or the gold's */
  key: string;
  /** the column of the person or draft; empty for the gold draft */
  number: string;
  name: string;
  boxes: Pt.ReviewedBox[];
  /** null for the gold draft */
  look: Pt.Look | null;
  /** ids of the boxes that are in the draft */
  chosen: Set<string>;
}

export function peopleLayers(store: ReviewStore): PageLayer[] {
  const look = store.look.value;
  return store.versions.value.map(({ attempt, name, boxes }, i) => ({
    key: attempt,
    number: String(i + 1),
    name,
    boxes: onOpenPage(store, boxes),
    look: look(attempt),
    chosen: new Set(store.chosenBoxes.value.filter(([of]) => of === attempt).map(([, id]) => id)),
  }));
}

export function goldLayer(store: ReviewStore): PageLayer {
  return {
    key: GOLD,
    number: "",
    name: store.goldName.value,
    boxes: onOpenPage(store, store.draft.value.boxes),
    look: null,
    chosen: new Set(),
  };
}

function onOpenPage(store: ReviewStore, boxes: Pt.ReviewedBox[]) {
  return boxes.filter((box) => samePlace(box, store.page.value));
}
