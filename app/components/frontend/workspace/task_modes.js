/**
 * Puts verifying, tables of records, writing and feedback on the workspace screen: their parts,
 * what keeps them up to date, and what of them must be handed over before going on.
 */

import { getBox } from "../shared/box_state.js";
import { ElementList } from "./boxes/element_list.js";
import { Inspector } from "./boxes/inspector.js";
import { ElementWork } from "./boxes/verification.js";
import { FieldGroup } from "./fields/field_group.js";
import { recordActions } from "./fields/record_commands.js";
import { RecordsPanel } from "./fields/records_panel.js";
import { StepReplay } from "./fields/step_replay.js";
import { ChecksPanel } from "./panels/check_results.js";
import { CheckRun } from "./panels/check_runner.js";
import { PilotRun } from "./panels/pilot_feedback_flow.js";
import { QuestionEditor } from "./panels/question_editor.js";
import { isReadOnly } from "./state/attempt_state.js";
import { missing } from "./state/completeness.js";
import { boxTarget, formOf } from "./state/form_state.js";
import { drafts, loadDraft, saveDraft } from "./sync/browser_storage.js";

const CONTENT = "content:";
const CHECKS_WAIT_MS = 20000;

export class WorkScreen {
  /** @param {import("./workspace.js").Workspace} screen built, with its boxes */
  constructor(screen) {
    this.screen = screen;
    const { attempt, boxes, commands, panel, store, texts } = screen;
    this.elements = new ElementWork(screen, boxes, () => this.inspector.flush());
    this.list = new ElementList(this.elements);
    this.fields = new FieldGroup(screen.fieldActions);
    this.inspector = new Inspector(this.elements, texts, this.fields.element);
    this.records = new RecordsPanel(
      recordActions(screen, (field, message) => this.records.showError(field, message)),
    );
    this.question = new QuestionEditor(texts, (text) =>
      attempt.record("question_edited", { text }),
    );
    this.checkRun = new CheckRun(attempt, {
      flush: () => screen.flush(),
      dirty: () => texts.dirty,
      onChange: () => this.showChecks(store.data),
    });
    this.checks = new ChecksPanel({
      run: () => this.checkRun.run(),
      stop: () => this.checkRun.stop(),
      runQuery: (/** @type {string} */ query) => {
        screen.search.setQuery(query);
        commands.search(query);
      },
      openPage: (/** @type {Pt.Place} */ place, /** @type {number} */ stamp) =>
        commands.openCitation(place, stamp),
    });
    this.pilot = new PilotRun(screen);
    panel.slots.feedback.append(this.pilot.element);
    panel.slots.question.append(this.question.element, this.checks.element);
    panel.slots.boxes.append(this.list.element, this.inspector.element);
    panel.slots.records.append(this.records.element);
    this.replay = new StepReplay(screen, this.records);
    screen.results.element.before(this.replay.element);
    commands.register("nextRow", () => this.records.focusNext());
    this.placeErrors(screen);
    this.watch(store);
  }

  /**
   * Where refusals are shown, and where links to something missing lead.
   * @param {{ places: any, layout: any }} given
   */
  placeErrors({ places, layout }) {
    places.set("question", {
      error: (/** @type {string} */ message) => this.question.showError(message),
      go: () => {
        layout.showRight();
        this.question.input.focus();
      },
    });
    places.set("checks", {
      error: (/** @type {string} */ message) => this.checks.showError(message),
      go: () => {
        layout.showRight();
        this.checks.element.scrollIntoView({ block: "nearest" });
        this.checks.button.focus();
      },
    });
    places.set("box fields", {
      error: (
        /** @type {Pt.FieldSpec} */ spec,
        /** @type {Pt.Target} */ target,
        /** @type {any[]} */ ...said
      ) => {
        const widget = this.fields.at(spec.name, target);
        widget?.showError(...said);
        return Boolean(widget);
      },
      go: (/** @type {Pt.FieldSpec} */ spec, /** @type {Pt.Target} */ target) =>
        this.fields.at(spec.name, target)?.focus(),
    });
  }

  /** @param {any} store */
  watch(store) {
    const on = (/** @type {string[]} */ keys, /** @type {any} */ show) =>
      store.watch(keys, (/** @type {Pt.WorkspaceData} */ data) => data.state && show(data));
    on(["protocol"], (/** @type {Pt.WorkspaceData} */ { protocol }) => this.show(protocol));
    on(["state", "protocol"], (/** @type {Pt.WorkspaceData} */ data) => this.pilot.update(data));
    const box = [
      "state",
      "protocol",
      "page",
      "selected",
      "attempt",
      "documents",
      "keys",
      "timeOver",
    ];
    on(box, (/** @type {Pt.WorkspaceData} */ data) => this.showBoxes(data));
    on([...box, "given"], (/** @type {Pt.WorkspaceData} */ data) => {
      this.records.update(data, !this.screen.attempt.mayEdit);
      this.replay.showMark();
    });
    on(
      ["state", "protocol", "attempt", "authored", "pending", "timeOver"],
      (/** @type {Pt.WorkspaceData} */ data) => {
        this.question.update(data, !this.screen.attempt.mayEdit);
        this.checkRun.update();
        this.showChecks(data);
      },
    );
  }

