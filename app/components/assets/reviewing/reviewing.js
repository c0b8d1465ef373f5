/** The screen of one task under review: its parts, and what keys and clicks do. */

import { openDialog } from "../shared/dialogs.js";
import { fill, h, setText } from "../shared/dom.js";
import { build, openKeys } from "../shared/guidelines.js";
import { icon } from "../shared/icons.js";
import { applyTheme } from "../shared/theme.js";
import { interesting, rowsOf, submitted } from "./comparison/comparison_rows.js";
import { Matrix } from "./comparison/comparison_table.js";
import { Deciding } from "./decision/decide.js";
import { DecisionBar } from "./decision/decision_bar.js";
import { GoldPanel } from "./decision/gold_panel.js";
import * as picks from "./decision/selections.js";
import { keep, kept } from "./decision/unsaved_selections.js";
import { samePlace } from "./formatting.js";
import { PagePane } from "./page/page_pane.js";
import { peopleLooks } from "./person_styles.js";
import { QuestionBox } from "./question_box.js";
import { endWords, queueScreen, restoreQueue, showTask } from "./queue.js";
import { Acts } from "./requests.js";
import { Session } from "./session.js";
import { keyGroups, listenKeys } from "./shortcuts.js";
import { TopBar } from "./top_bar.js";

/** @type {Record<string, (screen: Reviewing) => any>} */
const KEYS = {
  nextConflict: (screen) => screen.nextConflict(),
  merge: ({ deciding }) => deciding.merge(),
  asProposed: ({ deciding }) => deciding.asProposed(),
  reason: ({ bar }) => bar.reason.focus(),
  accept: ({ deciding }) => void deciding.accept({ byKey: true }),
  edit: ({ deciding }) => void deciding.edit(),
  sendBack: ({ deciding }) => void deciding.sendBack(),
  take: ({ deciding }) => deciding.take(),
  nextTask: (screen) => screen.step(1),
  previousTask: (screen) => screen.step(-1),
  guidelines: (screen) => screen.guidelines(),
  help: (screen) => screen.help(),
  nextPage: ({ pane }) => pane.step(1),
  previousPage: ({ pane }) => pane.step(-1),
  zoomIn: ({ pane }) => pane.stage.zoomStep(1),
  zoomOut: ({ pane }) => pane.stage.zoomStep(-1),
  fit: ({ pane }) => pane.toggleFit(),
  hideBoxes: ({ pane }) => pane.hideBoxes(),
  wide: (screen) => screen.wide(),
  escape: (screen) => screen.escape(),
};

export class Reviewing {
  /** @type {any} */
  shown;

  /** @type {any} what the parts of the screen are drawn from */
  view;

  /**
   * @param {ShadowRoot|HTMLElement} root
   * @param {{task: number, home: string, base: string}} data
   */
  constructor(root, { task, home, base }) {
    this.home = home;
    this.acts = new Acts({
      base,
      onConnection: (trying, message) => this.connection(trying, message),
    });
    this.session = new Session(this.acts, () => this.show());
    /** @type {any} */
    this.part = null;
    /** @type {Pt.Place | null} */
    this.page = null;
    this.deciding = new Deciding(this, this.session);
    const { deciding } = this;
    const choose = (/** @type {any} */ change, /** @type {string | null} */ part = null) =>
      deciding.pick(change, part);
    this.top = new TopBar({
      queue: (/** @type {string} */ campaign) => queueScreen(home, campaign),
      take: () => this.session.take(),
      release: () => this.session.release(),
      over: () => this.session.take(true),
      step: (/** @type {number} */ by) => this.step(by),
      guidelines: () => this.guidelines(),
      help: () => this.help(),
    });
    this.question = new QuestionBox();
    this.gold = new GoldPanel();
    this.matrix = new Matrix({
      part: (/** @type {string} */ part) => this.select(part),
      side: (/** @type {string} */ part, /** @type {string} */ attempt) =>
        deciding.side(part, attempt),
      way: (/** @type {string} */ part, /** @type {string} */ how) =>
        choose((/** @type {any} */ now) => picks.takeWay(now, part, how), part),
      all: (/** @type {string} */ attempt) =>
        choose(() => picks.takeAll(this.session.data.ways, attempt)),
      page: (/** @type {Pt.Place} */ place) => this.turn(place),
      show: (/** @type {Pt.ReviewBox} */ box) => this.reveal(box),
      cite: (/** @type {Pt.Place} */ place) =>
        choose(
          (/** @type {any} */ now) => picks.togglePage(now, this.session.draft.citations, place),
          "evidence",
        ),
      at: (
        /** @type {string} */ part,
        /** @type {Pt.Place} */ place,
        /** @type {string} */ attempt,
      ) => deciding.at(part, place, attempt),
      box: (/** @type {string} */ attempt, /** @type {Pt.ReviewBox} */ box) =>
        deciding.box(attempt, box),
      comments: (/** @type {Pt.Side} */ side) => deciding.comments(side),
      replay: (/** @type {Pt.Side} */ side) => this.replay(side),
    });
    this.pane = new PagePane({
      page: (/** @type {Pt.Place} */ place) => this.turn(place),
      box: (/** @type {string} */ attempt, /** @type {Pt.ReviewBox} */ box) =>
        deciding.box(attempt, box),
      wide: () => this.wide(),
    });
    this.bar = new DecisionBar({
      accept: () => deciding.accept(),
      confirm: () => deciding.confirm(),
      edit: () => deciding.edit(),
      sendBack: () => deciding.sendBack(),
      takeUp: () => deciding.takeUp(),
      next: () => this.step(1),
    });
    this.banners = h("div", { class: "banners stack", testid: "banners" });
    this.basis = h("div", { class: "line", testid: "basis" });
    this.line = h(
      "div",
      {
        class: "banner error line notice warning",
        role: "status",
        testid: "offline",
        hidden: true,
      },
      icon("cloudOff"),
      h("span", {}),
    );
    this.voice = h("div", { class: "toasts stack", role: "status", testid: "said" });
    this.dialogs = h("div", { class: "dialogs" });
    this.left = h(
      "main",
      { class: "review-main column" },
      this.line,
      this.banners,
      this.question.element,
      this.gold.element,
      this.basis,
      this.matrix.element,
    );
    this.element = h(
      "div",
      { class: "pt review loading", testid: "review", lang: "en" },
      this.top.element,
      this.left,
      this.pane.element,
      this.bar.element,
      this.voice,
      this.dialogs,
    );
    root.append(this.element);
    applyTheme(this.element);
    this.bar.reason.addEventListener("input", () => this.remember());
    this.stop = listenKeys({
      act: (name, number = 0) => this.key(name, number),
      blocked: () => this.dialogs.childElementCount > 0,
      root,
    });
    restoreQueue(task);
    this.open(task);
  }

