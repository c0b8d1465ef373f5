/** Attributes of the selected box: rows of name and value, handed over when left and valid. */

import { errorLine } from "../../shared/buttons";
import { h, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";

const MAX_ATTRIBUTES = 50;

/** Attributes as rows of name and value. */
export class Attributes {
  commit: (attributes: Record<string, string>) => void;
  rows: any[];
  error: HTMLParagraphElement;
  list: HTMLUListElement;
  removed: HTMLParagraphElement;
  add: HTMLButtonElement;
  element: HTMLDivElement;
  given: Record<string, string> | null | undefined;
  readOnly: boolean | undefined;

  stored: any;

  id: any;

  constructor(commit: (attributes: Record<string, string>) => void) {
    this.commit = commit;
    this.rows = [];
    this.error = errorLine(null);
    this.list = h("ul", { class: "attribute-list stack" });
    this.removed = h("p", { class: "model-line caption wrap" });
    this.add = h(
      "button",
      {
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

  /** Show a box; rows being typed in stay as they are. */
  show(box: Pt.PageBox, { readOnly }: { readOnly: boolean }) {
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

  row(name: string, value: any) {
    const input = (what: any, text: string, testid: string, max: any) =>
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
    const row: any = {
      name: input("Name", name, "attribute-name", "100"),
      value: input("Value", value, "attribute-value", "1000"),
      model: h("span", { class: "model-line caption wrap" }),
    };
    const remove = h(
      "button",
      {
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

  compare(row: any) {
    const theirs = this.given?.[row.name.value];
    const differs = this.given !== null && theirs !== row.value.value;
    setText(row.model, !differs ? "" : theirs === undefined ? "Model: none" : `Model: ${theirs}`);
    row.model.hidden = !differs;
  }

  say(sentence: string) {
    setText(this.error, sentence);
  }

  /** The rows as attributes, or what is wrong with them. */
  read() {
    const attributes: Record<string, string> = {};
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
