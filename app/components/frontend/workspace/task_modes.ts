/**
 * Puts verifying, tables of records, texts of pages, writing and feedback on the workspace screen: their parts,
 * what keeps them up to date, and what of them must be handed over before going on.
 */

import { effect, untracked } from "@preact/signals";
import { createRef } from "preact";
import { getBox } from "../shared/box_state";
import { t } from "../shared/messages";
import { ElementWork } from "./boxes/verification";
import { NumberOffers } from "./fields/number_offers";
import { RecordCommands } from "./fields/record_commands";
import { StepReplay } from "./fields/step_replay";
import type { ChecksHandle } from "./panels/Checks";
import { CheckRun } from "./panels/check_runner";
import { PilotFeedback } from "./panels/pilot_feedback";
import { isReadOnly } from "./state/attempt_state";
import { missing } from "./state/completeness";
import { formOf } from "./state/form_state";
import { drafts, loadDraft, saveDraft } from "./sync/browser_storage";
import { TableWork } from "./tables/table_work";
import { TranscriptWork } from "./transcript/transcript_work";
import type { Workspace } from "./workspace";

/** What decides whether the checks have to run. */
const CHECKED = ["state", "protocol", "attempt", "question_counts", "pending", "timeOver"] as const;
const CONTENT = "content:";
const CHECKS_WAIT_MS = 20000;

type WorkParts = Pick<
  Workspace,
  | "attempt"
  | "boxes"
  | "commands"
  | "dialogs"
  | "flush"
  | "forms"
  | "layout"
  | "noteUnsaved"
  | "places"
  | "readiness"
  | "root"
  | "store"
  | "texts"
  | "toasts"
  | "viewer"
>;

export class WorkScreen {
  elements: ElementWork;
  numbers: NumberOffers;
  records: RecordCommands;
  checkRun: CheckRun;
  checksHandle = createRef<ChecksHandle>();
  pilot: PilotFeedback;
  replay: StepReplay;
  transcript: TranscriptWork;
  tables: TableWork;

  constructor(private readonly screen: WorkParts) {
    const { attempt, boxes, store, texts } = screen;
    const { commands, dialogs, forms, layout, readiness, toasts, viewer } = screen;
    this.elements = new ElementWork({
      attempt,
      commands,
      boxes,
      readiness,
      toasts,
      dialogs,
      flush: () => texts.flush(),
    });
    this.numbers = new NumberOffers({
      attempt,
      root: screen.root,
      stage: viewer.stage,
      words: boxes.words,
    });
    this.records = new RecordCommands({
      attempt,
      commands,
      dialogs,
      forms,
      layout,
      numbers: this.numbers,
      readiness,
      texts,
      viewer,
      onPresent: (field, row, opensPage) => this.replay.present(field, row, opensPage),
    });
    this.checkRun = new CheckRun(attempt, {
      flush: () => screen.flush(),
      dirty: () => texts.dirty,
    });
    this.pilot = new PilotFeedback(attempt, screen.dialogs);
    this.replay = new StepReplay({
      store,
      commands,
      forms,
      records: this.records,
      viewer,
      dialogs,
    });
    this.transcript = new TranscriptWork({
      attempt,
      layout,
      readiness,
      texts,
      toasts,
      viewer,
      words: boxes.words,
      flush: () => screen.flush(),
      onTyping: () => screen.noteUnsaved(),
      run: (command) => commands.run(command),
      loadEditor: () => import("./transcript/loaded"),
    });
    commands.registerAll(this.transcript.keys());
    this.tables = new TableWork({
      attempt,
      dialogs,
      layout,
      readiness,
      texts,
      viewer,
      onTyping: () => screen.noteUnsaved(),
      say: (text) => toasts.show({ text }),
    });
    boxes.onWords = (words, top) => this.transcript.insertWords(words, top);
    this.placeErrors(screen);
    this.placeTables(screen);
    this.followChecks(store);
  }

  /** Where refusals are shown, and where links to something missing lead. */
  private placeErrors({ places, layout }: WorkParts) {
    places.set("checks", {
      go: () => {
        layout.showRight();
        this.checksHandle.current?.focus();
      },
    });
  }

  private placeTables({ places, toasts }: WorkParts) {
    const { tables } = this;
    const go = () => {
      tables.focus();
      tables.nextChange();
    };
    places.set("tables", { go, error: (text) => toasts.show({ text }) });
    places.set("table", { go: () => tables.focus() });
  }

  private followChecks(store: Pt.Store) {
    effect(() => {
      for (const key of CHECKED) store[key].value;
      if (store.data.state) untracked(() => this.checkRun.update());
    });
  }

  /**
   * Texts of boxes that were being typed when the tab was lost; nobody need choose the box first.
   */
  restoreContents(attempt: string, state: Pt.AttemptState) {
    if (isReadOnly(state)) return;
    for (const field of drafts(attempt)) {
      if (!field.startsWith(CONTENT)) continue;
      const draft = loadDraft(attempt, field);
      const box = getBox(state.boxes, field.slice(CONTENT.length));
      const stored = box?.content ?? "";
      if (!draft) continue;
      const { text, base, seq } = draft;
      if (!box || text === stored) saveDraft(attempt, field, null);
      else if (!box.deleted && (base === stored || state.last_seq <= seq))
        this.elements.setContent(box.id, text);
    }
  }

  /**
   * Before submitting: what cannot be stored is pointed at, and stale checks run once more.
   * @returns whether to go on
   */
  async isReady(outcome: Pt.Outcome): Promise<boolean> {
    const { screen, checkRun } = this;
    if (screen.texts.focusInvalid()) {
      screen.toasts.show({ text: t("A cell holds what cannot be stored. Correct it first.") });
      return false;
    }
    const { protocol } = screen.store.data;
    if (!protocol.question.checks || !checkRun.enabled || checkRun.current) return true;
    const open = Object.keys(missing(formOf(screen.store.data), outcome));
    if (open.some((part) => part !== "checks")) return true; // the dialog says what else is missing
    screen.toasts.show({ text: t("Running the checks…") });
    const late = new Promise((resolve) => setTimeout(resolve, CHECKS_WAIT_MS, false));
    await Promise.race([checkRun.run(), late]);
    return true;
  }
}
