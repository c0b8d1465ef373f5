/**
 * The attempt on screen and its traffic: loading, recording, catching up with other tabs. Changes
 * are shown at once and are the server's as soon as it acknowledges them.
 */

import { Api, ApiError, Fallback } from "../../shared/api";
import { t } from "../../shared/messages";
import { afterPaint } from "../../shared/page/after_paint";
import { sentence } from "../../shared/sentences";
import { Query } from "../search/search_request";
import { newSession } from "../sync/browser_storage";
import { catchUp, differ } from "../sync/catch_up";
import { News } from "../sync/news";
import { NextTask } from "../sync/next_task";
import { TimeLimit } from "../sync/time_limit";
import { createOutbox } from "../sync/traffic";
import { endingOf, noteWaiting, withTask } from "../sync/waiting_tasks";
import { ActiveClock } from "../sync/working_time";
import { apply, isAsked, isReadOnly } from "./attempt_state";
import { versionOnScreen } from "./seen_version";

const BOOT_KEYS: (keyof Pt.AttemptPayload)[] = [
  "user",
  "campaign",
  "batch",
  "task",
  "protocol",
  "guidelines",
  "given_pages",
  "corpus",
  "key_conditions",
  "label_keys",
  "material",
  "locked",
  "question_counts",
  "brief",
  "review",
  "archived",
  "withdrawn",
  "excluded",
  "decisions_mark",
  "practice",
  "event_types",
];

/** What the screen does when something happens to the attempt. */
interface AttemptHooks {
  onBoot: (boot: Pt.AttemptPayload, initial: boolean) => void;
  beforeLeave: () => void;
  /** The server has stored a text. */
  onText: (name: string, text: string) => void;
  onRefusal: (refusal: Pt.EventRefusal, event: Pt.Event) => void;
  onMessage: (text: string) => void;
  /** The state on screen is the server's, with what is still on its way on top. */
  onCaughtUp: () => void;
  /** The server has this event by now. */
  onWritten: (seq: number) => void;
  /** A search was answered, and its results have been painted. */
  onResults: (results: Pt.SearchHit[]) => void;
}

export class Attempt {
  store: Pt.Store;
  hooks: AttemptHooks;
  api: Api;
  fallback: Fallback;
  viaStreamlit: boolean;
  /** when the browser last said that the network is gone */
  offlineSince: number;
  session: string;
  previousSession: string | null;
  /** the draft under review was left */
  left: boolean;
  pulling: Pt.Outbox | null;
  counter: number;
  clock: ActiveClock;
  limit: TimeLimit;
  outboxes: Map<string, Pt.Outbox>;
  query: Query;
  news: News;
  nextTask: NextTask;
  navigation: number;
  fetching: Map<string, Promise<Pt.ShownDocument>>;
  /** edits of a text that do not fit the server's, by event; it will refuse them */
  unfitting: ReadonlySet<string> = new Set();
  private shownOutbox: Pt.Outbox | null = null;

  constructor(store: Pt.Store, { base }: { base: string }, hooks: AttemptHooks) {
    this.store = store;
    this.hooks = hooks;
    this.api = new Api({ base });
    this.fallback = new Fallback();
    this.viaStreamlit = false;
    this.offlineSince = Number.NEGATIVE_INFINITY;
    const { id, previous } = newSession();
    this.session = id;
    this.previousSession = previous;
    this.left = false;
    this.pulling = null;
    this.counter = 0;
    this.clock = new ActiveClock();
    this.limit = new TimeLimit();
    this.outboxes = new Map();
    this.query = new Query(this);
    this.news = new News(this);
    this.nextTask = new NextTask(this);
    this.navigation = 0;
    this.fetching = new Map();
  }

  get id() {
    return this.store.data.attempt;
  }

