/** What is done in tables of records. */

import type { Seen } from "../../shared/readiness";
import { sentence } from "../../shared/sentences";
import type { Commands } from "../commands";
import type { Layout } from "../panel_visibility";
import { rowLook, rowUnit } from "../readiness/judged_units";
import type { ScreenReadiness } from "../readiness/look_reports";
import type { Attempt } from "../state/attempt";
import { withVerdict } from "../state/contradictions";
import { formOf } from "../state/form_state";
import type { Viewer } from "../viewer/viewer";
import { type LabelAction, labelChoices, openChartLabels } from "./ChartLabelsDialog";
import { isChart, LABELS } from "./chart_labels";
import type { FormCommands } from "./field_commands";
import { type FocusRequest, fieldKey } from "./field_state";
import type { NumberOffers } from "./number_offers";
import type { RecordActions } from "./RecordsPanel";
import { cellName, decisionOf, nextUndecided, type ShownTable, shownTables } from "./record_state";
import type { Texts } from "./text_drafts";
import type { TextField } from "./text_field";

interface RecordCommandsHost {
  attempt: Attempt;
  commands: Commands;
  /** where dialogs are put */
  dialogs: Element;
  forms: FormCommands;
  layout: Layout;
  numbers: NumberOffers;
  readiness: ScreenReadiness;
  texts: Texts;
  viewer: Viewer;
  /** A row is worked on. */
  onPresent: (field: string, row: string, opensPage: boolean) => void;
}

export class RecordCommands implements RecordActions {
  /** the row that has the focus */
  private row: { field: string; row: string } | null = null;

  constructor(private readonly host: RecordCommandsHost) {
    host.commands.registerAll({
      nextRow: () => this.focusNext(),
      splitLabel: () => this.changeFocusedLabels("split"),
      printedNumbers: () => host.numbers.next(),
      mergeLabels: () => this.changeFocusedLabels("merge"),
    });
  }

  private get data() {
    return this.host.attempt.store.data;
  }

  get readiness() {
    return this.host.readiness;
  }

  /** What a verdict on a row is about. */
  unit({ spec, target }: ShownTable, row: string) {
    return rowUnit(fieldKey(this.data.attempt, spec, target), row);
  }

  /** The tables on screen. */
  private get tables() {
    return shownTables(this.data, formOf(this.data));
  }

  /** The table of a field, if it is on screen. */
  table(field: string) {
    return this.tables.find(({ spec }) => spec.name === field);
  }

  rows({ spec, target }: ShownTable) {
    return formOf(this.data).rows(spec, target);
  }

  /** @param seen of a verdict that a key or click has given */
  set(
    { spec, target }: ShownTable,
    row: string,
    values: Record<string, string>,
    seen: Partial<Seen> = {},
  ) {
    const { attempt, forms, texts } = this.host;
    if (!attempt.mayEdit) return;
    const { id } = attempt;
    const stored = this.rows({ spec, target }).find((one) => one.row === row);
    const judged = withVerdict(spec, stored, values);
    if (judged === null) {
      const verdict = spec.columns.find((column) => column.when_changed)?.when_changed ?? "";
      forms.showProblem(spec, target, { message: sentence("changed_row", { verdict }) });
      return;
    }
    forms.clearProblem(fieldKey(id, spec, target));
    const result = attempt.record(
      "row_set",
      payload(spec, target, { row, values: judged, ...seen }),
    );
    result?.then(({ receipt }) => {
      if (!receipt) return;
      for (const [column, text] of Object.entries(judged))
        texts.acknowledged(id, cellName(spec, target, row, column), text);
    });
  }

  choose(table: ShownTable, row: string, column: string, option: string) {
    if (!this.host.attempt.mayEdit) return false;
    const seen = this.readiness.judge(this.unit(table, row));
    if (seen) this.set(table, row, { [column]: option }, seen);
    else this.focus(table, row); // all of it comes into view
    return seen !== null;
  }

  decide(table: ShownTable, row: string, option: string, byKey: boolean) {
    const decision = decisionOf(table.spec);
    if (!decision || !this.choose(table, row, decision.name, option)) return false;
    if (byKey || !table.spec.add_rows) this.focusUndecided(table, row);
    return true;
  }

  remove(table: ShownTable, row: string) {
    const { attempt } = this.host;
    if (!attempt.mayEdit) return;
    const isModels = this.rows(table).some((one) => one.row === row && one.model);
    const seen = isModels ? this.readiness.judge(this.unit(table, row)) : {};
    if (seen) attempt.record("row_deleted", payload(table.spec, table.target, { row, ...seen }));
  }

  add({ spec, target }: ShownTable) {
    const { attempt } = this.host;
    if (!attempt.mayEdit) return;
    const row = `r-${attempt.nextId()}`;
    attempt.record("row_set", payload(spec, target, { row, values: {} }));
    this.focus({ spec, target }, row, spec.columns[0].name);
  }

