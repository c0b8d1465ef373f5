/**
 * The outbox of one attempt: events in order, one batch in flight, sent again until acknowledged.
 * Ids are stable, so the server drops what it has stored already.
 */

import { ApiError } from "../../shared/api";
import { MAX_EVENTS } from "../../shared/limits";
import { saveQueue } from "./browser_storage";
import { bodyOf, firstBatch, retryDelay } from "./event_batches";

const KEEPALIVE_CHARS = 60000;
const FULL = "attempt_full";
/** what the connection is called after a failure */
const STATUS: Record<string, Pt.Connection["kind"]> = { signed_out: "signed-out", retry: "busy" };

export class Outbox {
  attempt: string;
  session: string;
  nextId: () => string;
  send: Pt.OutboxOptions["send"];
  seq: number;
  content: string[];
  onReply: (reply: Pt.EventOutcome, sent: Pt.Event[], foreign: boolean) => void;
  onRefusal: (refusal: Pt.EventRefusal, event: Pt.Event) => void;
  onStatus: Pt.OutboxOptions["onStatus"];
  onChange: () => void;
  queue: Pt.Event[];
  /** work that a full task did not take */
  refusedAsFull: Pt.Event[];
  fullMessage: string;
  results: Map<string, (outcome: Pt.Recorded) => void>;
  lostAt: number | null;
  failures: number;
  stopped: boolean;
  pumping: boolean;
  held: boolean;
  /** what was recorded here and has never been on its way to the server */
  unsent: Set<string>;
  mutex: Promise<void>;
  waiting: number;
  wake: (() => void) | null;
  drained: (() => void)[];
  single: boolean | undefined;
  /** what is being typed, as the event that it will be */
  private typing: Pt.Event | null = null;

  constructor(options: Pt.OutboxOptions) {
    this.attempt = options.attempt;
    this.session = options.session;
    this.nextId = options.nextId;
    this.send = options.send;
    this.seq = options.seq;
    this.content = options.content;
    this.onReply = options.onReply;
    this.onRefusal = options.onRefusal;
    this.onStatus = options.onStatus;
    this.onChange = options.onChange;
    this.queue = (options.events ?? []).map((event) => ({ ...event, mono: null }));
    this.refusedAsFull = [];
    this.fullMessage = "";
    this.results = new Map();
    this.lostAt = null;
    this.failures = 0;
    this.stopped = false;
    this.pumping = false;
    this.held = false;
    this.unsent = new Set();
    this.mutex = Promise.resolve();
    this.waiting = 0;
    this.wake = null;
    this.drained = [];
    this.persist();
  }

  /** Events that this browser keeps: what a full task did not take, and what is to be sent. */
  get kept() {
    return [...this.refusedAsFull, ...this.queue];
  }

  /** Events of work that are not acknowledged. */
  get unsaved() {
    return this.kept.filter((event) => this.content.includes(event.type));
  }

  /** Whether this browser keeps anything that the server does not have. */
  get isEmpty() {
    return !this.kept.length && !this.typing;
  }

  /** How many these are. */
  get pendingContent() {
    return this.unsaved.length;
  }

  /** Record an event. */
  add<Type extends keyof Pt.EventPayloads>(
    type: Type,
    payload: Pt.EventPayloads[Type],
    documentVersion = 1,
  ): { event: Pt.Event; result: Promise<Pt.Recorded> } {
    const event = this.make(type, payload);
    if (documentVersion > 1) event.document_version = documentVersion;
    if (this.typing?.type === type) {
      event.id = this.typing.id; // another tab that takes it over sends the same event
      this.typing = null;
    }
    const result = new Promise<Pt.Recorded>((resolve) => this.results.set(event.id, resolve));
    this.queue.push(event);
    this.unsent.add(event.id);
    if (!this.held) this.added();
    return { event, result };
  }

