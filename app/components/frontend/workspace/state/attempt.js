/**
 * The attempt on screen and its traffic: loading, recording, catching up with other tabs. Changes
 * are shown at once and are the server's as soon as it acknowledges them.
 */

import { Api, ApiError, Fallback } from "../../shared/api.js";
import { sentence } from "../../shared/sentences.js";
import { Query } from "../search/search_request.js";
import { newSession } from "../sync/browser_storage.js";
import { catchUp, differ } from "../sync/catch_up.js";
import { News } from "../sync/news.js";
import { Outbox } from "../sync/outbox.js";
import { TimeLimit } from "../sync/time_limit.js";
import { createOutbox } from "../sync/traffic.js";
import { ActiveClock } from "../sync/working_time.js";
import { apply, isAsked, isReadOnly } from "./attempt_state.js";

const BOOT_KEYS = [
  "user",
  "campaign",
  "batch",
  "task",
  "protocol",
  "guidelines",
  "given",
  "corpus",
  "keys",
  "material",
  "locked",
  "authored",
  "brief",
  "review",
  "archived",
  "withdrawn",
  "decided",
  "practice",
  "event_types",
];

export class Attempt {
  /**
   * @param {import("./store.js").Store} store
   * @param {{base: string}} options
   * @param {Pt.Actions} hooks onBoot(boot, initial), beforeLeave(), onText(field, text),
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
    /** @type {boolean} the draft under review was left */
    this.left = false;
    /** @type {Pt.Outbox | null} */
    this.pulling = null;
    this.counter = 0;
    this.clock = new ActiveClock();
    this.limit = new TimeLimit();
    this.outboxes = new Map();
    this.query = new Query(this);
    this.news = new News(this);
    this.navigation = 0;
    this.fetching = new Map();
  }

  get id() {
    return this.store.data.attempt;
  }

  get readOnly() {
    return isReadOnly(this.store.data.state);
  }

  /** Whether answers, fields and boxes may be changed now. */
  get mayEdit() {
    return !this.readOnly && !this.store.data.timeOver;
  }

  nextId() {
    this.counter += 1;
    return `${this.session}-${this.counter}`;
  }

  /** Put a loaded attempt on screen. @param {Pt.Boot} boot */
  show(boot, { initial = false } = {}) {
    this.api.use(boot.attempt, boot.token, boot.practice);
    this.query.abandon();
    this.outbox = this.outboxes.get(boot.attempt) ?? createOutbox(this, boot);
    this.outbox.seq = Math.max(this.outbox.seq, boot.state.last_seq);
    const state = this.ahead(this.outbox, boot.state);
    this.clock.reset(boot.active_ms ?? 0, { running: !isReadOnly(state) && !state.paused });
    this.limit.start(boot.review ? null : boot.protocol.clock.limit_s, boot.state.work_ms);
    const fields = Object.fromEntries(
      BOOT_KEYS.map((key) => [key, /** @type {any} */ (boot)[key]]),
    );
    const { campaign, guidelines, newGuidelines } = this.store.data;
    const same = campaign?.name === boot.campaign.name;
    this.store.set({
      ...fields,
      newGuidelines: same && (newGuidelines || differ(guidelines, boot.guidelines)),
      attempt: boot.attempt,
      epoch: boot.epoch,
      documents: { ...this.store.data.documents, ...boot.documents },
      results: boot.results,
      searching: null,
      searchError: boot.results?.refusal?.message ?? null,
      searchNote: null,
      page: null,
      selected: null,
      loading: null,
      state,
      timeOver: this.limit.over,
      pending: this.outbox.pendingContent,
      savedAt: state.updated_at,
    });
    this.hooks.onBoot(boot, initial);
    if (boot.review && this.readOnly) this.record("reopened", {});
    if (!this.readOnly) this.record("opened", { session: this.session });
    this.outbox.kick();
    this.news.restart();
  }

  /**
   * The state with what is still on its way on top.
   * @param {{ queue: any, seq: number }} given
   * @param {Pt.AttemptState} state
   */
  ahead({ queue, seq }, state) {
    return queue.reduce(
      (/** @type {any} */ before, /** @type {any} */ event, /** @type {number} */ i) =>
        apply(before, { ...event, seq: seq + i + 1 }),
      state,
    );
  }

  /**
   * Record an event and show its effect at once.
   * @template {keyof Pt.EventPayloads} T
   * @param {T} type
   * @param {Pt.EventPayloads[T]} payload
   * @returns {Promise<{receipt?: any, refusal?: any}>|null} null when nothing may be recorded
   */
  record(type, payload) {
    if (!this.takes(type)) return null;
    if (this.store.data.timeOver && this.store.data.event_types.edits.includes(type)) {
      this.hooks.onMessage(sentence("time_over"));
      return null;
    }
    const { event, result } = this.outbox.add(type, payload);
    this.clock.activity();
    this.apply(event);
    if (type === "field_set" && "value" in payload && this.opensMore(payload.field))
      this.pullAfter(result);
    return result;
  }

  /**
   * Send what `work` records as one request, stored in one transaction, and show it all at once.
   * @param {() => void} work
   */
  together(work) {
    this.store.together(() => this.outbox.together(work));
  }

  /**
   * Whether an event may be recorded now; talking goes on whatever the attempt's status.
   * @param {string} type
   */
  takes(type) {
    const { archived, review, state } = this.store.data;
    if (review && (this.left || type.startsWith("tab_"))) return false; // nobody's time is measured
    if (type === "commented" || type === "gold_disputed") return !archived;
    return !state.closed && (!this.readOnly || type === "reopened");
  }

  /** A draft under review that is no longer this supervisor's can be read, but not changed. */
  shut() {
    const { review, state } = this.store.data;
    if (review) this.store.set({ state: { ...state, closed: true } });
  }

  /** Whether pages or material wait for this field. @param {string} field */
  opensMore(field) {
    const { pages_after: pages, material } = this.store.data.protocol;
    return pages.includes(field) || material.some(({ after }) => after.includes(field));
  }

  /** @param {Promise<Pt.Recorded>} result */
  async pullAfter(result) {
    const { outbox } = this;
    const { receipt } = await result;
    if (receipt && outbox === this.outbox) this.pull();
  }

  /** @param {Pt.Event} event */
  apply(event) {
    const { queue, seq } = this.outbox;
    const guess = seq + queue.indexOf(event) + 1;
    const state = apply(this.store.data.state, { ...event, seq: guess });
    this.limit.run(state);
    const { batch } = this.store.data;
    const { status, returned } = state;
    /** @type {Record<string, any>} */
    const now = {
      status,
      returned,
      flagged: state.flag !== null,
      asked: isAsked(state, this.store.data.user),
    };
    const mine = (/** @type {Pt.BatchTask} */ task) => task.attempt === this.id;
    const differs = (/** @type {Pt.BatchTask} */ task) =>
      Object.keys(now).some(
        (key) => /** @type {any} */ (task)[key] !== /** @type {any} */ (now)[key],
      );
    const stale = batch.tasks.some((task) => mine(task) && differs(task));
    const tasks = batch.tasks.map((task) => (mine(task) ? { ...task, ...now } : task));
    this.store.set(stale ? { state, batch: { ...batch, tasks } } : { state });
  }

  /** Catch up with what the server holds; events still on their way are applied on top. */
  pull() {
    return catchUp(this);
  }

  /** Open another task of the batch. @param {string} id @returns {Promise<boolean>} */
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

  /** Sizes of a document's pages: at once when known, else a promise. @param {string} name */
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
