/** The list of the boxes on the open page: a model's elements with what became of them, or one's own. */

import { boxesOn, lastChange, verdict } from "../../shared/box_state";
import { h, plural, setText } from "../../shared/dom";
import { inOrder } from "../../shared/page/rectangles";
import { finalOrder, inReadingOrder } from "../../shared/reading_order";
import { formOf } from "../state/form_state";
import { Row } from "./element_row";
import { RowDragging } from "./row_dragging";

/**
 * The boxes of a page, deleted ones included, as they are to be gone through: by the reading order
 * where boxes have one, else from top to bottom.
 * @param boxes the state's boxes
 * @param part the protocol's boxes
 */
export function listed(
  boxes: { boxes: any[] },
  part: Pt.BoxesPart,
  { document, page }: { document: string; page: number },
): any[] {
  const here = boxes.boxes.filter((box) => box.document === document && box.page === page);
  return part.order ? inReadingOrder(here) : inOrder(here);
}

/** How many of a model's elements have been judged. */
export function checked(boxes: Pt.PageBox[]): { done: number; total: number } {
  const given = boxes.filter((box) => box.model);
  return { done: given.filter((box) => verdict(box) !== "open").length, total: given.length };
}

export class ElementList {
  actions: Pt.Actions;
  rows: Map<any, any>;
  seen: any[] | null;
  title: HTMLHeadingElement;
  count: HTMLSpanElement;
  fillBar: HTMLSpanElement;
  bar: HTMLDivElement;
  task: HTMLParagraphElement;
  rest: HTMLButtonElement;
  empty: HTMLParagraphElement;
  list: HTMLOListElement;
  dragging: RowDragging;
  element: HTMLElement;
  stop: any;

  shown: any;

  /** @param actions select(id), restore(box), acceptRemaining(), put(id, after) */
  constructor(actions: Pt.Actions) {
    this.actions = actions;
    this.rows = new Map();
    this.seen = null;
    this.title = h("h2", {});
    this.count = h("span", {
      class: "count quiet number",
      testid: "elements-count",
      role: "status",
    });
    this.fillBar = h("span", { class: "bar-fill" });
    this.bar = h("div", { class: "bar", "aria-hidden": "true" }, this.fillBar);
    this.task = h("p", { class: "caption", testid: "elements-task" });
    this.rest = h("button", {
      class: "button small",
      testid: "accept-remaining",
      on: { click: () => actions.acceptRemaining() },
    });
    this.empty = h("p", { class: "empty-line caption" });
    this.list = h("ol", { class: "element-list", "data-keys": "ArrowUp ArrowDown Home End" });
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.dragging = new RowDragging(this.list, {
      enabled: () => this.list.classList.contains("sortable"),
      drop: (id, after) => actions.put(id, after),
    });
    this.element = h(
      "section",
      { class: "elements stack", testid: "elements", "aria-label": "Elements" },
      h("div", { class: "elements-head line" }, this.title, this.count),
      this.bar,
      h("div", { class: "elements-foot line spread" }, this.task, this.rest),
      this.empty,
      this.list,
    );
  }

  /** Show the store's values. */
  update(data: Pt.WorkspaceData, readOnly: boolean) {
    const { state, protocol, page, selected } = data;
    const takes = !page || formOf(data).mayHaveBoxes(page.document, page.page);
    const key = [state.boxes, protocol, page?.document, page?.page, selected, readOnly, takes];
    if (this.seen?.every((value, i) => value === key[i])) return;
    this.seen = key;
    const part = protocol.boxes;
    const boxes = page ? listed(state.boxes, part, page) : [];
    this.progress(state, part, page, boxes, readOnly);
    this.showEmpty(protocol, page, boxes.length, takes);
    const changed = page && lastChange(state.boxes, "undo", page.document, page.page);
    const places = part.order ? finalOrder(boxes) : null;
    this.list.classList.toggle("sortable", part.order && !readOnly);
    this.place(boxes);
    boxes.forEach((box, i) => {
      const restorable = box.deleted && changed?.box === box.id && changed.after.deleted === true;
      const number = places ? (places.get(box.id) ?? "–") : i + 1;
      this.rows.get(box.id).show(box, { number, part, selected, restorable, readOnly });
    });
    this.showSelected(selected);
  }

