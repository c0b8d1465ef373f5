/** Submitting and skipping a task, going on to the next one, and finishing the batch. */

import { effect } from "@preact/signals";
import { ApiError } from "../shared/api";
import type { Toasts } from "../shared/components/Toast";
import { t } from "../shared/messages";
import type { Layout } from "./panel_visibility";
import { openBatchEnd } from "./panels/BatchEnd";
import { openSkip } from "./panels/SkipDialog";
import { openSubmit } from "./panels/SubmitDialog";
import type { Attempt } from "./state/attempt";
import { missing } from "./state/completeness";
import { formOf } from "./state/form_state";
import { type Ending, isDone, noteUnanswered } from "./sync/waiting_tasks";

const SUBMIT_WAIT_MS = 6000;
const UNDO_MS = 10000;

/** What submitting needs of the screen. */
interface SubmissionHost {
  attempt: Attempt;
  layout: Layout;
  toasts: Toasts;
  /** where dialogs are put */
  dialogs: Element;
  /** Hand over what is typed or moved and not recorded yet. */
  flush: () => void;
  /** Whether the task can be submitted with this outcome. */
  isReady: (outcome: Pt.Outcome) => Promise<boolean>;
  /** Go where something is missing: a part of the screen, or a field's name. */
  goTo: (part: string) => void;
  /** Resolves when the feedback on a pilot task is closed, at once where there is none. */
  showFeedback: (attempt: string) => Promise<void>;
}

export class Submission {
  private preparing = false;
  /** The task that was submitted without asking, while that can be undone. */
  private submitted: string | null = null;
  private undoTimer = 0;

  constructor(private readonly host: SubmissionHost) {}

  private get data() {
    return this.attempt.store.data;
  }

  private get attempt() {
    return this.host.attempt;
  }

  get isUndoable() {
    return this.submitted !== null;
  }

  /** Ask before submitting; without an outcome, with the answer or as done. */
  async submit(outcome: Pt.Outcome | null = null) {
    if (this.attempt.readOnly || this.preparing) return;
    const { host } = this;
    const { id } = this.attempt;
    host.flush();
    const { answer } = this.data.protocol;
    const done = answer.kind === "off" || formOf(this.data).ended;
    const way = outcome ?? (done ? "completed" : "answered");
    this.preparing = true;
    const ready = await host.isReady(way).finally(() => {
      this.preparing = false;
    });
    if (!ready || id !== this.attempt.id || this.attempt.readOnly) return;
    const { layout, review, protocol } = this.data;
    // No undo where the right answer is shown, in a draft of gold, or without going back.
    const reversible = !review && !protocol.pilot.enabled && protocol.study.go_back;
    const mayBeDirect = !outcome && reversible;
    const direct = layout.direct ?? protocol.direct_submit;
    if (mayBeDirect && direct && !Object.keys(missing(formOf(this.data), way)).length) {
      const failure = await this.finishTask("submitted", { outcome: way }, true);
      if (failure) host.toasts.show({ text: failure });
      return;
    }
    const part = await openSubmit(host.dialogs, {
      data: this.data,
      outcome: way,
      onSetDirect: mayBeDirect ? (direct) => host.layout.set({ direct }) : null,
      onConfirm: (missing) =>
        this.finishTask("submitted", missing.length ? { outcome: way, missing } : { outcome: way }),
    });
    if (part !== undefined) host.goTo(part);
  }

  skip() {
    if (this.attempt.readOnly || this.data.review) return;
    openSkip(this.host.dialogs, (reason) => this.finishTask("skipped", { reason }));
  }

  /**
   * Submit or skip, and go on to the next unfinished task; without a connection stay, and let it
   * wait. Resolves to null or the reason it failed.
   * @param direct nobody was asked: it can be undone
   */
  private async finishTask<Type extends Ending>(
    type: Type,
    payload: Pt.EventPayloads[Type],
    direct: boolean = false,
  ): Promise<string | null> {
    this.host.flush();
    const { id } = this.attempt;
    const result = this.attempt.record(type, payload);
    if (result === null) return t("This task cannot be changed any more.");
    const settled = await this.storedOrWaiting(id, result);
    if (settled?.refusal) return settled.refusal.message;
    if (settled === null) {
      void result.then(({ receipt }) => {
        if (receipt && id === this.attempt.id) void this.arrived(id, type);
      });
      return null;
    }
    if (this.data.review) {
      this.leaveDraft();
      return null;
    }
    const message = this.endingMessage(type);
    if (direct) this.offerUndo(id, message);
    else this.host.toasts.show({ text: message });
    // After the dialog has closed, so that its return of focus does not undo ours.
    setTimeout(async () => {
      await this.host.showFeedback(id);
      if (id !== this.attempt.id) return;
      this.goOn(id);
    });
    return null;
  }

