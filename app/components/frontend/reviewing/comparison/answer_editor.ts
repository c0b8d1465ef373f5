/** Writing the accepted answers in the gold's cell: a field for each, saved with the choices. */

import { button } from "../../shared/buttons";
import { fill, h } from "../../shared/dom";

const PAUSE_MS = 300;
const MOST = 50;

export class AnswerEditor {
  actions: { write: (texts: string[]) => void; closed: () => void };
  isOpen: boolean;
  fields: HTMLTextAreaElement[];
  timer: ReturnType<typeof setTimeout> | undefined;
  list: HTMLDivElement;
  more: HTMLButtonElement;
  element: HTMLDivElement;

  constructor(actions: { write: (texts: string[]) => void; closed: () => void }) {
    this.actions = actions;
    this.isOpen = false;
    this.fields = [];
    this.timer = undefined;
    this.list = h("div", { class: "stack" });
    this.more = button("Add a variant", () => this.add("").focus(), { testid: "add-variant" });
    const done = button("Done", () => this.done(), { testid: "answer-done" });
    this.element = h(
      "div",
      { class: "answer-editor stack", testid: "answer-editor" },
      this.list,
      h("div", { class: "wrapping" }, this.more, done),
    );
  }

  /** Begin with these; the last one has the focus. */
  open(texts: string[]) {
    this.drop();
    this.isOpen = true;
    for (const text of texts.length ? texts : [""]) this.add(text);
  }

  focus() {
    const last = this.fields.at(-1);
    last?.focus();
    last?.setSelectionRange(last.value.length, last.value.length);
  }

  add(text: string): HTMLTextAreaElement {
    const number = this.fields.length + 1;
    const field = h("textarea", {
      rows: String(Math.min(6, text.split("\n").length)),
      maxlength: "20000",
      value: text,
      "aria-label": number === 1 ? "Accepted answer" : `Accepted answer ${number}`,
      "data-focus": `answer-${number}`,
      testid: "accepted-answer",
      on: { input: (event) => this.typed(event as InputEvent) },
    });
    this.fields.push(field);
    const or = number > 1 ? h("span", { class: "caption", text: "or" }) : null;
    this.list.append(h("div", { class: "stack" }, or ?? "", field));
    this.more.disabled = this.fields.length >= MOST;
    return field;
  }

  typed(event: InputEvent) {
    clearTimeout(this.timer);
    // While letters are being composed, showing the draft again would end it.
    this.timer = setTimeout(() => this.flush(), event.isComposing ? 10 * PAUSE_MS : PAUSE_MS);
  }

  /** Tell what was typed and not told yet. */
  flush() {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.actions.write(this.fields.map(({ value }) => value).filter((text) => text.trim()));
  }

  /** Close it with what was typed; whether it was open. */
  done() {
    if (!this.isOpen) return false;
    this.flush();
    this.drop();
    this.actions.closed();
    return true;
  }

  /** Close it; what was not told is gone. */
  drop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isOpen = false;
    this.fields = [];
    fill(this.list);
  }
}
