/** What people do with the tables of a task. */

import { batch, signal } from "@preact/signals";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import {
  cellAt,
  colspanOf,
  needsConfirmation,
  rowspanOf,
  slotsOf,
  textOf,
} from "../../shared/table_changes";
import { openFixes, tableOf } from "../../shared/table_state";
import type { Texts } from "../fields/text_drafts";
import type { Layout } from "../panel_visibility";
import { cellsUnit, pageUnit } from "../readiness/judged_units";
import type { ScreenReadiness } from "../readiness/look_reports";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";
import type { Viewer } from "../viewer/viewer";
import { type FlagKind, openCellFlag } from "./CellFlagDialog";
import {
  type Area,
  cellAfter,
  cellsIn,
  cellsWith,
  copiedText,
  FIRST,
  mergedCell,
  neighbour,
  pastedTexts,
  pasting,
  type Selection,
  type Slot,
  selectedArea,
  splitCells,
  stepFrom,
  withinTable,
} from "./table_selection";

const PAUSE_MS = 1500;

interface TableWorkHost {
  attempt: Attempt;
  /** where dialogs are put */
  dialogs: Element;
  layout: Layout;
  readiness: ScreenReadiness;
  texts: Texts;
  viewer: Viewer;
  onTyping: () => void;
  say: (text: string) => void;
}

/** A cell whose text is being typed. */
export interface Editing extends Slot {
  table: string;
  text: string;
  /** the text when it began, which Escape restores */
  before: string;
}

export class TableWork {
  /** id of the table on screen; the first one where it is not there */
  readonly shown = signal<string | null>(null);
  readonly selection = signal<Selection>(FIRST);
  readonly editing = signal<Editing | null>(null);
  readonly focusCount = signal(0);
  /** what is looked for in the table, and how often that was asked for; null while it is not */
  readonly find = signal<{ text: string; requests: number } | null>(null);
  private timer = 0;
  private editedAttempt = "";

  constructor(private readonly host: TableWorkHost) {
    host.texts.include(this);
  }

  private get data() {
    return this.host.attempt.store.data;
  }

  get readiness() {
    return this.host.readiness;
  }

  /** The selected cells that wait for a confirmation. */
  private get changes() {
    const { table, area } = this;
    return table && area ? cellsIn(table, area).filter(needsConfirmation) : [];
  }

  /** What a confirmation of the selected cells is about; null where none waits for one. */
  get unit() {
    const { table, area, changes } = this;
    return table && changes.length ? cellsUnit(table.id, area) : null;
  }

  /** The attempt whose text is being typed. */
  get attempt() {
    return this.editedAttempt;
  }

  get dirty() {
    const { editing, table } = this;
    if (!editing.value || !table) return false;
    const cell = cellAt(table, editing.value.row, editing.value.column);
    return cell !== undefined && textOf(cell) !== editing.value.text;
  }

  /** The table on screen. */
  get table(): Pt.Table | undefined {
    const { tables } = this.data.state;
    return tableOf(tables, this.shown.value ?? "") ?? tables.tables[0];
  }

  get mayEdit() {
    return this.host.attempt.mayEdit && this.data.protocol.tables.edit;
  }

  private get area(): Area | null {
    const { table } = this;
    return table ? selectedArea(withinTable(this.selection.value, table), table) : null;
  }

  /** The cell that has the focus. */
  get cell(): Pt.TableCell | undefined {
    const { table } = this;
    if (!table) return undefined;
    const { row, column } = withinTable(this.selection.value, table).to;
    return slotsOf(table)[row]?.[column];
  }

  /** Another task is on screen. */
  opened() {
    batch(() => {
      this.shown.value = null;
      this.selection.value = FIRST;
      this.editing.value = null;
      this.find.value = null;
    });
  }

  show(id: string) {
    this.finish();
    batch(() => {
      this.shown.value = id;
      this.selection.value = FIRST;
    });
    const { table } = this;
    if (table) this.openPage(table);
  }

  private openPage({ document, page }: Pt.Table) {
    const place = { document, page };
    const open = this.data.page;
    if (open?.document !== document || open.page !== page) this.host.viewer.goTo(place, "given");
  }

  /** Put the focus into the grid. */
  focus() {
    this.host.layout.showRight();
    this.focusCount.value += 1;
  }

  select(slot: Slot, extend = false) {
    const { from } = this.selection.value;
    this.selection.value = { from: extend ? from : slot, to: slot };
    this.focusCount.value += 1;
  }

  move(down: number, right: number, extend = false) {
    const { table } = this;
    if (!table) return;
    this.select(stepFrom(table, withinTable(this.selection.value, table).to, down, right), extend);
  }

  /** To the next cell in reading order; false at the end of the table. */
  moveOn(by: 1 | -1) {
    const { table } = this;
    const next = table && neighbour(table, withinTable(this.selection.value, table).to, by);
    if (next) this.select({ row: next.row, column: next.column });
    return Boolean(next);
  }

