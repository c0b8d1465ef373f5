import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { KeyHint } from "../../shared/components/KeyHint";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { keyName } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { needsConfirmation } from "../../shared/table_changes";
import { flagsOf, openFixes } from "../../shared/table_state";
import { useReady, useWatched } from "../readiness/look_reports";
import { isReadOnly } from "../state/attempt_state";
import { flagText } from "./CellFlagDialog";
import { TableFind } from "./TableFind";
import { fixText, TableGrid } from "./TableGrid";
import type { TableWork } from "./table_work";
import "./TablesPane.css";

export interface TablesPaneProps {
  store: Pt.Store;
  work: TableWork;
}

/** The tables of a task beside their page: corrected, flagged, and confirmed when they come back. */
export function TablesPane({ store, work }: TablesPaneProps) {
  const tables = useComputed(() => store.state.value.tables).value;
  const { enabled } = store.protocol.value.tables;
  const attempt = store.attempt.value;
  const readOnly = useComputed(() => isReadOnly(store.state.value) || store.timeOver.value).value;
  useEffect(() => {
    if (enabled) work.opened();
  }, [attempt]);
  const element = useRef<HTMLElement>(null);
  if (!enabled) return null;
  const shown = work.shown.value;
  const table = tables.tables.find(({ id }) => id === shown) ?? tables.tables[0];
  return (
    <section ref={element} class="tables column" aria-label={t("Tables")} data-testid="tables">
      {table ? (
        <>
          <TableBar tables={tables} table={table} work={work} />
          {store.protocol.value.tables.edit ? <EditBar work={work} readOnly={readOnly} /> : null}
          <Changes table={table} round={tables.round} work={work} readOnly={readOnly} />
          <TableFind table={table} work={work} />
          <TableGrid key={`${attempt} ${table.id}`} {...{ table, work, readOnly }} />
          <Marks table={table} />
          <CellLine table={table} pane={element} work={work} readOnly={readOnly} />
        </>
      ) : (
        <p class="notice">
          {t("The model found no table on this page. If there is one, flag the task.")}
        </p>
      )}
    </section>
  );
}

interface TableBarProps {
  tables: Pt.Tables;
  table: Pt.Table;
  work: TableWork;
}

/** Which table is shown, with its size and what is open of it. */
function TableBar({ tables: { tables, round }, table, work }: TableBarProps) {
  const flags = flagsOf(table).length;
  return (
    <div class="tables-bar line">
      <h2>{tables.length === 1 ? t("Table") : t("Tables")}</h2>
      {tables.length > 1 ? (
        <div class="line wrapping" role="group" aria-label={t("Tables")}>
          {tables.map((other) => (
            <Button
              key={other.id}
              class="toggle"
              testid="table-choice"
              aria-pressed={other === table}
              onClick={() => work.show(other.id)}
            >
              {other.id}
              {openFixes(other).number ? " •" : ""}
            </Button>
          ))}
        </div>
      ) : null}
      <LiveRegion class="quiet number" testid="table-size">
        {t("{rows} × {columns}", { rows: table.n_rows, columns: table.n_columns })}
      </LiveRegion>
      {round > 1 ? (
        <span class="quiet" data-testid="table-round">
          {t("Round {round}", { round })}
        </span>
      ) : null}
      <LiveRegion class="push quiet number" testid="table-flags">
        {flags ? tn("{number} flag", "{number} flags", flags) : null}
      </LiveRegion>
    </div>
  );
}

interface WorkProps {
  work: TableWork;
  readOnly: boolean;
}

/** Rows, columns, merged cells and headers. */
function EditBar({ work, readOnly }: WorkProps) {
  const button = (
    testid: string,
    title: string,
    text: string,
    onClick: () => void,
    key?: string,
  ) => (
    <Button
      class="button small"
      testid={testid}
      title={title}
      disabled={readOnly}
      onClick={() => {
        onClick();
        work.focus();
      }}
    >
      {text}
      {key ? <KeyHint keyName={key} /> : null}
    </Button>
  );
  return (
    <div class="table-tools wrapping" role="toolbar" aria-label={t("Change the table")}>
      <div class="tool-group line" role="group" aria-label={t("Rows")}>
        <span class="quiet">{t("Row")}</span>
        {button("row-above", t("Insert a row above"), t("+ above"), () =>
          work.insert("row", false),
        )}
        {button("row-below", t("Insert a row below"), t("+ below"), () => work.insert("row", true))}
        {button("rows-delete", t("Delete the selected rows"), t("Delete"), () =>
          work.remove("row"),
        )}
      </div>
      <div class="tool-group line" role="group" aria-label={t("Columns")}>
        <span class="quiet">{t("Column")}</span>
        {button("column-left", t("Insert a column on the left"), t("+ left"), () =>
          work.insert("column", false),
        )}
        {button("column-right", t("Insert a column on the right"), t("+ right"), () =>
          work.insert("column", true),
        )}
        {button("columns-delete", t("Delete the selected columns"), t("Delete"), () =>
          work.remove("column"),
        )}
      </div>
      <div class="tool-group line" role="group" aria-label={t("Cells")}>
        <span class="quiet">{t("Cells")}</span>
        {button(
          "cells-header",
          t("Header or not (H)"),
          t("Header"),
          () => work.toggleHeader(),
          "H",
        )}
        {button(
          "cells-merge",
          t("Merge the selected cells (M)"),
          t("Merge"),
          () => work.merge(),
          "M",
        )}
        {button(
          "cells-split",
          t("Split the merged cell (S)"),
          t("Split cell"),
          () => work.split(),
          "S",
        )}
      </div>
    </div>
  );
}

interface ChangesProps extends WorkProps {
  table: Pt.Table;
  round: number;
}

