/**
 * Waits for what supervisors decide while a task is on screen: the task excluded, the batch
 * withdrawn, the campaign closed or archived, the guidelines changed. Each request names what the screen has shown, and is
 * answered once there is something else.
 */

import { ApiError } from "../../shared/api";
import type { Attempt } from "../state/attempt";

const PAUSE_MS = 3000;
const LAST_WORK_MS = 4000;

export class News {
  attempt: Attempt;
  abort: AbortController | null;

  constructor(attempt: Attempt) {
    this.attempt = attempt;
    this.abort = null;
  }

  /** Wait while the tab is in front: a browser opens few connections, and hidden tabs need none. */
  start() {
    if (this.abort || document.hidden) return;
    this.abort = new AbortController();
    this.follow(this.abort.signal);
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
  }

  /** Another attempt is on screen. */
  restart() {
    if (!this.abort) return;
    this.stop();
    this.start();
  }

  async follow(signal: AbortSignal) {
    const { attempt } = this;
    while (!signal.aborted) {
      const { attempt: id, decisions_mark: decided, review, withdrawn } = attempt.store.data;
      if (!id || review || attempt.viaStreamlit) return;
      // The request says that the withdrawal was shown, and nothing is accepted after it.
      if (withdrawn) await attempt.outbox.flush(LAST_WORK_MS);
      try {
        const { mark } = await attempt.api.news(id, decided, signal);
        if (mark === decided || signal.aborted) continue;
        await attempt.pull();
        if (attempt.store.data.decisions_mark === decided) await pause(PAUSE_MS);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (signal.aborted) return;
        if (error.kind === "final") {
          attempt.outbox.stop(error.message);
          return;
        }
        await pause(PAUSE_MS);
      }
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
