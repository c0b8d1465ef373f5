/** Feedback after a pilot task: fetched once it is submitted, shown before going on and on demand. */

import { ApiError } from "../../shared/api.js";
import { dialogButton, openDialog } from "../../shared/dialogs.js";
import { h, setText } from "../../shared/dom.js";
import { formOf } from "../state/form_state.js";
import { openFeedback } from "./pilot_feedback.js";

export class PilotRun {
  /** @param {import("../workspace.js").Workspace} screen */
  constructor(screen) {
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

  /** Whether a task in this state has feedback. @param {Pt.WorkspaceData} workspaceData */
  has({ protocol, state, review }) {
    const { enabled, feedback } = protocol.pilot;
    return (
      enabled && feedback && !review && (state.status === "submitted" || state.status === "skipped")
    );
  }

  /** Show the store's values. @param {Pt.WorkspaceData} data */
  update(data) {
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

  /**
   * Show the feedback on the attempt; resolves when it is closed, or given up for now.
   * @param {string} id
   */
  async show(id) {
    const { attempt, dialogs, store } = this.screen;
    if (this.busy || id !== attempt.id || !this.has(store.data)) return;
    this.busy = true;
    try {
      for (let again = true; again && id === attempt.id; ) again = await this.once(id, dialogs);
    } finally {
      this.busy = false;
    }
  }

  /** Fetch and show; resolves to whether to try again. @param {string} id @param {any} dialogs */
  async once(id, dialogs) {
    const { attempt, store } = this.screen;
    let reply;
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
      : (/** @type {string} */ reason) => attempt.record("gold_disputed", { reason });
    await openFeedback(dialogs, formOf(store.data), reply, dispute).closed;
    return false;
  }

  /** @param {any} error @param {any} dialogs */
  async failed(error, dialogs) {
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
