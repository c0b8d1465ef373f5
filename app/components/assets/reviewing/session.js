/**
 * The task under review and what the reviewer has chosen so far. Requests that change something go
 * out one after the other; choices are shown at once and told to the server for a preview.
 */

import { ApiError } from "../shared/api.js";
import { changes, submitted } from "./comparison/comparison_rows.js";
import { boxSources, withoutMissing } from "./decision/selections.js";
import { EMPTY, hasStored, storedFirst, storedPicks } from "./decision/stored_draft.js";
import { wayOn } from "./queue.js";

const PREVIEW_MS = 150;
const STALE = new Set(["taken", "outdated", "gold_decided"]);

export class Session {
  /** @type {Pt.ReviewData} */
  data;

  /**
   * @param {import("./requests.js").Acts} acts
   * @param {() => void} onChange
   */
  constructor(acts, onChange) {
    this.acts = acts;
    this.onChange = onChange;
    /** @type {Pt.Selections} */
    this.picks = {};
    this.basis = "picks";
    /** @type {any} */
    this.previewed = null;
    this.busy = false;
    this.acting = 0;
    this.problem = null;
    /** @type {string[]} */
    this.notices = [];
    /** @type {any} */
    this.wayOn = null;
    this.line = Promise.resolve();
  }

  get task() {
    return this.data.task.id;
  }

  /** Whether there is gold that nobody has taken up again. */
  get decided() {
    const { gold } = this.data;
    return Boolean(gold) && gold.version > 0 && !gold.reopened;
  }

  /** Whether somebody else has the task. */
  get readOnly() {
    return this.data.holder !== null && this.data.holder !== this.data.me;
  }

  get editable() {
    return !this.decided && !this.readOnly && submitted(this.data).length > 0;
  }

  get hasStored() {
    return hasStored(this.data);
  }

  get draft() {
    if (this.decided || this.basis === "stored") return this.data.gold.draft;
    return this.previewed?.draft ?? this.data.draft ?? EMPTY;
  }

  get choices() {
    if (this.decided || this.basis === "stored") return this.data.gold.choices;
    return this.data.choices;
  }

  /** Whose boxes are in the draft: [attempt, box id]. */
  get chosenBoxes() {
    const { boxes } = this.picks;
    if (this.basis === "picks" && !this.decided && boxes?.how === "pick") return boxes.boxes;
    return boxSources(this.draft.boxes, submitted(this.data));
  }

  /**
   * Show a task.
   * @param {number} task
   * @param {any} begun picks made before, in this tab
   * @param {() => void} again what "Try again" does
   * @returns {Promise<boolean>} whether it could be had
   */
  async open(task, begun, again) {
    try {
      const data = await this.acts.load(task);
      this.notices = [];
      this.adopt(data, true, begun);
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
      this.adopt(/** @type {any} */ (data), false);
    } catch (error) {
      this.fail(error, () => this.present());
    }
  }

