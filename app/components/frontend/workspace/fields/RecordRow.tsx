import { useCallback, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { withKey } from "../../shared/keys";
import { N_, t } from "../../shared/messages";
import { useReady, useWatched } from "../readiness/look_reports";
import { type LabelAction, labelChoices } from "./ChartLabelsDialog";
import { isChart, LABELS, TOLERANCE, VALUE } from "./chart_labels";
import type { FocusRequest } from "./field_state";
import { ChoiceCell, type ChoiceCellProps, FixedCell, TextCell } from "./RecordCells";
import type { RecordActions } from "./RecordsPanel";
import {
  cellName,
  decisionOf,
  proposalOf,
  type RowState,
  rowState,
  type ShownTable,
  shownColumns,
} from "./record_state";
import type { Texts } from "./text_drafts";
import "./RecordRow.css";

const STATE_NAMES: Record<RowState, string> = {
  given: "",
  changed: N_("changed"),
  added: N_("added"),
  deleted: N_("deleted"),
};

export interface RecordRowProps {
  table: ShownTable;
  stored: Pt.RecordRow;
  attempt: string;
  /** counted from 1 */
  number: number;
  readOnly: boolean;
  /** pages that fixed texts may name */
  given: Pt.Place[] | null;
  /** Its step is the present one of a replay. */
  isPresent: boolean;
  /** set while it is to come into view */
  focus: FocusRequest | null;
  texts: Texts;
  actions: RecordActions;
}

/** A row is drawn again when something about it changes: a table may have a thousand. */
export function RecordRow(props: RecordRowProps) {
  return useMemo(() => <Row {...props} />, Object.values(props));
}

/** Whether a link to a page was used, which opens that page and no other. */
const namesPage = ({ target }: Event) =>
  target instanceof Element && target.matches("[data-testid=named-page]");

/** One row of a table of records, as a card: its cells, what became of it, and the way back. */
function Row(props: RecordRowProps) {
  const { table, stored, number, readOnly, isPresent, focus, actions } = props;
  const { spec } = table;
  const { row, deleted } = stored;
  const element = useRef<HTMLLIElement>(null);
  const focusable = useRef<HTMLElement | null>(null);
  const focusRef = useCallback((node: HTMLElement | null) => {
    focusable.current = node;
  }, []);
  useLayoutEffect(() => {
    if (!focus) return;
    element.current?.scrollIntoView({ block: "nearest" });
    const cell = focusable.current;
    if (focus.column !== undefined) cell?.focus();
    if (cell instanceof HTMLInputElement || cell instanceof HTMLTextAreaElement) cell.select();
    actions.focused();
  }, [focus]);

  const decision = decisionOf(spec);
  const state = rowState(stored, decision);
  const columns = shownColumns(spec);
  // On pressing, not on a click: by then a mark may have led on to the next row.
  const present = (event: Event) =>
    actions.present(table, row, !namesPage(event), event.type === "pointerdown");
  const unit = actions.unit(table, row);
  useWatched(actions.readiness, element, unit.id);
  const isReady = useReady(actions.readiness, unit.looks);
  return (
    <li
      class={
        decision && stored.values[decision.name]
          ? "record stack framed decided"
          : "record stack framed"
      }
      data-testid="row"
      data-row={row}
      data-state={state}
      data-verdict-ready={isReady}
      aria-current={isPresent ? "step" : undefined}
      onPointerDown={present}
      onFocusIn={present}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          actions.leave(table, row);
      }}
      onKeyDown={(event) => {
        const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
        if (!by || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const cell = (event.target as Element).closest<HTMLElement>("[data-column]");
        actions.moveRow(table, row, by, cell?.dataset.column);
      }}
      ref={element}
    >
      <div class="record-head line">
        <span class="row-number quiet number">{number}</span>
        {/* The first caption is beside the number: rows stay low. */}
        <span class="cell-label caption">
          {columns[0].kind === "choice" ? "" : columns[0].label}
        </span>
        <span class="row-state">{t(STATE_NAMES[state])}</span>
        <span class="spacer" />
        {isChart(spec) && !deleted && !readOnly ? (
          <LabelButtons
            cell={stored.values[LABELS] ?? ""}
            onChange={(action) => actions.changeLabels(table, row, action)}
          />
        ) : null}
        {spec.add_rows && !deleted && !readOnly ? (
          <>
            <IconButton
              class="icon-button small"
              icon="up"
              label={t("Move this row up (Alt+↑)")}
              testid="row-up"
              onClick={() => actions.moveRow(table, row, -1)}
            />
            <IconButton
              class="icon-button small"
              icon="down"
              label={t("Move this row down (Alt+↓)")}
              testid="row-down"
              onClick={() => actions.moveRow(table, row, 1)}
            />
          </>
        ) : null}
        {spec.add_rows && !deleted && !readOnly ? (
          <IconButton
            class="icon-button small"
            icon="bin"
            label={t("Delete this row")}
            testid="row-delete"
            onClick={() => actions.remove(table, row)}
          />
        ) : null}
        {deleted && !readOnly ? (
          <Button testid="row-restore" onClick={() => actions.set(table, row, {})}>
            {t("Restore")}
          </Button>
        ) : null}
      </div>
      <div class="record-cells wrapping" inert={deleted}>
        {columns.map((column, i) => (
          <Cell
            key={column.name}
            {...props}
            column={column}
            hasCaption={i > 0}
            focusRef={focus?.column === column.name ? focusRef : undefined}
          />
        ))}
      </div>
    </li>
  );
}

