/** The screen of one task under review: its parts, and what keys and clicks do. */

import { fill, h, setText } from "../workspace/dom.js";
import { build, openKeys } from "../workspace/guidelines.js";
import { openDialog } from "../workspace/dialogs.js";
import { icon } from "../workspace/icons.js";
import { applyTheme } from "../workspace/theme.js";
import { Acts } from "./acts.js";
import { DecisionBar, mayReturn, rememberReason } from "./decision.js";
import { GoldPanel } from "./goldpanel.js";
import { keyGroups, listenKeys } from "./keys.js";
import { peopleLooks } from "./looks.js";
import { Matrix } from "./matrix.js";
import { PagePane } from "./pagepane.js";
import * as picks from "./picks.js";
import { QuestionBox } from "./questionbox.js";
import { interesting, rowsOf, submitted } from "./rows.js";
import { Session } from "./session.js";
import { askComment, askReturn } from "./talks.js";
import { TopBar } from "./topbar.js";
import { samePlace, wayWords } from "./words.js";

export class Reviewing {
  /**
   * @param {ShadowRoot|HTMLElement} root
   * @param {{task: number, home: string, base: string}} data
   */
  constructor(root, { task, home, base }) {
    this.home = home;
    this.acts = new Acts({ base, onConnection: (trying, message) => this.connection(trying, message) });
    this.session = new Session(this.acts, () => this.show());
    this.part = null;
    this.page = null;
    const run = (name, ...args) => this[name](...args);
    this.top = new TopBar({
      queue: `${home}review`, take: () => this.session.take(), release: () => this.session.release(),
      over: () => this.session.take(true), step: (by) => run("step", by),
      guidelines: () => run("guidelines"), help: () => run("help"),
    });
    this.question = new QuestionBox();
    this.gold = new GoldPanel();
    this.matrix = new Matrix({
      part: (part) => this.select(part), side: (part, attempt) => this.side(part, attempt),
      way: (part, how) => this.pick((now) => picks.takeWay(now, part, how), part),
      all: (attempt) => this.pick(() => picks.takeAll(this.session.data.ways, attempt)),
      page: (place) => this.turn(place), show: (box) => this.reveal(box),
      cite: (place) => this.pick((now) => picks.togglePage(now, this.session.draft.citations, place), "evidence"),
      at: (part, place, attempt) => this.at(part, place, attempt), box: (attempt, box) => this.box(attempt, box),
      comments: (side) => this.comments(side), replay: (side) => this.replay(side),
    });
    this.pane = new PagePane({
      page: (place) => this.turn(place), box: (attempt, box) => this.box(attempt, box), wide: () => this.wide(),
    });
    this.bar = new DecisionBar({
      accept: () => this.accept(), confirm: () => this.confirm(), edit: () => this.edit(),
      sendBack: () => this.sendBack(), takeUp: () => this.takeUp(), next: () => this.step(1),
    });
    this.banners = h("div", { class: "banners", testid: "banners" });
    this.basis = h("div", { class: "basis", testid: "basis" });
    this.line = h("div", { class: "banner error", role: "status", testid: "offline", hidden: true }, icon("cloudOff"), h("span", {}));
    this.voice = h("div", { class: "toasts", role: "status", testid: "said" });
    this.dialogs = h("div", { class: "dialogs" });
    this.left = h("main", { class: "review-main" }, this.line, this.banners, this.question.element, this.gold.element, this.basis, this.matrix.element);
    this.element = h(
      "div",
      { class: "pt review loading", testid: "review", lang: "en" },
      this.top.element, this.left, this.pane.element, this.bar.element, this.voice, this.dialogs,
    );
    root.append(this.element);
    applyTheme(this.element);
    this.stop = listenKeys({ act: (name, number) => this.key(name, number), blocked: () => this.dialogs.childElementCount > 0, root });
    this.open(task);
  }

