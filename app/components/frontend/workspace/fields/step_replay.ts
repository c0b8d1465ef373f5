/** Replays the attempt that is judged: one step is present, and the screen shows what it showed. */

import { createRef } from "preact";
import { samePlace } from "../../shared/places";
import type { Commands } from "../commands";
import { isPaused, isRightOpen } from "../panel_visibility";
import { formOf } from "../state/form_state";
import type { Viewer } from "../viewer/viewer";
import type { FormCommands } from "./field_commands";
import type { RecordCommands } from "./record_commands";
import { decisionOf } from "./record_state";
import type { StepBarActions } from "./StepBar";
import { type Frame, framesOf, paceOf, stepColumn } from "./steps";

/** A replay of steps as the screen shows it. */
export interface ShownSteps {
  /** the field that is replayed */
  field: string;
  /** ids of the steps' rows */
  rows: string[];
  frames: Frame[];
  /** index of the present frame */
  at: number;
  /** All pages are shown instead of what the step's search found. */
  showsAll: boolean;
  isPlaying: boolean;
}

interface StepReplayHost {
  store: Pt.Store;
  commands: Commands;
  forms: FormCommands;
  records: RecordCommands;
  viewer: Viewer;
  /** where dialogs are put */
  dialogs: Element;
}

export class StepReplay implements StepBarActions {
  readonly playButton = createRef<HTMLButtonElement>();
  /** the present step's mark, for while the panel with the steps is away */
  private mark: HTMLElement | null = null;
  private opensPage = false;
  private timer: number | undefined;

  constructor(private readonly host: StepReplayHost) {
    const { commands } = host;
    commands.register("nextStep", () => this.move(1));
    commands.register("previousStep", () => this.move(-1));
    commands.register("playSteps", () => this.play());
  }

  private get records() {
    return this.host.records;
  }

  readonly markRef = (button: HTMLElement | null) => {
    this.mark = button;
  };

  private get steps() {
    return this.host.store.data.steps;
  }

  private update(change: Partial<ShownSteps>) {
    const { store } = this.host;
    if (store.data.steps) store.set({ steps: { ...store.data.steps, ...change } });
  }

  /** A task goes on screen: at its first step without a mark. */
  begin() {
    this.stop();
    const { store, viewer } = this.host;
    const { data } = store;
    const spec = data.protocol.fields.find(stepColumn);
    const rows = spec ? formOf(data).rows(spec) : [];
    const column = spec && stepColumn(spec);
    const texts = rows.map(({ values }) => values[column?.name ?? ""] ?? "");
    const frames = framesOf(texts, data.given_pages ?? []);
    if (!spec || !frames.length) {
      store.set({ steps: null, replayed: null });
      return;
    }
    const ids = rows.map(({ row }) => row);
    const steps = { field: spec.name, rows: ids, frames, at: 0, showsAll: false, isPlaying: false };
    store.set({ steps });
    const table = this.records.table(spec.name);
    const open = table ? this.records.undecided(table) : null;
    const step = Math.max(0, ids.indexOf(open ?? ""));
    // Where somebody was in the task, or follows a link to, they stay.
    this.show(firstFrame(steps, step), viewer.target?.via === "given");
  }

  get readiness() {
    return this.records.readiness;
  }

  get unit() {
    const { steps, records } = this;
    const table = steps && records.table(steps.field);
    return table ? records.unit(table, rowOf(steps)) : null;
  }

  /** Mark the present step, and go to the next without a mark. */
  decide(option: string) {
    const { steps, records } = this;
    const table = steps && records.table(steps.field);
    if (!steps || !table) return;
    const row = rowOf(steps);
    if (!records.decide(table, row, option, false)) return;
    const next = records.undecided(table, row);
    if (next) this.present(steps.field, next, true);
  }

  /** Show a frame: its page, what was found, and its row. */
  private show(at: number, opensPage = true) {
    this.update({ at });
    const { steps, host } = this;
    if (!steps) return;
    const { page, found } = steps.frames[at];
    host.store.set({ replayed: steps.showsAll ? null : found });
    const { viewer } = host;
    this.opensPage = Boolean(opensPage && page && viewer.mayOpen(page) && !host.forms.closed);
    if (this.opensPage && page && !samePlace(viewer.target, page)) viewer.goTo(page, "given");
  }

  showAll(showsAll: boolean) {
    this.update({ showsAll });
    if (this.steps) this.show(this.steps.at, false);
  }

  /** A row is worked on: its step is the present one. */
  present(field: string, row: string, opensPage: boolean) {
    const { steps } = this;
    if (steps?.field !== field) return;
    this.stop();
    const step = steps.rows.indexOf(row);
    if (step >= 0 && step !== steps.frames[steps.at].step)
      this.show(firstFrame(steps, step), opensPage);
  }

  /** To the step before or after, with its mark in reach. */
  move(by: number) {
    const { steps } = this;
    if (!steps) return false;
    this.stop();
    const step = steps.frames[steps.at].step + by;
    const last = steps.rows.length - 1;
    this.show(firstFrame(steps, Math.min(last, Math.max(0, step))));
    this.focusMark();
    return true;
  }

  /**
   * Put the mark of the present step in reach, if a step is still without one.
   * @returns whether one is
   */
  focusOpenMark() {
    const { steps, records } = this;
    const table = steps && records.table(steps.field);
    if (!table || records.undecided(table) === null) return false;
    this.focusMark();
    return true;
  }

  private focusMark() {
    const { steps, records, host } = this;
    const table = steps && records.table(steps.field);
    if (!table) return;
    if (!isRightOpen(host.store.data)) this.mark?.focus();
    else records.focus(table, rowOf(steps), decisionOf(table.spec)?.name);
  }

  /** Play from here, or stop; from the end, play from the beginning. */
  play() {
    const { steps } = this;
    if (!steps) return false;
    if (steps.isPlaying) {
      this.stop();
      this.focusMark();
      return true;
    }
    // A key must not mark a step that has gone by.
    this.playButton.current?.focus();
    this.show(steps.at === steps.frames.length - 1 ? 0 : steps.at);
    this.wait();
    this.update({ isPlaying: true });
    return true;
  }

  private wait() {
    const { steps } = this;
    if (!steps) return;
    const pace = paceOf(steps.frames[steps.at], steps.frames[steps.at - 1]);
    this.timer = setTimeout(() => this.goOn(), pace);
  }

  private goOn() {
    const { host, steps } = this;
    if (!steps) return;
    const { page } = steps.frames[steps.at];
    const elsewhere = this.opensPage && !samePlace(host.viewer.target, page);
    const asked = isPaused(host.store.data) || host.dialogs.querySelector("dialog[open]");
    const away = document.hidden || !host.dialogs.isConnected;
    if (elsewhere || asked || away || steps.at === steps.frames.length - 1) {
      this.stop();
      return;
    }
    this.show(steps.at + 1);
    const table = this.records.table(steps.field);
    if (table && this.steps) this.records.focus(table, rowOf(this.steps));
    this.wait();
  }

  private stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.steps?.isPlaying) this.update({ isPlaying: false });
  }
}

const rowOf = (steps: ShownSteps) => steps.rows[steps.frames[steps.at].step];

const firstFrame = ({ frames }: ShownSteps, step: number) =>
  frames.findIndex((frame) => frame.step === step);
