/**
 * Undoes and redoes the last change of a task, whatever it was: says what it put back, and goes
 * there. The history is part of the attempt's state (state/history.ts).
 */

import { getBox } from "../shared/box_state";
import { N_, t } from "../shared/messages";
import { samePlace } from "../shared/places";
import { sentence } from "../shared/sentences";
import { blockedBy, boxesInTheWay } from "./boxes/blocking_boxes";
import type { BoxCommands } from "./boxes/box_commands";
import { drawRefusal } from "./boxes/drawing_rules";
import type { FormCommands } from "./fields/field_commands";
import { frozenReason } from "./fields/field_state";
import type { RecordCommands } from "./fields/record_commands";
import type { ProblemPlace } from "./problem_places";
import type { Attempt } from "./state/attempt";
import { formOf } from "./state/form_state";
import { type Command, pageOf, reversal } from "./state/history";
import { stepSentence } from "./step_sentences";
import type { TranscriptWork } from "./transcript/transcript_work";
import type { Viewer } from "./viewer/viewer";

type Stack = "undo" | "redo";

const NOTHING = { undo: N_("There is nothing to undo."), redo: N_("There is nothing to redo.") };
const CHANGED_SINCE = {
  undo: N_("This was changed again since. Nothing was undone."),
  redo: N_("This was changed again since. Nothing was redone."),
};
const DONE = { undo: N_("Undone."), redo: N_("Redone.") };

interface UndoHost {
  attempt: Attempt;
  boxes: BoxCommands;
  forms: FormCommands;
  records: RecordCommands;
  transcript: TranscriptWork;
  viewer: Viewer;
  places: ReadonlyMap<string, ProblemPlace>;
  /** Hand over what is typed or moved and not recorded yet. */
  flush: () => void;
  say: (text: string) => void;
}

export class UndoCommands {
  /** the last change when the task was opened */
  private first: { attempt: string; step: string | undefined } | null = null;

  constructor(private readonly host: UndoHost) {}

  private get data() {
    return this.host.attempt.store.data;
  }

  /** Whether something was changed, or undone, since the task was opened. */
  get isUsed() {
    const { attempt, state } = this.data;
    return this.first?.attempt !== attempt || this.first.step !== state.undo.at(-1)?.id;
  }

  /** A task was opened. */
  opened() {
    const { attempt, state } = this.data;
    this.first = { attempt, step: state.undo.at(-1)?.id };
  }

  undo() {
    this.turn("undo");
  }

  redo() {
    this.turn("redo");
  }

  private turn(stack: Stack) {
    const { host } = this;
    if (host.boxes.isBusy) return;
    host.flush();
    const { state } = this.data;
    const step = state[stack].at(-1);
    const command = step ? reversal(state, step, stack) : null;
    const refusal = this.refusal(stack, step, command);
    if (!step || !command || refusal) {
      host.say(refusal ?? t(CHANGED_SINCE[stack]));
      return;
    }
    if (host.attempt.record(command.type, command.payload) === null) return;
    host.say(`${t(DONE[stack])} ${stepSentence(formOf(this.data), step)}`);
    this.show(step);
  }

  /** Why a step cannot be undone or redone now, or null. */
  private refusal(stack: Stack, step: Pt.HistoryStep | undefined, command: Command | null) {
    const { state, timeOver, event_types: types } = this.data;
    if (state.closed) return sentence("batch_closed");
    if (this.host.attempt.readOnly) return sentence("finished", { status: state.status });
    if (!step) return t(NOTHING[stack]);
    if (!command) return t(CHANGED_SINCE[stack]);
    if (timeOver && types.edits.includes(command.type)) return sentence("time_over");
    if (step.part === "field") return this.fieldRefusal(step);
    return step.part === "box" ? this.boxRefusal(stack, step) : null;
  }

  private fieldRefusal(step: Pt.HistoryStep) {
    const form = formOf(this.data);
    const spec = form.field(step.field ?? "");
    if (!spec) return null;
    const boxes = boxesInTheWay(form, spec, step, step.value);
    return frozenReason(form, spec) ?? (boxes.length ? blockedBy(boxes) : null);
  }

  /** A box that comes back needs a page that takes it. */
  private boxRefusal(stack: Stack, { id, box: name }: Pt.HistoryStep) {
    const { boxes } = this.data.state;
    const change = boxes[stack].find((other) => other.id === id);
    const box = name === null ? null : getBox(boxes, name);
    const patch = stack === "undo" ? change?.before : change?.after;
    if (!box?.deleted || patch?.deleted !== false) return null;
    const rest = { ...boxes, boxes: boxes.boxes.filter((other) => other !== box) };
    const data = { ...this.data, state: { ...this.data.state, boxes: rest } };
    return drawRefusal(formOf(data), box, { isNew: false });
  }

  /** Go where the step was. */
  private show(step: Pt.HistoryStep) {
    const { boxes, forms, records, places, attempt } = this.host;
    const box = step.box === null ? null : getBox(this.data.state.boxes, step.box);
    if (box && !box.deleted) {
      boxes.show(box.id);
      attempt.store.set({ held: null });
    } else this.openPage(step);
    const spec = formOf(this.data).field(step.field ?? "");
    if (step.part === "transcript") this.host.transcript.showStep(step);
    else if (spec && step.part === "field") forms.show(spec, step);
    else if (spec && step.part === "row")
      records.focus({ spec, target: step }, step.row ?? undefined, Object.keys(step.cells)[0]);
    else if (spec && step.part === "rows") {
      const [[row, cells]] = Object.entries(step.rows);
      records.focus({ spec, target: step }, row, Object.keys(cells)[0]);
    } else if (step.part !== "flag" && step.part !== "citation" && step.part !== "bookmark")
      places.get(step.part)?.go?.();
  }

  private openPage(step: Pt.HistoryStep) {
    const { viewer } = this.host;
    const place = pageOf(this.data.state, step);
    if (!place || samePlace(place, this.data.page) || !viewer.mayOpen(place)) return;
    viewer.goTo(place, this.data.given_pages ? "given" : "link");
  }
}
