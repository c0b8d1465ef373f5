/** Finding what is still to do: pages, fields and boxes that something is missing of. */

import { getBox, verdict } from "../../shared/box_state";
import { sentence } from "../../shared/sentences";
import { unconfirmed } from "../state/contradictions";
import { boxTarget, formOf, pageTarget, TASK } from "../state/form_state";
import type { Workspace } from "../workspace";
import { pageMarks } from "./page_fields";

export const SCOPES: Pt.FieldSpec["scope"][] = ["box", "page", "task"];

export class OpenFields {
  screen: Workspace;

  constructor(screen: Workspace) {
    this.screen = screen;
  }

  get data() {
    return this.screen.store.data;
  }

  get form() {
    return formOf(this.data);
  }

  /** What a key's option would be set on now, by scope. */
  targets(): Record<string, Pt.Target> {
    const { page, selected, state } = this.data;
    const targets: Record<string, Pt.Target> = { task: TASK };
    if (page && this.asksOf(page)) targets.page = pageTarget(page.document, page.page);
    const box = selected && getBox(state.boxes, selected);
    if (box && !box.deleted) targets.box = boxTarget(box);
    return targets;
  }

  /** Whether page fields are asked of a page. */
  asksOf({ document, page }: Pt.Place) {
    const { given } = this.data;
    return !given || given.some((p) => p.document === document && p.page === page);
  }

  /** Why a field cannot be changed any more, or null. */
  frozen(spec: Pt.FieldSpec) {
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

  /** Open the next page, after the one in the viewer, on which something is missing. */
  nextUnfinished(stamp?: number) {
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
   */
  goOnToPages(stamp?: number) {
    const { given, page } = this.data;
    if (page || !given?.some((place) => pageMarks(this.form, place).missing.length)) return;
    this.nextUnfinished(stamp);
    this.screen.viewer.focusPage();
  }

  openPage({ document, page }: any, stamp?: number) {
    const open = this.data.page;
    if (open?.document === document && open.page === page) return;
    this.screen.viewer.goTo({ document, page }, this.data.given ? "given" : "link", stamp);
  }

  /**
   * Go where something is missing.
   * @param part of the screen, or a field's name
   */
  goTo(part: string) {
    const spec = this.form.field(part);
    const own = this.screen.places.get(part);
    if (spec && spec.kind !== "records") this.goToField(spec);
    else if (part === "boxes") this.goToBoxes();
    else if (own?.go) own.go();
    else this.screen.viewer.stage.pane.focus();
  }

  goToField(spec: Pt.FieldSpec) {
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