  async open(task) {
    this.part = null;
    this.page = null;
    this.bar.say("");
    const opened = await this.session.open(task);
    if (!opened) return;
    this.bar.reason.value = "";
    const url = new URL(window.location.href);
    url.searchParams.set("task", task);
    if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
  }

  /** Bring everything on the screen up to date. */
  show() {
    const { session } = this;
    const { data } = session;
    this.banner();
    this.element.classList.toggle("acting", session.acting > 0);
    if (!data) return;
    this.element.classList.remove("loading");
    const rows = rowsOf(data);
    const pages = interesting(data);
    if (!rows.some(({ part }) => part === this.part)) this.part = rows[0]?.part ?? null;
    if (!pages.some((page) => samePlace(page, this.page))) this.page = pages[0] ?? null;
    const sides = submitted(data);
    const view = {
      data, rows, pages, part: this.part, page: this.page, picks: session.basis === "picks" && !session.decided ? session.picks : {},
      choices: session.choices, draft: session.draft, basis: session.decided ? "stored" : session.basis, busy: session.busy,
      editable: session.editable, chosenBoxes: session.chosenBoxes, look: peopleLooks(sides), gold: session.decided ? "Gold" : "Gold draft",
      decided: session.decided, readOnly: session.readOnly, acting: session.acting > 0,
      imageUrl: (sha, page, dpi) => this.acts.api.pageUrl(sha, page, dpi),
    };
    this.view = view;
    this.top.update(view);
    this.question.update(data);
    this.gold.update(data);
    this.showBasis(view);
    this.matrix.update(view);
    this.pane.update(view);
    this.bar.update(view);
  }

  /** Which draft is shown, where there are two. */
  showBasis({ data, decided, editable }) {
    const { session } = this;
    this.basis.hidden = decided || !session.hasStored;
    if (this.basis.hidden) return;
    const { edited } = data.gold;
    const button = (text, stored) =>
      h("button", {
        type: "button", class: "button small", text, "aria-pressed": String((session.basis === "stored") === stored),
        disabled: !editable, on: { click: () => session.useStored(stored) },
      });
    fill(this.basis, h("span", { class: "quiet", text: "Gold draft:" }), button(edited ? "As edited in the workspace" : "As it was saved", true), button("Put together here", false));
  }

  banner() {
    const { problem, notices } = this.session;
    const found = [];
    if (problem) {
      const { text, action, run, link } = problem;
      found.push(h("div", { class: "banner error", role: "alert", testid: "problem" }, icon("warning"), h("span", { text }),
        link ? h("a", { href: link, text: action }) : null,
        run ? h("button", { type: "button", class: "button small", text: action, testid: "problem-act", on: { click: run } }) : null,
        link || run ? null : this.close(() => { this.session.problem = null; })));
    }
    if (notices.length) {
      found.push(h("div", { class: "banner info", role: "status", testid: "notice" }, icon("history"), h("span", { text: [...new Set(notices)].join(" ") }),
        this.close(() => { this.session.notices = []; })));
    }
    fill(this.banners, ...found);
  }

  close(act) {
    return h("button", {
      type: "button", class: "icon-button small", "aria-label": "Close this message",
      on: { click: () => { act(); this.banner(); } },
    }, icon("close"));
  }

  connection(trying, message) {
    this.line.hidden = !trying;
    setText(this.line.lastChild, trying ? `${message} Your last step is sent again until it arrives; it is done once.` : "");
  }

  say(text) {
    clearTimeout(this.sayTimer);
    fill(this.voice, text ? h("div", { class: "toast", text }) : null);
    if (text) this.sayTimer = setTimeout(() => this.say(""), 5000);
  }

  /** Why nothing can be chosen now; empty where it can. */
  refused() {
    const { session } = this;
    if (session.decided) return "This is gold. Take it up again to change it.";
    if (session.readOnly) return `${session.data.holder} has taken this task. Take it over to decide.`;
    return session.editable ? "" : "Nobody has submitted anything yet.";
  }

  pick(change, part = null) {
    const refused = this.refused();
    if (refused) {
      this.say(refused);
      return;
    }
    if (part) this.part = part;
    this.session.pick(change);
  }

