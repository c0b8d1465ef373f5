/** A cell of a table of records that is chosen: its buttons, and a key for each. */

import { h, setAttr } from "../../shared/dom.js";

/**
 * A key for each option: its first letter that is free, else a digit.
 * @param {string[]} options
 * @returns {Map<string, string>} option → key
 */
export function optionKeys(options) {
  const taken = new Set();
  return new Map(
    options.map((option, i) => {
      const letters = [...option.toLowerCase()].filter((letter) => /[a-z]/.test(letter));
      const key = letters.find((letter) => !taken.has(letter)) ?? String((i + 1) % 10);
      taken.add(key);
      return [option, key];
    }),
  );
}

/** A cell that is chosen: buttons side by side, with keys while one of them is focused. */
export class ChoiceCell {
  /**
   * @param {Pt.Column} column
   * @param {any} host commit(option, byKey), move(by)
   * @param {{ big?: boolean }} [options] big: the decision that the row is about
   */
  constructor(column, host, { big = false } = {}) {
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

  /** @param {any} value @param {any} _model @param {boolean} readOnly */
  show(value, _model, readOnly) {
    this.readOnly = readOnly;
    for (const [option, button] of this.buttons) {
      setAttr(button, "aria-pressed", String(option === value));
      button.disabled = readOnly;
    }
    setAttr(this.group, "data-value", value);
  }

  /** @param {any} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.readOnly) return;
    const by = /** @type {Record<string, any>} */ ({ ArrowDown: 1, ArrowUp: -1 })[event.key];
    const option = [...this.keys].find(([, key]) => key === event.key.toLowerCase())?.[0];
    if (!by && option === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) this.host.move(by);
    else if (!event.repeat) this.host.commit(option, true);
  }

  focus() {
    const pressed = this.group.querySelector("[aria-pressed=true]");
    /** @type {HTMLElement | undefined} */ (pressed ?? this.buttons.values().next().value)?.focus();
  }

  flush() {}

  get dirty() {
    return false;
  }
}

/** @param {string} option */
function named(option) {
  return option.charAt(0).toUpperCase() + option.slice(1);
}
