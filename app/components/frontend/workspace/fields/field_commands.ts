/** Setting fields, by mouse or by key. */

import { plural } from "../../shared/dom";
import { sentence } from "../../shared/sentences";
import { boxesInTheWay, fieldSet } from "../boxes/blocking_boxes";
import type { Workspace } from "../workspace";
import { toggled } from "./controls";
import { OpenFields, SCOPES } from "./open_fields";
import { pageMarks } from "./page_fields";

const PATIENCE_MS = 3000;
const TYPED_AHEAD = 8;

export class FormCommands extends OpenFields {
  seen: Pt.Target | null;
  early: { event: KeyboardEvent; key: string }[];
  advancing: boolean;

  constructor(screen: Workspace) {
    super(screen);
    this.seen = null;
    this.early = [];
    this.advancing = false;
    screen.commands.register("optionKey", (event, key) => this.byKey(event, key));
    screen.commands.register("nextUnfinished", (event) => this.nextUnfinished(event.timeStamp));
    screen.commands.register("nextField", () => this.nextField());
  }

  /**
   * Set a field, unless boxes block it.
   * @param target see state/form_state.ts
   * @param value null clears it
   * @param how `next`: go
   * to the next field without a value
   */
  set(
    spec: Pt.FieldSpec,
    target: Pt.Target,
    value: any,
    {
      byKey = false,
      next = false,
      text = false,
      stamp,
    }: { byKey?: boolean; next?: boolean; text?: boolean; stamp?: number } = {},
  ) {
    const { attempt } = this.screen;
    const done = () => {
      if (byKey && this.completes(spec, target)) this.advance(target, stamp);
      else if (next && !this.nextField()) this.goOnToPages(stamp);
    };
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

  showError(spec: Pt.FieldSpec, target: Pt.Target, message: string, way: any = null) {
    this.screen.places.get(`${spec.scope} fields`)?.error(spec, target, message, way);
  }

  /**
   * Whether a page's field leaves nothing missing on the page, and one then goes on to the next.
   */
  completes(spec: Pt.FieldSpec, target: Pt.Target) {
    if (spec.scope !== "page" || spec.kind === "multi") return false;
    if (!this.form.scoped("page").some(({ advance }) => advance)) return false;
    const { document, page } = target;
    return !pageMarks(this.form, { document: document ?? "", page: page ?? 0 }).missing.length;
  }

  /** The next of the task's pages, if the target is the page in the viewer. */
  advance({ document, page }: Pt.Target, stamp?: number) {
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

  /** A page was painted: keys that came before it was to be seen count now. */
  painted(target: Pt.Target) {
    this.seen = target;
    const [first, ...rest] = this.early;
    if (!first) return;
    this.early = performance.now() - first.event.timeStamp < PATIENCE_MS ? rest : [];
    if (this.early === rest) this.byKey(first.event, first.key);
  }

  /** The option of a key: a box's label or field, else a field of the page, else of the task. */
  byKey(event: any, key: string) {
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

  choose(scope: Pt.Scope, target: Pt.Target, event: KeyboardEvent, key: string) {
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

  /** The field and the option of a key, or null. */
  keyed(scope: Pt.Scope, target: Pt.Target, key: string) {
    for (const spec of this.form.scoped(scope)) {
      if (!this.form.asked(spec, target)) continue;
      const option = this.form.options(spec, target).find((o) => o.key?.toLowerCase() === key);
      if (option) return { spec, option };
    }
    return null;
  }

  /** Whether pages wait to be opened by hand: until then their judgement can be corrected. */
  get closed() {
    const { protocol, state } = this.data;
    return protocol.pages_after.length > 0 && !state.n_page_views;
  }
}

function blockedBy(boxes: Pt.PageBox[]) {
  const [{ document, page }] = boxes;
  const same = boxes.every((box) => box.document === document && box.page === page);
  const several = boxes.length > 1;
  const count = several ? plural(boxes.length, "box", "boxes") : "a box";
  if (!same) return `There are ${count} on several pages, which this value does not allow.`;
  return sentence("has_boxes", { page, document, boxes: count, them: several ? "them" : "it" });
}

function wanted(spec: Pt.FieldSpec, value: any) {
  if (value === null) return "clear the field";
  if (spec.kind === "ordinal") return `grade ${value}`;
  const label = spec.options.find((option) => option.value === value)?.label;
  return label ? `choose “${label}”` : "set this";
}