  selectAll() {
    const { table } = this;
    if (!table) return;
    this.selection.value = {
      from: { row: 0, column: 0 },
      to: { row: table.n_rows - 1, column: table.n_columns - 1 },
    };
  }

  // Finding

  openFind() {
    const { text, requests } = this.find.value ?? { text: "", requests: 0 };
    this.find.value = { text, requests: requests + 1 };
  }

  /** Look for a text as it is typed, from the focused cell on. */
  findText(text: string) {
    const { table, find, cell } = this;
    if (!table || !find.value) return;
    find.value = { ...find.value, text };
    const hits = cellsWith(table, text);
    if (!cell || !hits.includes(cell)) this.goToHit(1);
  }

  /** Select the next cell with the text, or the one before; the focus stays in the field. */
  goToHit(by: 1 | -1) {
    const { table, find, cell } = this;
    const hits = table && find.value ? cellsWith(table, find.value.text) : [];
    const hit = cellAfter(hits, cell ?? { row: 0, column: -1 }, by);
    if (!hit) return;
    const slot = { row: hit.row, column: hit.column };
    this.selection.value = { from: slot, to: slot };
  }

  closeFind() {
    this.find.value = null;
    this.focus();
  }

  // Text

  edit() {
    const { table, cell } = this;
    if (!table || !cell || !this.mayEdit) return;
    this.editedAttempt = this.host.attempt.id;
    this.editing.value = {
      table: table.id,
      row: cell.row,
      column: cell.column,
      text: textOf(cell),
      before: textOf(cell),
    };
  }

