/**
 * The task under review and what the reviewer has chosen so far. Requests that change something go
 * out one after the other; choices are shown at once and told to the server for a preview.
 */

import { ApiError } from "../shared/api";
import { changes } from "./comparison/changes";
import { withoutMissing } from "./decision/selections";
import { draftKey, storedFirst, storedPicks } from "./decision/stored_draft";
import { problemOf } from "./problems";
import { wayOn } from "./queue";
import type { Acts, RequestBody } from "./requests";
import { ReviewedTask } from "./reviewed_task";

/** What a reviewer says besides a reason. */
type Remarks = Pick<Pt.DecideRequest, "errors" | "confidence">;

const PREVIEW_MS = 150;
const SETTLED_MS = 20;

export class Session extends ReviewedTask {
  acts: Acts;
  onChange: () => void;
  busy: boolean;
  acting: number;
  problem: Pt.Problem | null;
  notices: string[];
  wayOn: Pick<Pt.QueuePosition, "next" | "previous" | "following"> | null;
  line: Promise<any>;
  wasDecided: boolean | undefined;
  taking: boolean | undefined;
  timer: number | undefined;

  constructor(acts: Acts, onChange: () => void) {
    super();
    this.acts = acts;
    this.onChange = onChange;
    this.busy = false;
    this.acting = 0;
    this.problem = null;
    this.notices = [];
    this.wayOn = null;
    this.line = Promise.resolve();
  }

  /**
   * Show a task.
   * @param unsaved picks made before, in this tab
   * @param again what "Try again" does
   * @returns whether it was loaded
   */
  async open(
    task: number,
    unsaved: Pt.Selections | undefined,
    again: () => void,
  ): Promise<boolean> {
    try {
      const data = await this.acts.load(task);
      this.notices = [];
      this.receive(data, true, unsaved);
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
      this.problem = null;
      this.receive(data, false);
    } catch (error) {
      this.fail(error, () => this.present());
    }
  }

  /**
   * Take what the server says; what others have changed is told.
   * @param fresh whether it was opened just now
   */
  receive(data: Pt.ReviewData, fresh: boolean, unsaved: Pt.Selections = {}) {
    const before = this.data;
    if (fresh) this.wayOn = null;
    this.data =
      this.wayOn && !data.queue.position
        ? { ...data, queue: { ...data.queue, ...this.wayOn } }
        : data;
    this.acts.use(data.token);
    if (fresh) {
      this.picks = {};
      this.problem = null;
      this.previewed = null;
      this.acts.forget();
      this.basis = storedFirst(this.data) ? "stored" : "picks";
      if (this.basis === "picks" && !this.decided) {
        this.picks = withoutMissing(unsaved, data);
        this.preview();
      }
    } else {
      this.notices.push(...changes(before, data));
      this.picks = withoutMissing(this.picks, data);
      if (this.basis === "stored" && !this.hasStored) this.basis = "picks";
      else if (before.gold?.version && this.wasDecided && !this.decided)
        this.basis = storedFirst(this.data) ? "stored" : "picks";
      this.preview();
    }
    this.wasDecided = this.decided;
    this.onChange();
  }

  /**
   * Choose something. Where the stored draft was shown, it is merged again from here on, with the
   * choices that made it.
   */
  pick(change: (picks: Pt.Selections) => Pt.Selections) {
    if (!this.editable) return;
    if (this.basis === "stored") {
      const { gold } = this.data;
      this.picks = storedPicks(this.data);
      this.basis = "picks";
      if (gold?.edited)
        this.notices.push(
          "The draft is merged again; what was edited in the workspace is kept beside it until you accept.",
        );
    }
    this.picks = change(this.picks);
    this.preview();
    this.onChange();
    if (this.data.holder === null && !this.taking) {
      this.taking = true;
      this.take().finally(() => {
        this.taking = false;
      });
    }
  }

  /** Go back to the stored draft, or away from it. */
  useStored(stored: boolean) {
    if (stored && !this.hasStored) return;
    this.basis = stored ? "stored" : "picks";
    if (!stored) this.preview();
    this.onChange();
  }

  /** Resolves once the draft on screen is that of the picks. */
  async settled() {
    while (this.busy) await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  }

  /** Ask for the draft that the picks make, where they count; earlier answers are dropped. */
  preview() {
    clearTimeout(this.timer);
    this.acts.forget();
    this.busy = !this.decided && this.basis === "picks" && Object.keys(this.picks).length > 0;
    if (!this.busy) {
      this.previewed = null;
      return;
    }
    this.timer = setTimeout(() => this.ask(), PREVIEW_MS);
  }

  async ask() {
    const { task } = this;
    try {
      const answer = await this.acts.preview(task, this.picks);
      if (answer === null || task !== this.task) return;
      this.previewed = answer;
      this.busy = false;
      this.onChange();
    } catch (error) {
      this.busy = false;
      this.fail(error, () => {
        this.problem = null;
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
    const counts = name === "take" ? 0 : 1; // what comes after it waits by itself
    this.acting += counts;
    this.onChange();
    const { task } = this;
    try {
      const data = await this.queue(() => this.acts.send(task, name, body));
      if (task === this.task) {
        this.problem = null;
        const told = this.notices.length;
        // It differs less now and has another place in the queue: the next task is the one from here.
        if (name === "return") this.wayOn ??= wayOn(this.data.queue);
        this.receive(data, false);
        if (name === "return" || name === "undo") this.notices.length = told; // one's own act is no news
      }
      return true;
    } catch (error) {
      this.fail(error, () => this.act(name, body));
      return false;
    } finally {
      this.acting -= counts;
      this.onChange();
    }
  }

  take(over = false) {
    return this.act("take", over ? { over: true } : {});
  }

  release() {
    return this.act("release", {});
  }

  /** Take the task if nobody has it; stops where something has changed meanwhile. */
  async hold(): Promise<boolean> {
    const before = this.data;
    await this.line;
    if (this.data.holder !== this.data.me && !(await this.take())) return false;
    const changed = changes(before, this.data);
    if (!changed.length && draftKey(before) === draftKey(this.data)) return true;
    const what = changed.length ? changed.join(" ") : "The draft was changed in another window.";
    this.notices = [];
    const text = `${what} Nothing was decided; look at it again, then decide.`;
    this.problem = { text, action: null };
    this.onChange();
    return false;
  }

  /** Make gold of the draft. */
  async decide(reason: string, said: Remarks = {}) {
    this.acting += 1; // once, however often it is pressed
    try {
      if (!(await this.hold())) return false;
      const picks = this.basis === "stored" ? null : this.picks;
      return await this.act("decide", { picks, reason, ...said, seen: this.data.seen });
    } finally {
      this.acting -= 1;
      this.onChange();
    }
  }

  /** @param reason why what was accepted automatically is confirmed */
  confirm(reason: string, said: Remarks = {}) {
    return this.act("decide", { picks: null, reason, ...said, seen: this.data.seen });
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
    if (this.basis === "stored") return true;
    return this.act("draft", { picks: this.picks, seen: this.data.seen });
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

  fail(error: unknown, again: () => any) {
    if (!(error instanceof ApiError)) throw error;
    this.problem = problemOf(error, {
      again,
      reload: () => this.present(),
      login: () => this.acts.api.loginUrl(),
    });
    this.onChange();
  }
}
