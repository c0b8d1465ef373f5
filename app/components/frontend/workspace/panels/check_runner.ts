/**
 * Running the live checks: a while after the last change has been acknowledged, on demand, and
 * before submitting. They run beside the work and never hold it up.
 */

import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiError } from "../../shared/api";
import { t } from "../../shared/messages";
import type { Attempt } from "../state/attempt";
import { strip } from "../state/attempt_state";
import { checksCurrent } from "../state/completeness";

const AFTER_MS = 1200;
const RETRY_MS = [2000, 4000, 8000, 16000];
const FLUSH_MS = 8000;
const SLOW_MS = 1000;

/** What the checks look at; another key means that they have to look again. */
export function draftKey({
  question_text,
  answer_text,
  citations,
}: Pick<Pt.AttemptState, "question_text" | "answer_text" | "citations">) {
  return JSON.stringify([
    question_text,
    answer_text,
    citations.map(({ document, page }) => [document, page]),
  ]);
}

/** What the screen shows of a run. */
export interface CheckStatus {
  isRunning: boolean;
  /** they take so long that stopping them is offered */
  isSlow: boolean;
  /** the findings are about the draft as it is now */
  isCurrent: boolean;
  isEnabled: boolean;
  error: string;
  /** the question that the findings are about; null when it is another by now */
  question: string | null;
}

export interface CheckRunHost {
  /** hand over typed text */
  flush: () => void;
  /** whether there is any */
  dirty: () => boolean;
}

export class CheckRun {
  private id: string | null = null;
  /** the draft that the findings on screen are about */
  private seen: string | null = null;
  /** the draft that the timer waits for */
  wanted: string | null = null;
  error: string | null = null;
  private running: Promise<boolean> | null = null;
  private failures = 0;
  slow = false;
  private stopper: AbortController | null = null;
  private timer = 0;
  private readonly shown = signal<CheckStatus>({
    isRunning: false,
    isSlow: false,
    isCurrent: false,
    isEnabled: false,
    error: "",
    question: null,
  });

  constructor(
    private readonly attempt: Attempt,
    private readonly host: CheckRunHost,
  ) {}

  get status(): ReadonlySignal<CheckStatus> {
    return this.shown;
  }

  get data() {
    return this.attempt.store.data;
  }

  /** Whether this task has checks that may run now. */
  get enabled() {
    return this.data.protocol.question.checks && this.attempt.mayEdit;
  }

  /** Whether the findings are about the draft as it is now. */
  get current() {
    const { state } = this.data;
    return !this.host.dirty() && this.seen === draftKey(state) && checksCurrent(state);
  }

  private get question() {
    const { question_text: text } = this.data.state;
    return this.seen !== null && JSON.parse(this.seen)[0] === text ? text : null;
  }

  /** Something changed: perhaps there is something to check. */
  update() {
    const { state, attempt } = this.data;
    if (attempt !== this.id) {
      this.cancel();
      this.id = attempt;
      this.error = null;
      this.running = null;
      this.seen = checksCurrent(state) ? draftKey(state) : null;
    } else if (this.seen === null && !this.running && checksCurrent(state)) {
      this.seen = draftKey(state); // they ran in another tab
    }
    const key = draftKey(state);
    if (!this.enabled || this.current || !strip(state.question_text ?? "")) {
      this.cancel();
    } else if (this.data.pending || this.host.dirty()) {
      this.cancel();
    } else if (this.wanted !== key && !this.running) {
      this.wait(key, AFTER_MS);
    }
    this.report();
  }

  private report() {
    this.shown.value = {
      isRunning: this.running !== null,
      isSlow: this.running !== null && this.slow,
      isCurrent: this.current,
      isEnabled: this.enabled,
      error: this.error ?? "",
      question: this.question,
    };
  }

  wait(key: string, ms: number) {
    this.cancel();
    this.wanted = key;
    this.timer = setTimeout(() => {
      this.wanted = null;
      // Half a sentence is not worth checking: once it is stored, another timer starts.
      if (!this.data.pending && !this.host.dirty()) this.run();
    }, ms);
  }

  cancel() {
    clearTimeout(this.timer);
    this.wanted = null;
  }

  /**
   * Run the checks over everything done so far.
   * @returns whether they have
   */
  run(): Promise<boolean> {
    if (!this.enabled) return Promise.resolve(false);
    if (this.running) return this.running;
    const running = this.start().finally(() => {
      if (this.running !== running) return; // another task's by now
      this.running = null;
      this.update();
    });
    this.running = running;
    this.report();
    return running;
  }

  /** Stop the checks that run; they run again after the next change. */
  stop() {
    this.stopper?.abort();
  }

  async start() {
    this.cancel();
    const stopper = new AbortController();
    this.stopper = stopper;
    const timer = setTimeout(() => {
      this.slow = true;
      this.report();
    }, SLOW_MS);
    const { outbox } = this.attempt;
    this.host.flush();
    const body = { id: this.attempt.nextId(), client_ts: new Date().toISOString() };
    try {
      if (!(await outbox.flush(FLUSH_MS))) throw new ApiError("network", "");
      if (outbox !== this.attempt.outbox) return false;
      const key = draftKey(this.data.state);
      const reply = await this.attempt.api.checks(outbox.attempt, body, { signal: stopper.signal });
      this.found(outbox, reply, key);
      return outbox === this.attempt.outbox;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (outbox === this.attempt.outbox) this.failed(error, stopper.signal.aborted);
      return false;
    } finally {
      clearTimeout(timer);
      if (this.stopper === stopper) this.slow = false;
    }
  }

  found(outbox: Pt.Outbox, reply: Pt.ChecksReply, key: string) {
    const ahead = reply.last_seq - outbox.seq;
    outbox.seq = Math.max(outbox.seq, reply.last_seq);
    if (outbox !== this.attempt.outbox) return;
    const { state } = this.data;
    this.seen = key;
    this.error = null;
    this.failures = 0;
    const checks = { at_seq: reply.at_seq, findings: reply.findings };
    this.attempt.store.set({
      state: { ...state, checks },
      savedAt: reply.saved_at ?? this.data.savedAt,
      question_counts: reply.question_counts ?? this.data.question_counts,
    });
    if (ahead > 1) this.attempt.pull();
    this.attempt.hooks.onWritten(reply.last_seq);
  }

  /** @param stopped by the person */
  failed(error: ApiError, stopped: boolean) {
    if (stopped) {
      this.error = t("Stopped. The checks run again after the next change.");
      this.wanted = draftKey(this.data.state);
    } else if (error.transient) {
      const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      this.error = t("No connection. The checks run as soon as it is back.");
      // After the promise has settled: a run under way starts no second one.
      setTimeout(() => this.enabled && this.wait(draftKey(this.data.state), wait));
    } else {
      this.error = error.message;
      this.wanted = draftKey(this.data.state); // not again before something changes
    }
  }
}