  /**
   * Withdraw an event that is not acknowledged; its result is neither stored nor refused.
   * @returns whether the server may have it all the same
   */
  withdraw({ id }: Pt.Event): boolean {
    this.queue = this.queue.filter((event) => event.id !== id);
    this.results.get(id)?.({});
    this.results.delete(id);
    this.persist();
    this.onChange();
    return !this.unsent.delete(id);
  }

  added() {
    this.persist();
    this.pump(); // on its way before anything is drawn
    this.onChange();
  }

  /** Keep and send what `work` records as one batch. */
  together(work: () => void) {
    if (this.held) {
      work();
      return;
    }
    this.held = true;
    try {
      work();
    } finally {
      this.held = false;
      this.added();
    }
  }

  /** Keep what is being typed across a crash, until an event of its type is recorded. */
  keepTyping(typing: Pt.EventOf<Pt.EventPayloads> | null) {
    const id = this.typing?.id ?? this.nextId();
    this.typing = typing && { ...this.make(typing.type, typing.payload), id };
    this.persist();
  }

  make<Type extends keyof Pt.EventPayloads>(type: Type, payload: Pt.EventPayloads[Type]) {
    const event = {
      id: this.nextId(),
      session: this.session,
      type,
      payload,
      seq: this.seq,
      client_ts: new Date().toISOString(),
      at: Date.now(),
      mono: performance.now(),
    };
    return event as Pt.Event;
  }

  /** Keep the queue across a crash; called each second too, as a sign of life. */
  persist() {
    saveQueue(
      this.attempt,
      this.session,
      this.kept.concat(this.typing ?? []).map(({ mono, ...event }) => event),
    );
  }

  /** Run `task` while no batch is in flight: at once, where none is. */
  exclusive<Result>(task: () => Result | Promise<Result>): Promise<Result> {
    const idle = this.waiting === 0;
    this.waiting += 1;
    const run = idle ? (async () => task())() : this.mutex.then(task);
    const over = () => {
      this.waiting -= 1;
    };
    this.mutex = run.then(over, over);
    return run;
  }

  /** Try now instead of at the end of the back-off. */
  kick() {
    this.wake?.();
    this.pump();
  }

  /**
   * Wait until everything is acknowledged.
   * @param timeout milliseconds
   * @returns false when time ran out
   */
  async flush(timeout: number): Promise<boolean> {
    this.kick();
    if (!this.queue.length && !this.pumping) return true;
    const done = new Promise<boolean>((resolve) => this.drained.push(() => resolve(true)));
    return Promise.race([
      done,
      new Promise<boolean>((resolve) => setTimeout(resolve, timeout, false)),
    ]);
  }

  async pump() {
    if (this.pumping || this.stopped || this.held) return;
    this.pumping = true;
    try {
      while (this.queue.length && !this.stopped) {
        const wait = await this.exclusive(() => this.step());
        if (wait) await this.sleep(wait);
      }
    } finally {
      // Also where a view throws on an answer: the next event is sent all the same.
      this.pumping = false;
      if (!this.queue.length) for (const resolve of this.drained.splice(0)) resolve();
    }
  }