/** What a model has changed since the round before, and waits for confirmation. */
function Changes({ table, round, work, readOnly }: ChangesProps) {
  if (round < 2) return null;
  const { number, isWholeOpen } = openFixes(table);
  const { removed, answered_flag: answered } = table;
  return (
    <div class="table-changes stack" data-testid="table-changes">
      <div class="line wrapping">
        <span role="status">
          {number
            ? tn("{number} change to confirm", "{number} changes to confirm", number)
            : t("Nothing left to confirm in this table.")}
        </span>
        <Button testid="next-change" disabled={!number} onClick={() => work.nextChange()}>
          {t("Next change")}
        </Button>
        <Button
          testid="confirm-all"
          disabled={!number || readOnly}
          onClick={() => work.confirmAll()}
        >
          {t("Confirm all")}
        </Button>
      </div>
      {isWholeOpen ? (
        <div class="notice stack" data-testid="table-removed">
          {answered ? (
            <p>{t("You flagged the table: {flag}", { flag: flagText(answered) })}</p>
          ) : null}
          {removed.length ? (
            <>
              <p>{t("The model removed:")}</p>
              <ul>
                {removed.map((text, i) => (
                  <li key={i} dir="auto">
                    {text || t("(empty)")}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
          <Button
            testid="confirm-removed"
            disabled={readOnly}
            onClick={() => work.confirmRemoved()}
          >
            <Icon name="check" />
            {t("That is right")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Which marks the cells have, in one pass: there are thousands. */
function marksOf(cells: Pt.TableCell[]) {
  const marks = { hasFlags: false, hasOpen: false, hasConfirmed: false, hasCorrected: false };
  for (const cell of cells) {
    if (cell.flag) marks.hasFlags = true;
    if (cell.confirmed) marks.hasConfirmed = true;
    if ((cell.model_text ?? null) !== null) marks.hasCorrected = true;
    if (needsConfirmation(cell)) marks.hasOpen = true;
  }
  return marks;
}

/** What the marks of the cells mean, those that the table has. */
function Marks({ table: { cells } }: { table: Pt.Table }) {
  const { hasFlags, hasOpen, hasConfirmed, hasCorrected } = useMemo(() => marksOf(cells), [cells]);
  if (!hasFlags && !hasOpen && !hasConfirmed && !hasCorrected) return null;
  return (
    <p class="caption table-marks" data-testid="table-marks">
      {hasFlags ? <span>{t("⚑ flagged for a model")}</span> : null}
      {hasOpen ? <span>{t("? changed by a model: confirm, correct or flag it")}</span> : null}
      {hasConfirmed ? <span>{t("✓ confirmed")}</span> : null}
      {hasCorrected ? <span class="is-changed">{t("corrected")}</span> : null}
    </p>
  );
}

interface CellLineProps extends WorkProps {
  table: Pt.Table;
  /** what has to be in view for a confirmation */
  pane: RefObject<HTMLElement | null>;
}

/** The focused cell: its place, what the model read, its flag, and the actions on it. */
function CellLine({ table, pane, work, readOnly }: CellLineProps) {
  // The selection decides which cell it is.
  work.selection.value;
  const { cell, unit } = work;
  useWatched(work.readiness, pane, unit?.id ?? null);
  const isReady = useReady(work.readiness, unit?.looks ?? []);
  if (!cell) return null;
  const { fix, flag, model_text } = cell;
  const isOpen = needsConfirmation(cell);
  return (
    <div
      class="cell-line stack"
      data-testid="cell-line"
      data-verdict-ready={unit ? isReady : undefined}
    >
      <div class="line wrapping">
        <span class="quiet number">
          {t("Row {row}, column {column}", { row: cell.row + 1, column: cell.column + 1 })}
        </span>
        <Button
          testid="cell-edit"
          title={t("Correct the text (Enter)")}
          disabled={!work.mayEdit}
          onClick={() => work.edit()}
        >
          <Icon name="pencil" />
          {t("Correct cell")}
          <KeyHint keyName={t("Enter")} />
        </Button>
        <Button
          testid="cell-flag"
          title={t("Say what is wrong with the cell (F)")}
          aria-pressed={Boolean(flag)}
          disabled={readOnly}
          onClick={() => work.startFlag()}
        >
          <Icon name="flag" />
          {t("Flag cell…")}
          <KeyHint keyName="F" />
        </Button>
        <Button
          testid="table-flag"
          aria-pressed={Boolean(table.flag)}
          disabled={readOnly}
          onClick={() => work.startFlag(true)}
        >
          <Icon name="flag" />
          {t("Flag table…")}
        </Button>
        {isOpen ? (
          <Button
            testid="cell-confirm"
            title={t("The change is right (C)")}
            disabled={readOnly}
            onClick={() => work.confirm()}
          >
            <Icon name="check" />
            {t("Confirm")}
            <KeyHint keyName="C" />
          </Button>
        ) : null}
      </div>
      <dl class="cell-facts">
        {(model_text ?? null) !== null ? (
          <Fact name={t("The model read")} text={model_text || t("(empty)")} />
        ) : null}
        {fix ? <Fact name={t("The model’s change")} text={fixText(fix)} /> : null}
        {fix && fix.changed === "text" ? (
          <Fact name={t("Before")} text={fix.was || t("(empty)")} />
        ) : null}
        {fix?.answered_flag ? (
          <Fact name={t("You had flagged")} text={flagText(fix.answered_flag)} />
        ) : null}
        {flag ? <Fact name={t("Flag")} text={flagText(flag)} /> : null}
        {table.flag ? <Fact name={t("Flag of the table")} text={flagText(table.flag)} /> : null}
      </dl>
      <p class="caption table-keys">
        {t("Arrow keys move, with Shift they select. All keys: {key}", { key: keyName("help") })}
      </p>
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}
