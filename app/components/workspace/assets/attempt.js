/**
 * The attempt on screen and its traffic: loading, recording, catching up with other tabs. Changes
 * are shown at once and are the server's as soon as it acknowledges them.
 */

import { Api, ApiError, Fallback } from "./api.js";
import { ActiveClock } from "./clock.js";
import { apply, isReadOnly } from "./fold.js";
import { Outbox } from "./outbox.js";
import { adoptQueues, loadDraft, newSession } from "./persist.js";
import { Query } from "./query.js";

const TEXT = { answer_edited: ["answer", "answer_text"], note_edited: ["note", "note"] };
const SILENT = new Set([
  "already_cited", "not_cited", "already_paused", "not_paused", "not_handed_in",
]);
const BOOT_KEYS = [
  "user", "campaign", "batch", "task", "protocol", "guidelines", "given", "corpus",
];

export class Attempt {
  /**
   * @param {import("./store.js").Store} store
   * @param {{base: string}} options
   * @param {Object} hooks onBoot(boot, initial), beforeLeave(), onText(field, text),
   *   onRefusal(refusal, event), onMessage(text), onWritten(seq)
   */
  constructor(store, { base }, hooks) {
    this.store = store;
    this.hooks = hooks;
    this.api = new Api({ base });
    this.fallback = new Fallback();
    this.viaStreamlit = false;
    const { id, previous } = newSession();
    this.session = id;
    this.previousSession = previous;
    this.counter = 0;
    this.clock = new ActiveClock();
    this.outboxes = new Map();
    this.query = new Query(this);
    this.navigation = 0;
    this.fetching = new Map();
  }

  get id() {
    return this.store.data.attempt;
  }

  get readOnly() {
    return isReadOnly(this.store.data.state);
  }

  nextId() {
    this.counter += 1;
    return `${this.session}-${this.counter}`;
  }

  /** Put a loaded attempt on screen. */
  show(boot, { initial = false } = {}) {
    this.api.use(boot.attempt, boot.token);
    this.query.abandon();
    this.outbox = this.outboxes.get(boot.attempt) ?? this.createOutbox(boot);
    this.outbox.seq = Math.max(this.outbox.seq, boot.state.last_seq);
    const state = this.outbox.queue.reduce(apply, boot.state);
    this.clock.reset(boot.active_ms ?? 0, { running: !isReadOnly(state) && !state.paused });
    const fields = Object.fromEntries(BOOT_KEYS.map((key) => [key, boot[key]]));
    this.store.set({
      ...fields,
      attempt: boot.attempt,
      epoch: boot.epoch,
      documents: { ...this.store.data.documents, ...boot.documents },
      results: boot.results,
      searching: null, searchError: boot.results?.refusal?.message ?? null, searchNote: null,
      page: null, loading: null, state,
      pending: this.outbox.pendingContent,
      savedAt: state.updated_at,
    });
    this.hooks.onBoot(boot, initial);
    if (!this.readOnly) this.record("opened", { session: this.session });
    this.outbox.kick();
  }

  createOutbox(boot) {
    const { attempt } = boot;
    const outbox = new Outbox({
      attempt,
      session: this.session,
      seq: boot.state.last_seq,
      events: this.adoptable(attempt, boot.state),
      nextId: () => this.nextId(),
      send: (body, options) => this.sendEvents(attempt, body, options),
      onReply: (reply, sent, foreign) => this.replied(attempt, reply, sent, foreign),
      onRefusal: (refusal, event) => this.refused(attempt, refusal, event),
      onStatus: (status) => {
        if (attempt === this.id || status.kind !== "stopped") this.store.set({ connection: status });
      },
      onChange: () => {
        if (attempt === this.id) this.store.set({ pending: outbox.pendingContent });
      },
    });
    this.outboxes.set(attempt, outbox);
    return outbox;
  }

  /** Events left by a closed tab, without text that newer work elsewhere has overtaken. */
  adoptable(attempt, state) {
    const events = adoptQueues(attempt, this.previousSession);
    const overtaken = (event) => {
      const [field, key] = TEXT[event.type] ?? [];
      if (!field || state.last_seq <= event.seq) return false;
      return loadDraft(attempt, field)?.base !== state[key];
    };
    if (!events.some(overtaken)) return events;
    return events.filter((event) => !TEXT[event.type] && event.type !== "submitted");
  }

