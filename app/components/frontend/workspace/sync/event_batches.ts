/** Which events go out together, what is sent of them, and when again after a failure. */

import { MAX_AGE_MS } from "../../shared/limits";

const BATCH_CHARS = 200000;
const AROUND = 200; // what an event takes besides its payload

/**
 * The first events of a queue: in order, of one session, small enough. One is always among them,
 * unless it alone is larger than a limit that was given.
 * @param most events
 * @param chars at most
 */
export function firstBatch(queue: Pt.Event[], most: number, chars?: number) {
  const batch = [];
  let size = 0;
  for (const event of queue) {
    size += JSON.stringify(event.payload).length + AROUND;
    const full = batch.length === most || size > (chars ?? BATCH_CHARS);
    if (event.session !== queue[0].session || (full && (batch.length || chars))) break;
    batch.push(event);
  }
  return batch;
}

/** What is sent of a batch; each event says how long ago it was. */
export function bodyOf(batch: Pt.Event[]) {
  const age = ({ mono, at }: Pt.Event) =>
    mono === null ? Date.now() - at : performance.now() - mono;
  const events = batch.map((event) => ({
    id: event.id,
    type: event.type,
    payload: { ...event.payload },
    ...(event.document_version && { document_version: event.document_version }),
    client_ts: event.client_ts,
    age_ms: Math.min(MAX_AGE_MS, Math.max(0, Math.round(age(event)))),
  }));
  return { session: batch[0].session, events };
}

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 10000;
const LONGEST_REQUESTED_S = 60;

/**
 * How long to wait before the next try, in ms: doubled each time, and not the same for everybody.
 * @param failures one after the other
 * @param requested seconds that the server asks to wait at least
 */
export function retryDelay(failures: number, requested: number = 0) {
  const doubled = FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 6);
  const own = Math.min(LAST_DELAY_MS, doubled) * (0.85 + Math.random() * 0.15);
  const least = Math.min(LONGEST_REQUESTED_S, requested) * 1000;
  return Math.max(own, least * (1 + Math.random() * 0.15));
}
