/** What fields do: setting them by mouse or key, and finding what is still to do. */

import { createRef } from "preact";
import { verdict } from "../../shared/box_state";
import { t, tn } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import { blockedBy, boxesInTheWay, fieldSet } from "../boxes/blocking_boxes";
import type { BoxTool } from "../boxes/box_commands";
import type { Commands } from "../commands";
import type { Layout } from "../panel_visibility";
import type { ProblemPlace } from "../problem_places";
import type { Attempt } from "../state/attempt";
import { unconfirmed } from "../state/contradictions";
import { arePagesClosed, formOf } from "../state/form_state";
import type { Viewer } from "../viewer/viewer";
import type { Value } from "./controls";
import type { FieldActions, SetOptions } from "./Field";
import {
  currentTargets,
  type FieldProblem,
  fieldKey,
  frozenReason,
  shownTarget,
} from "./field_state";
import { toggled } from "./options";
import { pageMarks } from "./page_marks";

const PATIENCE_MS = 3000;
const TYPED_AHEAD = 8;
const SCOPES: Pt.Scope[] = ["box", "page", "task"];

interface FormCommandsHost {
  attempt: Attempt;
  boxes: BoxTool;
  commands: Commands;
  layout: Layout;
  viewer: Viewer;
  places: ReadonlyMap<string, ProblemPlace>;
  /** Go to a table that something is missing of. */
  goToTable: (field: string) => void;
}

export class FormCommands implements FieldActions {
  /** the section with the open page's fields */
  readonly pageFields = createRef<HTMLElement>();
  private seen: Pt.Place | null = null;
  private early: { event: KeyboardEvent; key: string }[] = [];
  private advancing = false;

  constructor(private readonly host: FormCommandsHost) {
    const { commands } = host;
    commands.register("optionKey", (event, key) => this.byKey(event, key));
    commands.register("nextUnfinished", (event) => this.nextUnfinished(event.timeStamp));
    commands.register("nextField", () => this.nextField());
  }

  get data() {
    return this.host.attempt.store.data;
  }

  get form() {
    return formOf(this.data);
  }

  private targets() {
    return currentTargets(this.data);
  }

  private keyOf(spec: Pt.FieldSpec, target: Pt.Target) {
    return fieldKey(this.data.attempt, spec, target);
  }

  /**
   * Set a field, unless boxes block it.
   * @param value null clears it
   */
  set(
    spec: Pt.FieldSpec,
    target: Pt.Target,
    value: Value,
    { byKey = false, next = false, text = false, stamp }: SetOptions = {},
  ) {
    const { attempt } = this.host;
    const done = () => {
      if (byKey && this.completes(spec, target)) this.advance(target, stamp);
      else if (next && !this.nextField()) this.goOnToPages(stamp);
    };
    if (attempt.readOnly) return;
    const frozen = frozenReason(this.form, spec);
    if (frozen) {
      this.showProblem(spec, target, { message: frozen });
      return;
    }
    if (!text && JSON.stringify(this.form.stored(spec, target)) === JSON.stringify(value)) {
      done();
      return;
    }
    const boxes = boxesInTheWay(this.form, spec, target, value);
    if (boxes.length) {
      const run = () => {
        for (const box of boxes) attempt.record("box_deleted", { box: box.id });
        if (attempt.record("field_set", fieldSet(spec, target, value))) done();
      };
      const way = {
        label: tn(
          "Delete the box and {change}",
          "Delete the {number} boxes and {change}",
          boxes.length,
          { change: wanted(spec, value) },
        ),
        run,
      };
      this.showProblem(spec, target, { message: blockedBy(boxes), way });
      return;
    }
    this.clearProblem(this.keyOf(spec, target));
    if (attempt.record("field_set", fieldSet(spec, target, value))) done();
  }

  /** Whether a field is on screen for that target. */
  private isShown(spec: Pt.FieldSpec, target: Pt.Target) {
    const shown = shownTarget(spec.scope, this.data, this.form);
    if (!shown || !this.form.asked(spec, shown)) return false;
    return this.keyOf(spec, shown) === this.keyOf(spec, target);
  }

  /**
   * Say what is wrong at a field.
   * @returns whether it is on screen
   */
  showProblem(
    spec: Pt.FieldSpec,
    target: Pt.Target,
    problem: Omit<FieldProblem, "value">,
  ): boolean {
    const value = JSON.stringify(this.form.value(spec, target));
    const problems = new Map(this.data.fieldProblems);
    problems.set(this.keyOf(spec, target), { ...problem, value });
    this.host.attempt.store.set({ fieldProblems: problems });
    return this.isShown(spec, target);
  }

