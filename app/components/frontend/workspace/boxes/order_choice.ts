/** Where the selected box is in the reading order: after which other one. */

import { fill, h, setAttr, setText } from "../../shared/dom";
import { finalOrder, inReadingOrder } from "../../shared/reading_order";

const NONE = "none";
const FIRST = "first";
const WORDS = 40;

export class OrderChoice {
  actions: {
    place: (box: Pt.PageBox, after: string | null) => void;
    order: (box: Pt.PageBox, order: number | null) => void;
  };
  box: Pt.PageBox | null;
  options: string;
  select: HTMLSelectElement;
  model: HTMLSpanElement;
  element: HTMLDivElement;

  constructor(actions: {
    place: (box: Pt.PageBox, after: string | null) => void;
    order: (box: Pt.PageBox, order: number | null) => void;
  }) {
    this.actions = actions;
    this.box = null;
    this.options = "";
    this.select = h("select", {
      id: "pt-element-order",
      class: "ellipsis",
      testid: "element-order",
      title: "Or drag it in the list, or press Alt+↑ and Alt+↓",
      on: { change: () => this.chosen() },
    });
    this.model = h("span", { class: "model-line caption wrap" });
    this.element = h(
      "div",
      { class: "line medium reading-order" },
      h("label", { for: "pt-element-order", text: "Reading order" }),
      this.select,
      this.model,
    );
  }

  /** @param boxes of its page, deleted ones included */
  show(box: Pt.PageBox, boxes: Pt.PageBox[], readOnly: boolean) {
    this.box = box;
    const places = finalOrder(boxes);
    const others = inReadingOrder(boxes).filter(({ id }) => id !== box.id && places.has(id));
    const entries = others.map((other) => ({ value: other.id, text: words(other, places) }));
    entries.unshift({ value: FIRST, text: "First on the page" });
    entries.unshift({ value: NONE, text: "Not in the reading order" });
    const options = JSON.stringify(entries);
    if (this.options !== options) {
      fill(this.select, ...entries.map(({ value, text }) => h("option", { value, text })));
      this.options = options;
    }
    const place = places.get(box.id) ?? 0;
    const before = others.findLast(({ id }) => (places.get(id) as number) < place);
    this.select.value = places.has(box.id) ? (before?.id ?? FIRST) : NONE;
    this.select.disabled = readOnly;
    const differs = box.model && box.model.order !== box.order;
    setText(this.model, differs ? `Model: ${box.model?.order ?? "none"}` : "");
    setAttr(this.element, "data-moved", differs ? "" : null);
  }

  chosen() {
    const { value } = this.select;
    if (!this.box) return;
    if (value === NONE) this.actions.order(this.box, null);
    else this.actions.place(this.box, value === FIRST ? null : value);
  }
}

function words(box: Pt.PageBox, places: Map<string, number>) {
  const text = (box.content ?? "").slice(0, WORDS).replace(/\s+/g, " ").trim();
  const parts = [`After ${places.get(box.id)}`, box.label, text];
  return parts.filter(Boolean).join(" · ");
}