  progress(
    state: Pt.AttemptState,
    part: Pt.BoxesPart,
    page: Pt.OpenPage | null,
    boxes: Pt.PageBox[],
    readOnly: boolean,
  ) {
    this.element.setAttribute("aria-label", part.seed ? "Elements" : "Boxes");
    const here = checked(boxes);
    const all = checked(state.boxes.boxes);
    const alive = page ? boxesOn(state.boxes, page.document, page.page).length : 0;
    setText(this.title, part.seed ? "Elements" : "Boxes");
    const count =
      part.seed && here.total
        ? `${here.done} of ${here.total} checked`
        : plural(alive, "box", "boxes");
    setText(this.count, page ? count : "");
    this.bar.hidden = !part.seed || !here.total;
    this.fillBar.style.width = `${here.total ? (100 * here.done) / here.total : 0}%`;
    setText(this.task, all.total > here.total ? `All pages: ${all.done} of ${all.total}` : "");
    const left = here.total - here.done;
    this.rest.hidden = !part.seed || !here.total || readOnly;
    this.rest.disabled = !left;
    setText(this.rest, left ? `Accept the remaining ${left}…` : "All checked");
  }

  /** Why there is no list, and how to get one. */
  showEmpty(protocol: Pt.Protocol, page: Pt.OpenPage | null, count: number, takes: any) {
    this.empty.hidden = count > 0;
    this.list.hidden = !count;
    const way = protocol.boxes.add
      ? "None on this page. Draw with box mode (b)."
      : "None on this page.";
    setText(
      this.empty,
      !page ? "Open a page to see its boxes." : takes ? way : askedWhere(protocol),
    );
  }

  /** One row per box, in this order, touching only what moved. */
  place(boxes: Pt.PageBox[]) {
    const ids = new Set(boxes.map((box) => box.id));
    for (const [id, row] of this.rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.rows.delete(id);
    }
    const focused = (this.list.getRootNode() as ShadowRoot).activeElement;
    let next = this.list.firstChild;
    for (const box of boxes) {
      if (!this.rows.has(box.id)) this.rows.set(box.id, new Row(box.id, this.actions));
      const { element } = this.rows.get(box.id);
      if (element === next) next = next?.nextSibling ?? null;
      else this.list.insertBefore(element, next);
    }
    // A row that is moved in the document loses the focus.
    if (focused instanceof HTMLElement && this.list.contains(focused))
      focused.focus({ preventScroll: true });
  }

  /** The chosen row is in the tab order, and in view. */
  showSelected(selected: string | null) {
    const row = this.rows.get(selected) ?? null;
    const stop = row ?? this.rows.values().next().value ?? null;
    if (this.stop !== stop) {
      if (this.stop) this.stop.button.tabIndex = -1;
      if (stop) stop.button.tabIndex = 0;
    }
    this.stop = stop;
    if (row && this.shown !== selected) {
      // Measured with the next frame: measuring now would need its layout twice.
      requestAnimationFrame(() => row.element.isConnected && reveal(this.list, row.element));
    }
    this.shown = selected;
  }

  key(event: any) {
    const buttons = [...this.list.querySelectorAll(".element")];
    const here = buttons.indexOf(event.target);
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = (
      { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: buttons.length - 1 } as Record<
        string,
        any
      >
    )[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const button = buttons[Math.min(buttons.length - 1, Math.max(0, to))] as HTMLElement;
    button.focus({ preventScroll: true });
    this.actions.select(button.dataset.id);
  }
}

/** On which pages boxes are asked for, in words. */
function askedWhere({ boxes, fields }: Pt.Protocol) {
  const spec = fields.find(({ name }) => name === boxes.when?.field);
  if (!spec) return "Not asked for.";
  const label = (value: any) =>
    spec.options.find((option) => option.value === value)?.label ?? value;
  const values = (boxes.when as Pt.Condition).values.map((value) => `“${label(value)}”`);
  return `Asked for where “${spec.label}” is ${values.join(" or ")}.`;
}

/** Scroll a list, and nothing around it, so that one of its items is in view. */
function reveal(list: HTMLElement, item: HTMLElement) {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