  clearProblem(key: string) {
    if (!this.data.fieldProblems.has(key)) return;
    const problems = new Map(this.data.fieldProblems);
    problems.delete(key);
    this.host.attempt.store.set({ fieldProblems: problems });
  }

  /** Give the focus to a field that is on screen. */
  private focus(spec: Pt.FieldSpec, target: Pt.Target) {
    this.host.layout.showRight();
    if (this.isShown(spec, target))
      this.host.attempt.store.set({ focusRequest: { field: this.keyOf(spec, target) } });
  }

  focused() {
    this.host.attempt.store.set({ focusRequest: null });
  }

  showHelp(name: string, open: boolean) {
    this.host.layout.remember("help", name, open);
  }

  confirm(spec: Pt.FieldSpec, target: Pt.Target) {
    const found = unconfirmed(this.form, spec, target);
    const { document, page } = target;
    if (!found || document === null || page === null || !this.host.attempt.mayEdit) return;
    const payload = { field: spec.name, document, page, ...found };
    this.host.attempt.record("contradiction_confirmed", payload);
  }

  /**
   * Whether a page's field leaves nothing missing on the page, and one then goes on to the next.
   */
  private completes(spec: Pt.FieldSpec, target: Pt.Target) {
    if (spec.scope !== "page" || spec.kind === "multi") return false;
    if (!this.form.scoped("page").some(({ advance }) => advance)) return false;
    const { document, page } = target;
    return !pageMarks(this.form, { document: document ?? "", page: page ?? 0 }).missing.length;
  }

  /** The next of the task's pages, if the target is the page in the viewer. */
  private advance(target: Pt.Target, stamp?: number) {
    if (!samePlace(this.data.page, target)) return;
    this.advancing = true;
    this.host.viewer.turn("next", stamp ?? performance.now());
    this.advancing = false;
  }

  /** A page was opened: what was typed ahead is meant for pages that one goes on to. */
  opened() {
    if (!this.advancing) this.early = [];
  }

  /** A page was painted: keys that came before it was to be seen count now. */
  painted(target: Pt.Place) {
    this.seen = target;
    const [first, ...rest] = this.early;
    if (!first) return;
    this.early = performance.now() - first.event.timeStamp < PATIENCE_MS ? rest : [];
    if (this.early === rest) this.byKey(first.event, first.key);
  }

  /** The option of a key: a box's label or field, else a field of the page, else of the task. */
  private byKey(event: KeyboardEvent, key: string) {
    const { selected, tool, protocol, label_keys: keys } = this.data;
    if (this.host.attempt.readOnly) return false;
    // Nothing is chosen where the page alone is to be seen, except labels of its boxes.
    if (protocol.boxes.enabled && (tool === "box" || selected)) {
      const label = Object.keys(keys).find((name) => keys[name]?.toLowerCase() === key);
      if (label) return this.host.boxes.label(label);
    }
    if (this.data.reading) return false;
    const targets = this.targets();
    // Nobody judges a page that is not on screen yet, however fast the keys come.
    if (targets.page && this.host.viewer.target !== this.seen) {
      if (this.keyed("page", targets.page, key)) {
        if (this.early.length < TYPED_AHEAD) this.early.push({ event, key });
        return true;
      }
    }
    return SCOPES.some((scope) => {
      const target = targets[scope];
      return target && this.choose(scope, target, event, key);
    });
  }

  /** The options that a key chooses now, those first that come first. */
  keyedOptions() {
    if (this.host.attempt.readOnly || this.data.reading) return [];
    const { form } = this;
    const targets = this.targets();
    return SCOPES.flatMap((scope) => {
      const target = targets[scope];
      if (!target) return [];
      return form
        .scoped(scope)
        .filter((spec) => form.asked(spec, target) && !frozenReason(form, spec))
        .flatMap((spec) => form.options(spec, target).map((option) => ({ spec, option })))
        .filter(({ option }) => option.key);
    });
  }

  private choose(scope: Pt.Scope, target: Pt.Target, event: KeyboardEvent, key: string) {
    const found = this.keyed(scope, target, key);
    if (!found) return false;
    const { spec, option } = found;
    const chosen = this.form.value(spec, target);
    const value =
      spec.kind === "multi"
        ? toggled(spec, Array.isArray(chosen) ? chosen : [], option)
        : option.value;
    this.set(spec, target, value, { byKey: true, stamp: event.timeStamp });
    return true;
  }

