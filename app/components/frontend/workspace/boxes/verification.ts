/** What a person does with elements: choose, accept, correct, undo, and go on to the next. */

import { effect } from "@preact/signals";
import { differences, getBox, lastChange, verdict } from "../../shared/box_state";
import type { Toasts } from "../../shared/components/Toast";
import { t } from "../../shared/messages";
import { ROUNDING_TOLERANCE } from "../../shared/page/rectangles";
import type { Readiness } from "../../shared/readiness";
import { finalOrder, orderAfter, standing } from "../../shared/reading_order";
import type { Commands } from "../commands";
import { pageUnit } from "../readiness/judged_units";
import type { Attempt } from "../state/attempt";
import { askToAccept } from "./AcceptDialog";
import type { BoxCommands } from "./box_commands";
import { listed } from "./element_order";

interface ElementWorkHost {
  attempt: Attempt;
  commands: Commands;
  boxes: BoxCommands;
  readiness: Readiness;
  toasts: Toasts;
  /** where dialogs are put */
  dialogs: Element;
  /** Hand over what is being typed about the selected box. */
  flush: () => void;
}

export class ElementWork {
  /** the box chosen last */
  private last: string | null = null;

  constructor(private readonly host: ElementWorkHost) {
    const { commands } = host;
    const { store } = host.attempt;
    // Elements of another task have the same ids.
    effect(() => {
      store.attempt.value;
      this.last = null;
    });
    effect(() => {
      this.last = store.selected.value ?? this.last;
    });
    const seeded = (run: () => boolean) => () => (this.seeded ? run() : false);
    commands.register(
      "acceptElement",
      seeded(() => this.acceptNext()),
    );
    commands.register("nextElement", () => this.step(1));
    commands.register("previousElement", () => this.step(-1));
    commands.register("earlier", () => this.moveByOne(-1));
    commands.register("later", () => this.moveByOne(1));
  }

  get data() {
    return this.attempt.store.data;
  }

  get attempt() {
    return this.host.attempt;
  }

  get readiness() {
    return this.host.readiness;
  }

  private get boxes() {
    return this.host.boxes;
  }

  private flush() {
    this.host.flush();
  }

  get seeded() {
    return this.data.protocol.boxes.enabled && this.data.protocol.boxes.seed;
  }

  get editable() {
    return this.attempt.mayEdit;
  }

  /** Choose a box in the list, on whichever page it is. */
  select(id: string) {
    if (this.boxes.show(id)) this.attempt.store.set({ held: id });
  }

  record<T extends keyof Pt.EventPayloads>(type: T, payload: Pt.EventPayloads[T]) {
    return this.editable ? this.attempt.record(type, payload) : null;
  }

  accept(box: Pt.PageBox, accepted: boolean) {
    this.flush();
    const seen = this.boxes.judge(box);
    if (seen) this.record("box_accepted", { box: box.id, accepted, ...seen });
  }

  setLabel(box: Pt.PageBox, label: string) {
    this.flush();
    this.boxes.label(label);
    if (this.data.selected === box.id) return;
    const seen = this.boxes.judge(box);
    if (seen) this.record("box_labelled", { box: box.id, label, ...seen });
  }

  /**
   * A typed rectangle: moved where it keeps its size. The log has two ways of moving a box, dragging
   * and nudging; typing is of the keyboard, as nudging is.
   */
  setRect(box: Pt.PageBox, rect: Pt.Rect) {
    const [mine, stored] = [rect, box.rect].map(([x0, y0, x1, y1]) => [x1 - x0, y1 - y0]);
    const kept = mine.every((side, i) => Math.abs(side - stored[i]) <= ROUNDING_TOLERANCE);
    if (!this.editable) return;
    if (kept) this.boxes.reshape("box_moved", { box: box.id, rect, how: "nudge" });
    else this.boxes.reshape("box_resized", { box: box.id, rect });
  }

  /** A text; of a box that was deleted meanwhile only the draft in this browser is left. */
  setContent(id: string, content: string) {
    const box = getBox(this.data.state.boxes, id);
    if (box && !box.deleted) this.record("box_content_edited", { box: id, content });
  }

  setOrder(box: Pt.PageBox, order: number | null) {
    this.record("box_ordered", { box: box.id, order });
  }

  /**
   * Put a box into the reading order right after another.
   * @param after null puts it first on its page
   */
  placeAfter(box: Pt.PageBox, after: string | null) {
    this.flush();
    const { protocol, state } = this.data;
    const now = getBox(state.boxes, box.id);
    if (!this.editable || !protocol.boxes.order || !now || now.deleted || after === now.id) return;
    const here = listed(state.boxes, protocol.boxes, now);
    const before = here[here.indexOf(now) - 1]?.id ?? null;
    if (before === after && standing(here).get(now.id) !== null) return;
    const order = orderAfter(here, now, after);
    if (order === undefined) {
      this.host.toasts.show({ text: t("No room between these two. Move one of them first.") });
      return;
    }
    this.setOrder(now, order);
    const places = finalOrder(listed(this.data.state.boxes, protocol.boxes, now));
    this.boxes.stage.announce(
      t("Number {place} of {number} in the reading order.", {
        place: places.get(now.id),
        number: places.size,
      }),
    );
  }

  /** The same by ids: a row was dragged. */
  dropAfter(id: string, after: string | null) {
    const box = getBox(this.data.state.boxes, id);
    if (box) this.placeAfter(box, after);
    this.select(id);
  }

