/** Catching up with what the server holds: work in other tabs, what a supervisor did. */

import { ApiError } from "../../shared/api";
import type { Attempt } from "../state/attempt";
import { isReadOnly } from "../state/attempt_state";

/** What the server may send again while a task is worked on. */
const FRESH_KEYS: (keyof Pt.AttemptPayload & keyof Pt.WorkspaceData)[] = [
  "given_pages",
  "material",
  "locked",
  "question_counts",
  "campaign",
  "guidelines",
  "archived",
  "withdrawn",
  "excluded",
  "decisions_mark",
];

/**
 * Load the attempt on screen again, once no batch of events is in flight; resolves when it is there.
 */
export function catchUp(attempt: Attempt) {
  const { outbox, store } = attempt;
  if (attempt.pulling === outbox || attempt.left || (store.data.review && outbox.stopped)) return;
  attempt.pulling = outbox;
  return outbox.exclusive(async () => {
    attempt.pulling = null;
    const sentAt = performance.now();
    let boot: Pt.AttemptPayload;
    try {
      boot = await attempt.api.boot(outbox.attempt);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.kind === "signed_out") store.set({ connection: { kind: "signed-out" } });
      if (error.kind === "final" && store.data.review) outbox.stop(error.message);
      return;
    }
    if (outbox === attempt.outbox) take(attempt, boot, sentAt);
  });
}

function take(attempt: Pt.Attempt, boot: Pt.AttemptPayload, sentAt: number) {
  const { outbox, store } = attempt;
  outbox.seq = Math.max(outbox.seq, boot.state.last_seq);
  attempt.api.use(boot.attempt, boot.token, boot.practice);
  const state = attempt.ahead(outbox, boot.state);
  const cameBack = state.returned && !store.data.state.returned;
  // What is being typed still goes to the server: it was written before this was known.
  if (boot.withdrawn && !store.data.withdrawn) attempt.hooks.beforeLeave();
  attempt.limit.atLeast(boot.state.work_ms);
  // The server counts up to the last event; the span since then has been shown already.
  attempt.clock.reset(Math.max(boot.active_ms ?? 0, attempt.clock.value), {
    running: !isReadOnly(state) && !state.paused && !document.hidden,
  });
  store.set({
    ...fresh(store.data, boot),
    newGuidelines: store.data.newGuidelines || differ(store.data.guidelines, boot.guidelines),
    state,
    batch: attempt.batchAhead(boot.batch, state),
    epoch: boot.epoch,
    documents: { ...store.data.documents, ...boot.documents },
    savedAt: boot.state.updated_at ?? store.data.savedAt,
    connection: sentAt < attempt.offlineSince ? store.data.connection : { kind: "online" },
  });
  attempt.limit.run(state);
  attempt.hooks.onCaughtUp();
  // Sent back while it was on screen: work goes on here, and the clock with it.
  if (cameBack && !document.hidden) attempt.record("opened", { session: attempt.session });
}

/** What the server sends again; what is the same stays the same object, so that nothing redraws. */
function fresh(data: Pt.WorkspaceData, boot: Pt.AttemptPayload) {
  const changed = FRESH_KEYS.filter((key) => differ(boot[key], data[key]));
  return Object.fromEntries(changed.map((key) => [key, boot[key]]));
}

/** Whether two JSON values differ. */
export function differ(one: unknown, other: unknown) {
  return JSON.stringify(one) !== JSON.stringify(other);
}
