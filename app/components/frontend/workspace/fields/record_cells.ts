/** Cells of a table of records: a text box that saves itself, and fixed text. */

import { errorLine } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { sentence } from "../../shared/sentences";
import { diffNodes } from "../../shared/text_diff_view";
import { namedPages } from "./named_pages";
import { TextField } from "./text_field";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Why a cell cannot hold a text; empty when it can. The server checks the same. */
export function wrongCell(column: Pt.Column, text: string) {
  if (column.kind !== "number" || !text.trim()) return "";
  const plain = text.trim().replaceAll(",", "");
  return NUMBER.test(plain) && Number.isFinite(Number(plain))
    ? ""
    : sentence("not_a_number", { value: `“${text.trim()}”` });
}

/** A cell that is typed in. */
export class TextCell {
  column: Pt.Column;
  host: any;
  input: HTMLInputElement | HTMLTextAreaElement;
  error: HTMLParagraphElement;
  model: HTMLParagraphElement;
  field: TextField;
  element: HTMLDivElement;
  theirs: any;
  invalid: boolean | undefined;

  compared: any;

  shown: any;

  /**
   * @param host name (of the draft), attempt, restore, commit(text), seq(), onTyping(),
   * move(by) to the same cell of another row
   */
  constructor(column: Pt.Column, host: any, { caption = true } = {}) {
    this.column = column;
    this.host = host;
    const common = {
      testid: "cell",
      "data-column": column.name,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": column.label,
      title: column.wide ? "Enter: next row. Shift+Enter: new line" : "Enter or ↓: next row",
      on: { keydown: (event: any) => this.key(event) },
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
    this.field = new TextField(this.input, host.name, {
      commit: (text: string) => host.commit(text),
      seq: () => host.seq(),
      // Said while typing: what appears on leaving would move the button that is being pressed.
      onText: (text) => {
        this.say(wrongCell(column, text));
        this.compare();
      },
      onTyping: () => host.onTyping(),
      check: (text: string) => wrongCell(column, text),
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

  /** Put the stored text in; a draft of this browser is restored. */
  attach(text: string, seq: number) {
    this.shown = text;
    this.field.attach(this.host.attempt, text, this.host.restore, seq);
  }

  show(text: string, model: any, readOnly: boolean) {
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

  say(wrong: string) {
    setText(this.error, wrong);
    setAttr(this.input, "aria-invalid", wrong ? "true" : null);
    this.invalid = Boolean(wrong);
  }

  key(event: any) {
    const by = (
      { Enter: event.shiftKey ? -1 : 1, ArrowDown: 1, ArrowUp: -1 } as Record<string, any>
    )[event.key];
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
  host: any;
  text: HTMLDivElement;
  element: HTMLDivElement;
  shown: any;

  /** @param host given() → pages, open(page) */
  constructor(column: Pt.Column, host: any, { caption = true } = {}) {
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

  /** Show the text, or nodes with its differences marked. */
  show(value: any, _model: any, _readOnly: any, nodes: any = null) {
    if (value === this.shown) return;
    this.shown = value;
    if (nodes) fill(this.text, ...nodes());
    else fill(this.text, ...this.pieces(value));
    this.text.classList.toggle("empty", !value);
    if (!value) setText(this.text, "(nothing)");
  }

  pieces(value: string) {
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
