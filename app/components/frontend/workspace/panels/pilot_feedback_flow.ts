/** Feedback after a pilot task: fetched once it is submitted, shown before going on and on demand. */

import { ApiError } from "../../shared/api";
import { dialogButton, openDialog } from "../../shared/dialogs";
import { h, setText } from "../../shared/dom";
import { formOf } from "../state/form_state";
import type { Workspace } from "../workspace";
import { openFeedback } from "./pilot_feedback";

export class PilotRun {
  screen: Workspace;
  text: HTMLSpanElement;
  button: HTMLButtonElement;
  element: HTMLParagraphElement;
  busy: boolean | undefined;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.text = h("span", {});
    this.button = h("button", {
      class: "button small",
      testid: "feedback-open",
      text: "Show the feedback",
      on: { click: () => this.show(screen.attempt.id) },
    });
    this.element = h(
      "p",
      { class: "feedback-line line notice spread medium", testid: "feedback-line", hidden: true },
      this.text,
      this.button,
    );
  }

  /** Whether a task in this state has feedback. */
  has({ protocol, state, review }: Pt.WorkspaceData) {
    const { enabled, feedback } = protocol.pilot;
    return (
      enabled && feedback && !review && (state.status === "submitted" || state.status === "skipped")
    );
  }

  /** Show the store's values. */
  update(data: Pt.WorkspaceData) {
    this.element.hidden = !this.has(data);
    const { feedback } = data.state;
    const kind = data.practice ? "practice" : "pilot";
    const Kind = data.practice ? "Practice" : "Pilot";
    setText(
      this.text,
      feedback === null
        ? `This is a ${kind} task.`
        : `${Kind} task: ${feedback.right ? "right" : "not right"}.`,
    );
  }

  /** Show the feedback on the attempt; resolves when it is closed, or given up for now. */
  async show(id: string) {
    const { attempt, dialogs, store } = this.screen;
    if (this.busy || id !== attempt.id || !this.has(store.data)) return;
    this.busy = true;
    try {
      for (let again = true; again && id === attempt.id; ) again = await this.once(id, dialogs);
    } finally {
      this.busy = false;
    }
  }

  /** Fetch and show; resolves to whether to try again. */
  async once(id: string, dialogs: any) {
    const { attempt, store } = this.screen;
    let reply: any;
    try {
      reply = await attempt.api.feedback(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.failed(error, dialogs);
    }
    if (id !== attempt.id) return false;
    attempt.pull();
    const dispute = store.data.practice
      ? null
      : (reason: string) => attempt.record("gold_disputed", { reason });
    await openFeedback(dialogs, formOf(store.data), reply, dispute).closed;
    return false;
  }

  async failed(error: any, dialogs: any) {
    const later = dialogButton("Go on without", {
      testid: "feedback-later",
      on: { click: () => dialog.close(false) },
    });
    const retry = dialogButton("Try again", { main: true, testid: "feedback-retry" });
    const dialog = openDialog(dialogs, {
      title: "No feedback yet",
      testid: "feedback-failed",
      actions: error.transient ? [later, retry] : [later],
      body: [
        h("p", { text: error.message }),
        h("p", {
          class: "quiet",
          text: "The task is submitted. Its feedback can be opened from the task at any time.",
        }),
      ],
      onSubmit: () => dialog.close(true),
    });
    return (await dialog.closed) === true;
  }
}
