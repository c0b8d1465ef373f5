/** Setting fields, by mouse or by key, and finding what is still to do. */

import { getBox, verdict } from "../../shared/box_state.js";
import { plural } from "../../shared/dom.js";
import { sentence } from "../../shared/sentences.js";
import { boxesInTheWay, fieldSet } from "../boxes/blocking_boxes.js";
import { unconfirmed } from "../state/contradictions.js";
import { boxTarget, formOf, pageTarget, TASK } from "../state/form_state.js";
import { toggled } from "./controls.js";
import { pageMarks } from "./page_fields.js";

const PATIENCE_MS = 3000;
const TYPED_AHEAD = 8;
/** @type {Pt.FieldSpec["scope"][]} */
const SCOPES = ["box", "page", "task"];

export class FormCommands {
  /** @param {import("../workspace.js").Workspace} screen */
  constructor(screen) {
    this.screen = screen;
    this.seen = null;
    /** @type {{ event: KeyboardEvent, key: string }[]} */
    this.early = [];
    this.advancing = false;
    screen.commands.register("optionKey", (event, key) => this.byKey(event, key));
    screen.commands.register("nextUnfinished", (event) => this.nextUnfinished(event.timeStamp));
  }

  get data() {
    return this.screen.store.data;
  }

  get form() {
    return formOf(this.data);
  }

  /**
   * Set a field, unless boxes block it.
   * @param {Pt.FieldSpec} spec
   * @param {Pt.Target} target see state/form_state.js
   * @param {*} value null clears it
   * @param {{byKey?: boolean, text?: boolean, stamp?: number}} [how]
   */
  set(spec, target, value, { byKey = false, text = false, stamp } = {}) {
    const { attempt } = this.screen;
    const done = () => byKey && spec.advance && this.advance(target, stamp);
    if (attempt.readOnly) return;
    const frozen = this.frozen(spec);
    if (frozen) {
      this.showError(spec, target, frozen);
      return;
    }
    if (!text && JSON.stringify(this.form.stored(spec, target)) === JSON.stringify(value)) {
      done();
      return;
    }
    const boxes = boxesInTheWay(this.form, spec, target, value);
    if (boxes.length) {
      this.showError(spec, target, blockedBy(boxes), {
        label: `Delete the ${boxes.length === 1 ? "box" : plural(boxes.length, "box", "boxes")} and ${wanted(spec, value)}`,
        run: () => {
          for (const box of boxes) attempt.record("box_deleted", { box: box.id });
          if (attempt.record("field_set", fieldSet(spec, target, value))) done();
        },
      });
      return;
    }
    this.showError(spec, target, "");
    if (attempt.record("field_set", fieldSet(spec, target, value))) done();
  }

  /**
   * @param {Pt.FieldSpec} spec
   * @param {Pt.Target} target
   * @param {string} message
   * @param {any} [way]
   */
  showError(spec, target, message, way = null) {
    this.screen.places.get(`${spec.scope} fields`)?.error(spec, target, message, way);
  }

  /**
   * The next of the task's pages, if the target is the page in the viewer.
   * @param {Pt.Target} place
   * @param {number} [stamp]
   */
  advance({ document, page }, stamp) {
    const open = this.data.page;
    if (open?.document !== document || open.page !== page) return;
    this.advancing = true;
    this.screen.viewer.turn("next", stamp ?? performance.now());
    this.advancing = false;
  }

  /** A page was opened: what was typed ahead is meant for pages that one goes on to. */
  opened() {
    if (!this.advancing) this.early = [];
  }

  /**
   * A page was painted: keys that came before it was to be seen count now.
   * @param {Pt.Target} target
   */
  painted(target) {
    this.seen = target;
    const [first, ...rest] = this.early;
    if (!first) return;
    this.early = performance.now() - first.event.timeStamp < PATIENCE_MS ? rest : [];
    if (this.early === rest) this.byKey(first.event, first.key);
  }

  /**
   * The option of a key: a box's label or field, else a field of the page, else of the task.
   * @param {any} event
   * @param {string} key
   */
  byKey(event, key) {
    const { selected, tool, protocol, keys } = this.data;
    if (this.screen.attempt.readOnly) return false;
    // Nothing is chosen where the page alone is to be seen, except labels of its boxes.
    if (protocol.boxes.enabled && (tool === "box" || selected)) {
      const label = Object.keys(keys).find((name) => keys[name]?.toLowerCase() === key);
      if (label) return this.screen.boxes.label(label);
    }
    if (this.data.reading) return false;
    const targets = this.targets();
    // Nobody judges a page that is not on screen yet, however fast the keys come.
    if (targets.page && this.screen.viewer.target !== this.seen) {
      if (this.keyed("page", targets.page, key)) {
        if (this.early.length < TYPED_AHEAD) this.early.push({ event, key });
        return true;
      }
    }
    for (const scope of SCOPES) {
      if (targets[scope] && this.choose(scope, targets[scope], event, key)) return true;
    }
    return false;
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

  /** The options that a key chooses now, those first that come first. */
  keyedOptions() {
    if (this.screen.attempt.readOnly || this.data.reading) return [];
    const targets = this.targets();
    return SCOPES.filter((scope) => targets[scope]).flatMap((scope) =>
      this.form
        .scoped(scope)
        .filter((spec) => this.form.asked(spec, targets[scope]) && !this.frozen(spec))
        .flatMap((spec) =>
          this.form
            .options(spec, targets[scope])
            .filter((option) => option.key)
            .map((option) => ({ spec, option })),
        ),
    );
  }

  /** @param {any} scope @param {Pt.Target} target @param {any} event @param {string} key */
  choose(scope, target, event, key) {
    const found = this.keyed(scope, target, key);
    if (!found) return false;
    const { spec, option } = found;
    const value =
      spec.kind === "multi"
        ? toggled(spec, this.form.value(spec, target) ?? [], option)
        : option.value;
    this.set(spec, target, value, { byKey: true, stamp: event.timeStamp });
    return true;
  }

  /**
   * The field and the option of a key, or null.
   * @param {any} scope
   * @param {Pt.Target} target
   * @param {string} key
   */
  keyed(scope, target, key) {
    for (const spec of this.form.scoped(scope)) {
      if (!this.form.asked(spec, target)) continue;
      const option = this.form.options(spec, target).find((o) => o.key?.toLowerCase() === key);
      if (option) return { spec, option };
    }
    return null;
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

  /** Whether pages wait to be opened by hand: until then their judgement can be corrected. */
  get closed() {
    const { protocol, state } = this.data;
    return protocol.pages_after.length > 0 && !state.n_page_views;
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

/** @param {Pt.PageBox[]} boxes */
function blockedBy(boxes) {
  const [{ document, page }] = boxes;
  const same = boxes.every((box) => box.document === document && box.page === page);
  const several = boxes.length > 1;
  const count = several ? plural(boxes.length, "box", "boxes") : "a box";
  if (!same) return `There are ${count} on several pages, which this value does not allow.`;
  return sentence("has_boxes", { page, document, boxes: count, them: several ? "them" : "it" });
}

/** @param {Pt.FieldSpec} spec @param {any} value */
function wanted(spec, value) {
  if (value === null) return "clear the field";
  if (spec.kind === "ordinal") return `grade ${value}`;
  const label = spec.options.find((option) => option.value === value)?.label;
  return label ? `choose “${label}”` : "set this";
}
