/** The fields of the open page, how many pages are done, and what is missing on each. */

import { boxesOn, verdict } from "../../shared/box_state";
import { h, plural, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { unconfirmed } from "../state/contradictions";
import type { Form } from "../state/form_state";
import { boxTarget, pageTarget } from "../state/form_state";
import { FieldGroup } from "./field_group";

/**
 * What a page has and what is missing on it.
 * @returns `grade` the option of the page's first closed field, `asks` whether anything is asked of it,
 * `missing` what is missing in words, `needsBox` whether it needs a box and has none
 */
export function pageMarks(
  form: Form,
  place: { document: string; page: number },
): { grade: any | null; asks: boolean; missing: string[]; needsBox: boolean; boxes: number } {
  if (!known.has(form)) known.set(form, new Map());
  const of = known.get(form);
  const key = `${place.page} ${place.document}`;
  if (!of.has(key)) of.set(key, marks(form, place));
  return of.get(key);
}

const known = new WeakMap();

function marks(form: Pt.Form, { document, page }: Pt.Place) {
  const target = pageTarget(document, page);
  const { boxes: part } = form.protocol;
  const boxes = part.enabled ? boxesOn(form.state.boxes, document, page) : [];
  const specs = form.scoped("page").filter((spec) => form.asked(spec, target));
  const missing = specs
    .filter((spec) => spec.required && form.isUnset(spec, target))
    .map((spec) => spec.label);
  for (const spec of specs) {
    if (unconfirmed(form, spec, target)) missing.push(`${spec.label}, unlike the boxes`);
  }
  const needsBox = part.required && !boxes.length && form.mayHaveBoxes(document, page);
  if (needsBox) missing.push("a box");
  if (part.check_all && !form.ended) {
    const open = boxes.filter((box: Pt.PageBox) => verdict(box) === "open").length;
    if (open) missing.push(`${plural(open, "element")} to check`);
  }
  for (const spec of form.scoped("box")) {
    const unset = (box: Pt.PageBox) =>
      form.asked(spec, boxTarget(box)) && form.isUnset(spec, boxTarget(box));
    if (spec.required && boxes.some(unset)) missing.push(spec.label);
  }
  const badge = gradeField(form.protocol);
  const value = badge && form.value(badge, target);
  const grade =
    value === null ? null : (badge?.options.find((option) => option.value === value) ?? null);
  const asks = specs.some((spec) => spec.required) || (part.check_all && boxes.length > 0);
  return { grade, asks, missing, needsBox, boxes: boxes.length };
}

/** The field whose value is a page's badge: the first closed one. */
export function gradeField(protocol: Pt.Protocol) {
  const closed = (spec: Pt.FieldSpec) =>
    spec.scope === "page" && (spec.kind === "ordinal" || spec.kind === "choice");
  return protocol.fields.find(closed) ?? null;
}

/** How strong a grade is among the options: "high", "middle", "low", or "some" without codes. */
export function gradeRank(protocol: Pt.Protocol, option: Pt.Option) {
  const codes = (gradeField(protocol) as Pt.FieldSpec).options
    .map((o) => o.code)
    .filter((code) => code !== null);
  if (option.code === null || codes.length < 2) return "some";
  if (option.code === Math.max(...codes)) return "high";
  return option.code === Math.min(...codes) ? "low" : "middle";
}

export class PageFields {
  group: FieldGroup;
  title: HTMLHeadingElement;
  count: HTMLSpanElement;
  nextText: HTMLSpanElement;
  next: HTMLButtonElement;
  hint: HTMLParagraphElement;
  element: HTMLElement;

  /** @param actions as of FieldWidget, and nextUnfinished(stamp) */
  constructor(actions: Pt.Actions) {
    this.group = new FieldGroup(actions);
    this.title = h("h2", { class: "section-title wrap", testid: "page-fields-title" });
    this.count = h("span", {
      class: "page-count quiet number medium",
      testid: "pages-graded",
      role: "status",
    });
    this.nextText = h("span", {});
    this.next = h(
      "button",
      {
        class: "button small",
        testid: "next-unfinished",
        title: "Next page with something missing (m)",
        on: { click: (event) => actions.nextUnfinished(event.timeStamp) },
      },
      this.nextText,
      icon("next"),
    );
    this.hint = h("p", { class: "quiet medium" });
    this.element = h(
      "section",
      { class: "page-fields stack", "aria-label": "This page", testid: "page-fields" },
      h("div", { class: "page-progress line spread" }, this.count, this.next),
      this.title,
      this.hint,
      this.group.element,
    );
  }

  /**
   * @param data the store's values
   * @param model disabled, attempt, frozen
   */
  update(data: Pt.WorkspaceData, form: Form, model: any) {
    const { page, given, locked, protocol } = data;
    const specs = form.scoped("page");
    this.element.hidden = !specs.length || form.ended || locked.length > 0;
    if (this.element.hidden) return;
    const pages = form.pages();
    const all = pages.map((place) => pageMarks(form, place));
    const badge = gradeField(protocol);
    const done = all.filter(({ grade, missing }) => (badge ? grade : !missing.length)).length;
    const word = badge?.kind === "ordinal" ? "graded" : "done";
    setText(this.count, given ? `${done} of ${plural(pages.length, "page")} ${word}` : "");
    const open = all.filter(({ missing }) => missing.length).length;
    this.next.hidden = !given || !open || model.disabled;
    setText(this.nextText, `${open} open`);
    const mine = page && pages.some((p) => p.document === page.document && p.page === page.page);
    setText(this.title, page ? `Page ${page.page} of ${page.document}` : "This page");
    const hint = !page
      ? "Open a page to judge it."
      : mine
        ? ""
        : given
          ? "This page is not one of the task's pages."
          : "Cite this page to judge it.";
    setText(this.hint, hint);
    this.hint.hidden = !hint;
    const target = mine ? pageTarget(page.document, page.page) : null;
    this.group.element.hidden = !target;
    if (target) {
      this.group.update(specs, { ...model, form, target, reserve: true });
    }
  }
}
