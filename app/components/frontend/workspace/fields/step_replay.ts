/** Replays the attempt that is judged: one step is present, and the screen shows what it showed. */

import { iconButton } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { samePlace } from "../../shared/places";
import { formOf } from "../state/form_state";
import type { Workspace } from "../workspace";
import { ChoiceCell } from "./choice_cell";
import type { RecordsPanel } from "./records_panel";
import type { Frame } from "./steps";
import { framesOf, paceOf, stepColumn } from "./steps";

export class StepReplay {
  screen: Workspace;
  records: RecordsPanel;
  number: HTMLElement;
  said: HTMLSpanElement;
  playing: HTMLButtonElement;
  allPages: HTMLButtonElement;
  marks: HTMLDivElement;
  element: HTMLDivElement;
  opens: boolean | undefined;
  timer: number | undefined;

  frames: Frame[] = [];

  /** ids of the steps' rows */
  rows: string[] = [];

  /** The field that is replayed; empty: none. */
  field = "";
  at = 0;
  /** Whether all pages are shown instead of what the step's search found. */
  all = false;

  /** The present step's mark, for while the panel with the steps is away. */
  mark: ChoiceCell | null = null;

  constructor(screen: Workspace, records: RecordsPanel) {
    this.screen = screen;
    this.records = records;
    this.number = h("strong", { class: "nowrap number", testid: "step-number" });
    this.said = h("span", { class: "ellipsis fill", role: "status", testid: "step-said" });
    this.playing = iconButton("play", "", () => this.play(), { testid: "step-play" });
    this.allPages = h("button", {
      class: "button small",
      testid: "step-all-pages",
      text: "All pages",
      title: "Show all pages of this task instead of what the search found",
      on: { click: () => this.showAll(!this.all) },
    });
    this.marks = h("div", { class: "step-marks", testid: "step-marks" });
    this.element = h(
      "div",
      {
        class: "step-bar line",
        role: "toolbar",
        "aria-label": "Replay of the steps",
        testid: "step-bar",
        hidden: true,
      },
      iconButton("previous", "Previous step (Shift+N)", () => this.move(-1), {
        testid: "step-previous",
      }),
      this.playing,
      iconButton("next", "Next step (n)", () => this.move(1), { testid: "step-next" }),
      this.number,
      this.said,
      this.allPages,
      this.marks,
    );
    screen.commands.register("nextStep", () => this.move(1));
    screen.commands.register("previousStep", () => this.move(-1));
    screen.commands.register("playSteps", () => this.play());
    this.showPlaying();
  }

  get frame() {
    return this.frames[this.at];
  }

  /** A task goes on screen: at its first step without a mark. */
  begin() {
    this.stop();
    const { data } = this.screen.store;
    const form = formOf(data);
    const spec = data.protocol.fields.find(stepColumn);
    const rows = spec ? form.rows(spec) : [];
    const column = spec && stepColumn(spec);
    this.field = spec?.name ?? "";
    this.rows = rows.map(({ row }) => row);
    this.frames = framesOf(
      rows.map(({ values }) => values[column?.name ?? ""] ?? ""),
      data.given ?? [],
    );
    this.all = false;
    this.element.hidden = !this.frames.length;
    if (!this.frames.length) {
      this.screen.store.set({ replayed: null });
      return;
    }
    const decision = this.table?.decision;
    const host = {
      commit: (option: string) => this.decide(option),
      move: (by: number) => this.move(by),
    };
    this.mark = decision ? new ChoiceCell(decision, host) : null;
    fill(this.marks, ...(this.mark ? [this.mark.element] : []));
    const open = spec ? this.records.undecided(spec.name) : null;
    const step = Math.max(0, this.rows.indexOf(open ?? ""));
    // Where somebody was in the task, or follows a link to, they stay.
    this.show(this.first(step), this.screen.viewer.target?.via === "given");
  }

  get table() {
    return this.records.table(this.field);
  }

