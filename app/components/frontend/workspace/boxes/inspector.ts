/** The selected box: label, text, order, position, attributes, and the model's values beside them. */

import { differences, verdict } from "../../shared/box_state";
import { iconButton } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { swatch } from "../../shared/label_styles";
import { finalOrder } from "../../shared/reading_order";
import type { Texts } from "../fields/text_drafts";
import { Attributes } from "./attributes";
import { ContentEditor } from "./content_editor";
import { Coordinates } from "./coordinates";
import { verdictMark } from "./element_row";
import { OrderChoice } from "./order_choice";
import type { ElementWork } from "./verification";

const HINT = "Press v to go through the elements, or choose one on the page or in the list.";

export class Inspector {
  actions: ElementWork;
  readOnly: boolean;
  acceptWords: string;
  attempt: string;
  chips: Map<string, HTMLButtonElement>;
  box: Pt.PageBox | null;
  protocol: Pt.Protocol | null;
  kind: string | null;
  id: string | null;
  mark: SVGElement;
  title: HTMLHeadingElement;
  verdict: HTMLSpanElement;
  accept: HTMLButtonElement;
  back: HTMLButtonElement;
  copy: HTMLButtonElement;
  remove: HTMLButtonElement;
  tools: HTMLDivElement;
  labels: HTMLDivElement;
  labelModel: HTMLParagraphElement;
  content: ContentEditor;
  order: OrderChoice;
  coordinates: Coordinates;
  attributes: Attributes;
  body: HTMLDivElement;
  headLine: HTMLDivElement;
  hint: HTMLParagraphElement;
  element: HTMLElement;
  seen:
    | (
        | string
        | boolean
        | Pt.PageBox
        | Pt.Protocol
        | Record<string, Pt.ShownDocument>
        | Pt.PageBox[]
        | null
      )[]
    | undefined;

  /** @param fields the fields of a box, see fields/fields.ts */
  constructor(actions: ElementWork, texts: Texts, fields: Element) {
    this.actions = actions;
    this.readOnly = false;
    this.acceptWords = "";
    this.attempt = "";
    this.chips = new Map();
    this.box = null;
    this.protocol = null;
    this.kind = null;
    this.id = null;
    this.mark = swatch();
    this.title = h("h2", {});
    this.verdict = h("span", {});
    this.accept = h("button", {
      class: "button small",
      testid: "element-accept",
      on: { click: () => this.box && actions.accept(this.box, !this.box.accepted) },
    });
    const tool: (
      name: string,
      label: string,
      testid: string,
      run: (box: Pt.PageBox) => void,
    ) => HTMLButtonElement = (name, label, testid, run) =>
      iconButton(name, label, () => this.box && run(this.box), { testid });
    const undo = "Undo the correction: back to the model's values";
    this.back = tool("history", undo, "element-back", (box) => actions.correctBack(box));
    this.copy = tool("duplicate", "Duplicate", "element-duplicate", () => actions.duplicate());
    this.remove = tool("bin", "Delete (Del)", "element-delete", () => actions.remove());
    this.tools = h("div", { class: "inspector-tools" }, this.back, this.copy, this.remove);
    this.labels = h("div", { class: "wrapping", role: "group", "aria-label": "Label" });
    this.labelModel = h("p", { class: "model-line caption wrap" });
    this.content = new ContentEditor(texts, (text) => this.id && actions.content(this.id, text));
    this.order = new OrderChoice(actions);
    this.coordinates = new Coordinates(
      (rect) => this.box && actions.rect(this.box, rect as Pt.Rect),
    );
    this.attributes = new Attributes(
      (attributes) => this.box && actions.attributes(this.box, attributes),
    );
    this.body = h(
      "div",
      { class: "stack" },
      this.labels,
      this.labelModel,
      this.content.element,
      fields,
      this.order.element,
      this.coordinates.element,
      this.attributes.element,
    );
    this.headLine = h(
      "div",
      { class: "inspector-head line" },
      this.mark,
      this.title,
      h("span", { class: "spacer" }),
      this.verdict,
      this.accept,
      this.tools,
    );
    this.hint = h("p", { class: "empty-line caption", text: HINT });
    this.element = h(
      "section",
      { class: "inspector stack", testid: "inspector", "aria-label": "Selected box" },
      this.headLine,
      this.hint,
      this.body,
    );
  }

  get dirty() {
    return this.content.dirty;
  }

  /** Hand over what is being typed. */
  flush() {
    if (!this.id || this.readOnly) return;
    this.content.flush();
    if (
      !this.body.hidden &&
      this.body.contains((this.element.getRootNode() as ShadowRoot).activeElement)
    ) {
      this.coordinates.flush();
      this.attributes.flush();
    }
  }