  /** The field and the option of a key, or null. */
  private keyed(scope: Pt.Scope, target: Pt.Target, key: string) {
    for (const spec of this.form.scoped(scope)) {
      if (!this.form.asked(spec, target)) continue;
      const option = this.form.options(spec, target).find((o) => o.key?.toLowerCase() === key);
      if (option) return { spec, option };
    }
    return null;
  }

  /** Give the focus to the next field without a value, of those on screen. */
  nextField() {
    const { form } = this;
    const targets = this.targets();
    if (this.host.attempt.readOnly || form.ended) return false;
    const open = this.data.protocol.fields.filter((spec) => {
      const target = targets[spec.scope];
      if (spec.kind === "records" || !target || frozenReason(form, spec)) return false;
      return form.asked(spec, target) && form.isUnset(spec, target);
    });
    const next = open.find(({ required }) => required) ?? open[0];
    const target = next && targets[next.scope];
    if (target) this.focus(next, target);
    return target !== undefined;
  }

  /** Open the next page, after the one in the viewer, on which something is missing. */
  nextUnfinished(stamp?: number) {
    const { given_pages: given, page } = this.data;
    if (!given?.length || !this.form.scoped("page").length) return false;
    const here = given.findIndex((place) => samePlace(place, page));
    const order = [...given.slice(here + 1), ...given.slice(0, here + 1)];
    const next = order.find((place) => pageMarks(this.form, place).missing.length);
    if (next) this.openPage(next, stamp);
    return true;
  }

  /**
   * After the last field of the task: what is left is on pages. Staying would let the digits that
   * are meant for a page choose in that field again.
   */
  private goOnToPages(stamp?: number) {
    const { given_pages: given, page } = this.data;
    if (page || !given?.some((place) => pageMarks(this.form, place).missing.length)) return;
    this.nextUnfinished(stamp);
    this.host.viewer.focusPage();
  }

  private openPage({ document, page }: Pt.Place, stamp?: number) {
    if (samePlace(this.data.page, { document, page })) return;
    this.host.viewer.goTo({ document, page }, this.data.given_pages ? "given" : "link", stamp);
  }

  /**
   * Go where something is missing.
   * @param part of the screen, or a field's name
   */
  goTo(part: string) {
    const spec = this.form.field(part);
    const own = this.host.places.get(part);
    if (spec?.kind === "records") this.host.goToTable(part);
    else if (spec) this.goToField(spec);
    else if (part === "boxes") this.goToBoxes();
    else if (own?.go) own.go();
    else this.host.viewer.stage.pane.focus();
  }

  private goToField(spec: Pt.FieldSpec) {
    const { form } = this;
    const target = form
      .targets(spec)
      .find((one) => form.isUnset(spec, one) || unconfirmed(form, spec, one));
    if (!target) return;
    const { document, page, box } = target;
    if (document !== null && page !== null) this.openPage({ document, page });
    if (box) this.host.attempt.store.set({ selected: box });
    this.focus(spec, target);
  }

  /** Bring a field into view after its page or box; a text takes the focus. */
  show(spec: Pt.FieldSpec, target: Pt.Target) {
    this.host.layout.showRight();
    if (!this.isShown(spec, target)) return;
    const isTyped = spec.kind === "text" || spec.kind === "number";
    const focusRequest = { field: this.keyOf(spec, target), onlyShown: !isTyped };
    this.host.attempt.store.set({ focusRequest });
  }

  private goToBoxes() {
    const { form } = this;
    const { boxes } = this.data.state.boxes;
    const open = this.data.protocol.boxes.check_all && boxes.find((box) => verdict(box) === "open");
    const place = open || form.pages().find((page) => pageMarks(form, page).needsBox);
    if (place) this.openPage(place);
    if (open) this.host.attempt.store.set({ selected: open.id });
    else this.host.viewer.stage.pane.focus();
  }
  /** Whether pages wait to be opened by hand: until then their judgement can be corrected. */
  get closed() {
    return arePagesClosed(this.data);
  }
}

function wanted(spec: Pt.FieldSpec, value: Value) {
  if (value === null) return t("clear the field");
  if (spec.kind === "ordinal") return t("grade {value}", { value: String(value) });
  const label = spec.options.find((option) => option.value === value)?.label;
  return label ? t("choose “{label}”", { label }) : t("set this");
}
