/** What goes between an attempt and the server: its outbox, and what the answers change. */

import { ApiError } from "../../shared/api";
import { storedText } from "../fields/text_drafts";
import { Outbox } from "./outbox";
import { leftOver, leftOverOfDraft } from "./restore_queue";
import { noteWaiting, withTask } from "./waiting_tasks";

const DRAFT = new Set(["question_edited", "answer_edited", "citation_added", "citation_removed"]);
const SILENT = new Set([
  "already_cited",
  "not_cited",
  "already_paused",
  "not_paused",
  "not_handed_in",
  "nothing_to_undo",
  "box_exists",
]);

/** The outbox of an attempt, with what an earlier tab left behind. */
export function createOutbox(attempt: Pt.Attempt, boot: Pt.AttemptPayload) {
  const { attempt: id } = boot;
  const { content } = boot.event_types;
  const found = boot.review
    ? leftOverOfDraft(id, boot.review.replaced_seq, attempt.previousSession, content)
    : { events: leftOver(id, boot.state, attempt.previousSession), lost: [] };
  attempt.store.set({ lost: found.lost });
  const outbox = new Outbox({
    attempt: id,
    session: attempt.session,
    content,
    seq: boot.state.last_seq,
    events: found.events,
    nextId: () => attempt.nextId(),
    send: (body, options) => sendEvents(attempt, id, body, options),
    onReply: (reply, sent, foreign) => replied(attempt, id, reply, sent, foreign),
    onRefusal: (refusal, event) => refused(attempt, id, refusal, event),
    onStatus: (status, sentAt) => {
      // An answer that was on its way when the network went says nothing about it.
      if (status.kind === "online" && sentAt < attempt.offlineSince) return;
      const { connection } = attempt.store.data;
      const news = connection?.kind !== status.kind || connection.message !== status.message;
      if (news && (id === attempt.id || status.kind !== "stopped"))
        attempt.store.set({ connection: status });
      if (id === attempt.id && status.kind === "stopped") attempt.shut();
      noteWaiting(attempt);
    },
    onChange: () => {
      if (id === attempt.id) attempt.store.set({ pending: outbox.pendingContent });
      noteWaiting(attempt);
    },
  });
  attempt.outboxes.set(id, outbox);
  return outbox;
}

async function sendEvents(
  attempt: Pt.Attempt,
  id: string,
  body: Pt.EventBatch,
  options: Pt.SendOptions = {},
): Promise<Pt.EventsReply> {
  if (!attempt.viaStreamlit) {
    try {
      return await attempt.api.events(id, body, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== "not_json") throw error;
      attempt.viaStreamlit = true;
    }
  }
  const { session = "", events: sent } = body;
  const { events, error } = await attempt.fallback.send(id, session, { events: sent });
  if (error || !events) throw new ApiError("retry", error?.message ?? "", { code: error?.code });
  return events;
}

function replied(
  attempt: Pt.Attempt,
  id: string,
  reply: Pt.EventOutcome,
  sent: Pt.Event[],
  foreign: boolean,
) {
  noteEndings(attempt, id, reply, sent);
  const times = reply.receipts.map((receipt) => receipt.server_ts).sort();
  if (id !== attempt.id) return;
  const savedAt = times.at(-1) ?? reply.saved_at;
  // That it is saved is said first; the rest of the screen follows.
  attempt.store.set({
    savedAt: savedAt ?? attempt.store.data.savedAt,
    pending: attempt.outbox.pendingContent,
  });
  const seqs = new Map(reply.receipts.map((receipt) => [receipt.id, receipt.seq]));
  const drafts = sent.filter((event) => DRAFT.has(event.type)).map(({ id }) => seqs.get(id) ?? 0);
  const { state } = attempt.store.data;
  const draft_seq = Math.max(state.draft_seq, ...drafts);
  // Until it is submitted nobody sees when it was last changed, and a page full of boxes takes a
  // frame to update.
  if (savedAt && (draft_seq !== state.draft_seq || state.status !== "open")) {
    attempt.store.set({ state: { ...state, updated_at: savedAt, draft_seq } });
  }
  attempt.limit.heard(reply.work_ms, sent.at(-1)?.mono ?? null);
  for (const event of sent) {
    const stored = storedText(event);
    if (stored && seqs.has(event.id)) attempt.hooks.onText(stored.name, stored.text);
  }
  const restarted = reply.epoch && reply.epoch !== attempt.store.data.epoch;
  if (restarted) attempt.store.set({ epoch: reply.epoch });
  if (foreign || restarted) attempt.pull();
  attempt.hooks.onWritten(reply.last_seq);
}

/** A task that was submitted, skipped or reopened is that in the batch, whichever is on screen. */
function noteEndings(
  attempt: Pt.Attempt,
  id: string,
  { receipts }: Pt.EventOutcome,
  sent: Pt.Event[],
) {
  const stored = new Set(receipts.map((receipt) => receipt.id));
  const { outbox } = attempt;
  for (const event of sent) {
    if (!stored.has(event.id) || (event.type !== "submitted" && event.type !== "skipped")) continue;
    if (id !== attempt.id) {
      const { batch } = attempt.store.data;
      attempt.store.set({ batch: withTask(batch, id, { status: event.type, returned: false }) });
    } else if (attempt.store.data.state.status !== event.type && !isReopened(outbox.queue)) {
      attempt.pull(); // it was withdrawn here while it was on its way
    }
  }
}

const isReopened = (queue: Pt.Event[]) => queue.some(({ type }) => type === "reopened");

function refused(attempt: Pt.Attempt, id: string, refusal: Pt.EventRefusal, event: Pt.Event) {
  if (id !== attempt.id) return;
  if (refusal.code === "time_over") attempt.limit.end();
  attempt.pull();
  if (!SILENT.has(refusal.code)) attempt.hooks.onRefusal(refusal, event);
}
