/** The fields of one scope, one below the other. */

import { h } from "../../shared/dom.js";
import { TASK } from "../state/form_state.js";
import { FieldWidget, sameTarget } from "./fields.js";

/** The fields of one scope, in the protocol's order; tables of records left out. */
export class FieldGroup {
  /** @param {Pt.Actions} actions as of FieldWidget */
  constructor(actions) {
    this.actions = actions;
    /** @type {any} */
    this.specs = null;
    this.widgets = new Map();
    this.element = h("div", { class: "field-group stack" });
  }

  /**
   * Show the fields of a target.
   * @param {Pt.FieldSpec[]} specs
   * @param {any} model as of FieldWidget.update
   */
  update(specs, { target = TASK, ...model }) {
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

  /**
   * The widget of a field while it is shown for that target.
   * @param {string} name
   * @param {Pt.Target} target
   */
  at(name, target) {
    const widget = this.widgets.get(name);
    return widget && sameTarget(widget.target, target) ? widget : null;
  }
}
