/**
 * The controls of fields, one class per kind: options as radio buttons or toggles; numbers and
 * texts are in typed_controls.ts.
 * Each has `element`, `update(model)`, `focus()`; what a person does goes to `host.choose(value)`.
 * A model is {value, offered, disabled, keep}: `offered` the values that may be chosen now, `keep`
 * whether those that may not stay in view.
 */

import { h, setAttr } from "../../shared/dom";
import { NumberBox, TextBox } from "./typed_controls";

const ROW_CHARS = 24;

/** The control of a field. */
export function createControl(spec: Pt.FieldSpec, ids: any, host: any) {
  switch (spec.kind) {
    case "multi":
      return new Toggles(spec, ids, host);
    case "number":
      return new NumberBox(spec, ids, host);
    case "text":
      return new TextBox(spec, ids, host);
    case "boolean":
      return new Radios(spec, YES_NO, ids, host);
    default:
      return new Radios(spec, spec.options, ids, host);
  }
}

const YES_NO = [
  { value: true, label: "Yes", help: "", key: null },
  { value: false, label: "No", help: "", key: null },
];

/**
 * The digits that choose options while their field has the focus: those of fields whose options
 * have no keys of their own, which work everywhere.
 * @returns one for each of the first ten; empty where there are none
 */
export function digitsOf(options: { key: string | null }[]): string[] {
  if (options.some(({ key }) => key)) return [];
  return options.slice(0, 10).map((_, i) => String((i + 1) % 10));
}

/**
 * Let digits choose in a group while it has the focus by the keyboard. After a click it has not:
 * whoever clicks an option and goes on with the keys means the page.
 */
function listenDigits(
  group: HTMLElement,
  digits: string[],
  choose: (at: number, event: KeyboardEvent) => void,
) {
  if (!digits.length) return;
  const stop = () => group.removeAttribute("data-keys");
  group.addEventListener("focusin", ({ target }) => {
    if ((target as Element).matches(":focus-visible")) group.dataset.keys = digits.join(" ");
  });
  group.addEventListener("focusout", stop);
  group.addEventListener("pointerdown", stop);
  group.addEventListener("keydown", (event) => {
    const at = group.dataset.keys && plain(event) ? digits.indexOf(event.key) : -1;
    if (at < 0) return;
    event.preventDefault();
    choose(at, event);
  });
}

const plain = (event: KeyboardEvent) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;

function optionButton(
  spec: Pt.FieldSpec,
  option: Pt.Option,
  role: any,
  digit: string | undefined,
  choose: any,
) {
  const own = option.key ? h("kbd", { text: option.key, "aria-hidden": "true" }) : null;
  const key = digit ? h("kbd", { class: "digit", text: digit, "aria-hidden": "true" }) : own;
  return h(
    "button",
    {
      class: "option toggle filled",
      role,
      testid: "option",
      "data-field": spec.name,
      "data-value": String(option.value),
      title: [option.help, option.key && `Key: ${option.key}`].filter(Boolean).join(" ") || null,
      "aria-keyshortcuts": option.key,
      on: { click: choose },
    },
    key,
    h("span", { text: option.label }),
  );
}

/** One of a closed list: only one button is in the tab order, ↑ and ↓ move among them. */
class Radios {
  spec: Pt.FieldSpec;
  options: any;
  digits: string[];
  buttons: any;
  element: HTMLDivElement;

  constructor(
    spec: Pt.FieldSpec,
    options: any,
    { label, error }: { label: string; error: any },
    host: any,
  ) {
    this.spec = spec;
    this.options = options;
    this.digits = digitsOf(options);
    this.buttons = options.map((option: Pt.Option, i: number) =>
      optionButton(spec, option, "radio", this.digits[i], (event: any) =>
        host.choose(option.value, event),
      ),
    );
    const chars = options.reduce((sum: any, option: Pt.Option) => sum + option.label.length + 2, 0);
    const stacked = options.length > 4 || chars > ROW_CHARS + 4;
    // What is optional and chosen without keys does not take a line for each option.
    const aside = stacked && !spec.required && !options.some((option: Pt.Option) => option.key);
    this.element = h(
      "div",
      {
        class: `options ${aside ? "chips-row" : stacked ? "stacked" : "abreast"}`,
        role: "radiogroup",
        "aria-labelledby": label,
        "aria-describedby": error,
        "aria-required": spec.required ? "true" : null,
        on: { keydown: (event) => this.move(event) },
      },
      ...this.buttons,
    );
    listenDigits(this.element, this.digits, (at, event) => {
      const { disabled, hidden } = this.buttons[at];
      if (!disabled && !hidden) host.choose(options[at].value, event, true);
    });
  }

