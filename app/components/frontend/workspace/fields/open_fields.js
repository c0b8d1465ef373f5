/** Finding what is still to do: pages, fields and boxes that something is missing of. */

import { getBox, verdict } from "../../shared/box_state.js";
import { sentence } from "../../shared/sentences.js";
import { unconfirmed } from "../state/contradictions.js";
import { boxTarget, formOf, pageTarget, TASK } from "../state/form_state.js";
import { pageMarks } from "./page_fields.js";

/** @type {Pt.FieldSpec["scope"][]} */
export const SCOPES = ["box", "page", "task"];

export class OpenFields {
  /** @param {import("../workspace.js").Workspace} screen */
  constructor(screen) {
    this.screen = screen;
  }

  get data() {
    return this.screen.store.data;
  }

  get form() {
    return formOf(this.data);
  }

  /** What a key's option would be set on now, by scope. @returns {Record<string, Pt.Target>} */
  targets() {
    const { page, selected, state } = this.data;
    /** @type {Record<string, Pt.Target>} */
    const targets = { task: TASK };
    if (page && this.asksOf(page)) targets.page = pageTarget(page.document, page.page);
    const box = selected && getBox(state.boxes, selected);
    if (box && !box.deleted) targets.box = boxTarget(box);
    return targets;
  }

  /** Whether page fields are asked of a page. @param {Pt.Place} place */
  asksOf({ document, page }) {
    const { given } = this.data;
    return !given || given.some((p) => p.document === document && p.page === page);
  }

  /** Why a field cannot be changed any more, or null. @param {Pt.FieldSpec} spec */
  frozen(spec) {
    const { protocol, state } = this.data;
    if (!protocol.pages_after.includes(spec.name) || !state.n_page_views) return null;
    return sentence("pages_opened", { label: spec.label });
  }

  /** Give the focus to the next field without a value, of those on screen. */
  nextField() {
    const { form } = this;
    const targets = this.targets();
    if (this.screen.attempt.readOnly || form.ended) return false;
    const open = this.data.protocol.fields.filter(
      (spec) =>
        spec.kind !== "records" &&
        targets[spec.scope] &&
        form.asked(spec, targets[spec.scope]) &&
        form.isUnset(spec, targets[spec.scope]) &&
        !this.frozen(spec),
    );
    const next = open.find(({ required }) => required) ?? open[0];
    if (!next) return false;
    this.screen.layout.showRight();
    this.screen.places.get(`${next.scope} fields`)?.go(next, targets[next.scope]);
    return true;
  }

  /**
   * Open the next page, after the one in the viewer, on which something is missing.
   * @param {number} [stamp]
   */
  nextUnfinished(stamp) {
    const { given, page } = this.data;
    if (!given?.length || !this.form.scoped("page").length) return false;
    const here = given.findIndex((p) => p.document === page?.document && p.page === page?.page);
    const order = [...given.slice(here + 1), ...given.slice(0, here + 1)];
    const next = order.find((place) => pageMarks(this.form, place).missing.length);
    if (next) this.openPage(next, stamp);
    return true;
  }

  /**
   * After the last field of the task: what is left is on pages. Staying would let the digits that
   * are meant for a page choose in that field again.
   * @param {number} [stamp]
   */
  goOnToPages(stamp) {
    const { given, page } = this.data;
    if (page || !given?.some((place) => pageMarks(this.form, place).missing.length)) return;
    this.nextUnfinished(stamp);
    this.screen.viewer.focusPage();
  }

  /** @param {any} place @param {number} [stamp] */
  openPage({ document, page }, stamp) {
    const open = this.data.page;
    if (open?.document === document && open.page === page) return;
    this.screen.viewer.goTo({ document, page }, this.data.given ? "given" : "link", stamp);
  }

  /** Go where something is missing. @param {string} part of the screen, or a field's name */
  goTo(part) {
    const spec = this.form.field(part);
    const own = this.screen.places.get(part);
    if (spec && spec.kind !== "records") this.goToField(spec);
    else if (part === "boxes") this.goToBoxes();
    else if (own?.go) own.go();
    else this.screen.viewer.stage.pane.focus();
  }

  /** @param {Pt.FieldSpec} spec */
  goToField(spec) {
    const { form } = this;
    const target = form
      .targets(spec)
      .find((one) => form.isUnset(spec, one) || unconfirmed(form, spec, one));
    if (!target) return;
    if (target.page !== null) this.openPage(target);
    if (target.box) this.screen.store.set({ selected: target.box });
    this.screen.layout.showRight();
    const own = this.screen.places.get(`${spec.scope} fields`);
    own?.go(spec, target);
  }

  goToBoxes() {
    const { form } = this;
    const { boxes } = this.data.state.boxes;
    const open = this.data.protocol.boxes.check_all && boxes.find((box) => verdict(box) === "open");
    const needsBox = form.pages().find((place) => pageMarks(form, place).needsBox);
    if (open ?? needsBox) this.openPage(open || needsBox);
    if (open) this.screen.store.set({ selected: open.id });
    else this.screen.viewer.stage.pane.focus();
  }
}
