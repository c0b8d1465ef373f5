import { useComputed } from "@preact/signals";
import { Component } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { N_, t } from "../../shared/messages";
import {
  colspanOf,
  needsConfirmation,
  rowspanOf,
  slotsOf,
  textOf,
} from "../../shared/table_changes";
import { type Area, isIn, selectedArea, withinTable } from "./table_selection";
import type { Editing, TableWork } from "./table_work";

const PAGE_ROWS = 10;
/** A table whose cells take the focus. */
const GRID = { role: "grid", "aria-multiselectable": true } as const;

const FIXES: Record<Pt.CellFix["changed"], string> = {
  new: N_("new"),
  text: N_("text changed"),
  header: N_("header changed"),
  span: N_("merging changed"),
  nothing: N_("flag not followed"),
};

/** What a model changed in a cell, in words. */
export const fixText = ({ changed }: Pt.CellFix) => t(FIXES[changed]);

export interface TableGridProps {
  table: Pt.Table;
  work: TableWork;
  readOnly: boolean;
}

/** A table as a grid in which keys work as in a spreadsheet. */
export function TableGrid({ table, work, readOnly }: TableGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const selection = useComputed(() => work.selection.value).value;
  const editing = work.editing.value;
  const within = withinTable(selection, table);
  const area = selectedArea(within, table);
  const rows = useRows(table);
  const focused = slotsOf(table)[within.to.row]?.[within.to.column];
  const editedCell = editing?.table === table.id ? editing : null;
  const focusCount = work.focusCount.value;
  useLayoutEffect(() => {
    if (!focusCount || editedCell) return;
    const cell = grid.current?.querySelector<HTMLElement>('[tabindex="0"]');
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [focusCount, focused?.row, focused?.column, editedCell === null]);
  return (
    <table
      ref={grid}
      class="table-grid"
      {...GRID}
      {...{ "aria-readonly": readOnly || !work.mayEdit }}
      aria-label={table.caption || t("Table {table}", { table: table.id })}
      data-keys="f h m s c ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown Enter F2 Tab Delete Backspace Escape"
      data-testid="table-grid"
      onKeyDown={(event) => onKey(event, work)}
      onCopy={(event) => {
        if (editedCell) return;
        event.preventDefault();
        event.clipboardData?.setData("text/plain", work.copy() ?? "");
      }}
      onPaste={(event) => {
        if (editedCell) return;
        event.preventDefault();
        work.paste(event.clipboardData?.getData("text/plain") ?? "");
      }}
    >
      <tbody>
        {rows.map((cells, row) => (
          <GridRow
            key={row}
            {...{ cells, row, work }}
            area={touches(area, row) ? area : null}
            focused={focused?.row === row ? focused.column : null}
            editing={editedCell?.row === row ? editedCell : null}
          />
        ))}
      </tbody>
    </table>
  );
}

const touches = ({ row, rowspan }: Area, other: number) => other >= row && other < row + rowspan;

/** Cells by the row they begin in; a row whose cells are the same stays the same array. */
function useRows(table: Pt.Table) {
  const known = useRef<Pt.TableCell[][]>([]);
  return useMemo(() => {
    const rows: Pt.TableCell[][] = Array.from({ length: table.n_rows }, () => []);
    for (const cell of table.cells) rows[cell.row]?.push(cell);
    known.current = rows.map((cells, row) => {
      const before = known.current[row];
      const isSame =
        before?.length === cells.length && cells.every((cell, i) => cell === before[i]);
      return isSame && before ? before : cells;
    });
    return known.current;
  }, [table.cells, table.n_rows]);
}

interface GridRowProps {
  cells: Pt.TableCell[];
  row: number;
  work: TableWork;
  /** the selection, if it touches the row */
  area: Area | null;
  /** column of the cell that takes the focus, if it is in the row */
  focused: number | null;
  editing: Editing | null;
}

/** A row that is rendered again only if something of it changes: a table has thousands of cells. */
class GridRow extends Component<GridRowProps> {
  override shouldComponentUpdate(next: GridRowProps) {
    const { cells, area, focused, editing } = this.props;
    const isSameArea =
      area === next.area ||
      (area !== null &&
        next.area !== null &&
        area.column === next.area.column &&
        area.colspan === next.area.colspan);
    return (
      cells !== next.cells || !isSameArea || focused !== next.focused || editing !== next.editing
    );
  }

  override render({ cells, row, work, area, focused, editing }: GridRowProps) {
    return (
      <tr aria-rowindex={row + 1}>
        {cells.map((cell) => (
          <GridCell
            key={cell.column}
            {...{ cell, work }}
            isSelected={area !== null && isIn(cell, area)}
            isFocused={cell.column === focused}
            editing={editing?.column === cell.column ? editing : null}
          />
        ))}
      </tr>
    );
  }
}

interface GridCellProps {
  cell: Pt.TableCell;
  work: TableWork;
  isSelected: boolean;
  isFocused: boolean;
  editing: Editing | null;
}

function GridCell({ cell, work, isSelected, isFocused, editing }: GridCellProps) {
  const { row, column, header, flag, fix } = cell;
  const Tag = header ? "th" : "td";
  const status = statusText(cell);
  return (
    <Tag
      class={cellClass(cell)}
      role="gridcell"
      rowSpan={rowspanOf(cell)}
      colSpan={colspanOf(cell)}
      aria-colindex={column + 1}
      aria-selected={isSelected}
      aria-description={status || undefined}
      title={status || undefined}
      tabIndex={isFocused ? 0 : -1}
      data-cell={`${row},${column}`}
      data-flagged={flag ? true : undefined}
      data-fix={fix ? fix.changed : undefined}
      onMouseDown={(event) => {
        if (editing) return;
        event.preventDefault();
        work.finish();
        work.select({ row, column }, event.shiftKey);
      }}
      onMouseEnter={(event) => {
        if (event.buttons === 1 && !work.editing.value) work.select({ row, column }, true);
      }}
      onDblClick={() => work.edit()}
    >
      <span class="cell-text" dir="auto" aria-hidden={editing !== null}>
        {editing ? editing.before : textOf(cell)}
      </span>
      {editing ? <CellEditor editing={editing} work={work} /> : null}
    </Tag>
  );
}

function cellClass(cell: Pt.TableCell) {
  const names = [cell.header ? "is-header" : "", stateClass(cell)];
  return names.filter(Boolean).join(" ");
}

function stateClass(cell: Pt.TableCell) {
  const { flag, fix, added, model_text } = cell;
  if (flag) return "is-flagged";
  if (needsConfirmation(cell)) return "is-open";
  if (added || (model_text ?? null) !== null) return "is-changed";
  return fix ? "is-confirmed" : "";
}

/** What is known of a cell besides its text, for screen readers and on hovering. */
function statusText(cell: Pt.TableCell) {
  const { header, flag, fix, model_text } = cell;
  const parts = [header ? t("header") : ""];
  if (flag) parts.push(flag.note ? t("flagged: {note}", { note: flag.note }) : t("flagged"));
  if (needsConfirmation(cell) && fix)
    parts.push(t("to confirm: {change}", { change: fixText(fix) }));
  if ((model_text ?? null) !== null) parts.push(t("the model read: {text}", { text: model_text }));
  return parts.filter(Boolean).join(", ");
}

function CellEditor({ editing, work }: { editing: Editing; work: TableWork }) {
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return (
    <textarea
      ref={input}
      class="cell-editor"
      dir="auto"
      rows={Math.min(8, editing.text.split("\n").length)}
      aria-label={t("Text of the cell")}
      data-testid="cell-editor"
      value={editing.text}
      onInput={(event) => work.type(event.currentTarget.value)}
      onBlur={() => work.finish()}
    />
  );
}

const ARROWS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE_ROWS, 0],
  PageDown: [PAGE_ROWS, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

function onKey(event: KeyboardEvent, work: TableWork) {
  const isHandled = work.editing.value ? onEditorKey(event, work) : onGridKey(event, work);
  if (isHandled) event.preventDefault();
}

/** @returns whether the key is used up */
function onEditorKey({ key, shiftKey, altKey, isComposing }: KeyboardEvent, work: TableWork) {
  if (isComposing) return false;
  if (key === "Escape") {
    work.cancel();
    return true;
  }
  if (key === "Enter" && !shiftKey && !altKey) {
    work.finish();
    work.move(1, 0);
    return true;
  }
  if (key === "Tab") {
    work.finish();
    work.moveOn(shiftKey ? -1 : 1);
    return true;
  }
  return false;
}

function onGridKey(event: KeyboardEvent, work: TableWork) {
  const { key, shiftKey: extend, ctrlKey, metaKey, altKey } = event;
  const chord = ctrlKey || metaKey;
  const arrow = ARROWS[key];
  if (arrow && !altKey) {
    const [down, right] = arrow;
    const far = chord ? Infinity : 1;
    work.move(down * (down ? far : 1), right * (right ? far : 1), extend);
    return true;
  }
  if (chord && key.toLowerCase() === "a") {
    work.selectAll();
    return true;
  }
  if (chord || altKey) return false;
  if (key === "Tab") return work.moveOn(extend ? -1 : 1); // at the end, the focus leaves the grid
  const command = COMMANDS[key];
  command?.(work);
  return command !== undefined;
}

const COMMANDS: Record<string, (work: TableWork) => void> = {
  Enter: (work) => work.edit(),
  F2: (work) => work.edit(),
  Delete: (work) => work.clear(),
  Backspace: (work) => work.clear(),
  f: (work) => work.startFlag(),
  h: (work) => work.toggleHeader(),
  m: (work) => work.merge(),
  s: (work) => work.split(),
  c: (work) => work.confirm(),
};
