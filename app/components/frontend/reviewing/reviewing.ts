/** The screen of one task under review: its parts, and what keys and clicks do. */

import { button } from "../shared/buttons";
import { fill, h } from "../shared/dom";
import { openGuidelines, openKeys } from "../shared/guidelines";
import { samePlace } from "../shared/places";
import { applyTheme } from "../shared/theme";
import { KEYS, matrixActions } from "./actions";
import { interesting, rowsOf, submitted } from "./comparison/comparison_rows";
import { Matrix } from "./comparison/comparison_table";
import { Deciding } from "./decision/decide";
import { DecisionBar } from "./decision/decision_bar";
import { GoldPanel } from "./decision/gold_panel";
import { DATASET } from "./decision/selections";
import { keep, kept } from "./decision/unsaved_selections";
import { Messages } from "./messages";
import { PagePane } from "./page/page_pane";
import { peopleLooks } from "./person_styles";
import { QuestionBox } from "./question_box";
import { endWords, queueScreen, restoreQueue, showTask } from "./queue";
import { RaisedFlags } from "./raised_flags";
import { Acts } from "./requests";
import { Session } from "./session";
import { keyGroups, listenKeys } from "./shortcuts";
import { TopBar } from "./top_bar";

export class Reviewing {
  home: string;
  acts: Acts;
  session: Session;
  messages: Messages;
  part: string | null;
  page: Pt.Place | null;
  deciding: Deciding;
  top: TopBar;
  flags: RaisedFlags;
  question: QuestionBox;
  gold: GoldPanel;
  matrix: Matrix;
  pane: PagePane;
  bar: DecisionBar;
  basis: HTMLDivElement;
  dialogs: HTMLDivElement;
  element: HTMLDivElement;
  stop: () => void;

