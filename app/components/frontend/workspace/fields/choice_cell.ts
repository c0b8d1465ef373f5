/** A cell of a table of records that is chosen: its buttons, and a key for each. */

import { h, setAttr } from "../../shared/dom";
import { optionKeys } from "./options";

/** A cell that is chosen: buttons side by side, with keys while one of them is focused. */
export class ChoiceCell {
  column: Pt.Column;
  host: any;
  keys: Map<string, string>;
  buttons: Map<string, HTMLButtonElement>;
  group: HTMLDivElement;
  element: HTMLDivElement;
  readOnly: boolean | undefined;

  /**
   * @param host commit(option, byKey), move(by)
   * @param options big: the decision that the row is about
   */
  constructor(column: Pt.Column, host: any, { big = false }: { big?: boolean } = {}) {
    this.column = column;
    this.host = host;
    this.keys = optionKeys(column.options);
    this.buttons = new Map(
      column.options.map((option) => [
        option,
        h(
          "button",
          {
            class: big ? "choice big toggle filled" : "choice toggle filled",
            "data-value": option,
            title: `${named(option)} (${this.keys.get(option)} while one of these is focused)`,
            on: { click: () => host.commit(option, false) },
          },
          named(option),
          big ? h("kbd", { text: this.keys.get(option), "aria-hidden": "true" }) : null,
        ),
      ]),
    );
    this.group = h(
      "div",
      {
        class: "wrapping",
        role: "group",
        "aria-label": column.label,
        testid: "cell",
        "data-column": column.name,
        "data-keys": [...this.keys.values(), "ArrowUp", "ArrowDown"].join(" "),
        on: { keydown: (event) => this.key(event) },
      },
      ...this.buttons.values(),
    );
    this.element = h("div", { class: "cell wide" }, this.group);
  }

  attach() {}

  show(value: any, _model: any, readOnly: boolean) {
    this.readOnly = readOnly;
    for (const [option, button] of this.buttons) {
      setAttr(button, "aria-pressed", String(option === value));
      button.disabled = readOnly;
    }
    setAttr(this.group, "data-value", value);
  }

  key(event: any) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.readOnly) return;
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, any>)[event.key];
    const option = [...this.keys].find(([, key]) => key === event.key.toLowerCase())?.[0];
    if (!by && option === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) this.host.move(by);
    else if (!event.repeat) this.host.commit(option, true);
  }

  focus() {
    const pressed = this.group.querySelector("[aria-pressed=true]");
    ((pressed ?? this.buttons.values().next().value) as HTMLElement | undefined)?.focus();
  }

  flush() {}

  get dirty() {
    return false;
  }
}

function named(option: string) {
  return option.charAt(0).toUpperCase() + option.slice(1);
}
