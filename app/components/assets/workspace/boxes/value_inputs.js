/** Numbers and attributes of the selected box: inputs that hand over what is valid when left. */

import { h, setAttr, setText } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { rounded } from "../../shared/rectangles.js";
import { sentence } from "../../shared/sentences.js";

const MAX_ATTRIBUTES = 50;
const SIDES = [
  ["x", "Left edge, points"],
  ["y", "Top edge, points"],
  ["width", "Width, points"],
  ["height", "Height, points"],
];

/** @param {any[]} given */
const sides = ([x0, y0, x1, y1]) => rounded([x0, y0, x1 - x0, y1 - y0]);

/**
 * The rectangle of four typed sides, or why there is none.
 * @param {string[]} texts left, top, width, height
 * @param {Pt.Size} size of the page
 * @param {number} least smallest side
 * @returns {{rect: number[]}|{error: string}}
 */
export function typedRect(texts, [width, height], least) {
  if (texts.some((text) => !text.trim())) return { error: "One of the four numbers is missing." };
  const numbers = texts.map((text) => Number(text.replace(",", ".")));
  const bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) return { error: sentence("not_a_number", { value: `“${texts[bad]}”` }) };
  const [x, y, across, down] = numbers;
  if (Math.min(across, down) < least) return { error: sentence("too_small", { least }) };
  if (x < 0 || y < 0 || x + across > width + 0.05 || y + down > height + 0.05) {
    return { error: `The box must lie on the page, which is ${width} × ${height} points.` };
  }
  return { rect: rounded([x, y, Math.min(width, x + across), Math.min(height, y + down)]) };
}

/** Where the box is, as four numbers that can be typed: the way without a mouse. */
export class Coordinates {
  /** @type {any} */
  least;

  /** @type {any} */
  size;

  /** @type {any} */
  stored;

  /** @param {(rect: number[]) => void} commit */
  constructor(commit) {
    this.commit = commit;
    this.inputs = SIDES.map(([name, title]) =>
      h("input", {
        type: "text",
        inputmode: "decimal",
        class: "number-input",
        testid: `element-${name}`,
        title,
        "aria-label": title,
        autocomplete: "off",
        on: {
          // Mistakes are named while typing: a line that appears on leaving would move what is clicked.
          input: () => this.say(this.typed().error ?? ""),
          change: () => this.flush(),
          keydown: (event) => event.key === "Enter" && this.flush(),
        },
      }),
    );
    this.error = h("p", { class: "field-error", role: "alert" });
    this.model = h("p", { class: "model-line caption wrap" });
    this.element = h(
      "div",
      { class: "coordinates", role: "group", "aria-label": "Position in points" },
      h(
        "div",
        { class: "coordinate-row" },
        ...this.inputs.map((input, i) => h("label", {}, h("span", { text: SIDES[i][0] }), input)),
      ),
      this.error,
      this.model,
    );
  }

  /**
   * Show a box; what is being typed stays.
   * @param {Pt.PageBox} box
   * @param {{ size: Pt.Size, least: any, readOnly: boolean }} given
   */
  show(box, { size, least, readOnly }) {
    const other = this.id !== box.id;
    this.id = box.id;
    this.size = size;
    this.least = Math.min(least, box.rect[2] - box.rect[0], box.rect[3] - box.rect[1]);
    const stored = sides(box.rect).map(String);
    this.inputs.forEach((input, i) => {
      setAttr(input, "readonly", readOnly);
      if (other || this.stored?.[i] !== stored[i]) input.value = stored[i];
    });
    if (other) this.say("");
    this.stored = stored;
    const given = /** @type {any} */ (box.model && sides(box.model.rect));
    const moved = given?.some(
      (/** @type {any} */ value, /** @type {number} */ i) => String(value) !== stored[i],
    );
    // The line keeps its place, so that correcting a box moves nothing.
    setText(
      this.model,
      moved ? `Model: ${given.slice(0, 2).join(", ")}; ${given[2]} × ${given[3]} pt` : "\u00a0",
    );
    this.model.hidden = !given;
  }

  /** What the inputs say: a rectangle, an error, or nothing new. */
  /** @returns {any} */
  typed() {
    const texts = this.inputs.map((input) => input.value);
    if (!this.stored || texts.every((text, i) => text === this.stored[i])) return {};
    return typedRect(texts, this.size, this.least);
  }

  /** @param {string} sentence */
  say(sentence) {
    setText(this.error, sentence);
    for (const input of this.inputs) setAttr(input, "aria-invalid", sentence ? "true" : null);
  }

  /** Hand over what was typed; a mistake is named and goes no further. */
  flush() {
    const { rect, error } = this.typed();
    this.say(error ?? "");
    if (rect) this.commit(rect);
  }
}

