/** The fields in the right panel: of the task, of the open page, and what ended the task. */

import { h, setText } from "../../shared/dom";
import { formOf, TASK } from "../state/form_state";
import { FieldGroup } from "./field_group";
import { PageFields } from "./page_fields";

export class FormPanel {
  before: FieldGroup;
  page: PageFields;
  after: FieldGroup;
  ended: HTMLParagraphElement;
  element: HTMLDivElement;

  /** @param actions as of FieldWidget, frozen(spec), nextUnfinished(stamp) */
  constructor(actions: Pt.Actions) {
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
   * @param disabled whether nothing may be changed
   */
  update(data: Pt.WorkspaceData, disabled: boolean) {
    const { protocol, attempt } = data;
    const form = formOf(data);
    const model = { form, disabled, attempt };
    const own = protocol.fields.filter((spec) => spec.kind !== "records");
    const first = own.findIndex((spec) => spec.scope === "page");
    const task = (spec: Pt.FieldSpec, place: number) =>
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

  /** The widget of a field while it is on screen for that target, or null. */
  widget(spec: Pt.FieldSpec, target: Pt.Target) {
    const groups = spec.scope === "page" ? [this.page.group] : [this.before, this.after];
    return groups.map((group) => group.at(spec.name, target)).find(Boolean) ?? null;
  }

  /**
   * * A sentence beside a field.
   * @returns false when the field is not on screen for that target
   */
  showError(
    spec: Pt.FieldSpec,
    target: Pt.Target,
    sentence: string,
    way: any = null,
    refused = false,
  ): boolean {
    const widget = this.widget(spec, target);
    widget?.showError(sentence, way, refused);
    return widget !== null;
  }

  focus(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    this.widget(spec, target)?.focus();
  }
}

/** Why nothing more is asked. */
function endedBy(form: Pt.Form) {
  const spec = form.field(form.protocol.ends?.field ?? "") as Pt.FieldSpec;
  const value = form.value(spec);
  const option =
    spec.options.find((o) => o.value === value)?.label ?? (value === true ? "Yes" : "No");
  return `“${spec.label}” is “${option}”: nothing more is asked. Submit the task.`;
}
