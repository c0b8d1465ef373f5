/** What fields do: setting them by mouse or key, and finding what is still to do. */

import { effect, untracked } from "@preact/signals";
import { createRef } from "preact";
import { verdict } from "../../shared/box_state";
import { t, tn } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import type { Readiness, Seen } from "../../shared/readiness";
import { blockedBy, boxesInTheWay, fieldSet } from "../boxes/blocking_boxes";
import type { BoxCommands } from "../boxes/box_commands";
import type { Commands } from "../commands";
import type { Layout } from "../panel_visibility";
import type { ProblemPlace } from "../problem_places";
import { fieldUnit, pageUnit } from "../readiness/judged_units";
import type { Attempt } from "../state/attempt";
import { agreedOptions, boxProposal, followedOptions, unconfirmed } from "../state/contradictions";
import { arePagesClosed, formOf, TASK } from "../state/form_state";
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
import { type KeyedOption, keyedLabels, keyedOptions } from "./key_owners";
import { toggled } from "./options";
import { pageMarks } from "./page_marks";

/** Fields of which one choice is all that can be said. */
const ENDING = new Set<Pt.FieldSpec["kind"]>(["choice", "ordinal", "boolean"]);

/** Fields that are typed, which takes its time. */
const TYPED = new Set<Pt.FieldSpec["kind"]>(["number", "text"]);

interface FormCommandsHost {
  attempt: Attempt;
  boxes: BoxCommands;
  commands: Commands;
  layout: Layout;
  readiness: Readiness;
  viewer: Viewer;
  places: ReadonlyMap<string, ProblemPlace>;
  /** Go to a table that something is missing of. */
  goToTable: (field: string) => void;
}

export class FormCommands implements FieldActions {
  /** the section with the open page's fields */
  readonly pageFields = createRef<HTMLElement>();
  /** the attempt that goes on to its pages once the server has opened them */
  private goesOn: string | null = null;

  constructor(private readonly host: FormCommandsHost) {
    const { commands } = host;
    commands.register("optionKey", (event, key) => this.byKey(event, key));
    commands.register("nextUnfinished", (event) => this.nextUnfinished(event.timeStamp));
    commands.register("nextField", () => this.nextField());
    const { store } = host.attempt;
    effect(() => {
      if (!store.given_pages.value?.length) return;
      untracked(() => this.goesOn === this.data.attempt && this.goOnToPages());
    });
    commands.register("confirmPage", (event) => this.confirmPage(event));
  }

  get data() {
    return this.host.attempt.store.data;
  }

  get form() {
    return formOf(this.data);
  }

  get readiness() {
    return this.host.readiness;
  }