  async sendEvents(attempt, body, options = {}) {
    if (!this.viaStreamlit) {
      try {
        return await this.api.events(attempt, body, options);
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind !== "not_json") throw error;
        this.viaStreamlit = true;
      }
    }
    const reply = await this.fallback.send(attempt, body.session, { events: body.events });
    return reply.events;
  }

  /**
   * Record an event and show its effect at once.
   * @returns {Promise<{receipt?: Object, refusal?: Object}>|null} null when nothing may be recorded
   */
  record(type, payload) {
    if (this.store.data.state.closed || (this.readOnly && type !== "reopened")) return null;
    const { event, result } = this.outbox.add(type, payload);
    this.clock.activity();
    this.apply(event);
    return result;
  }

  apply(event) {
    const state = apply(this.store.data.state, event);
    const { batch } = this.store.data;
    const mine = (task) => task.attempt === this.id;
    const flagged = state.flag !== null;
    const stale = batch.tasks.some(
      (task) => mine(task) && (task.status !== state.status || task.flagged !== flagged),
    );
    const tasks = batch.tasks.map((task) =>
      mine(task) ? { ...task, status: state.status, flagged } : task,
    );
    this.store.set(stale ? { state, batch: { ...batch, tasks } } : { state });
  }

  replied(attempt, reply, sent, foreign) {
    const times = (reply.receipts ?? []).map((receipt) => receipt.server_ts).sort();
    if (attempt !== this.id) return;
    const savedAt = times.at(-1) ?? reply.saved_at;
    if (savedAt) {
      this.store.set({ savedAt, state: { ...this.store.data.state, updated_at: savedAt } });
    }
    const acknowledged = new Set((reply.receipts ?? []).map((receipt) => receipt.id));
    for (const event of sent) {
      const [field] = TEXT[event.type] ?? [];
      if (field && acknowledged.has(event.id)) this.hooks.onText(field, event.payload.text);
    }
    const restarted = reply.epoch && reply.epoch !== this.store.data.epoch;
    if (restarted) this.store.set({ epoch: reply.epoch });
    if (foreign || restarted) this.pull();
    this.hooks.onWritten(reply.last_seq);
  }

  refused(attempt, refusal, event) {
    if (attempt !== this.id) return;
    this.pull();
    if (!SILENT.has(refusal.code)) this.hooks.onRefusal(refusal, event);
  }

  /** Catch up with what the server holds; events still on their way are applied on top. */
  pull() {
    const { outbox } = this;
    if (this.pulling === outbox) return;
    this.pulling = outbox;
    outbox.exclusive(async () => {
      this.pulling = null;
      let boot;
      try {
        boot = await this.api.boot(outbox.attempt);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.kind === "signed_out") this.store.set({ connection: { kind: "signed-out" } });
        return;
      }
      if (outbox !== this.outbox) return;
      outbox.seq = Math.max(outbox.seq, boot.state.last_seq);
      this.api.use(boot.attempt, boot.token);
      const state = outbox.queue.reduce(apply, boot.state);
      // The server counts up to the last event; the span since then has been shown already.
      this.clock.reset(Math.max(boot.active_ms ?? 0, this.clock.value), {
        running: !isReadOnly(state) && !state.paused && !document.hidden,
      });
      this.store.set({
        state, batch: boot.batch, epoch: boot.epoch,
        documents: { ...this.store.data.documents, ...boot.documents },
        savedAt: boot.state.updated_at ?? this.store.data.savedAt,
        connection: { kind: "online" },
      });
    });
  }

  /**
   * Open another task of the batch.
   * @returns {Promise<boolean>}
   */
  async goTo(id) {
    if (id === this.id) return true;
    this.navigation += 1;
    const turn = this.navigation;
    this.hooks.beforeLeave();
    const left = this.outbox;
    // The span until the return is not working time; `opened` ends it.
    if (!this.readOnly && !this.store.data.state.hidden) this.record("tab_hidden", {});
    this.store.set({ loading: id });
    await left.flush(2500);
    let boot;
    try {
      boot = await this.api.boot(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn !== this.navigation) return false;
      this.store.set({ loading: null });
      if (!this.readOnly) this.record("tab_shown", {});
      const again = error.transient ? " Try again when the connection is back." : "";
      this.hooks.onMessage(`The task cannot be opened: ${error.message}${again}`);
      return false;
    }
    if (turn !== this.navigation) return false;
    if (!left.queue.length) this.outboxes.delete(left.attempt);
    this.show(boot);
    return true;
  }

  /** Sizes of a document's pages: at once when known, else a promise. */
  documentInfo(name) {
    const known = this.store.data.documents[name];
    if (known) return known;
    if (!this.fetching.has(name)) {
      const load = this.api
        .document(this.id, name)
        .then((info) => {
          this.store.set({ documents: { ...this.store.data.documents, [name]: info } });
          return info;
        })
        .finally(() => this.fetching.delete(name));
      this.fetching.set(name, load);
    }
    return this.fetching.get(name);
  }
}