  move(event: any) {
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as Record<string, any>)[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const open = this.buttons.filter((button: any) => !button.disabled && !button.hidden);
    const at = open.findIndex((button: any) => button.matches(":focus"));
    const to = open[at + by];
    if (at < 0 || !to) return;
    event.preventDefault();
    this.tabStop(to);
    to.focus();
  }

  tabStop(stop: any) {
    for (const button of this.buttons) button.tabIndex = button === stop ? 0 : -1;
  }

  update({
    value,
    offered,
    disabled,
    keep,
  }: {
    value: any;
    offered: string[];
    disabled: boolean;
    keep: any;
  }) {
    let checked = null;
    this.options.forEach((option: Pt.Option, i: number) => {
      const button = this.buttons[i];
      const takes = offered.includes(option.value);
      const on = value === option.value;
      if (on) checked = button;
      button.hidden = !takes && !keep;
      button.disabled = disabled || !takes;
      setAttr(button, "aria-checked", String(on));
    });
    const focused = this.buttons.find((button: any) => button.matches(":focus"));
    this.tabStop(focused ?? checked ?? this.buttons.find((button: any) => !button.hidden) ?? null);
  }

  focus() {
    (
      this.buttons.find((button: any) => button.tabIndex === 0 && !button.disabled) ??
      this.buttons[0]
    ).focus();
  }
}

/** Several of a closed list. */
class Toggles {
  spec: Pt.FieldSpec;
  value: any[];
  digits: string[];
  buttons: HTMLButtonElement[];
  element: HTMLDivElement;

  constructor(spec: Pt.FieldSpec, { label, error }: { label: string; error: any }, host: any) {
    this.spec = spec;
    this.value = [];
    this.digits = digitsOf(spec.options);
    this.buttons = spec.options.map((option, i) =>
      optionButton(spec, option, null, this.digits[i], (event: any) =>
        host.choose(toggled(spec, this.value, option), event),
      ),
    );
    this.element = h(
      "div",
      {
        class: "options chips-row",
        role: "group",
        "aria-labelledby": label,
        "aria-describedby": error,
      },
      ...this.buttons,
    );
    listenDigits(this.element, this.digits, (at) => this.buttons[at].click());
  }

  update({
    value,
    offered,
    disabled,
    keep,
  }: {
    value: any;
    offered: string[];
    disabled: boolean;
    keep: any;
  }) {
    this.value = value ?? [];
    this.spec.options.forEach((option, i) => {
      const button = this.buttons[i];
      const takes = offered.includes(option.value);
      button.hidden = !takes && !keep;
      button.disabled = disabled || !takes;
      setAttr(button, "aria-pressed", String(this.value.includes(option.value)));
    });
  }

  focus() {
    (this.buttons.find((button) => !button.disabled && !button.hidden) ?? this.buttons[0]).focus();
  }
}

/**
 * A list of options after one was switched on or off; an exclusive one is never combined.
 * @returns null where none is left
 */
export function toggled(spec: Pt.FieldSpec, value: string[], option: Pt.Option): string[] | null {
  let chosen = value.filter((item) => item !== option.value);
  if (chosen.length === value.length) {
    const alone = (item: any) => spec.options.find((other) => other.value === item)?.exclusive;
    chosen = option.exclusive ? [] : chosen.filter((item) => !alone(item));
    chosen.push(option.value);
  }
  const order = spec.options.map((other) => other.value);
  chosen.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return chosen.length ? chosen : null;
}
