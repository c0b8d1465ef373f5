/** Requests that the server records as events: after everything done before them. */

import { ApiError } from "../../shared/api";
import { t } from "../../shared/messages";
import type { Attempt } from "../state/attempt";

const PATIENCE_MS = 4000;

/**
 * @returns the reply; null where another attempt is open by then
 * @throws {ApiError}
 */
export async function recordedRequest<Reply extends Pt.PageTextReply | Pt.TextFound>(
  attempt: Attempt,
  send: (id: string, request: Pt.PageTextRequest) => Promise<Reply>,
  body: Omit<Pt.PageTextRequest, "id" | "client_ts">,
): Promise<Reply | null> {
  const { outbox, id } = attempt;
  const request = { id: attempt.nextId(), client_ts: new Date().toISOString(), ...body };
  if (!(await outbox.flush(PATIENCE_MS))) throw new ApiError("network", t("No connection."));
  const reply = await send(id, request);
  outbox.seq = Math.max(outbox.seq, reply.last_seq);
  if (outbox !== attempt.outbox) return null;
  attempt.store.set({ savedAt: reply.saved_at ?? attempt.store.data.savedAt });
  attempt.hooks.onWritten(reply.last_seq);
  return reply;
}
