/** What a reviewer says of a decision besides its reason: kinds of error, and how sure. */

import { button } from "../../shared/buttons";
import { fill, h } from "../../shared/dom";

const SURE = [
  ["", "How sure?"],
  ["high", "Sure"],
  ["medium", "Fairly sure"],
  ["low", "Not sure"],
];

export class SaidOfDecision {
  errors: Set<string>;
  task: number | null;
  chips: HTMLSpanElement;
  sure: HTMLSelectElement;
  element: HTMLDivElement;

  constructor() {
    this.errors = new Set();
    this.task = null;
    this.chips = h("span", { class: "inline wrap", role: "group", "aria-label": "Kinds of error" });
    this.sure = h(
      "select",
      { testid: "confidence", "aria-label": "How sure are you?" },
      ...SURE.map(([value, text]) => h("option", { value, text })),
    );
    this.element = h("div", { class: "said line" }, this.chips, this.sure);
  }

  update({ data, decided, readOnly }: Pt.ReviewView) {
    const { rule, task, gold } = data;
    const fresh = this.task !== task.id;
    this.task = task.id;
    if (fresh || decided) {
      this.errors = new Set(decided && data.status !== "check" ? gold?.errors : []);
      if (fresh || data.status !== "check") this.sure.value = (decided && gold?.confidence) || "";
    }
    this.element.hidden = !rule.errors.length && !rule.confidence;
    this.sure.hidden = !rule.confidence;
    const fixed = readOnly || (decided && data.status !== "check");
    this.sure.disabled = fixed;
    fill(
      this.chips,
      ...rule.errors.map((name) =>
        button(name, (event) => this.toggle(name, event.currentTarget as any), {
          "aria-pressed": String(this.errors.has(name)),
          disabled: fixed,
        }),
      ),
    );
  }

  toggle(name: string, chip: HTMLElement) {
    if (!this.errors.delete(name)) this.errors.add(name);
    chip.setAttribute("aria-pressed", String(this.errors.has(name)));
  }

  /** What is sent with the decision. */
  get said() {
    const confidence = (this.sure.value || null) as Pt.DecideRequest["confidence"];
    return { errors: [...this.errors], confidence };
  }
}
