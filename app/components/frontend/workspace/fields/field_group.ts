/** The fields of one scope, one below the other. */

import { h } from "../../shared/dom";
import { TASK } from "../state/form_state";
import { FieldWidget, sameTarget } from "./fields";

/** The fields of one scope, in the protocol's order; tables of records left out. */
export class FieldGroup {
  actions: Pt.Actions;
  specs: any;
  widgets: Map<any, any>;
  element: HTMLDivElement;

  /** @param actions as of FieldWidget */
  constructor(actions: Pt.Actions) {
    this.actions = actions;
    this.specs = null;
    this.widgets = new Map();
    this.element = h("div", { class: "field-group stack" });
  }

  /**
   * Show the fields of a target.
   * @param model as of FieldWidget.update
   */
  update(specs: Pt.FieldSpec[], { target = TASK, ...model }: any) {
    const names = JSON.stringify(specs);
    if (names !== this.specs) {
      this.specs = names;
      this.clear();
      for (const spec of specs) {
        if (spec.kind !== "records")
          this.widgets.set(spec.name, new FieldWidget(spec, this.actions));
      }
      this.element.append(...[...this.widgets.values()].map((widget) => widget.element));
    }
    this.element.hidden = !this.widgets.size;
    for (const widget of this.widgets.values()) widget.update({ ...model, target });
  }

  clear() {
    for (const widget of this.widgets.values()) widget.remove();
    this.widgets.clear();
    this.element.replaceChildren();
  }

  /** The widget of a field while it is shown for that target. */
  at(name: string, target: Pt.Target) {
    const widget = this.widgets.get(name);
    return widget && sameTarget(widget.target, target) ? widget : null;
  }
}