  /** id of the task that is shown */
  shown: number | undefined;
  view!: Pt.ReviewView;
  constructor(root: ShadowRoot | HTMLElement, { task, home, base }: Pt.ReviewScreenData) {
    this.home = home;
    this.acts = new Acts({
      base,
      onConnection: (trying, message) => this.messages.connection(trying, message),
    });
    this.session = new Session(this.acts, () => this.show());
    this.messages = new Messages(this.session, home);
    this.part = null;
    this.page = null;
    this.deciding = new Deciding(this, this.session);
    this.top = new TopBar({
      queue: (data: Pt.ReviewData) => queueScreen(home, data),
      take: () => this.session.take(),
      release: () => this.session.release(),
      over: () => this.session.take(true),
      step: (by: number) => this.step(by),
      guidelines: () => this.guidelines(),
      help: () => this.help(),
    });
    this.flags = new RaisedFlags((attempt, handled) => this.session.handle(attempt, handled));
    this.question = new QuestionBox((part) => this.deciding.takeFrom(part, DATASET));
    this.gold = new GoldPanel();
    this.matrix = new Matrix(matrixActions(this));
    this.pane = new PagePane({
      page: (place) => this.turn(place),
      box: (attempt, box) => this.deciding.box(attempt, box),
      wide: () => this.wide(),
    });
    const { deciding } = this;
    this.bar = new DecisionBar({
      accept: () => deciding.accept(),
      confirm: () => deciding.confirm(),
      edit: () => deciding.edit(),
      sendBack: () => deciding.sendBack(),
      undo: () => deciding.undo(),
      takeUp: () => deciding.takeUp(),
      next: () => this.step(1),
    });
    this.basis = h("div", { class: "line", testid: "basis" });
    this.dialogs = h("div", { class: "dialogs" });
    const main = h(
      "div",
      { class: "review-main column" },
      this.messages.line,
      this.messages.banners,
      this.flags.element,
      this.question.element,
      this.gold.element,
      this.basis,
      this.matrix.element,
    );
    this.element = h(
      "div",
      { class: "pt review loading", testid: "review", lang: "en" },
      this.top.element,
      main,
      this.pane.element,
      this.bar.element,
      this.messages.toasts,
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

  async open(task: number) {
    this.bar.say("");
    this.messages.finished = false;
    this.deciding.warnedOf = null;
    const unsaved = kept(task);
    if (!(await this.session.open(task, unsaved?.picks, () => this.open(task)))) return;
    this.bar.reason.value = this.session.decided ? "" : (unsaved?.reason ?? "");
    showTask(task);
  }

  /** Bring everything on the screen up to date. */
  show() {
    const { session } = this;
    const { data } = session;
    this.messages.show();
    this.remember();
    if (!data) return;
    this.element.classList.remove("loading");
    if (data.task.id !== this.shown) {
      // Not before: until the next task is there, what comes late would choose a part of the last.
      this.shown = data.task.id;
      this.part = null;
      this.page = null;
    }
    const rows = rowsOf(data, session.draft.citations);
    const pages = interesting(data);
    if (!rows.some(({ part }) => part === this.part)) this.part = rows[0]?.part ?? null;
    if (!pages.some((page) => samePlace(page, this.page))) this.page = pages[0] ?? null;
    const { basis, choices, draft, busy, editable, chosenBoxes, decided, readOnly, tied } = session;
    const view = {
      data,
      rows,
      pages,
      part: this.part,
      page: this.page,
      picks: basis === "picks" && !decided ? session.picks : {},
      choices,
      tied,
      missing: session.missing,
      draft,
      basis: decided ? "stored" : basis,
      busy,
      editable,
      chosenBoxes,
      chosenRows: session.chosenRows.bind(session),
      look: peopleLooks(submitted(data)),
      gold: decided ? "Gold" : "Gold draft",
      decided,
      readOnly,
      acting: session.acting > 0,
      warned: this.deciding.warned,
      imageUrl: this.acts.api.pageUrl.bind(this.acts.api),
    };
    this.view = view;
    this.top.update(view);
    this.flags.update(view);
    this.question.update(view);
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

  /** Which draft is shown, where there are two. */
  showBasis({ data: { gold }, decided, editable }: Pt.ReviewView) {
    const { session } = this;
    this.basis.hidden = decided || !session.hasStored;
    if (this.basis.hidden || !gold) return;
    const choice: (text: string, stored: boolean) => HTMLElement = (text, stored) =>
      button(text, () => session.useStored(stored), {
        "aria-pressed": String((session.basis === "stored") === stored),
        disabled: !editable,
      });
    const before = gold.reopened ? "As it was decided" : "As it was saved";
    fill(
      this.basis,
      h("span", { class: "quiet", text: "Gold draft:" }),
      choice(gold.edited ? "As edited in the workspace" : before, true),
      choice("Put together here", false),
    );
  }

  say(text: string) {
    this.messages.say(text);
  }

  select(part: string) {
    this.part = part;
    const row = this.view.rows.find((other) => other.part === part);
    const first = row?.pages.find(({ differs }) => differs) ?? row?.pages[0];
    if (first && !row?.pages.some((page) => samePlace(page, this.page))) this.page = first;
    if (row?.agreed) this.matrix.agreedOpen = true;
    this.show();
    this.matrix.reveal(part);
  }

  turn(place: Pt.Place) {
    this.page = { document: place.document, page: place.page };
    this.pane.shown = null;
    this.show();
    this.matrix.revealPage();
  }

  /** What a key does; false leaves it to others. */
  key(name: string, number: number) {
    if (!this.view) return false;
    if (name === "takeFrom" || name === "takeAll") return this.deciding.number(name, number);
    const run = KEYS[name];
    return run ? run(this) : false;
  }

  nextConflict() {
    const { rows } = this.view;
    const conflicts = rows.filter(({ agreed }) => !agreed);
    const among = conflicts.length ? conflicts : rows;
    const at = among.findIndex(({ part }) => part === this.part);
    const next = among[(at + 1) % among.length];
    if (next) this.select(next.part);
  }

  replay(participant: Pt.Participant) {
    const other = this.session.data.sides.find(({ attempt }) => attempt !== participant.attempt);
    const beside = other ? `&with=${encodeURIComponent(other.attempt)}` : "";
    return `${this.home}trajectory?attempt=${encodeURIComponent(participant.attempt)}${beside}`;
  }

  step(by: number) {
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
    const campaign = { title: task.title, name: task.campaign };
    openGuidelines(this.dialogs, { campaign, guidelines });
  }

  help() {
    openKeys(this.dialogs, keyGroups());
  }

  escape() {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    if (this.matrix.editor.done()) return true;
    if (!activeElement?.matches("input, select, textarea")) return this.messages.close();
    (activeElement as HTMLElement).blur();
    return true;
  }

  /** Streamlit has run the script again; another task may have been asked for. */
  rerun(data: Pt.ReviewScreenData, previous: Pt.ReviewScreenData) {
    applyTheme(this.element);
    if (data.task !== previous.task) this.open(data.task);
  }

  destroy() {
    this.acts.gone = true;
    this.stop();
    this.pane.destroy();
  }
}