  sleep(ms: number) {
    return (
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }) as Promise<void>
    ).finally(() => {
      this.wake = null;
    });
  }

  async step() {
    const batch = this.batch();
    if (!batch.length) return 0;
    const started = performance.now();
    for (const { id } of batch) this.unsent.delete(id);
    let reply: Pt.EventsReply;
    try {
      reply = await this.send(bodyOf(batch));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.failed(error, batch, started);
    }
    this.failures = 0;
    this.single = false;
    this.lostAt = null;
    this.settle(reply, batch);
    this.onStatus(
      this.fullMessage ? { kind: "full", message: this.fullMessage } : { kind: "online" },
      started,
    );
    return 0;
  }

  /** The next events to send: in order, of one session, small enough. */
  batch() {
    this.markReconnection();
    return firstBatch(this.queue, this.single ? 1 : MAX_EVENTS);
  }

  /** After an outage the first event says how long it was, and is dated at its beginning. */
  markReconnection() {
    if (this.lostAt === null || !this.queue.length) return;
    const offline = Math.round(performance.now() - this.lostAt);
    if (offline < 1000) return;
    const payload = { offline_ms: offline };
    const [first] = this.queue;
    if (first.type === "reconnected") {
      first.payload = payload;
      return;
    }
    const event = this.make("reconnected", payload);
    this.queue.unshift({ ...event, mono: this.lostAt, at: Date.now() - offline });
  }

  settle(reply: Pt.EventOutcome, batch: Pt.Event[]) {
    const receipts = new Map((reply.receipts ?? []).map((receipt) => [receipt.id, receipt]));
    const refusals = new Map((reply.refusals ?? []).map((refusal) => [refusal.id, refusal]));
    const settled = new Set([...receipts.keys(), ...refusals.keys()]);
    if (!batch.some((event) => settled.has(event.id))) {
      // An answer about none of our events would make us send them for ever.
      for (const event of batch) settled.add(event.id);
    }
    // Work that a full task does not take stays in this browser, out of the way of its submission,
    // also when it is sent again after a reload and refused because the task has ended meanwhile.
    for (const event of batch) {
      const refusal = refusals.get(event.id);
      if (refusal?.code === FULL) event.full = refusal.message;
      if (!refusal || !event.full) continue;
      this.fullMessage = event.full;
      if (this.content.includes(event.type)) this.refusedAsFull.push(event);
    }
    this.queue = this.queue.filter(({ id }) => !settled.has(id));
    this.persist();
    const foreign = this.advance(
      reply.last_seq,
      [...receipts.values()].map((r) => r.seq),
    );
    for (const event of batch) {
      const result = { receipt: receipts.get(event.id), refusal: refusals.get(event.id) };
      this.results.get(event.id)?.(result);
      this.results.delete(event.id);
      if (result.refusal && !event.full) this.onRefusal(result.refusal, event);
    }
    this.onReply(reply, batch, foreign);
    this.onChange();
  }

  /**
   * Take note of the last event stored.
   * @param own numbers of our own events among them
   * @returns whether someone else wrote in between
   */
  advance(last: number, own: number[]): boolean {
    const mine = new Set(own.filter((seq) => seq > this.seq)).size;
    const foreign = last - this.seq > mine;
    this.seq = Math.max(this.seq, last);
    return foreign;
  }

  failed(error: ApiError, batch: Pt.Event[], started: number) {
    if (error.kind === "invalid") {
      if (batch.length > 1) {
        this.single = true; // find the one that the server cannot read
        return 0;
      }
      const refusal = { id: batch[0].id, code: "invalid", message: error.message, field: null };
      this.settle({ receipts: [], refusals: [refusal], last_seq: this.seq }, batch);
      return 0;
    }
    if (error.kind === "final") {
      this.stop(error.message);
      return 0;
    }
    this.lostAt ??= started;
    this.failures += 1;
    const kind = STATUS[error.kind] ?? "offline";
    this.onStatus({ kind, message: error.retryAfter ? error.message : "" }, started);
    return retryDelay(this.failures, error.retryAfter);
  }

  /** The server takes nothing more: what is queued stays in this browser. */
  stop(message: string) {
    this.stopped = true;
    this.onStatus({ kind: "stopped", message }, performance.now());
  }

  /** The page goes away: hand over what is left without waiting for the answer. */
  leave() {
    this.persist();
    if (!this.queue.length || this.stopped) return;
    const batch = firstBatch(this.batch(), MAX_EVENTS, KEEPALIVE_CHARS);
    for (const { id } of batch) this.unsent.delete(id);
    if (batch.length) this.send(bodyOf(batch), { keepalive: true }).catch(() => {});
  }
}
