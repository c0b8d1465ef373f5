/**
 * Boxes that were drawn before their page may have any: kept in this browser until it may.
 */

import { read, write } from "../../shared/browser_store";
import { samePlace } from "../../shared/places";
import type { Attempt } from "../state/attempt";
import { formOf } from "../state/form_state";
import { drawRefusal } from "./drawing_rules";

export interface PendingBox {
  id: string;
  document: string;
  page: number;
  rect: Pt.Rect;
  label: string;
  how: Pt.BoxDrawn["how"];
  /** what decided about the page's boxes when it was drawn, as JSON: it counts once this changes */
  decided: string;
}

export class PendingBoxes {
  private loaded = "";

  constructor(private readonly attempt: Attempt) {}

  private get data() {
    return this.attempt.store.data;
  }

  /** Take up those that were kept for the attempt on screen. */
  load() {
    const { attempt } = this.data;
    if (attempt === this.loaded) return;
    this.loaded = attempt;
    const kept: PendingBox[] = read("local", entry(attempt)) ?? [];
    this.attempt.store.set({ pendingBoxes: kept });
  }

  /** Those of the open page. */
  get ofPage() {
    const { page, pendingBoxes } = this.data;
    return pendingBoxes.filter((box) => samePlace(page, box));
  }

  add(box: Omit<PendingBox, "id" | "decided">) {
    const id = `pending-${this.attempt.nextId()}`;
    this.keep([...this.data.pendingBoxes, { ...box, id, decided: this.decides(box) }]);
  }

  remove(boxes: readonly PendingBox[]) {
    this.keep(this.data.pendingBoxes.filter((box) => !boxes.includes(box)));
  }

  /** Those of the open page that count from now on. */
  get counting() {
    const form = formOf(this.data);
    return this.ofPage.filter(
      (box) => box.decided !== this.decides(box) && drawRefusal(form, box) === null,
    );
  }

  private decides({ document, page }: Pt.Place) {
    const form = formOf(this.data);
    const spec = form.field(form.protocol.boxes.when?.field ?? "");
    return JSON.stringify(spec && form.value(spec, { document, page, box: null }));
  }

  private keep(boxes: PendingBox[]) {
    write("local", entry(this.data.attempt), boxes.length ? boxes : null);
    this.attempt.store.set({ pendingBoxes: boxes });
  }
}

const entry = (attempt: string) => `pending-boxes:${attempt}`;
