/** Controls of fields that are typed in: numbers and texts; see controls.ts. */

import { h, setAttr } from "../../shared/dom";
import { sentence } from "../../shared/sentences";

/** A number; what is no number or out of bounds is said and not sent. */
export class NumberBox {
  spec: Pt.FieldSpec;
  host: any;
  shown: any;
  field: string | null;
  element: HTMLInputElement;

  refused: any;

  constructor(spec: Pt.FieldSpec, { input, error }: { input: any; error: any }, host: any) {
    this.spec = spec;
    this.host = host;
    this.shown = null;
    this.field = null; // of a text's draft: numbers have none
    this.element = h("input", {
      id: input,
      class: "number-input",
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      testid: "field-input",
      "data-field": spec.name,
      "aria-describedby": error,
      on: {
        change: () => this.commit(),
        keydown: (event) => event.key === "Enter" && this.commit(),
      },
    });
  }

  /** Whether something typed has not been handed over. */
  get dirty() {
    return this.shown !== null && this.element.value.trim() !== this.shown;
  }

  /** Another target's number comes next. */
  reset() {
    this.shown = null;
  }

  flush() {
    this.commit();
  }

  commit() {
    const text = this.element.value.trim();
    if (!this.dirty || text === this.refused) return;
    const value = text === "" ? null : Number(text.replace(",", "."));
    const wrong = value === null ? "" : wrongNumber(this.spec, value, text);
    setAttr(this.element, "aria-invalid", wrong ? "true" : null);
    this.refused = wrong ? text : null; // said once, not at every flush
    if (wrong) this.host.problem(wrong);
    else this.host.choose(value);
  }

  update({ value, disabled }: { value: any; disabled: boolean }) {
    setAttr(this.element, "readonly", disabled);
    const text = value === null ? "" : String(value);
    if (text === this.shown) return;
    this.shown = text;
    this.element.value = text;
    this.refused = null;
    setAttr(this.element, "aria-invalid", null);
  }

  focus() {
    this.element.focus();
  }
}

/** Why a number cannot be taken, or "". */
function wrongNumber(spec: Pt.FieldSpec, value: number, text: string) {
  if (!Number.isFinite(value)) return sentence("not_a_number", { value: `“${text}”` });
  if (spec.integer && !Number.isInteger(value)) return sentence("not_whole", { value });
  if (spec.min !== null && value < spec.min) return sentence("below", { value, limit: spec.min });
  if (spec.max !== null && value > spec.max) return sentence("above", { value, limit: spec.max });
  return "";
}

/** A text that saves itself; `host.text` makes the text box one that does. */
export class TextBox {
  element: HTMLTextAreaElement;
  host: any;

  constructor(spec: Pt.FieldSpec, { input, error }: { input: any; error: any }, host: any) {
    this.element = h("textarea", {
      id: input,
      rows: spec.max_length > 200 ? "3" : "1",
      maxlength: String(spec.max_length),
      testid: "field-input",
      "data-field": spec.name,
      "aria-describedby": error,
      spellcheck: "true",
    });
    this.host = host;
  }

  update({ value, disabled }: { value: any; disabled: boolean }) {
    setAttr(this.element, "readonly", disabled);
    this.host.showText(this.element, value ?? "");
  }

  focus() {
    this.element.focus();
  }
}
