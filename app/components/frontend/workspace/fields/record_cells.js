/** Cells of a table of records: a text box that saves itself, and fixed text. */

import { errorLine } from "../../shared/buttons.js";
import { fill, h, setAttr, setText } from "../../shared/dom.js";
import { sentence } from "../../shared/sentences.js";
import { diffNodes } from "../../shared/text_diff_view.js";
import { namedPages } from "./named_pages.js";
import { TextField } from "./text_field.js";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Why a cell cannot hold a text; empty when it can. The server checks the same.
 * @param {Pt.Column} column
 * @param {string} text
 */
export function wrongCell(column, text) {
  if (column.kind !== "number" || !text.trim()) return "";
  const plain = text.trim().replaceAll(",", "");
  return NUMBER.test(plain) && Number.isFinite(Number(plain))
    ? ""
    : sentence("not_a_number", { value: `“${text.trim()}”` });
}

/** A text box that keeps what the server would refuse to itself. */
class CellField extends TextField {
  flush() {
    if (!this.dirty) return;
    const wrong = this.host.check(this.text);
    this.host.say(wrong);
    if (wrong) this.cancel();
    else super.flush();
  }
}

/** A cell that is typed in. */
export class TextCell {
  /** @type {any} */
  compared;

  /** @type {any} */
  shown;

  /**
   * @param {Pt.Column} column
   * @param {any} host name (of the draft), attempt, restore, commit(text), seq(), onTyping(),
   *   move(by) to the same cell of another row
   */
  constructor(column, host, { caption = true } = {}) {
    this.column = column;
    this.host = host;
    const common = {
      testid: "cell",
      "data-column": column.name,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": column.label,
      title: column.wide ? "Enter: next row. Shift+Enter: new line" : "Enter or ↓: next row",
      on: { keydown: (/** @type {any} */ event) => this.key(event) },
    };
    this.input = column.wide
      ? h("textarea", { class: "cell-input wide", rows: "1", maxlength: "20000", ...common })
      : h("input", {
          class: "cell-input",
          type: "text",
          maxlength: "20000",
          inputmode: column.kind === "number" ? "decimal" : null,
          ...common,
        });
    this.error = errorLine(null);
    this.model = h("p", { class: "model-line caption wrap", hidden: true });
    this.field = new CellField(this.input, host.name, {
      commit: (/** @type {string} */ text) => host.commit(text),
      seq: () => host.seq(),
      onTyping: () => {
        // Said while typing: what appears on leaving would move the button that is being pressed.
        this.say(wrongCell(column, this.field.text));
        this.compare();
        host.onTyping();
      },
      check: (/** @type {string} */ text) => wrongCell(column, text),
      say: (/** @type {any} */ wrong) => this.say(wrong),
    });
    this.element = h(
      "div",
      { class: column.wide ? "cell wide" : "cell" },
      caption
        ? h("span", { class: "cell-label caption", text: column.label, "aria-hidden": "true" })
        : null,
      this.input,
      this.error,
      this.model,
    );
  }

  /**
   * Put the stored text in; a draft of this browser is restored.
   * @param {string} text
   * @param {number} seq
   */
  attach(text, seq) {
    this.shown = text;
    this.field.attach(this.host.attempt, text, this.host.restore, seq);
  }

  /** @param {string} text @param {any} model @param {boolean} readOnly */
  show(text, model, readOnly) {
    this.theirs = model;
    if (text !== this.shown) {
      this.shown = text;
      this.field.sync(text);
    }
    setAttr(this.input, "readonly", readOnly);
    this.compare();
  }

  /** What the model said, where it is something else. */
  compare() {
    const mine = this.input.value;
    const differs = typeof this.theirs === "string" && this.theirs !== mine;
    const key = differs ? `${this.theirs}\n${mine}` : null;
    if (key === this.compared) return;
    this.compared = key;
    this.model.hidden = !differs;
    if (!differs) return;
    if (this.column.wide && this.theirs)
      fill(this.model, "Model → you: ", ...diffNodes(this.theirs, mine));
    else setText(this.model, `Model: ${this.theirs || "empty"}`);
  }

  /** @param {string} wrong */
  say(wrong) {
    setText(this.error, wrong);
    setAttr(this.input, "aria-invalid", wrong ? "true" : null);
    this.invalid = Boolean(wrong);
  }

  /** @param {any} event */
  key(event) {
    const by = /** @type {Record<string, any>} */ ({
      Enter: event.shiftKey ? -1 : 1,
      ArrowDown: 1,
      ArrowUp: -1,
    })[event.key];
    const lines = this.column.wide && (event.key !== "Enter" || event.shiftKey);
    if (!by || lines || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    event.preventDefault();
    this.flush();
    this.host.move(by);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  flush() {
    this.field.flush();
  }

  get dirty() {
    return this.field.dirty;
  }
}

/** A cell that cannot be changed; the given pages that it names can be opened. */
export class FixedCell {
  /**
   * @param {Pt.Column} column
   * @param {any} host given() → pages, open(page)
   */
  constructor(column, host, { caption = true } = {}) {
    this.host = host;
    this.text = h("div", { class: "fixed-text pre", testid: "cell", "data-column": column.name });
    this.element = h(
      "div",
      { class: "cell wide" },
      caption ? h("span", { class: "cell-label caption", text: column.label }) : null,
      this.text,
    );
  }

  attach() {}

  /**
   * Show the text, or nodes with its differences marked.
   * @param {any} value
   * @param {any} _model
   * @param {any} _readOnly
   * @param {any} [nodes]
   */
  show(value, _model, _readOnly, nodes = null) {
    if (value === this.shown) return;
    this.shown = value;
    if (nodes) fill(this.text, ...nodes());
    else fill(this.text, ...this.pieces(value));
    this.text.classList.toggle("empty", !value);
    if (!value) setText(this.text, "(nothing)");
  }

  /** @param {string} value */
  pieces(value) {
    return namedPages(value, this.host.given()).map(({ text, page }) =>
      page
        ? h("button", {
            class: "link",
            testid: "named-page",
            text,
            on: { click: () => this.host.open(page) },
          })
        : text,
    );
  }

  focus() {}

  flush() {}

  get dirty() {
    return false;
  }
}