  side(part, attempt) {
    this.pick((now) => picks.takeSide(now, part, attempt), part);
  }

  at(part, place, attempt) {
    const choice = picks.choiceOf(this.session.picks, this.session.choices, part);
    this.pick((now) => picks.sideAt(now, choice, part, place, attempt), part);
  }

  box(attempt, box) {
    const { draft, data } = this.session;
    this.pick((now) => picks.toggleBox(now, draft.boxes, submitted(data), attempt, box), "boxes");
  }

  select(part) {
    this.part = part;
    const row = this.view.rows.find((other) => other.part === part);
    const first = row?.pages.find(({ differs }) => differs) ?? row?.pages[0];
    if (first && !row.pages.some((page) => samePlace(page, this.page))) this.page = first;
    if (row?.agreed) this.matrix.agreedOpen = true;
    this.show();
    this.matrix.reveal(part);
  }

  turn(place) {
    this.page = { document: place.document, page: place.page };
    this.pane.shown = null;
    this.show();
  }

  reveal(box) {
    this.turn(box);
    this.pane.reveal(box);
  }

  /** What a key does; false leaves it to others. */
  key(name, number) {
    if (!this.view) return false;
    if (name === "takeSide" || name === "takeAll") return this.number(name, number);
    if (typeof this[name] !== "function") return false;
    return this[name]();
  }

  number(name, number) {
    const side = submitted(this.session.data)[number - 1];
    if (!side) return false;
    if (name === "takeAll") {
      this.pick(() => picks.takeAll(this.session.data.ways, side.attempt));
      return true;
    }
    const row = this.view.rows.find(({ part }) => part === this.part);
    const part = row?.follows ?? row?.part;
    if (!row || !this.session.data.ways[part]?.includes("side")) return false;
    this.side(part, side.attempt);
    return true;
  }

  nextConflict() {
    const { rows } = this.view;
    const conflicts = rows.filter(({ agreed }) => !agreed);
    const among = conflicts.length ? conflicts : rows;
    const at = among.findIndex(({ part }) => part === this.part);
    const next = among[(at + 1) % among.length];
    if (next) this.select(next.part);
  }

  merge() {
    const ways = this.session.data.ways[this.part] ?? [];
    const now = picks.choiceOf(this.view.picks, this.view.choices, this.part);
    const how = picks.nextWay(ways, now?.how);
    if (how === null) {
      this.say("This part can only be taken from one person.");
      return;
    }
    const part = this.part;
    this.pick((before) => picks.takeWay(before, part, how));
    if (!this.refused()) this.say(`${this.view.rows.find((row) => row.part === part).label}: ${wayWords(how)}`);
  }

  asProposed() {
    const { part } = this;
    this.pick((now) => picks.asProposed(now, part));
  }

  take() {
    const { session } = this;
    if (session.decided || session.readOnly) this.say(this.refused());
    else if (session.data.holder) session.release();
    else session.take();
  }

  reason() {
    this.bar.reason.focus();
  }

  /** Accept, or confirm what was accepted by the rule. */
  async accept() {
    const { session, bar } = this;
    if (session.decided) {
      await this.confirm();
      return;
    }
    const refused = session.basis === "stored" && !session.readOnly ? "" : this.refused();
    if (refused || session.acting) {
      if (refused) this.say(refused);
      return;
    }
    await this.finish(session.decide(bar.reason.value.trim()), "is gold now");
  }

  async confirm() {
    const { session, bar } = this;
    if (session.data.status !== "check" || session.readOnly || session.acting) {
      this.say(session.readOnly ? this.refused() : "This is gold already.");
      return;
    }
    await this.finish(session.confirm(bar.reason.value.trim()), "is confirmed");
  }