  /** What a verdict on a field is about. */
  unit(spec: Pt.FieldSpec, target: Pt.Target) {
    return fieldUnit(this.keyOf(spec, target), spec, target);
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
    { byKey = false, next = false, text = false, confirmed = false, seen, stamp }: SetOptions = {},
  ) {
    const { attempt } = this.host;
    // Of several options, or a text, nobody knows which is the last.
    const mayComplete = spec.scope === "page" && !text && (confirmed || ENDING.has(spec.kind));
    const wasComplete = this.isComplete(target);
    const done = () => {
      if (mayComplete && (byKey || !wasComplete) && this.isComplete(target))
        this.advance(target, stamp);
      else if (next && !this.nextField()) this.goOnToPages(stamp);
    };
    if (attempt.readOnly) return;
    const frozen = frozenReason(this.form, spec);
    if (frozen) {
      this.showProblem(spec, target, { message: frozen });
      return;
    }
    const judged =
      text || TYPED.has(spec.kind) ? {} : (seen ?? this.readiness.judge(this.unit(spec, target)));
    if (!judged) return;
    const payload = { ...fieldSet(spec, target, value), ...judged };
    if (!text && JSON.stringify(this.form.stored(spec, target)) === JSON.stringify(value)) {
      done();
      return;
    }
    const boxes = boxesInTheWay(this.form, spec, target, value);
    if (boxes.length) {
      const run = () => {
        const seen = this.readiness.seen(this.unit(spec, target).looks);
        for (const box of boxes) attempt.record("box_deleted", { box: box.id, ...seen });
        if (attempt.record("field_set", payload)) done();
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
    if (attempt.record("field_set", payload)) done();
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

  keyed(key: string, isKeyed: boolean) {
    const { keyedField } = this.data;
    if (isKeyed ? keyedField !== key : keyedField === key)
      this.host.attempt.store.set({ keyedField: isKeyed ? key : null });
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
    const seen = this.readiness.judge(this.unit(spec, target));
    if (!seen) return;
    const payload = { field: spec.name, document, page, ...found, ...seen };
    this.completing(() => void this.host.attempt.record("contradiction_confirmed", payload));
  }

  confirmProposal(spec: Pt.FieldSpec, target: Pt.Target, stamp?: number, seen?: Seen) {
    const proposal = boxProposal(this.form, spec, target);
    if (proposal) this.set(spec, target, proposal, { confirmed: true, seen, stamp });
  }

  /** The fields of the open page that its boxes have filled, to be confirmed. */
  private get proposed() {
    const { page } = this.targets();
    if (!page || !this.host.attempt.mayEdit) return [];
    return this.form.scoped("page").filter((spec) => boxProposal(this.form, spec, page));
  }

  /** Whether a key confirms now what the boxes have filled in; `v` accepts a model's elements. */
  get proposes() {
    return this.proposed.length > 0 && !this.data.protocol.boxes.seed;
  }

  /**
   * Confirm what the boxes of the open page have filled in.
   * @returns whether there was something to confirm
   */
  private confirmPage(event: KeyboardEvent) {
    const { page } = this.targets();
    const { proposed } = this;
    const { page: place } = this.data;
    if (!page || !place || !proposed.length) return false;
    const seen = this.readiness.judge(pageUnit(place, "proposals"));
    if (!seen) return true;
    for (const spec of proposed) this.confirmProposal(spec, page, event.timeStamp, seen);
    return true;
  }

  /**
   * Change the boxes of the open page: fields that agreed with them follow, and a page that is
   * complete with that is left.
   */
  changeBoxes(work: () => void) {
    const { page } = this.targets();
    if (!page) {
      work();
      return;
    }
    const filled = this.form
      .scoped("page")
      .flatMap((spec) => ({ spec, before: agreedOptions(this.form, spec, page) }));
    this.completing(() => {
      work();
      for (const { spec, before } of filled) {
        const options = before && followedOptions(this.form, spec, page, before);
        if (options) this.host.attempt.record("field_set", fieldSet(spec, page, options));
      }
    });
  }

  /** Do what may complete the open page, and go on to the next if it does. */
  private completing(work: () => void) {
    const { page } = this.targets();
    const wasComplete = page === undefined || this.isComplete(page);
    work();
    if (page && !wasComplete && this.isComplete(page)) this.advance(page);
  }

  /** Whether nothing is missing on a page that one leaves then. */
  private isComplete({ document, page }: Pt.Target) {
    if (document === null || page === null || this.data.layout.advance === false) return false;
    if (!this.form.scoped("page").some(({ advance }) => advance)) return false;
    return !pageMarks(this.form, { document, page }).missing.length;
  }

  /** The next of the task's pages, if the target is the page in the viewer. */
  private advance(target: Pt.Target, stamp?: number) {
    if (!samePlace(this.data.page, target)) return;
    this.host.viewer.turn("next", stamp ?? performance.now());
  }

  /** Carry out a key of a label or an option. */
  private byKey(event: KeyboardEvent, key: string) {
    const { data, form } = this;
    if (this.host.attempt.readOnly) return false;
    const label = keyedLabels(data, form).find((entry) => entry.key.toLowerCase() === key);
    if (label) return this.host.boxes.label(label.label);
    const chosen = keyedOptions(data, form).find((option) => option.key.toLowerCase() === key);
    if (chosen) this.choose(chosen, event);
    return chosen !== undefined;
  }

  /** The options that a key chooses now. */
  keyedOptions() {
    return this.host.attempt.readOnly ? [] : keyedOptions(this.data, this.form);
  }

  /** The labels of boxes that a key chooses now. */
  keyedLabels() {
    return keyedLabels(this.data, this.form);
  }

  private choose({ spec, target, option }: KeyedOption, event: KeyboardEvent) {
    const chosen = boxProposal(this.form, spec, target) ?? this.form.value(spec, target);
    const value =
      spec.kind === "multi"
        ? toggled(spec, Array.isArray(chosen) ? chosen : [], option)
        : option.value;
    this.set(spec, target, value, { byKey: true, stamp: event.timeStamp });
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

  /**
   * Give the focus to the first question that comes before the pages, so that digits answer at once.
   * @returns whether there is one
   */
  focusQuestion() {
    const { form } = this;
    if (!this.data.protocol.pages_after.length || this.host.attempt.readOnly || form.ended)
      return false;
    const open = form
      .scoped("task")
      .find((spec) => spec.required && form.asked(spec) && form.isUnset(spec));
    if (!open || open.kind === "records") return false;
    this.focus(open, TASK);
    return true;
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
    const { attempt, given_pages: given, page } = this.data;
    this.goesOn = given?.length ? null : attempt;
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