  /** That of the attempt on screen. */
  get outbox(): Pt.Outbox {
    if (!this.shownOutbox) throw new Error("No attempt is on screen yet.");
    return this.shownOutbox;
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

  /** Put a loaded attempt on screen. */
  show(boot: Pt.AttemptPayload, { initial = false } = {}) {
    this.api.use(boot.attempt, boot.token, boot.practice);
    this.query.abandon();
    this.shownOutbox = this.outboxes.get(boot.attempt) ?? createOutbox(this, boot);
    this.outbox.seq = Math.max(this.outbox.seq, boot.state.last_seq);
    const state = this.ahead(this.outbox, boot.state);
    this.clock.reset(boot.active_ms ?? 0, { running: !isReadOnly(state) && !state.paused });
    this.limit.start(boot.review ? null : boot.protocol.clock.limit_s, boot.state.work_ms);
    const fields = Object.fromEntries(BOOT_KEYS.map((key) => [key, boot[key]]));
    const { campaign, guidelines, newGuidelines } = this.store.data;
    const same = campaign?.name === boot.campaign.name;
    this.store.set({
      ...fields,
      newGuidelines: same && (newGuidelines || differ(guidelines, boot.guidelines)),
      attempt: boot.attempt,
      batch: this.batchAhead(boot.batch, state, boot.user),
      epoch: boot.epoch,
      documents: { ...this.store.data.documents, ...boot.documents },
      results: boot.results,
      searching: null,
      searchError: boot.results?.refusal?.message ?? null,
      searchNote: null,
      answerError: "",
      questionError: "",
      submitError: "",
      recovered: null,
      page: null,
      beside: null,
      recent: [],
      selected: null,
      loading: null,
      state,
      timeOver: this.limit.over,
      pending: this.outbox.pendingContent,
      savedAt: state.updated_at,
    });
    noteWaiting(this);
    this.hooks.onBoot(boot, initial);
    if (boot.review && this.readOnly) this.record("reopened", {});
    if (!this.readOnly) this.record("opened", { session: this.session });
    this.outbox.kick();
    afterPaint(() => this.news.restart());
    this.nextTask.fetchWhenIdle();
  }

  /** The state with what is still on its way on top. */
  ahead({ queue, seq }: Pt.Outbox, state: Pt.AttemptState) {
    const unfitting = new Set<string>();
    const ahead = queue.reduce((before, event, i) => {
      const after = apply(before, { ...event, seq: seq + i + 1 });
      if (event.type === "text_edited" && after.transcript === before.transcript)
        unfitting.add(event.id);
      return after;
    }, state);
    this.unfitting = unfitting;
    return ahead;
  }

  /**
   * Record an event and show its effect at once.
   * @returns null when nothing may be recorded
   */
  record<T extends keyof Pt.EventPayloads>(
    type: T,
    payload: Pt.EventPayloads[T],
  ): Promise<Pt.Recorded> | null {
    if (!this.takes(type)) return null;
    if (this.store.data.timeOver && this.store.data.event_types.edits.includes(type)) {
      this.hooks.onMessage(sentence("time_over"));
      return null;
    }
    const { event, result } = this.outbox.add(
      type,
      payload,
      versionOnScreen(this.store.data, payload),
    );
    this.clock.activity();
    this.apply(event);
    if (type === "field_set" && "value" in payload && this.opensMore(payload.field))
      this.pullAfter(result);
    return result;
  }

  /**
   * Send what `work` records as one request, stored in one transaction, and show it all at once.
   */
  together(work: () => void) {
    this.store.setTogether(() => this.outbox.together(work));
  }

  /** Whether an event may be recorded now; talking goes on whatever the attempt's status. */
  takes(type: string) {
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

  /** Whether pages or material wait for this field. */
  opensMore(field: string) {
    const { pages_after: pages, material } = this.store.data.protocol;
    return pages.includes(field) || material.some(({ after }) => after.includes(field));
  }

  async pullAfter(result: Promise<Pt.Recorded>) {
    const { outbox } = this;
    const { receipt } = await result;
    if (receipt && outbox === this.outbox) this.pull();
  }

  apply(event: Pt.Event) {
    const { queue, seq } = this.outbox;
    const guess = seq + queue.indexOf(event) + 1;
    const state = apply(this.store.data.state, { ...event, seq: guess });
    this.limit.run(state);
    this.store.set({ state, batch: this.batchAhead(this.store.data.batch, state) });
  }

  /** A batch in which the task on screen is what its state says. */
  batchAhead(batch: Pt.ShownBatch, state: Pt.AttemptState, user = this.store.data.user) {
    const { status, returned } = state;
    const flagged = state.flag !== null;
    return withTask(batch, this.outbox.attempt, {
      status,
      returned,
      flagged,
      has_question: isAsked(state, user),
    });
  }

  /** Withdraw the submission or skip that waits for the connection. */
  withdrawEnding() {
    const ending = endingOf(this.outbox.queue);
    if (!ending) return;
    const mayBeStored = this.outbox.withdraw(ending);
    // Where nobody may go back, the server tells whether it had arrived.
    if (mayBeStored && this.store.data.protocol.study.go_back) this.record("reopened", {});
    else this.apply(this.outbox.make("reopened", {}));
  }

  /** Catch up with what the server holds; events still on their way are applied on top. */
  pull() {
    return catchUp(this);
  }

  /** Open another task of the batch. */
  async goTo(id: string): Promise<boolean> {
    if (id === this.id) return true;
    this.navigation += 1;
    const turn = this.navigation;
    this.hooks.beforeLeave();
    const left = this.outbox;
    const hasUnsent = left.queue.length > 0;
    // The span until the return is not working time; `opened` ends it.
    const leaving =
      this.readOnly || this.store.data.state.hidden ? null : this.record("tab_hidden", {});
    this.store.set({ loading: id });
    const flushed = left.flush(2500);
    // Work may change what the other task is like; that the tab was left does not.
    if (hasUnsent) await flushed;
    const { nextTask } = this;
    let boot: Pt.AttemptPayload | null = null;
    let isOld = false;
    try {
      const isKnown = leaving && !hasUnsent && nextTask.has(id);
      // Once this event is stored, the server is there and the batch still this person's.
      if (isKnown && (await flushed) && (await leaving).receipt) {
        isOld = nextTask.isOld;
        boot = await nextTask.take(id);
      }
      boot ??= await this.api.boot(id);
      await flushed;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn !== this.navigation) return false;
      this.store.set({ loading: null });
      if (!this.readOnly) this.record("tab_shown", {});
      const problem = t("The task cannot be opened: {message}", { message: error.message });
      const again = error.transient ? ` ${t("Try again when the connection is back.")}` : "";
      this.hooks.onMessage(problem + again);
      return false;
    }
    if (turn !== this.navigation) return false;
    if (!left.queue.length) this.outboxes.delete(left.attempt);
    this.show(boot);
    if (isOld) this.pull();
    return true;
  }

  /** Sizes of a document's pages: at once when known, else a promise. */
  documentInfo(name: string): Pt.ShownDocument | Promise<Pt.ShownDocument> {
    const known = this.store.data.documents[name] ?? this.fetching.get(name);
    if (known) return known;
    const load = this.api
      .document(this.id, name)
      .then((info) => {
        this.store.set({ documents: { ...this.store.data.documents, [name]: info } });
        return info;
      })
      .finally(() => this.fetching.delete(name));
    this.fetching.set(name, load);
    return load;
  }
}
