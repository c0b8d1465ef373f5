/**
 * The task under review and what the reviewer has chosen so far. Requests that change something go
 * out one after the other; choices are shown at once and told to the server for a preview.
 */

import { ApiError } from "../shared/api";
import { t } from "../shared/messages";
import { samePlace } from "../shared/places";
import { changes } from "./comparison/changes";
import { pagesOfTask, rowsOf } from "./comparison/comparison_rows";
import { DATASET, sidesOf, withoutMissing } from "./decision/selections";
import { draftKey, hasStored, storedFirst, storedPicks } from "./decision/stored_draft";
import { problemOf } from "./problems";
import { wayOn } from "./queue";
import type { Acts, RequestBody } from "./requests";
import type { DraftSource, ReviewStore } from "./store";

const PREVIEW_MS = 150;
const SETTLED_MS = 20;

/** What was chosen and typed before, in this tab. */
interface UnsavedWork {
  picks: Pt.Selections;
  reason: string;
}

export class Session {
  private wayOn: Pick<Pt.QueuePosition, "next" | "previous" | "following"> | null = null;
  private line: Promise<unknown> = Promise.resolve();
  private wasDecided = false;
  private taking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly acts: Acts,
    readonly store: ReviewStore,
  ) {}

  get data() {
    return this.store.review.value;
  }

  get task() {
    return this.data.task.id;
  }

  /**
   * Show a task.
   * @param again what "Try again" does
   * @returns whether it was loaded
   */
  async open(task: number, unsaved: UnsavedWork | null, again: () => void): Promise<boolean> {
    if (Object.values(unsaved?.picks ?? {}).some((pick) => sidesOf(pick).includes(DATASET)))
      this.acts.datasetShown = task;
    try {
      const data = await this.acts.load(task);
      this.store.setTogether(() => {
        this.store.set({ notices: [] });
        this.receive(data, true, unsaved);
      });
      return true;
    } catch (error) {
      this.fail(error, again);
      return false;
    }
  }

  /** The present state, with what was chosen as far as it still can be. */
  async present() {
    try {
      const data = await this.acts.load(this.task);
      this.store.set({ problem: null });
      this.receive(data, false);
    } catch (error) {
      this.fail(error, () => this.present());
    }
  }

  /** Show what the dataset says; until then it isn't in this browser. */
  async showDataset() {
    this.store.set({ datasetOpen: true });
    if (this.data.dataset_gold || !this.data.has_dataset_gold) return;
    this.acts.datasetShown = this.task;
    await this.present();
  }

  /**
   * Take what the server says; what others have changed is told.
   * @param fresh whether it was opened just now
   */
  receive(data: Pt.ReviewData, fresh: boolean, unsaved: UnsavedWork | null = null) {
    this.store.setTogether(() => {
      const before = this.store.data.loaded;
      if (fresh) this.wayOn = null;
      const loaded =
        this.wayOn && !data.queue.position
          ? { ...data, queue: { ...data.queue, ...this.wayOn } }
          : data;
      this.acts.use(data.token);
      this.keepPlace(before, loaded);
      if (fresh || !before) this.begin(loaded, unsaved);
      else this.goOn(before, loaded);
      this.wasDecided = this.store.decided.value;
      if (this.wasDecided && loaded.status !== "check")
        this.store.set({
          errors: loaded.gold?.errors ?? [],
          confidence: loaded.gold?.confidence ?? null,
        });
    });
  }

  /** Show a task that was opened just now. */
  private begin(data: Pt.ReviewData, unsaved: UnsavedWork | null) {
    const { store } = this;
    this.acts.forget();
    const draftSource = storedFirst(data) ? "stored" : "picks";
    store.set({ loaded: data, picks: {}, problem: null, previewed: null, draftSource });
    store.set({ reason: "", reasonMissing: false, errors: [], confidence: null });
    store.set({ datasetWrong: data.gold?.dataset_answers === "wrong" });
    if (store.decided.value) return;
    if (unsaved) store.set({ reason: unsaved.reason });
    if (draftSource === "stored") return;
    store.set({ picks: withoutMissing(unsaved?.picks ?? {}, data) });
    this.preview();
  }

  /** Show a task that has changed. */
  private goOn(before: Pt.ReviewData, data: Pt.ReviewData) {
    const { store } = this;
    const { notices, picks, draftSource } = store.data;
    store.set({
      loaded: data,
      notices: [...notices, ...changes(before, data)],
      picks: withoutMissing(picks, data),
    });
    if (!store.editable.value) store.set({ answers: null });
    if (draftSource === "stored" && !hasStored(data)) store.set({ draftSource: "picks" });
    else if (before.gold?.version && this.wasDecided && !store.decided.value)
      store.set({ draftSource: storedFirst(data) ? "stored" : "picks" });
    this.preview();
  }

  /** The current part and the open page stay, as far as the task has them. */
  private keepPlace(before: Pt.ReviewData | null, data: Pt.ReviewData) {
    const { part, page } = this.store.data;
    const isSame = before?.task.id === data.task.id;
    const rows = rowsOf(data);
    const pages = pagesOfTask(data);
    if (!isSame) {
      this.store.set({
        revealed: null,
        standsOut: null,
        hiddenLayers: new Set(),
        answers: null,
        datasetOpen: false,
        agreedOpen: rows.every(({ agreed }) => agreed),
      });
    }
    if (!isSame || !rows.some((row) => row.part === part))
      this.store.set({ part: rows[0]?.part ?? null });
    if (!isSame || !pages.some((place) => samePlace(place, page)))
      this.store.set({ page: pages[0] ?? null });
  }

  /**
   * Choose something. Where the stored draft was shown, it is merged again from here on, with the
   * choices that made it.
   */
  pick(change: (picks: Pt.Selections) => Pt.Selections) {
    const { store, data } = this;
    if (!store.editable.value) return;
    store.setTogether(() => {
      if (store.data.draftSource === "stored") {
        store.set({ picks: storedPicks(data), draftSource: "picks" });
        if (data.gold?.edited)
          this.notify(
            t(
              "The draft is merged again; what was edited in the workspace is kept beside it until you accept.",
            ),
          );
      }
      store.set({ picks: change(store.data.picks) });
      this.preview();
    });
    if (data.holder === null && !this.taking) {
      this.taking = true;
      this.take().finally(() => {
        this.taking = false;
      });
    }
  }

  private notify(notice: string) {
    this.store.set({ notices: [...this.store.data.notices, notice] });
  }

  /** Show the stored draft, or the one that the selections on this screen make. */
  chooseDraft(source: DraftSource) {
    if (source === "stored" && !this.store.hasStored.value) return;
    this.store.setTogether(() => {
      this.store.set({ draftSource: source });
      if (source === "picks") this.preview();
    });
  }

  /** Resolves once the draft on screen is that of the picks. */
  async settled() {
    while (this.store.data.busy) await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  }

  /** Ask for the draft that the picks make, where they count; earlier answers are dropped. */
  preview() {
    const { store } = this;
    clearTimeout(this.timer);
    this.acts.forget();
    const { draftSource, picks } = store.data;
    const busy = !store.decided.value && draftSource === "picks" && Object.keys(picks).length > 0;
    store.set(busy ? { busy } : { busy, previewed: null });
    if (busy) this.timer = setTimeout(() => this.ask(), PREVIEW_MS);
  }

  async ask() {
    const { task, store } = this;
    try {
      const previewed = await this.acts.preview(task, store.data.picks);
      if (previewed === null || task !== this.task) return;
      const { running_merges: merges } = store.data.previewed ?? {};
      const isSame = JSON.stringify(merges) === JSON.stringify(previewed.running_merges);
      // A table that stays the same is not rendered again.
      if (merges && isSame) previewed.running_merges = merges;
      store.set({ previewed, busy: false });
    } catch (error) {
      store.set({ busy: false });
      this.fail(error, () => {
        store.set({ problem: null });
        return this.ask();
      });
    }
  }

  /** One request after the other. */
  queue<T>(work: () => Promise<T>) {
    const next = this.line.then(work);
    this.line = next.catch(() => {});
    return next;
  }

  /** Carry something out and show the task as it is then. Resolves with whether it was done. */
  async act<Act extends keyof Pt.ReviewRequests>(
    name: Act,
    body: RequestBody<Act>,
  ): Promise<boolean> {
    const { task, store } = this;
    const counts = name === "take" ? 0 : 1; // what comes after it waits by itself
    this.count(counts);
    try {
      const data = await this.queue(() => this.acts.send(task, name, body));
      if (task === this.task) {
        const { notices } = store.data;
        // It differs less now and has another place in the queue: the next task is the one from here.
        if (name === "return") this.wayOn ??= wayOn(this.data.queue);
        store.setTogether(() => {
          store.set({ problem: null });
          this.receive(data, false);
          if (name === "return" || name === "undo") store.set({ notices }); // one's own act is no news
        });
      }
      return true;
    } catch (error) {
      this.fail(error, () => this.act(name, body));
      return false;
    } finally {
      this.count(-counts);
    }
  }

  private count(by: number) {
    this.store.set({ acting: this.store.data.acting + by });
  }

  take(over = false) {
    return this.act("take", over ? { take_over: true } : {});
  }

  release() {
    return this.act("release", {});
  }

  /** Take the task if nobody has it; stops where something has changed meanwhile. */
  async hold(): Promise<boolean> {
    const before = this.data;
    await this.line;
    if (this.data.holder !== this.data.reviewer && !(await this.take())) return false;
    const changed = changes(before, this.data);
    if (!changed.length && draftKey(before) === draftKey(this.data)) return true;
    const what = changed.length ? changed.join(" ") : t("The draft was changed in another window.");
    const text = `${what} ${t("Nothing was decided; look at it again, then decide.")}`;
    this.store.set({ notices: [], problem: { text, action: null } });
    return false;
  }

  /** What the reviewer says of the decision. */
  private said() {
    const { reason, errors, confidence, datasetWrong } = this.store.data;
    const answers = datasetWrong ? ("wrong" as const) : ("kept" as const);
    return { reason: reason.trim(), errors, confidence, dataset_answers: answers };
  }

  /** Make gold of the draft. */
  async decide() {
    const said = this.said();
    this.count(1); // once, however often it is pressed
    try {
      if (!(await this.hold())) return false;
      const { draftSource, picks } = this.store.data;
      const reviewedVersion = this.data.reviewed_version;
      return await this.act("decide", {
        picks: draftSource === "stored" ? null : picks,
        ...said,
        reviewed_version: reviewedVersion,
      });
    } finally {
      this.count(-1);
    }
  }

  /** Leave what was accepted automatically as it is. */
  confirm() {
    return this.act("decide", {
      picks: null,
      ...this.said(),
      reviewed_version: this.data.reviewed_version,
    });
  }

  /** @param decision the event that is undone */
  undo(decision: number) {
    return this.act("undo", { decision });
  }

  takeUp(reason: string) {
    return this.act("take-up", { reason });
  }

  /** Store the draft, to go on with it in the workspace. */
  async keep() {
    if (!(await this.hold())) return false;
    const { draftSource, picks } = this.store.data;
    return (
      draftSource === "stored" ||
      this.act("draft", { picks, reviewed_version: this.data.reviewed_version })
    );
  }

  sendBack(body: RequestBody<"return">) {
    return this.act("return", body);
  }

  comment(attempt: string, text: string) {
    return this.act("comment", { attempt, text });
  }

  /** Mark what somebody flagged or skipped as handled, or not. */
  handle(attempt: string, handled = true) {
    return this.act("handle", { attempt, handled });
  }

  private fail(error: unknown, again: () => unknown) {
    if (!(error instanceof ApiError)) throw error;
    const problem = problemOf(error, {
      again,
      reload: () => this.present(),
      login: () => this.acts.api.loginUrl(),
    });
    this.store.set({ problem });
  }
}