/** Attributes as rows of name and value. */
export class Attributes {
  /** @type {any} */
  stored;

  /** @type {any} */
  id;

  /** @param {(attributes: Record<string, string>) => void} commit */
  constructor(commit) {
    this.commit = commit;
    /** @type {any[]} */
    this.rows = [];
    this.error = h("p", { class: "field-error", role: "alert" });
    this.list = h("ul", { class: "attribute-list stack" });
    this.removed = h("p", { class: "model-line caption wrap" });
    this.add = h(
      "button",
      {
        type: "button",
        class: "button small quiet-button",
        testid: "attribute-add",
        on: { click: () => this.append() },
      },
      icon("plus"),
      "Attribute",
    );
    this.element = h(
      "div",
      { class: "attributes", role: "group", "aria-label": "Attributes" },
      h("div", { class: "elements-head line" }, h("h3", { text: "Attributes" }), this.add),
      this.list,
      this.error,
      this.removed,
    );
  }

  /**
   * Show a box; rows being typed in stay as they are.
   * @param {Pt.PageBox} box
   * @param {{ readOnly: boolean }} given
   */
  show(box, { readOnly }) {
    const stored = JSON.stringify(box.attributes);
    this.given = box.model?.attributes ?? null;
    this.readOnly = readOnly;
    this.add.hidden = readOnly;
    if (
      this.id !== box.id ||
      (this.stored !== stored && JSON.stringify(this.read().attributes) !== stored)
    ) {
      this.say("");
      this.rows = Object.entries(box.attributes).map(([name, value]) => this.row(name, value));
      this.list.replaceChildren(...this.rows.map((row) => row.element));
    }
    this.id = box.id;
    this.stored = stored;
    for (const row of this.rows) this.compare(row);
    const gone = Object.entries(this.given ?? {}).filter(([name]) => !(name in box.attributes));
    setText(
      this.removed,
      gone.length ? `Model: ${gone.map(([name, value]) => `${name} = ${value}`).join(", ")}` : "",
    );
    this.removed.hidden = !gone.length;
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  row(name, value) {
    const input = (
      /** @type {any} */ what,
      /** @type {string} */ text,
      /** @type {string} */ testid,
      /** @type {any} */ max,
    ) =>
      h("input", {
        type: "text",
        value: text,
        testid,
        maxlength: max,
        "aria-label": what,
        placeholder: what,
        readonly: this.readOnly,
        on: {
          input: () => this.compare(row),
          change: () => this.flush(),
          keydown: (event) => event.key === "Enter" && this.flush(),
        },
      });
    /** @type {any} */
    const row = {
      name: input("Name", name, "attribute-name", "100"),
      value: input("Value", value, "attribute-value", "1000"),
      model: h("span", { class: "model-line caption wrap" }),
    };
    const remove = h(
      "button",
      {
        type: "button",
        class: "icon-button small",
        title: "Remove this attribute",
        testid: "attribute-remove",
        "aria-label": `Remove the attribute ${name}`,
        disabled: this.readOnly,
        on: {
          click: () => {
            this.rows = this.rows.filter((other) => other !== row);
            row.element.remove();
            this.flush();
          },
        },
      },
      icon("close"),
    );
    row.element = h("li", { testid: "attribute" }, row.name, row.value, remove, row.model);
    return row;
  }

  append() {
    if (this.rows.length >= MAX_ATTRIBUTES) {
      this.say(`A box has at most ${MAX_ATTRIBUTES} attributes.`);
      return;
    }
    const row = this.row("", "");
    this.rows.push(row);
    this.list.append(row.element);
    row.name.focus();
  }

  /** @param {any} row */
  compare(row) {
    const theirs = this.given?.[row.name.value];
    const differs = this.given !== null && theirs !== row.value.value;
    setText(row.model, !differs ? "" : theirs === undefined ? "Model: none" : `Model: ${theirs}`);
    row.model.hidden = !differs;
  }

  /** @param {string} sentence */
  say(sentence) {
    setText(this.error, sentence);
  }

  /** The rows as attributes, or what is wrong with them. */
  read() {
    /** @type {Record<string, string>} */
    const attributes = {};
    for (const { name, value } of this.rows) {
      const key = name.value.trim();
      if (!key && !value.value) continue;
      if (!key) return { error: "An attribute needs a name." };
      if (key in attributes) return { error: `The attribute “${key}” is there twice.` };
      attributes[key] = value.value;
    }
    return { attributes };
  }

  /** Hand over what was typed; a mistake is named and goes no further. */
  flush() {
    if (this.stored === undefined) return;
    const { attributes, error } = this.read();
    this.say(error ?? "");
    if (attributes && JSON.stringify(attributes) !== this.stored) this.commit(attributes);
  }
}