interface LabelButtonsProps {
  cell: string;
  onChange: (action: LabelAction) => void;
}

function LabelButtons({ cell, onChange }: LabelButtonsProps) {
  return (
    <>
      <IconButton
        class="icon-button small"
        icon="split"
        label={t("Split a label")}
        title={withKey(t("Split a label"), "splitLabel")}
        testid="labels-split"
        disabled={!labelChoices("split", cell).length}
        onClick={() => onChange("split")}
      />
      <IconButton
        class="icon-button small"
        icon="merge"
        label={t("Merge two labels")}
        title={withKey(t("Merge two labels"), "mergeLabels")}
        testid="labels-merge"
        disabled={!labelChoices("merge", cell).length}
        onClick={() => onChange("merge")}
      />
    </>
  );
}

interface CellProps extends RecordRowProps {
  column: Pt.Column;
  hasCaption: boolean;
  focusRef: ChoiceCellProps["focusRef"];
}

function Cell(props: CellProps) {
  const { table, stored, column, hasCaption, focusRef, readOnly, actions } = props;
  const { spec, target } = table;
  const { row, model, values, deleted } = stored;
  const value = values[column.name] ?? "";
  // The cells of a model's row may be locked; those of one's own never are.
  if (!column.editable && model)
    return (
      <FixedCell
        {...{ column, hasCaption, value }}
        given={props.given ?? []}
        change={changeIn(spec, column, values)}
        onOpenPage={(page) => actions.openPage(page)}
      />
    );
  const move = (by: number) => actions.move(table, row, column.name, by);
  const set = (text: string) => actions.set(table, row, { [column.name]: text });
  const choose = (option: string) => void actions.choose(table, row, column.name, option);
  if (column.kind === "choice") {
    const isDecision = column === decisionOf(spec);
    return (
      <ChoiceCell
        {...{ column, value, readOnly, focusRef }}
        isBig={isDecision && !spec.add_rows}
        onChoose={(option, byKey) =>
          isDecision ? void actions.decide(table, row, option, byKey) : choose(option)
        }
        onMove={move}
      />
    );
  }
  return (
    <TextCell
      {...{ column, hasCaption, value, readOnly, focusRef, attempt: props.attempt }}
      texts={props.texts}
      name={cellName(spec, target, row, column.name)}
      model={model ? (model[column.name] ?? "") : null}
      isDeleted={deleted}
      placeholder={column.name === TOLERANCE ? usualTolerance(spec) : undefined}
      onCommit={set}
      onMove={move}
      {...(isChart(spec) && column.name === VALUE
        ? {
            hint: withKey(t("Printed numbers"), "printedNumbers"),
            onFocus: (field) => actions.offerNumbers(table, field),
            onKey: (event) => actions.chooseNumber(event),
          }
        : {})}
    />
  );
}

/** The tolerance that an empty cell means, if the campaign has one. */
function usualTolerance(spec: Pt.FieldSpec) {
  const { relative_tolerance: share } = spec;
  if (!isChart(spec) || !share) return undefined;
  return t("{percent} % of the value", { percent: Number((100 * share).toPrecision(6)) });
}

/** A proposed change, with whose words a fixed cell shows; null for other fixed cells. */
function changeIn(spec: Pt.FieldSpec, { name }: Pt.Column, values: Record<string, string>) {
  const proposal = proposalOf(spec);
  if (!proposal?.includes(name)) return null;
  const [before, after] = proposal.map((column) => values[column] ?? "");
  return { before, after, shown: name === proposal[0] ? "before" : "after" } as const;
}