  /**
   * Which parts a protocol has, and whether they need a wider panel.
   * @param {Pt.Protocol} protocol
   */
  show(protocol) {
    const { panel, element, layout, places } = this.screen;
    const tables = protocol.fields.filter((spec) => spec.kind === "records");
    for (const { name } of tables) {
      places.set(name, {
        error: (/** @type {string} */ message) => this.records.showError(name, message),
        go: () => {
          layout.showRight();
          this.records.focus(name);
        },
      });
    }
    panel.slots.boxes.hidden = !protocol.boxes.enabled;
    panel.slots.records.hidden = !tables.length;
    panel.slots.question.hidden = protocol.question.kind !== "editable";
    this.list.element.classList.toggle("few", !protocol.boxes.seed);
    const wide = protocol.boxes.seed || tables.length > 0 || protocol.question.kind === "editable";
    element.classList.toggle("wide-right", wide);
  }

  /** @param {Pt.WorkspaceData} data */
  showBoxes(data) {
    if (!data.protocol.boxes.enabled) return;
    const readOnly = !this.screen.attempt.mayEdit;
    this.inspector.update(data, readOnly);
    this.list.update(data, readOnly);
    const { state, selected, protocol, attempt } = data;
    const box = selected ? getBox(state.boxes, selected) : null;
    const specs = protocol.fields.filter((spec) => spec.scope === "box");
    if (!box || !specs.length) return;
    this.fields.update(specs, {
      form: formOf(data),
      target: boxTarget(box),
      disabled: readOnly,
      attempt,
    });
  }

  /** @param {Pt.WorkspaceData} data */
  showChecks(data) {
    const { running, slow, current, error, enabled, question } = this.checkRun;
    const run = { running: running !== null, slow, current, error, enabled, question };
    this.checks.update(data, run);
  }

  /**
   * Show another attempt's texts.
   * @param {string} attempt
   * @param {Pt.AttemptState} state
   * @returns {{field: string, text: string}|null} a draft to offer
   */
  attach(attempt, state) {
    this.checks.showError("");
    this.restoreContents(attempt, state);
    if (this.screen.store.data.protocol.question.kind !== "editable") return null;
    const text = this.question.attach(attempt, state);
    return text === null ? null : { field: "question", text };
  }

  /**
   * Texts of boxes that were being typed when the tab was lost; nobody need choose the box first.
   * @param {string} attempt
   * @param {Pt.AttemptState} state
   */
  restoreContents(attempt, state) {
    if (isReadOnly(state)) return;
    for (const field of drafts(attempt)) {
      if (!field.startsWith(CONTENT)) continue;
      const { text, base, seq } = loadDraft(attempt, field);
      const box = getBox(state.boxes, field.slice(CONTENT.length));
      const stored = box?.content ?? "";
      if (!box || text === stored) saveDraft(attempt, field, null);
      else if (!box.deleted && (base === stored || state.last_seq <= seq))
        this.elements.content(box.id, text);
    }
  }

  /**
   * Before submitting: what cannot be stored is pointed at, and stale checks run once more.
   * @param {Pt.Outcome} outcome
   * @returns {Promise<boolean>} whether to go on
   */
  async ready(outcome) {
    const { screen, checkRun } = this;
    if (this.records.focusInvalid()) {
      screen.toast("A cell holds what cannot be stored. Correct it first.");
      return false;
    }
    const { protocol } = screen.store.data;
    if (!protocol.question.checks || !checkRun.enabled || checkRun.current) return true;
    const open = Object.keys(missing(formOf(screen.store.data), outcome));
    if (open.some((part) => part !== "checks")) return true; // the dialog says what else is missing
    screen.toast("Running the checks…");
    const late = new Promise((resolve) => setTimeout(resolve, CHECKS_WAIT_MS, false));
    await Promise.race([checkRun.run(), late]);
    return true;
  }

  /** Whether something typed has not been handed to the outbox. */
  get dirty() {
    return this.records.dirty;
  }

  /** Hand over what is typed. */
  flush() {
    this.inspector.flush();
    this.records.flush();
  }
}
