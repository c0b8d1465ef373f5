/**
 * The payload of the next task, requested while the one on screen is looked at. None of it is shown
 * or recorded before the person goes there.
 */

import { ApiError } from "../../shared/api";
import type { Attempt } from "../state/attempt";

const OLD_MS = 5000;
const IDLE_MS = 200;

interface FetchedTask {
  id: string;
  requestedAt: number;
  /** null where the request failed */
  payload: Promise<Pt.AttemptPayload | null>;
}

export class NextTask {
  private fetched: FetchedTask | null = null;

  constructor(private readonly attempt: Attempt) {}

  /** Another task is on screen: request the one after it when the browser has nothing else to do. */
  fetchWhenIdle() {
    this.fetched = null;
    const { id } = this.attempt;
    whenIdle(() => {
      if (this.attempt.id === id) this.fetch();
    });
  }

  /**
   * The payload of a task, as it would be by now.
   * @returns null where none was requested, or the server may say something else by now
   */
  async take(id: string): Promise<Pt.AttemptPayload | null> {
    const payload = this.has(id) ? await this.fetched?.payload : null;
    if (!payload) return null;
    const { batch, decisions_mark, epoch } = this.attempt.store.data;
    if (payload.decisions_mark !== decisions_mark || payload.epoch !== epoch) return null;
    // What was done meanwhile is in the list on screen.
    return { ...payload, batch: { ...payload.batch, tasks: batch.tasks } };
  }

  has(id: string) {
    return this.fetched?.id === id;
  }

  /** Whether others may have changed the task since it was requested. */
  get isOld() {
    return this.fetched !== null && performance.now() - this.fetched.requestedAt > OLD_MS;
  }

  private fetch() {
    const { api, store } = this.attempt;
    const { tasks } = store.data.batch;
    const here = tasks.findIndex((task) => task.attempt === this.attempt.id);
    const next = tasks[here + 1];
    if (!next || next.locked || document.hidden || !mayFetchNext(this.attempt)) return;
    this.fetched = {
      id: next.attempt,
      requestedAt: performance.now(),
      payload: api.boot(next.attempt).catch((error: unknown) => {
        if (error instanceof ApiError) return null;
        throw error;
      }),
    };
  }
}

/**
 * Whether the next task can be known: not where it depends on work at this one, nor where its time
 * is limited and begins when it is opened.
 */
function mayFetchNext({ store, viaStreamlit }: Attempt) {
  const { connection, practice, protocol, review } = store.data;
  const { aids, clock, question, study } = protocol;
  if (review || practice || viaStreamlit || connection.kind !== "online") return false;
  if (study.in_turn || !study.progress || !study.go_back) return false;
  return (
    !aids.bookmarks && !aids.scratchpad && question.kind !== "editable" && clock.limit_s === null
  );
}

function whenIdle(run: () => void) {
  const schedule = globalThis.requestIdleCallback as typeof requestIdleCallback | undefined; // not in Safari
  if (schedule) schedule(run);
  else setTimeout(run, IDLE_MS);
}