  /** Show how the present step is marked. */
  showMark() {
    const { mark, table, frame } = this;
    if (!mark || !table || !frame) return;
    const row = table.stored.find((one: Pt.RecordRow) => one.row === this.rows[frame.step]);
    mark.show(row?.values[table.decision.name] ?? "", null, table.readOnly);
  }

  /** Mark the present step, and go to the next without a mark. */
  decide(option: string) {
    const { table } = this;
    const row = this.rows[this.frame.step];
    table.decide(row, option, false);
    const next = table.undecided(row);
    if (next) this.present(this.field, next, true);
    this.showMark();
  }

  /** The first frame of a step. */
  first(step: number) {
    return this.frames.findIndex((frame) => frame.step === step);
  }

  /**
   * Show a frame: its page, what was found, and its row.
   * @param open whether its page is opened
   */
  show(at: number, open: boolean = true) {
    this.at = at;
    const { frame, screen } = this;
    const { step, said, page, seen, found } = frame;
    this.records.present(this.field, this.rows[step]);
    this.showMark();
    setText(this.number, `Step ${step + 1} of ${this.rows.length}`);
    // The results' heading says what was searched for.
    const own = found?.step === step && !this.all ? "" : said;
    const shown = page ? "this is the first result" : "the one below is not of this step";
    const none = `No page was open yet: ${shown}.`;
    const words = [own, seen ? "" : none].filter(Boolean).join(" · ");
    setText(this.said, words);
    setAttr(this.said, "title", words);
    this.allPages.hidden = !found;
    setAttr(this.allPages, "aria-pressed", String(this.all));
    screen.store.set({ replayed: this.all ? null : found });
    const { viewer } = screen;
    this.opens = Boolean(open && page && viewer.mayOpen(page) && !screen.forms.closed);
    if (this.opens && !samePlace(viewer.target, page)) viewer.goTo(page, "given");
  }

  showAll(all: boolean) {
    this.all = all;
    this.show(this.at, false);
  }

  /**
   * A row is worked on: its step is the present one.
   * @param open whether its page is opened
   */
  present(field: string, row: string, open: boolean) {
    if (field !== this.field) return;
    this.stop();
    const step = this.rows.indexOf(row);
    if (step >= 0 && step !== this.frame.step) this.show(this.first(step), open);
  }

  /** To the step before or after, with its mark in reach. */
  move(by: number) {
    if (!this.frames.length) return false;
    this.stop();
    const step = Math.min(this.rows.length - 1, Math.max(0, this.frame.step + by));
    this.show(this.first(step));
    this.focusRow();
    return true;
  }

  focusRow() {
    if (!this.screen.layout.rightOpen) this.mark?.focus();
    else this.records.focusRow(this.field, this.rows[this.frame.step]);
  }

  /** Play from here, or stop; from the end, play from the beginning. */
  play() {
    if (!this.frames.length) return false;
    if (this.timer) {
      this.stop();
      this.focusRow();
      return true;
    }
    // A key must not mark a step that has gone by.
    this.playing.focus();
    this.show(this.at === this.frames.length - 1 ? 0 : this.at);
    this.wait();
    this.showPlaying();
    return true;
  }

  wait() {
    this.timer = setTimeout(() => this.goOn(), paceOf(this.frame, this.frames[this.at - 1]));
  }

  goOn() {
    const { screen, frame } = this;
    const elsewhere = this.opens && !samePlace(screen.viewer.target, frame.page);
    const asked = screen.layout.paused || screen.dialogs.querySelector("dialog[open]");
    const away = document.hidden || !this.element.isConnected;
    if (elsewhere || asked || away || this.at === this.frames.length - 1) {
      this.stop();
      return;
    }
    this.show(this.at + 1);
    this.records.reveal(this.field, this.rows[this.frame.step]);
    this.wait();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.showPlaying();
  }

  showPlaying() {
    const label = this.timer ? "Stop (k)" : "Play (k)";
    if (this.playing.title === label) return;
    fill(this.playing, icon(this.timer ? "pause" : "play"));
    setAttr(this.playing, "title", label);
    setAttr(this.playing, "aria-label", label);
  }
}