  /** Show the store's values. Handing typed text over changes them, so they are read afterwards. */
  update(data: Pt.WorkspaceData, readOnly: boolean) {
    if (data.selected !== this.id) this.flush();
    const { state, protocol, selected, attempt, documents, label_keys: keys } = data;
    const box = state.boxes.boxes.find((other) => other.id === selected) ?? null;
    const boxes = protocol.boxes.order ? state.boxes.boxes : null;
    const seen = [box, boxes, attempt, protocol, documents, readOnly];
    if (this.seen?.every((value, i) => value === seen[i])) return;
    this.seen = seen;
    // With nothing chosen there is nothing to show: one's own boxes are drawn, not gone through.
    this.element.hidden = !box && !protocol.boxes.seed;
    this.hint.hidden = Boolean(box);
    this.headLine.hidden = !box;
    this.body.hidden = !box;
    const { seed, content, order, attributes } = protocol.boxes;
    // Where a box has but a label and a place, the viewer's bar has the labels already.
    const simple = !(seed || content || order || attributes);
    this.element.classList.toggle("simple", simple);
    this.labels.hidden = simple;
    const other = this.id !== box?.id || this.attempt !== attempt;
    this.attempt = attempt;
    this.id = box?.id ?? null;
    this.box = box;
    this.readOnly = readOnly || (box?.deleted ?? false);
    if (!box) return;
    const here = state.boxes.boxes.filter(
      ({ document, page }) => document === box.document && page === box.page,
    );
    this.head(box, protocol.boxes, here);
    this.order.element.hidden = !order;
    if (order) this.order.show(box, here, this.readOnly);
    if (this.protocol !== protocol) this.buildLabels(protocol.boxes, keys);
    this.protocol = protocol;
    this.showTools(box, protocol.boxes);
    this.showLabels(box);
    this.content.element.hidden = !content;
    if (content)
      this.content.show(box, { other, attempt, readOnly: this.readOnly, seq: state.last_seq });
    this.showValues(box, protocol.boxes, documents[box.document]?.pages[box.page - 1]);
  }

  /** @param boxes of its page */
  head(box: Pt.PageBox, part: Pt.BoxesPart, boxes: Pt.PageBox[]) {
    const place = part.order ? finalOrder(boxes).get(box.id) : undefined;
    setText(this.title, [part.seed ? "Element" : "Box", place].filter(Boolean).join(" "));
    const kind = box.deleted || (part.seed && !box.model) ? verdict(box) : null;
    if (kind !== this.kind) {
      this.kind = kind;
      fill(this.verdict, kind && verdictMark(kind));
    }
    swatch(part.labels, box.label, this.mark);
  }

  showTools(box: Pt.PageBox, part: Pt.BoxesPart) {
    const changed = differences(box).length > 0;
    this.accept.hidden = !box.model || !part.seed;
    this.accept.disabled = this.readOnly || changed;
    const words = changed ? "Corrected" : box.accepted ? "Accepted" : "Accept";
    if (this.acceptWords !== words) {
      this.acceptWords = words;
      fill(this.accept, icon(changed ? "pencil" : "check"), words);
    }
    setAttr(this.accept, "aria-pressed", changed ? null : String(box.accepted));
    setAttr(
      this.accept,
      "title",
      box.accepted ? "Undo the acceptance" : "Right as it is; v accepts and goes on to the next",
    );
    this.back.hidden = !box.model;
    this.back.disabled = this.readOnly || !changed;
    this.copy.hidden = !part.add;
    this.copy.disabled = this.readOnly;
    this.remove.disabled = this.readOnly;
  }

  buildLabels(part: Pt.BoxesPart, keys: Record<string, string | null>) {
    this.chips = new Map(
      part.labels.map(({ name, help }) => {
        const chip = h(
          "button",
          {
            class: "label-chip toggle",
            testid: "element-label-choice",
            "data-label": name,
            title: [keys?.[name] ? `${name} (${keys[name]})` : name, help]
              .filter(Boolean)
              .join(": "),
            on: {
              click: () =>
                this.box?.label !== name && this.box && this.actions.label(this.box, name),
            },
          },
          swatch(part.labels, name),
          name,
        );
        return [name, chip];
      }),
    );
    fill(this.labels, ...this.chips.values());
  }

  showLabels(box: Pt.PageBox) {
    for (const [name, chip] of this.chips) {
      setAttr(chip, "aria-pressed", String(box.label === name));
      chip.disabled = this.readOnly;
    }
    const differs = box.model && box.model.label !== box.label;
    setText(
      this.labelModel,
      differs ? `Model: ${box.model?.label ?? "no label"} → you: ${box.label}` : "",
    );
    this.labelModel.hidden = !differs;
  }

  showValues(box: Pt.PageBox, part: Pt.BoxesPart, size: Pt.Size) {
    this.coordinates.element.hidden = !size;
    if (size) this.coordinates.show(box, { size, least: part.min_size, readOnly: this.readOnly });
    this.attributes.element.hidden = !part.attributes;
    if (part.attributes) this.attributes.show(box, { readOnly: this.readOnly });
  }
}