  /**
   * Take what the server says; what has changed otherwise than by oneself is told.
   * @param {Pt.ReviewData} data
   * @param {any} fresh
   */
  adopt(data, fresh, begun = {}) {
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
      /** @type {any} */
      this.previewed = null;
      this.acts.forget();
      this.basis = storedFirst(this.data) ? "stored" : "picks";
      if (this.basis === "picks" && !this.decided) {
        this.picks = withoutMissing(begun, data);
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
   * Choose something. Where the stored draft was shown, it is put together anew from here on, as
   * it was put together before.
   * @param {(picks: any) => any} change
   */
  pick(change) {
    if (!this.editable) return;
    if (this.basis === "stored") {
      const { gold } = this.data;
      this.picks = storedPicks(this.data);
      this.basis = "picks";
      if (gold.edited)
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

  /**
   * Go back to the stored draft, or away from it.
   * @param {any} stored
   */
  useStored(stored) {
    if (stored && !this.hasStored) return;
    this.basis = stored ? "stored" : "picks";
    if (!stored) this.preview();
    this.onChange();
  }

  /** Ask what the picks make, where they count; of what was asked before nothing comes any more. */
  preview() {
    clearTimeout(this.timer);
    this.acts.forget();
    this.busy = !this.decided && this.basis === "picks" && Object.keys(this.picks).length > 0;
    if (!this.busy) {
      /** @type {any} */
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

  /**
   * One request after the other.
   * @param {any} work
   */
  queue(work) {
    const next = this.line.then(work);
    this.line = next.catch(() => {});
    return next;
  }

  /**
   * Carry something out and show the task as it is then. Resolves with whether it was done.
   * @param {string} name
   * @param {any} body
   */
  async act(name, body) {
    const counts = name === "take" ? 0 : 1; // what comes after it waits by itself
    this.acting += counts;
    this.onChange();
    const { task } = this;
    try {
      const data = await this.queue(() =>
        this.acts.send(task, name, typeof body === "function" ? body() : body),
      );
      if (task === this.task) {
        this.problem = null;
        const told = this.notices.length;
        // What is left of it differs less, and would stand elsewhere: on goes the way from here.
        if (name === "return") this.wayOn ??= wayOn(this.data.queue);
        this.adopt(/** @type {any} */ (data), false);
        if (name === "return") this.notices.length = told; // what one has done oneself is no news
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

  /**
   * Hold the task; what has changed meanwhile stops what was to follow.
   * @returns {Promise<boolean>}
   */
  async hold() {
    const before = this.data;
    await this.line;
    if (this.data.holder !== this.data.me && !(await this.take())) return false;
    const changed = changes(before, this.data);
    const drafts = [before, this.data].map(({ gold }) =>
      JSON.stringify(
        gold?.choices.length || gold?.edited || gold?.version ? [gold.version, gold.draft] : null,
      ),
    );
    if (!changed.length && drafts[0] === drafts[1]) return true;
    const what = changed.length ? changed.join(" ") : "The draft was changed in another window.";
    this.notices = [];
    this.problem = {
      text: `${what} Nothing was decided; look at it again, then decide.`,
      action: null,
    };
    this.onChange();
    return false;
  }

  /**
   * Make gold of the draft.
   * @param {string} reason
   */
  async decide(reason) {
    this.acting += 1; // once, however often it is pressed
    try {
      if (!(await this.hold())) return false;
      const picks = this.basis === "stored" ? null : this.picks;
      return await this.act("decide", { picks, reason, seen: this.data.seen });
    } finally {
      this.acting -= 1;
      this.onChange();
    }
  }

  /**
   * Let what the rule accepted stand.
   * @param {string} reason
   */
  confirm(reason) {
    return this.act("decide", { picks: null, reason, seen: this.data.seen });
  }

  /** @param {string} reason */
  takeUp(reason) {
    return this.act("take-up", { reason });
  }

  /** Store the draft, to go on with it in the workspace. */
  async keep() {
    if (!(await this.hold())) return false;
    if (this.basis === "stored") return true;
    return this.act("draft", { picks: this.picks, seen: this.data.seen });
  }

  /** @param {any} body */
  sendBack(body) {
    return this.act("return", body);
  }

  /**
   * @param {string} attempt
   * @param {string} text
   */
  comment(attempt, text) {
    return this.act("comment", { attempt, text });
  }

  /**
   * @param {any} error
   * @param {any} again
   */
  fail(error, again) {
    if (!(error instanceof ApiError)) throw error;
    if (STALE.has(error.code)) {
      this.problem = {
        text: error.message,
        action: "Show the present state",
        run: () => this.present(),
      };
    } else if (error.kind === "signed_out") {
      this.problem = { text: error.message, link: this.acts.api.loginUrl(), action: "Sign in" };
    } else if (error.transient && error.status !== 409) {
      this.problem = { text: error.message, action: "Try again", run: again };
    } else {
      this.problem = { text: error.message, action: null };
    }
    this.onChange();
  }
}