  /** @param {any} task */
  async open(task) {
    this.bar.say("");
    this.finished = false;
    this.deciding.warnedOf = null;
    const begun = kept(task);
    const opened = await this.session.open(task, begun?.picks, () => this.open(task));
    if (!opened) return;
    this.bar.reason.value = this.session.decided ? "" : (begun?.reason ?? "");
    showTask(task);
  }

  /** Bring everything on the screen up to date. */
  show() {
    const { session } = this;
    const { data } = session;
    this.banner();
    this.remember();
    if (!data) return;
    this.element.classList.remove("loading");
    if (data.task.id !== this.shown) {
      // Not before: until the next task is there, what comes late would choose a part of the last.
      this.shown = data.task.id;
      /** @type {any} */
      this.part = null;
      /** @type {Pt.Place | null} */
      this.page = null;
    }
    const rows = rowsOf(data);
    const pages = interesting(data);
    if (!rows.some(({ part }) => part === this.part)) this.part = rows[0]?.part ?? null;
    if (!pages.some((page) => samePlace(page, this.page))) this.page = pages[0] ?? null;
    const sides = submitted(data);
    const view = {
      data,
      rows,
      pages,
      part: this.part,
      page: this.page,
      picks: session.basis === "picks" && !session.decided ? session.picks : {},
      choices: session.choices,
      draft: session.draft,
      basis: session.decided ? "stored" : session.basis,
      busy: session.busy,
      editable: session.editable,
      chosenBoxes: session.chosenBoxes,
      look: peopleLooks(sides),
      gold: session.decided ? "Gold" : "Gold draft",
      decided: session.decided,
      readOnly: session.readOnly,
      acting: session.acting > 0,
      warned: this.deciding.warned,
      imageUrl: (
        /** @type {string} */ sha,
        /** @type {number} */ page,
        /** @type {number} */ dpi,
      ) => this.acts.api.pageUrl(sha, page, dpi),
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

  /** What was chosen and typed outlives a reload. */
  remember() {
    const { session } = this;
    if (session.data && !session.decided && !session.readOnly)
      keep(session.task, { picks: session.picks, reason: this.bar.reason.value });
  }

  /**
   * Which draft is shown, where there are two.
   * @param {{ data: Pt.ReviewData, decided: any, editable: any }} given
   */
  showBasis({ data, decided, editable }) {
    const { session } = this;
    this.basis.hidden = decided || !session.hasStored;
    if (this.basis.hidden) return;
    const { edited } = data.gold;
    const button = (/** @type {string} */ text, /** @type {any} */ stored) =>
      h("button", {
        type: "button",
        class: "button small",
        text,
        "aria-pressed": String((session.basis === "stored") === stored),
        disabled: !editable,
        on: { click: () => session.useStored(stored) },
      });
    fill(
      this.basis,
      h("span", { class: "quiet", text: "Gold draft:" }),
      button(
        edited
          ? "As edited in the workspace"
          : data.gold.reopened
            ? "As it was decided"
            : "As it was saved",
        true,
      ),
      button("Put together here", false),
    );
  }

  banner() {
    const { problem, notices } = this.session;
    const found = [];
    if (problem) {
      const { text, action, run, link } = problem;
      found.push(
        h(
          "div",
          { class: "banner error line notice warning", role: "alert", testid: "problem" },
          icon("warning"),
          h("span", { text }),
          link ? h("a", { href: link, text: action }) : null,
          run
            ? h("button", {
                type: "button",
                class: "button small",
                text: action,
                testid: "problem-act",
                on: { click: run },
              })
            : null,
          link || run
            ? null
            : this.close(() => {
                this.session.problem = null;
              }),
        ),
      );
    }
    if (notices.length) {
      found.push(
        h(
          "div",
          { class: "banner info line notice warning", role: "status", testid: "notice" },
          icon("history"),
          h("span", { text: [...new Set(notices)].join(" ") }),
          this.finished
            ? h("a", {
                href: queueScreen(this.home, this.session.data.task.campaign),
                text: "Back to the queue",
                testid: "notice-queue",
              })
            : null,
          this.close(() => {
            this.session.notices = [];
          }),
        ),
      );
    }
    fill(this.banners, ...found);
  }

  /** @param {(...args: any[]) => any} act */
  close(act) {
    return h(
      "button",
      {
        type: "button",
        class: "icon-button small",
        "aria-label": "Close this message",
        on: {
          click: () => {
            act();
            this.banner();
          },
        },
      },
      icon("close"),
    );
  }

  /**
   * @param {any} trying
   * @param {string} message
   */
  connection(trying, message) {
    this.line.hidden = !trying;
    setText(
      this.line.lastChild,
      trying ? `${message} Your last step is sent again until it arrives; it is done once.` : "",
    );
  }

  /** @param {string} text */
  say(text) {
    clearTimeout(this.sayTimer);
    fill(this.voice, text ? h("div", { class: "toast", text }) : null);
    if (text) this.sayTimer = setTimeout(() => this.say(""), 5000);
  }

  /** @param {string} part */
  select(part) {
    this.part = part;
    const row = this.view.rows.find((/** @type {any} */ other) => other.part === part);
    const first =
      row?.pages.find((/** @type {{ differs: any }} */ { differs }) => differs) ?? row?.pages[0];
    if (first && !row.pages.some((/** @type {number} */ page) => samePlace(page, this.page)))
      this.page = first;
    if (row?.agreed) this.matrix.agreedOpen = true;
    this.show();
    this.matrix.reveal(part);
  }

  /** @param {Pt.Place} place */
  turn(place) {
    this.page = { document: place.document, page: place.page };
    this.pane.shown = null;
    this.show();
    this.matrix.revealPage();
  }

  /** @param {Pt.ReviewBox} box */
  reveal(box) {
    this.turn(box);
    this.pane.reveal(box);
  }

  /**
   * What a key does; false leaves it to others.
   * @param {string} name
   * @param {number} number
   */
  key(name, number) {
    if (!this.view) return false;
    if (name === "takeSide" || name === "takeAll") return this.deciding.number(name, number);
    const run = KEYS[name];
    return run ? run(this) : false;
  }

  nextConflict() {
    const { rows } = this.view;
    const conflicts = rows.filter((/** @type {{ agreed: boolean }} */ { agreed }) => !agreed);
    const among = conflicts.length ? conflicts : rows;
    const at = among.findIndex((/** @type {{ part: string }} */ { part }) => part === this.part);
    const next = among[(at + 1) % among.length];
    if (next) this.select(next.part);
  }

  /** @param {Pt.Side} side */
  replay(side) {
    const other = this.session.data.sides.find(({ attempt }) => attempt !== side.attempt);
    const beside = other ? `&with=${encodeURIComponent(other.attempt)}` : "";
    return `${this.home}trajectory?attempt=${encodeURIComponent(side.attempt)}${beside}`;
  }

  /** @param {number} by */
  step(by) {
    const { queue } = this.session.data;
    const task = by > 0 ? queue.next : queue.previous;
    if (task) this.open(task);
    else this.say(endWords(queue, by));
  }

  wide() {
    this.element.classList.toggle("wide-page");
  }

  guidelines() {
    const { guidelines, task } = this.session.data;
    const text = guidelines?.length
      ? guidelines.map(build)
      : [h("p", { class: "quiet", text: "This campaign has no written guidelines." })];
    openDialog(this.dialogs, {
      title: `Guidelines: ${task.title ?? task.campaign}`,
      testid: "guidelines-dialog",
      wide: true,
      body: [h("div", { class: "prose stack" }, ...text)],
    });
  }

  help() {
    openKeys(this.dialogs, keyGroups());
  }

  escape() {
    const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
    if (activeElement?.matches("input, select, textarea"))
      /** @type {HTMLElement} */ (activeElement).blur();
    else if (this.session.notices.length || (this.session.problem && !this.session.problem.run)) {
      this.session.notices = [];
      if (!this.session.problem?.run) this.session.problem = null;
      this.banner();
    } else return false;
    return true;
  }

  /**
   * Streamlit has run the script again; another task may have been asked for.
   * @param {Pt.ReviewData} data
   * @param {any} previous
   */
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