  /** Move a row past the next or previous one that is not deleted; the focus goes with it. */
  moveRow(table: ShownTable, row: string, by: 1 | -1, column?: string) {
    const { attempt } = this.host;
    const { spec, target } = table;
    const rows = this.rows(table).filter((one) => !one.deleted || one.row === row);
    const at = rows.findIndex((one) => one.row === row);
    const next = rows[at + (by > 0 ? 2 : -1)];
    const isAtEnd = by > 0 ? at === rows.length - 1 : at === 0;
    if (!attempt.mayEdit || !spec.add_rows || isAtEnd) return;
    const before = next?.row ?? null;
    attempt.record("row_moved", payload(spec, target, { row, before }));
    this.focus(table, row, column);
  }

  /** Ask how to split or merge labels of a row, and do the same in others if wanted. */
  changeLabels(table: ShownTable, row: string, action: LabelAction) {
    const { attempt, dialogs, texts } = this.host;
    if (!attempt.mayEdit) return;
    texts.flush();
    const rows = this.rows(table);
    const cell = rows.find((one) => one.row === row)?.values[LABELS] ?? "";
    if (!labelChoices(action, cell).length) return;
    const onApply = (labels: Map<string, string>) => this.setLabels(table, labels);
    void openChartLabels(dialogs, { action, rows, row, onApply });
  }

  /** The same for the row that has the focus; false where no row of a chart has it. */
  private changeFocusedLabels(action: LabelAction) {
    const { row: focused } = this;
    const table = focused && this.table(focused.field);
    if (!focused || !table || !isChart(table.spec)) return false;
    this.changeLabels(table, focused.row, action);
    return true;
  }

  private setLabels(table: ShownTable, labels: Map<string, string>) {
    const { spec, target } = table;
    const { attempt } = this.host;
    if (!attempt.mayEdit) return;
    if (labels.size === 1) {
      const [[row, text]] = labels;
      this.set(table, row, { [LABELS]: text });
      return;
    }
    const verdict = spec.columns.find((column) => column.when_changed)?.name ?? "";
    const stored = new Map(this.rows(table).map((row) => [row.row, row]));
    const changed = [...labels].flatMap(([row, text]) => {
      const point = stored.get(row);
      const cells = { [LABELS]: text };
      if (!point || point.deleted) return [];
      // Nobody has checked a point without a verdict: it stays open.
      const values = point.values[verdict] ? withVerdict(spec, point, cells) : cells;
      return values ? [[row, values] as const] : [];
    });
    if (changed.length)
      attempt.record("rows_set", payload(spec, target, { rows: Object.fromEntries(changed) }));
  }

  move(table: ShownTable, row: string, column: string, by: number) {
    const alive = this.rows(table).filter(({ deleted }) => !deleted);
    const next = alive[alive.findIndex((one) => one.row === row) + by];
    if (next) this.focus(table, next.row, column);
  }

  present({ spec, target }: ShownTable, row: string, opensPage: boolean, byPointer: boolean) {
    const isNew = this.row?.field !== spec.name || this.row.row !== row;
    this.row = { field: spec.name, row };
    // Whoever points at a row has seen it; one that the focus goes to comes under decision.
    if (isNew && !byPointer)
      this.readiness.restart(rowLook(fieldKey(this.data.attempt, spec, target), row));
    this.host.onPresent(spec.name, row, opensPage);
  }

  leave({ spec }: ShownTable, row: string) {
    if (this.row?.field === spec.name && this.row.row === row) this.row = null;
  }

  offerNumbers({ target }: ShownTable, field: TextField) {
    this.host.numbers.start(field, target.box);
  }

  chooseNumber(event: KeyboardEvent) {
    return this.host.numbers.press(event);
  }

  openPage(page: Pt.Place) {
    this.host.viewer.goTo(page, "given");
  }

  clearProblem(key: string) {
    this.host.forms.clearProblem(key);
  }

  focused() {
    this.host.attempt.store.set({ focusRequest: null });
  }

  /** Bring a row into view, its cell in focus if a column is named. */
  focus({ spec, target }: ShownTable, row?: string, column?: string) {
    const field = fieldKey(this.data.attempt, spec, target);
    const focusRequest: FocusRequest = { field, row, column };
    this.host.attempt.store.set({ focusRequest });
  }

  /** The next row without a decision, while decisions may be taken. */
  undecided(table: ShownTable, after: string | null = null) {
    if (!this.host.attempt.mayEdit) return null;
    return nextUndecided(this.rows(table), decisionOf(table.spec), after);
  }

  private focusUndecided(table: ShownTable, after: string | null = null) {
    const row = this.undecided(table, after);
    if (row !== null) this.focus(table, row, decisionOf(table.spec)?.name);
    return row !== null;
  }

  /** Go to the next row without a decision; false where there is none. */
  focusNext() {
    return this.tables.some((table) => this.focusUndecided(table));
  }

  /** Go to a table that something is missing of. */
  goTo(field: string) {
    const table = this.table(field);
    this.host.layout.showRight();
    if (table && !this.focusUndecided(table)) this.focus(table);
  }
}

/** The payload of an event on a table's row. */
function payload<Rest>(spec: Pt.FieldSpec, { document, page, box }: Pt.Target, rest: Rest) {
  if (spec.scope === "page") return { field: spec.name, document, page, ...rest };
  return spec.scope === "box" ? { field: spec.name, box, ...rest } : { field: spec.name, ...rest };
}
