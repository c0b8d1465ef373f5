/**
 * A field of the task, a page or a box: label, help, control, what is wrong. Tables of records are in
 * fields/record_table.ts.
 */

import { h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { sentence } from "../../shared/sentences";
import { strip } from "../state/attempt_state";
import { unconfirmed } from "../state/contradictions";
import { createControl } from "./controls";
import { fieldText } from "./text_drafts";

let made = 0;

export class FieldWidget {
  spec: Pt.FieldSpec;
  actions: any;
  text: any;
  target: any;
  attempt: any;
  control: any;
  helpText: any;
  helpButton: HTMLButtonElement;
  todo: HTMLSpanElement;
  note: HTMLParagraphElement;
  differs: HTMLSpanElement | null;
  confirm: HTMLButtonElement;
  contradiction: HTMLParagraphElement | null;
  error: HTMLSpanElement;
  way: HTMLButtonElement;
  element: HTMLDivElement;
  refused: boolean | undefined;

  shown: any;

  /**
   * @param actions set(spec, target, value, {stamp, text}), texts (a Texts),
   * helpOpen(name, open?) whether the help is open (after setting it), readOnly(), lastSeq()
   */
  constructor(spec: Pt.FieldSpec, actions: Pt.Actions) {
    made += 1;
    this.spec = spec;
    this.actions = actions;
    this.text = null;
    this.target = null;
    this.attempt = null;
    const id = `pt-field-${made}`;
    const ids = { label: `${id}-label`, input: `${id}-input`, error: `${id}-error` };
    this.control = createControl(spec, ids, {
      choose: (value: any, event: any, digit: boolean) => this.choose(value, event, digit),
      problem: (sentence: string) => this.showError(sentence),
      showText: (element: any, text: string) => this.showText(element, text),
    });
    this.helpText = helpOf(spec, `${id}-help`);
    this.helpButton = h(
      "button",
      {
        class: "icon-button small",
        testid: "field-help",
        "aria-controls": `${id}-help`,
        "aria-label": `What “${spec.label}” means`,
        title: "What it means",
        hidden: !this.helpText,
        on: { click: () => this.showHelp(actions.helpOpen(spec.name, this.helpText.hidden)) },
      },
      icon("help"),
    );
    const typed = this.control.element.id === ids.input;
    this.todo = h("span", { class: "todo pill", text: "required" });
    this.note = h("p", { class: "caption", hidden: true });
    this.differs = spec.matches_boxes ? h("span", {}) : null;
    this.confirm = h("button", {
      class: "button small",
      testid: "confirm-contradiction",
      text: "Both are right",
      on: { click: () => actions.confirm(spec, this.target) },
    });
    this.contradiction =
      this.differs &&
      h(
        "p",
        { class: "notice warning medium", role: "status", testid: "contradiction", hidden: true },
        this.differs,
        " ",
        this.confirm,
      );
    this.error = h("span", {});
    this.way = h("button", { class: "button small", testid: "field-way", hidden: true });
    this.element = h(
      "div",
      { class: "field form-field stack", testid: "field", "data-field": spec.name },
      h(
        "div",
        { class: "field-head line" },
        h(typed ? "label" : "span", {
          id: ids.label,
          class: "field-label heading wrap",
          for: typed ? ids.input : null,
          text: spec.label,
        }),
        spec.required
          ? this.todo
          : h("span", { class: "optional caption nowrap", text: "optional" }),
        this.helpButton,
      ),
      this.helpText,
      this.control.element,
      this.note,
      this.contradiction,
      h(
        "p",
        {
          class: "field-error",
          id: ids.error,
          role: "alert",
          testid: "field-error",
          "data-field": spec.name,
        },
        this.error,
        this.way,
      ),
    );
    if ("flush" in this.control) actions.texts.include(this.control);
    if (this.helpText) this.showHelp(actions.helpOpen(spec.name));
    this.showError("");
  }

  /** @param digit chosen by a digit */
  choose(value: any, event: any = null, digit: boolean = false) {
    const how = { stamp: event?.timeStamp, byKey: digit, next: digit };
    if (this.target) this.actions.set(this.spec, this.target, value, how);
  }

  showHelp(open: boolean) {
    this.helpText.hidden = !open;
    setAttr(this.helpButton, "aria-expanded", String(open));
  }

  /**
   * Show the field of a target.
   * @param model   `reserve`: a field that is not asked keeps its place, so that turning pages moves nothing
   */
  update({
    form,
    target,
    disabled,
    attempt,
    reserve = false,
  }: {
    form: any;
    target: any;
    disabled: boolean;
    attempt: string;
    reserve: boolean;
  }) {
    const { spec } = this;
    if (this.attempt !== attempt || !sameTarget(this.target, target)) {
      this.attempt = attempt;
      this.target = target;
      this.control.reset?.();
      this.showError("");
    }
    const asked = form.asked(spec, target);
    this.element.hidden = !asked && !reserve;
    this.element.classList.toggle("not-asked", !asked && reserve);
    this.element.inert = !asked;
    const offered =
      spec.kind === "boolean" ? [true, false] : form.options(spec, target).map((o: any) => o.value);
    const value = form.value(spec, target);
    const key = JSON.stringify(value);
    if (key !== this.shown && !this.refused) this.showError("");
    this.shown = key;
    const implied = form.implied(spec, target);
    const frozen = this.actions.frozen?.(spec) ?? null;
    setText(this.note, frozen ?? "");
    this.note.hidden = !frozen;
    this.control.update({
      value,
      offered,
      disabled: disabled || implied || Boolean(frozen),
      keep: reserve,
    });
    this.showContradiction(form, disabled);
    const unset = spec.required && form.isUnset(spec, target);
    this.todo.classList.toggle("done", !unset);
  }

  showContradiction(form: Pt.Form, disabled: boolean) {
    const { spec, target } = this;
    if (!this.contradiction || !this.differs) return;
    const found = unconfirmed(form, spec, target);
    this.contradiction.hidden = !found;
    if (!found) return;
    const words = (values: string[]) =>
      spec.options
        .filter(({ value }) => values.includes(value))
        .map(({ label }) => label)
        .join(", ") || "none of these";
    const said = { chosen: words(found.chosen), drawn: words(found.drawn) };
    setText(this.differs, sentence("differs_here", said));
    this.confirm.disabled = disabled;
  }

  /** Put a text field's text into its box, with drafts of this browser. */
  showText(element: HTMLTextAreaElement, text: string) {
    const { actions, spec, target, attempt } = this;
    const name = fieldText(spec.name, target);
    this.text ??= actions.texts.add(element, name, (value: any) => {
      actions.set(spec, this.target, value, { text: true });
    });
    if (this.text.attempt === attempt && this.text.field === name) {
      this.text.sync(text);
      return;
    }
    this.text.field = name;
    const lost = this.text.attach(attempt, text, !actions.readOnly(), actions.lastSeq());
    if (lost !== null && strip(lost)) {
      const way = { label: "Use it", run: () => this.text.use(lost) };
      this.showError("Text typed here earlier was not saved.", way);
    }
  }

  /** The widget is taken off the screen. */
  remove() {
    for (const typed of [this.text, this.control]) this.actions.texts.remove(typed);
  }

  /**
   * A sentence under the field, perhaps with a way out.
   * @param refused whether the server did not take the value: the sentence stays while
   * the former value comes back, until another is chosen
   */
  showError(
    sentence: string,
    way: { label: string; run: () => void } | null = null,
    refused: boolean = false,
  ) {
    this.refused = refused;
    setText(this.error, sentence);
    (this.error.parentElement as HTMLElement).hidden = !sentence;
    this.way.hidden = !way;
    setText(this.way, way?.label ?? "");
    this.way.onclick =
      way &&
      (() => {
        this.showError("");
        way.run();
      });
  }

  focus() {
    this.control.focus();
  }
}

export function sameTarget(a: any, b: any) {
  return Boolean(a && b) && a.document === b.document && a.page === b.page && a.box === b.box;
}

function helpOf(spec: Pt.FieldSpec, id: string) {
  const meanings = spec.options.filter((option) => option.help);
  if (!spec.help && !meanings.length) return null;
  return h(
    "div",
    { class: "field-help stack notice medium", id, hidden: true },
    spec.help ? h("p", { text: spec.help }) : null,
    meanings.length
      ? h(
          "dl",
          { class: "stack tight" },
          ...meanings.map(({ label, help }) =>
            h("div", {}, h("dt", { text: label }), h("dd", { text: help })),
          ),
        )
      : null,
  );
}
