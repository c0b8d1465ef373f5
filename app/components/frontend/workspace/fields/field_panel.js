/** The fields in the right panel: of the task, of the open page, and what ended the task. */

import { h, setText } from "../../shared/dom.js";
import { formOf, TASK } from "../state/form_state.js";
import { FieldGroup } from "./field_group.js";
import { PageFields } from "./page_fields.js";

export class FormPanel {
  /** @param {Pt.Actions} actions as of FieldWidget, frozen(spec), nextUnfinished(stamp) */
  constructor(actions) {
    this.before = new FieldGroup(actions);
    this.page = new PageFields(actions);
    this.after = new FieldGroup(actions);
    this.ended = h("p", {
      class: "ended notice warning medium",
      testid: "ended",
      role: "status",
      hidden: true,
    });
    this.element = h(
      "div",
      { class: "form-panel stack" },
      this.before.element,
      this.ended,
      this.page.element,
      this.after.element,
    );
  }

  /**
   * Show the store's values.
   * @param {Pt.WorkspaceData} data
   * @param {boolean} disabled whether nothing may be changed
   */
  update(data, disabled) {
    const { protocol, attempt } = data;
    const form = formOf(data);
    const model = { form, disabled, attempt };
    const own = protocol.fields.filter((spec) => spec.kind !== "records");
    const first = own.findIndex((spec) => spec.scope === "page");
    const task = (/** @type {Pt.FieldSpec} */ spec, /** @type {number} */ place) =>
      spec.scope === "task" && (first < 0 || place < first);
    const before = own.filter(task);
    const after = own.filter((spec) => spec.scope === "task" && !before.includes(spec));
    this.before.update(before, model);
    this.after.update(after, model);
    this.page.update(data, form, model);
    this.ended.hidden = !form.ended;
    if (form.ended) setText(this.ended, endedBy(form));
    this.element.hidden = !own.some((spec) => spec.scope !== "box");
  }

  /**
   * The widget of a field while it is on screen for that target, or null.
   * @param {Pt.FieldSpec} spec
   * @param {Pt.Target} target
   */
  widget(spec, target) {
    const groups = spec.scope === "page" ? [this.page.group] : [this.before, this.after];
    return groups.map((group) => group.at(spec.name, target)).find(Boolean) ?? null;
  }

  /**
   * * A sentence beside a field.
   * @param {Pt.FieldSpec} spec
   * @param {Pt.Target} target
   * @param {string} sentence
   * @param {any} [way]
   * @returns {boolean} false when the field is not on screen for that target
   */
  showError(spec, target, sentence, way = null, refused = false) {
    const widget = this.widget(spec, target);
    widget?.showError(sentence, way, refused);
    return widget !== null;
  }

  /** @param {Pt.FieldSpec} spec @param {Pt.Target} [target] */
  focus(spec, target = TASK) {
    this.widget(spec, target)?.focus();
  }
}

/** Why nothing more is asked. @param {Pt.Form} form */
function endedBy(form) {
  const spec = /** @type {Pt.FieldSpec} */ (form.field(form.protocol.ends?.field ?? ""));
  const value = form.value(spec);
  const option =
    spec.options.find((o) => o.value === value)?.label ?? (value === true ? "Yes" : "No");
  return `“${spec.label}” is “${option}”: nothing more is asked. Submit the task.`;
}