  /** Move the selected box in the reading order by one. */
  moveByOne(by: 1 | -1) {
    const { selected, protocol, state } = this.data;
    const box = selected && getBox(state.boxes, selected);
    if (!box || box.deleted || !this.editable || !protocol.boxes.order) return false;
    const here = listed(state.boxes, protocol.boxes, box).filter(({ deleted }) => !deleted);
    const at = here.indexOf(box);
    if (here[at + by] && this.boxes.judge(box))
      this.placeAfter(box, here[by > 0 ? at + 1 : at - 2]?.id ?? null);
    return true;
  }

  /** Whether a key or click may change a box now. */
  mayJudge(box: Pt.PageBox) {
    return this.boxes.judge(box) !== null;
  }

  setAttributes(box: Pt.PageBox, attributes: Record<string, string>) {
    this.record("box_attributes_edited", { box: box.id, attributes });
  }

  /** Back to what the model said, by ordinary changes, so that each can be undone. */
  correctBack(box: Pt.PageBox) {
    this.flush();
    const now = getBox(this.data.state.boxes, box.id);
    const model = now?.model;
    const seen = now && this.boxes.judge(now);
    if (!now || !model || !seen) return;
    const changed = new Set(differences(now));
    if (changed.has("rect")) this.setRect(now, model.rect);
    if (changed.has("label") && model.label !== null)
      this.record("box_labelled", { box: box.id, label: model.label, ...seen });
    if (changed.has("content"))
      this.record("box_content_edited", { box: box.id, content: model.content ?? "" });
    if (changed.has("order")) this.setOrder(now, model.order);
    if (changed.has("attributes")) this.setAttributes(now, model.attributes);
  }

  duplicate() {
    this.flush();
    this.boxes.duplicate();
  }

  remove() {
    this.flush();
    this.boxes.remove();
    this.boxes.stage.pane.focus({ preventScroll: true });
  }

  /** Undo a deletion; only the last change of a page can be. */
  restore(box: Pt.PageBox) {
    const change = lastChange(this.data.state.boxes, "undo", box.document, box.page);
    if (change?.box !== box.id || change.after.deleted !== true) return;
    this.record("undone", { document: box.document, page: box.page, change: change.id });
    this.boxes.show(box.id);
  }

  /** All boxes in the order in which they are gone through, page by page. */
  sequence() {
    const { state, protocol, given_pages: given, page } = this.data;
    const places = [...(given ?? unique(state.boxes.boxes))];
    if (page && !places.some((place) => isAt(place, page))) places.push(page);
    return places.flatMap((place) => listed(state.boxes, protocol.boxes, place));
  }

  /** The box being worked on: the chosen one, else the one chosen last on this page. */
  get here() {
    const { selected, page, state } = this.data;
    if (selected) return selected;
    const last = this.last && getBox(state.boxes, this.last);
    return last && page && isAt(last, page) ? last.id : null;
  }

  /** Choose the next or previous box that is there; goes on over the pages. */
  step(by: number) {
    if (!this.data.protocol.boxes.enabled) return false;
    const boxes = this.sequence();
    const at = boxes.findIndex(({ id }) => id === this.here);
    const from = at < 0 ? this.pageStart(boxes) - (by > 0 ? 1 : 0) : at;
    for (let i = from + by; i >= 0 && i < boxes.length; i += by) {
      if (boxes[i].deleted) continue;
      this.boxes.show(boxes[i].id);
      return true;
    }
    return boxes.length > 0;
  }

  pageStart(boxes: Pt.PageBox[]) {
    const { page } = this.data;
    const at = page ? boxes.findIndex((box) => isAt(box, page)) : 0;
    return Math.max(0, at);
  }

  /** Accept the chosen element if it is open, and go on to the next open one, on any page. */
  acceptNext() {
    if (!this.editable) return false;
    this.flush();
    const { selected, state } = this.data;
    const box = selected && getBox(state.boxes, selected);
    if (box && verdict(box) === "open") {
      const seen = this.boxes.judge(box);
      if (!seen) return true;
      this.record("box_accepted", { box: box.id, accepted: true, ...seen });
    }
    const boxes = this.sequence();
    const at = boxes.findIndex(({ id }) => id === this.here);
    const from = at < 0 ? this.pageStart(boxes) : at + 1;
    const next = [...boxes.slice(from), ...boxes.slice(0, from)].find(
      (other) => verdict(other) === "open",
    );
    if (next) this.boxes.show(next.id);
    else this.host.toasts.show({ text: t("All elements are checked.") });
    return true;
  }

  /** Accept every open element of the page, after asking: one decision on a page that was seen. */
  acceptRemaining() {
    const { page, protocol, state } = this.data;
    if (!page || !this.editable) return;
    this.flush();
    const open = listed(state.boxes, protocol.boxes, page).filter((box) => verdict(box) === "open");
    const unit = pageUnit(page, "elements");
    if (!open.length || !this.host.readiness.judge(unit)) return;
    askToAccept(this.host.dialogs, open.length, page, () => {
      const seen = this.host.readiness.seen(unit.looks);
      this.attempt.together(() => {
        for (const { id } of open) {
          const box = getBox(this.data.state.boxes, id);
          if (box && verdict(box) === "open")
            this.record("box_accepted", { box: id, accepted: true, bulk: true, ...seen });
        }
      });
    });
  }
}

function isAt(box: Pt.Place, { document, page }: Pt.Place) {
  return box.document === document && box.page === page;
}

function unique(boxes: Pt.PageBox[]) {
  const places = new Map(
    boxes.map(({ document, page }) => [`${page}/${document}`, { document, page }]),
  );
  return [...places.values()];
}