  type(text: string) {
    const { editing } = this;
    if (!editing.value) return;
    editing.value = { ...editing.value, text: clean(text).slice(0, MAX_TEXT) };
    this.keepTyping();
    this.host.onTyping();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** What is typed survives a crash of the browser from the first key on. */
  private keepTyping() {
    const editing = this.editing.value;
    const table = tableOf(this.data.state.tables, editing?.table ?? "");
    const change = editing && table && this.textChange(table, editing, editing.text);
    this.host.attempt.outbox.keepTyping(
      change ? { type: "table_edited", payload: { ...placeOf(table), change } } : null,
    );
  }

  /** Hand over what is typed. */
  flush() {
    clearTimeout(this.timer);
    if (!this.editing.value || this.editedAttempt !== this.host.attempt.id) return;
    this.setText(this.editing.value, this.editing.value.text);
  }

  /** Typing is over. */
  finish() {
    this.flush();
    this.editing.value = null;
  }

  /** Typing is over, and was not meant. */
  cancel() {
    const { editing } = this;
    clearTimeout(this.timer);
    if (editing.value) this.setText(editing.value, editing.value.before);
    editing.value = null;
    this.focusCount.value += 1;
  }

  private setText(editing: Editing, text: string) {
    const table = tableOf(this.data.state.tables, editing.table);
    const change = table && this.textChange(table, editing, text);
    if (change) this.record(table, change);
    else this.host.attempt.outbox.keepTyping(null);
  }

  /** The change that gives a cell a text; null where it has it, or may not get it. */
  private textChange(table: Pt.Table, { row, column }: Slot, text: string) {
    const cell = cellAt(table, row, column);
    if (!cell || textOf(cell) === text || !this.mayEdit) return null;
    return { kind: "text" as const, row, column, text, was: textOf(cell) };
  }

  /** The texts of the selected cells are deleted. */
  clear() {
    const { table, area } = this;
    if (!table || !area || !this.mayEdit) return;
    const filled = cellsIn(table, area).filter((cell) => textOf(cell));
    if (filled.length === 1) {
      const [{ row, column, text = "" }] = filled;
      this.record(table, { kind: "text", row, column, text: "", was: text });
    } else if (filled.length) {
      const empty = Array.from({ length: area.rowspan }, () => new Array(area.colspan).fill(""));
      this.record(table, pasting(table, area, empty).change);
    }
  }

  copy(): string | null {
    const { table, area } = this;
    return table && area ? copiedText(table, area) : null;
  }

  paste(text: string) {
    const { table, cell } = this;
    if (!table || !cell || !this.mayEdit || !text) return;
    const texts = pastedTexts(clean(text));
    const { change, leftOut } = pasting(table, cell, texts);
    this.record(table, change);
    if (leftOut)
      this.host.say(
        t("{number} texts were left out: the table ends before them.", { number: leftOut }),
      );
  }

  // Structure

  insert(axis: "row" | "column", after: boolean) {
    const { table, area } = this;
    if (!table || !area || !this.mayEdit) return;
    const [start, length] = axis === "row" ? [area.row, area.rowspan] : [area.column, area.colspan];
    const at = after ? start + length : start;
    this.record(table, { kind: "insert", axis, at });
    const { row, column } = area;
    this.select(axis === "row" ? { row: at, column } : { row, column: at });
  }

  remove(axis: "row" | "column") {
    const { table, area } = this;
    if (!table || !area || !this.mayEdit) return;
    const [at, count] = axis === "row" ? [area.row, area.rowspan] : [area.column, area.colspan];
    if (count >= (axis === "row" ? table.n_rows : table.n_columns)) {
      this.host.say(t("A table keeps at least one row and one column. Flag it if it is none."));
      return;
    }
    this.record(table, { kind: "delete", axis, at, count });
    this.select({ row: Math.min(area.row, table.n_rows - 1), column: area.column });
  }

  merge() {
    const { table, area } = this;
    if (!table || !area || !this.mayEdit) return;
    if (cellsIn(table, area).length < 2) {
      this.host.say(t("Select the cells to merge: hold Shift and press the arrow keys."));
      return;
    }
    this.record(table, { kind: "cells", ...area, cells: [mergedCell(table, area)] });
    this.select({ row: area.row, column: area.column });
  }

  split() {
    const { table, cell } = this;
    if (!table || !cell || !this.mayEdit) return;
    const { row, column } = cell;
    const span = { rowspan: rowspanOf(cell), colspan: colspanOf(cell) };
    if (span.rowspan * span.colspan < 2) {
      this.host.say(t("This cell is not merged."));
      return;
    }
    this.record(table, { kind: "cells", row, column, ...span, cells: splitCells(cell) });
  }

  /** The selected cells become headers; or no longer are, if all of them were. */
  toggleHeader() {
    const { table, area } = this;
    if (!table || !area || !this.mayEdit) return;
    const selected = cellsIn(table, area);
    const header = !selected.every((cell) => cell.header);
    const changed = selected.filter((cell) => Boolean(cell.header) !== header);
    const cells = changed.map(({ row, column }): [number, number] => [row, column]);
    this.record(table, { kind: "header", cells, header });
  }

  // Flags and confirmations

  /** Ask what is wrong with the focused cell, or with the table. */
  startFlag(ofTable = false) {
    const { table, cell } = this;
    if (!this.host.attempt.mayEdit || !table || !cell) return;
    this.finish();
    const { row, column } = cell;
    const flagged = ofTable ? {} : { row, column };
    openCellFlag(this.host.dialogs, {
      text: ofTable ? null : textOf(cell),
      flag: (ofTable ? table.flag : cell.flag) ?? null,
      onFlag: (kind, note) => this.setFlag(table.id, flagged, kind, note),
    });
  }

  private setFlag(id: string, cell: Partial<Slot>, kind: FlagKind | null, note: string) {
    const table = tableOf(this.data.state.tables, id);
    if (!table || !this.host.attempt.mayEdit) return;
    const place = placeOf(table);
    this.host.attempt.record("cell_flagged", { ...place, ...cell, kind, note: clean(note) });
    this.focus();
  }

  /** What the model changed in the selection is right; go on to the next change. */
  confirm() {
    const { table, unit } = this;
    if (!table) return;
    if (unit && this.host.attempt.mayEdit) {
      const cells = this.changes.map(({ row, column }): [number, number] => [row, column]);
      const seen = this.readiness.judge(unit);
      if (!seen) return;
      const payload = { ...placeOf(table), cells, confirmed: true, ...seen };
      this.host.attempt.record("cell_confirmed", payload);
    }
    this.nextChange();
  }

  /** All that the model changed in the table is right: one decision on a page that was looked at. */
  confirmAll() {
    const { table } = this;
    if (!table || !this.host.attempt.mayEdit) return;
    const seen = this.readiness.judge(pageUnit(table, `table-${table.id}`));
    if (!seen) return;
    const open = openFixes(table);
    const cells = open.cells.map(({ row, column }): [number, number] => [row, column]);
    const removed = open.isWholeOpen;
    this.host.attempt.record("cell_confirmed", {
      ...placeOf(table),
      cells,
      removed,
      confirmed: true,
      bulk: true,
      ...seen,
    });
  }

  confirmRemoved() {
    const { table } = this;
    if (!table || !this.host.attempt.mayEdit) return;
    const seen = this.readiness.judge(pageUnit(table, `removed-${table.id}`));
    if (!seen) return;
    const payload = { ...placeOf(table), removed: true, confirmed: true, ...seen };
    this.host.attempt.record("cell_confirmed", payload);
    this.nextChange();
  }

  /** Go to the next cell that waits for confirmation, also in another table. */
  nextChange() {
    const { table } = this;
    const { tables } = this.data.state.tables;
    if (!table) return;
    const { row, column } = withinTable(this.selection.value, table).to;
    const open = openFixes(table).cells;
    const next = open.find((cell) => cell.row > row || (cell.row === row && cell.column > column));
    const target = next ?? open[0];
    if (target) {
      this.select({ row: target.row, column: target.column });
      return;
    }
    const other = tables.find((one) => one !== table && openFixes(one).cells.length);
    if (!other) return;
    this.show(other.id);
    this.nextChange();
  }

  private record(table: Pt.Table, change: Pt.TableEdited["change"]) {
    this.host.attempt.record("table_edited", { ...placeOf(table), change });
  }
}

function placeOf({ id: table, document, page, structure }: Pt.Table) {
  return { document, page, table, structure };
}