  /** What became of an event, or null once the task waits for the connection. */
  private async storedOrWaiting(id: string, result: Promise<Pt.Recorded>) {
    const { attempt } = this;
    const { store } = attempt;
    let stop = () => {};
    const waiting = new Promise<null>((resolve) => {
      stop = effect(() => {
        if (store.waiting.value.has(id)) resolve(null);
      });
    });
    const timer = setTimeout(() => noteUnanswered(attempt, id), SUBMIT_WAIT_MS);
    return Promise.race([result, waiting]).finally(() => {
      stop();
      clearTimeout(timer);
    });
  }

  /** A task that waited on screen is stored: nobody is taken away from it. */
  private async arrived(id: string, type: Ending) {
    if (this.data.review) {
      this.leaveDraft();
      return;
    }
    const goOn = { label: t("Next task"), testid: "go-on", run: () => this.goOn(id) };
    this.host.toasts.show({ text: this.endingMessage(type), actions: [goOn] }, UNDO_MS);
    await this.host.showFeedback(id);
  }

  private endingMessage(type: Ending) {
    const { batch, protocol, waiting } = this.data;
    const done = batch.tasks.filter((task) => isDone(task, waiting)).length;
    const word = type === "submitted" ? t("Submitted.") : t("Skipped.");
    return protocol.study.progress
      ? `${word} ${t("{done} of {number} done", { done, number: batch.tasks.length })}`
      : word;
  }

  private offerUndo(attempt: string, message: string) {
    this.submitted = attempt;
    window.clearTimeout(this.undoTimer);
    this.undoTimer = window.setTimeout(() => {
      this.submitted = null;
    }, UNDO_MS);
    const { layout, toasts } = this.host;
    const askAgain = () => {
      layout.set({ direct: false });
      toasts.show({ text: t("You are asked again before submitting.") });
    };
    const actions = [
      { label: t("Undo"), testid: "undo-submit", run: () => void this.undo() },
      { label: t("Ask before submitting"), testid: "ask-again", run: askAgain },
    ];
    toasts.show({ text: message, actions }, UNDO_MS);
  }

  /** Go back to the task that was submitted last, and reopen it. */
  async undo() {
    const id = this.submitted;
    this.submitted = null;
    if (id === null || !(await this.attempt.goTo(id))) return;
    this.host.toasts.hide();
    this.reopen();
  }

  /** Withdraw a submission or skip that waits for the connection. */
  withdraw() {
    this.attempt.withdrawEnding();
    this.attempt.clock.setRunning(true);
  }

  reopen() {
    this.attempt.record("reopened", {});
    this.attempt.clock.setRunning(true);
  }

  private goOn(id: string) {
    const { waiting } = this.data;
    const { tasks } = this.data.batch;
    const here = tasks.findIndex((task) => task.attempt === id);
    const order = [...tasks.slice(here + 1), ...tasks.slice(0, here)];
    const next = order.find((task) => !isDone(task, waiting) && !waiting.has(task.attempt));
    if (next) this.attempt.goTo(next.attempt);
    else this.finishBatch();
  }

  finishBatch() {
    const { practice, home, batch, protocol } = this.data;
    if (practice) {
      window.location.assign(home || "/");
      return;
    }
    openBatchEnd(this.host.dialogs, {
      batch,
      home,
      study: protocol.study,
      onCloseBatch: () => this.closeBatch(),
    });
  }

  private async closeBatch() {
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
  }

  /** Go back from a gold draft to the task under review once everything is stored. */
  async leaveDraft() {
    const { host, attempt } = this;
    const { outbox } = attempt;
    host.flush();
    if (!outbox.stopped && !(await outbox.flush(SUBMIT_WAIT_MS)) && !outbox.stopped) {
      host.toasts.show({
        text: t("Not everything is saved yet. Wait for the connection, then go back."),
      });
      return;
    }
    attempt.left = true;
    window.location.assign(this.data.review?.review_address ?? "/");
  }
}
