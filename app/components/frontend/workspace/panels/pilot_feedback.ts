/** Feedback after a pilot task: fetched once it is submitted, shown before going on and on demand. */

import { ApiError } from "../../shared/api";
import type { Attempt } from "../state/attempt";
import { formOf } from "../state/form_state";
import { openFailedFeedback, openFeedback } from "./FeedbackDialog";

/** Whether a task in this state has feedback. */
export function hasFeedback(
  { pilot }: Pt.Protocol,
  { status }: Pt.AttemptState,
  review: Pt.WorkspaceData["review"],
) {
  const isDone = status === "submitted" || status === "skipped";
  return pilot.enabled && pilot.feedback && !review && isDone;
}

export class PilotFeedback {
  private isOpen = false;

  /** @param host where dialogs are put */
  constructor(
    private readonly attempt: Attempt,
    private readonly host: Element,
  ) {}

  /** Show the feedback on the attempt; resolves when it is closed, or given up for now. */
  async show(id: string) {
    const { protocol, state, review } = this.attempt.store.data;
    if (this.isOpen || id !== this.attempt.id || !hasFeedback(protocol, state, review)) return;
    this.isOpen = true;
    try {
      for (let again = true; again && id === this.attempt.id; ) again = await this.fetch(id);
    } finally {
      this.isOpen = false;
    }
  }

  /** Fetch and show; resolves to whether to try again. */
  private async fetch(id: string) {
    const { attempt, host } = this;
    let reply: Pt.FeedbackReply;
    try {
      reply = await attempt.api.feedback(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return openFailedFeedback(host, error.message, error.transient);
    }
    if (id !== attempt.id) return false;
    attempt.pull();
    const { data } = attempt.store;
    await openFeedback(host, {
      form: formOf(data),
      reply,
      onDispute: data.practice ? null : (reason) => attempt.record("gold_disputed", { reason }),
    });
    return false;
  }
}
