/** Submitting and skipping a task, going on to the next one, and finishing the batch. */

import { ApiError } from "../shared/api";
import { button } from "../shared/buttons";
import { openComplete } from "./panels/batch_end";
import { openSkip } from "./panels/SkipDialog";
import { openSubmit } from "./panels/SubmitDialog";
import { missing } from "./state/completeness";
import { formOf } from "./state/form_state";

const SUBMIT_WAIT_MS = 6000;
const DONE = new Set(["submitted", "skipped"]);
const UNDO_MS = 10000;

export class SubmitCommands {
  screen: any;
  preparing: boolean;
  /** The task that was submitted without asking, while that can be undone. */
  submitted: any;

  undoTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(screen: Pt.Workspace) {
    this.screen = screen;
    this.preparing = false;
    /** The task that was submitted without asking, while that can be undone. */
    this.submitted = null;
  }

  get data(): Pt.WorkspaceData {
    return this.screen.store.data;
  }

  get attempt(): Pt.Attempt {
    return this.screen.attempt;
  }

  /** Ask before submitting; without an outcome, with the answer or as done. */
  async submit(outcome: Pt.Outcome | null = null) {
    if (this.attempt.readOnly || this.preparing) return;
    const { screen } = this;
    const { id } = this.attempt;
    screen.flush();
    const { answer } = this.data.protocol;
    const done = answer.kind === "off" || formOf(this.data).ended;
    const way = outcome ?? (done ? "completed" : "answered");
    this.preparing = true;
    const ready = await screen.work.ready(way).finally(() => {
      this.preparing = false;
    });
    if (!ready || id !== this.attempt.id || this.attempt.readOnly) return;
    const { layout, review, protocol } = this.data;
    // No undo where the right answer is shown, in a draft of gold, or without going back.
    const reversible = !review && !protocol.pilot.enabled && protocol.study.go_back;
    const mayBeDirect = !outcome && reversible;
    const direct = layout.direct ?? protocol.direct_submit;
    if (mayBeDirect && direct && !Object.keys(missing(formOf(this.data), way)).length) {
      const failure = await this.finishTask("submitted", { outcome: way }, "Submitted", true);
      if (failure) screen.toast(failure);
      return;
    }
    const part = await openSubmit(screen.dialogs, {
      data: this.data,
      outcome: way,
      onSetDirect: mayBeDirect ? (direct) => screen.layout.set({ direct }) : null,
      onConfirm: (missing) =>
        this.finishTask(
          "submitted",
          missing.length ? { outcome: way, missing } : { outcome: way },
          "Submitted",
        ),
    });
    if (part !== undefined) screen.forms.goTo(part);
  }

  skip() {
    if (this.attempt.readOnly || this.data.review) return;
    openSkip(this.screen.dialogs, (reason) => this.finishTask("skipped", { reason }, "Skipped"));
  }

  /**
   * Submit or skip, and go on to the next unfinished task; resolves to null or the reason it failed.
   * @param direct nobody was asked: it can be undone
   */
  async finishTask(
    type: "submitted" | "skipped",
    payload: Pt.Submitted | Pt.Skipped,
    word: string,
    direct: boolean = false,
  ) {
    this.screen.flush();
    const { id } = this.attempt;
    const result = this.attempt.record(type, payload);
    if (result === null) return "This task cannot be changed any more.";
    const late = new Promise<null>((resolve) => setTimeout(resolve, SUBMIT_WAIT_MS, null));
    const settled = await Promise.race([result, late]);
    if (settled?.refusal) return settled.refusal.message;
    if (settled === null) {
      this.screen.toast(
        `No connection. The task waits in this browser and is sent when it is back.`,
      );
      return null;
    }
    if (this.data.review) {
      this.screen.gold.leave();
      return null;
    }
    const { tasks } = this.data.batch;
    const done = tasks.filter((task) => DONE.has(task.status)).length;
    const { study } = this.data.protocol;
    const said = study.progress ? `${word}. ${done} of ${tasks.length} done` : `${word}.`;
    if (direct) this.offerUndo(id, said);
    else this.screen.toast(said);
    // After the dialog has closed, so that its return of focus does not undo ours.
    setTimeout(async () => {
      await this.screen.work.pilot.show(id);
      if (id !== this.attempt.id) return;
      this.goOn(id);
    });
    return null;
  }

  /** @param id the attempt */
  offerUndo(id: string, said: string) {
    this.submitted = id;
    clearTimeout(this.undoTimer);
    this.undoTimer = setTimeout(() => {
      this.submitted = null;
    }, UNDO_MS);
    const ask = () => {
      this.screen.layout.set({ direct: false });
      this.screen.toast("You are asked again before submitting.");
    };
    this.screen.toast(said, {
      ms: UNDO_MS,
      actions: [
        button("Undo", () => void this.undoSubmit(), { testid: "undo-submit" }),
        button("Ask before submitting", ask, { testid: "ask-again" }),
      ],
    });
  }

  /** Go back to the task that was submitted last, and reopen it. */
  async undoSubmit() {
    const id = this.submitted;
    this.submitted = null;
    if (id === null || !(await this.attempt.goTo(id))) return;
    this.screen.toasts.replaceChildren();
    this.attempt.record("reopened", {});
    this.attempt.clock.setRunning(true);
  }

  goOn(id: string) {
    const { tasks } = this.data.batch;
    const here = tasks.findIndex((task) => task.attempt === id);
    const order = [...tasks.slice(here + 1), ...tasks.slice(0, here)];
    const next = order.find((task) => !DONE.has(task.status));
    if (next) this.attempt.goTo(next.attempt);
    else this.finish();
  }

  finish() {
    if (this.data.practice) {
      window.location.assign(this.data.home || "/");
      return;
    }
    openComplete(this.screen.dialogs, this.data, async () => {
      try {
        await this.attempt.outbox.flush(SUBMIT_WAIT_MS);
        const { assignment } = this.data.batch;
        if (assignment !== null) await this.attempt.api.close(assignment);
      } catch (error) {
        if (error instanceof ApiError) return error.message;
        throw error;
      }
      this.attempt.pull();
      return null;
    });
  }
}