  async finish(deciding, words) {
    const { key } = this.session.data.task;
    const { next } = this.session.data.queue;
    const reason = this.bar.reason.value.trim();
    if (!(await deciding)) return;
    rememberReason(reason);
    this.bar.suggest();
    const following = this.session.data.queue.next ?? next;
    if (following && following !== this.session.task) {
      await this.open(following);
      this.say(`${key} ${words}. This is the next task.`);
    } else {
      this.bar.reason.value = "";
      this.session.notices = [`${key} ${words}. The queue is done: no other task waits for a decision.`];
      this.show();
    }
  }

  async edit() {
    const refused = this.refused();
    if (refused) {
      this.say(refused);
      return;
    }
    if (this.session.acting || !(await this.session.keep())) return;
    window.location.assign(`${this.home}task?attempt=${encodeURIComponent(this.session.data.gold.attempt)}`);
  }

  async takeUp() {
    const reason = this.bar.reason.value.trim();
    if (!reason) {
      this.bar.say("Say why it is taken up again.");
      this.bar.reason.focus();
      return;
    }
    this.bar.say("");
    if (await this.session.takeUp(reason)) this.bar.reason.value = "";
  }

  async sendBack() {
    const { session } = this;
    if (session.readOnly || session.acting || !session.data.sides.some(mayReturn)) {
      this.say(session.readOnly ? this.refused() : "Nobody’s work can be sent back now.");
      return;
    }
    const asked = await askReturn(this.dialogs, { data: session.data, rows: this.view.rows, draft: session.draft });
    if (!asked) return;
    const { name } = session.data.sides.find(({ attempt }) => attempt === asked.attempt);
    if (await session.sendBack(asked)) this.say(`Sent back to ${name}.`);
  }

  async comments(side) {
    const text = await askComment(this.dialogs, side);
    if (text && (await this.session.comment(side.attempt, text))) this.say(`${side.name} will see your comment.`);
  }

  replay(side) {
    const other = this.session.data.sides.find(({ attempt }) => attempt !== side.attempt);
    const beside = other ? `&with=${encodeURIComponent(other.attempt)}` : "";
    return `${this.home}trajectory?attempt=${encodeURIComponent(side.attempt)}${beside}`;
  }

  step(by) {
    const { queue } = this.session.data;
    const task = by > 0 ? queue.next : queue.previous;
    if (task) this.open(task);
    else this.say(by > 0 ? "There is no further task in the queue." : "This is the first task of the queue.");
  }

  nextTask() {
    this.step(1);
  }

  previousTask() {
    this.step(-1);
  }

  nextPage() {
    this.pane.step(1);
  }

  previousPage() {
    this.pane.step(-1);
  }

  zoomIn() {
    this.pane.stage.zoomStep(1);
  }

  zoomOut() {
    this.pane.stage.zoomStep(-1);
  }

  fit() {
    this.pane.toggleFit();
  }

  hideBoxes() {
    this.pane.hideBoxes();
  }

  wide() {
    this.element.classList.toggle("wide-page");
  }

  guidelines() {
    const { guidelines, task } = this.session.data;
    const text = guidelines?.length ? guidelines.map(build) : [h("p", { class: "quiet", text: "This campaign has no written guidelines." })];
    openDialog(this.dialogs, { title: `Guidelines: ${task.title ?? task.campaign}`, testid: "guidelines-dialog", wide: true, body: [h("div", { class: "prose" }, ...text)] });
  }

  help() {
    openKeys(this.dialogs, keyGroups());
  }

  escape() {
    const { activeElement } = this.element.getRootNode();
    if (activeElement?.matches("input, select, textarea")) activeElement.blur();
    else if (this.session.notices.length || (this.session.problem && !this.session.problem.run)) {
      this.session.notices = [];
      if (!this.session.problem?.run) this.session.problem = null;
      this.banner();
    } else return false;
    return true;
  }

  /** Streamlit has run the script again; another task may have been asked for. */
  rerun(data, previous) {
    applyTheme(this.element);
    if (data.task !== previous.task) this.open(data.task);
  }

  destroy() {
    this.acts.gone = true;
    this.stop();
    this.pane.destroy();
  }
}
