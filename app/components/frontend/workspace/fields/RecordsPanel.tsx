import { useComputed } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import type { JudgedUnit } from "../../shared/readiness";
import type { ScreenReadiness } from "../readiness/look_reports";
import { isReadOnly } from "../state/attempt_state";
import { formOf, rowsOf } from "../state/form_state";
import type { LabelAction } from "./ChartLabelsDialog";
import { type FocusRequest, fieldKey } from "./field_state";
import { RecordRow } from "./RecordRow";
import { decisionOf, type ShownTable, shownTables } from "./record_state";
import type { Texts } from "./text_drafts";
import type { TextField } from "./text_field";

/** What tables of records do. */
export interface RecordActions {
  readonly readiness: ScreenReadiness;
  /** What a verdict on a row is about. */
  unit(table: ShownTable, row: string): JudgedUnit;
  set(table: ShownTable, row: string, values: Record<string, string>): void;
  /** Choose an option in a column of choices; returns whether the row may be judged yet. */
  choose(table: ShownTable, row: string, column: string, option: string): boolean;
  /** Take the decision of a row; by key, the next row without one comes next. */
  decide(table: ShownTable, row: string, option: string, byKey: boolean): boolean;
  add(table: ShownTable): void;
  remove(table: ShownTable, row: string): void;
  /** Move a row up or down; with a column, its cell keeps the focus. */
  moveRow(table: ShownTable, row: string, by: 1 | -1, column?: string): void;
  /** Go to the same column of another row. */
  move(table: ShownTable, row: string, column: string, by: number): void;
  /** A row is worked on. */
  present(table: ShownTable, row: string, opensPage: boolean, byPointer: boolean): void;
  /** A row has lost the focus. */
  leave(table: ShownTable, row: string): void;
  /** Split or merge labels of a chart's point. */
  changeLabels(table: ShownTable, row: string, action: LabelAction): void;
  /** The value of a chart's point has the focus: printed numbers are offered for it. */
  offerNumbers(table: ShownTable, field: TextField): void;
  /** Whether a key in a value chooses among them. */
  chooseNumber(event: KeyboardEvent): boolean;
  openPage(page: Pt.Place): void;
  clearProblem(key: string): void;
  /** What was to have the focus has it. */
  focused(): void;
}

export interface RecordsPanelProps {
  store: Pt.Store;
  texts: Texts;
  actions: RecordActions;
}

/** The tables of records that are asked for the task, the open page and the selected box. */
export function RecordsPanel({ store, ...props }: RecordsPanelProps) {
  const tables = useShownTables(store);
  const attempt = store.attempt.value;
  return (
    <div class="records-panel stack">
      {tables.value.map(({ key, table }) => (
        <RecordsTable key={key} {...props} {...{ store, attempt, table, fieldKey: key }} />
      ))}
    </div>
  );
}

/** Most changes leave the tables as they are; each keeps its identity while it is shown. */
function useShownTables(store: Pt.Store) {
  const known = useRef(new Map<string, { key: string; table: ShownTable }>());
  const shown = useComputed(() => {
    const [protocol, state, given] = [
      store.protocol.value,
      store.state.value,
      store.given_pages.value,
    ];
    const [page, selected, locked] = [store.page.value, store.selected.value, store.locked.value];
    const data = { protocol, state, given_pages: given, page, selected, locked };
    const before = known.current;
    known.current = new Map(
      shownTables(data, formOf(data)).map((table) => {
        const key = fieldKey(store.attempt.value, table.spec, table.target);
        const entry = before.get(key);
        return [key, entry?.table.spec === table.spec ? entry : { key, table }];
      }),
    );
    return known.current;
  });
  return useComputed(() => [...shown.value.values()]);
}

interface RecordsTableProps extends RecordsPanelProps {
  attempt: string;
  table: ShownTable;
  fieldKey: string;
}

/** A table of records: rows as cards that fit the panel, a model's rows verified or one's own. */
function RecordsTable({ store, texts, actions, attempt, table, fieldKey }: RecordsTableProps) {
  const { spec } = table;
  const heading = useId();
  const element = useRef<HTMLElement>(null);
  const rows = useRows(store, table).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value) || store.timeOver.value).value;
  const present = usePresentRow(store, spec.name).value;
  const focus = useFocusIn(store, fieldKey).value;
  const focusesTable = focus !== null && focus.row === undefined;
  useEffect(() => () => actions.clearProblem(fieldKey), [fieldKey]);
  useLayoutEffect(() => {
    if (!focusesTable) return;
    element.current?.scrollIntoView({ block: "start" });
    actions.focused();
  }, [focusesTable]);

  const decision = decisionOf(spec);
  const alive = rows.filter((row) => !row.deleted);
  const decided = decision ? alive.filter((row) => row.values[decision.name]).length : 0;
  const isComplete = decision ? decided === alive.length : alive.length > 0;
  const problem = store.fieldProblems.value.get(fieldKey);
  return (
    <section
      class="records stack"
      data-testid="records"
      data-field={spec.name}
      aria-labelledby={heading}
      ref={element}
    >
      <div class="elements-head line">
        <h2 id={heading}>{spec.label}</h2>
        <span class="count quiet number" data-testid="records-count" role="status">
          {decision
            ? t("{decided} of {number} decided", { decided, number: alive.length })
            : tn("{number} row", "{number} rows", alive.length)}
        </span>
      </div>
      {decision ? (
        <div class="bar" aria-hidden="true">
          <span
            class="bar-fill"
            style={{ width: `${alive.length ? (100 * decided) / alive.length : 0}%` }}
          />
        </div>
      ) : null}
      {spec.help ? <p class="records-help caption">{spec.help}</p> : null}
      <FieldError testid="field-error" data-field={spec.name}>
        {problem && (problem.refused || !isComplete) ? problem.message : null}
      </FieldError>
      <ol class="stack">
        {rows.map((stored, i) => (
          <RecordRow
            key={stored.row}
            {...{ table, stored, attempt, readOnly, texts, actions }}
            number={i + 1}
            given={store.given_pages.value}
            isPresent={stored.row === present}
            focus={focus?.row === stored.row ? focus : null}
          />
        ))}
      </ol>
      {spec.add_rows ? (
        <Button testid="row-add" disabled={readOnly} onClick={() => actions.add(table)}>
          <Icon name="plus" />
          {t("Add row")}
        </Button>
      ) : null}
    </section>
  );
}

/** The rows of a table; other changes of the state leave them alone. */
function useRows(store: Pt.Store, { spec, target }: ShownTable) {
  const all = useComputed(() => store.state.value.rows);
  return useComputed(() => rowsOf(all.value, spec, target));
}

/** The row whose step is replayed. */
function usePresentRow(store: Pt.Store, field: string) {
  return useComputed(() => {
    const steps = store.steps.value;
    return steps?.field === field ? steps.rows[steps.frames[steps.at].step] : null;
  });
}

function useFocusIn(store: Pt.Store, key: string) {
  return useComputed<FocusRequest | null>(() => {
    const focus = store.focusRequest.value;
    return focus?.field === key ? focus : null;
  });
}
