import { useSignal } from "@preact/signals";
import { Component, type RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { listenToClipboard } from "../../shared/clipboard";
import { keysWithin } from "../../shared/keys";
import { N_, t } from "../../shared/messages";
import {
  colspanOf,
  needsConfirmation,
  rowspanOf,
  slotsOf,
  textOf,
} from "../../shared/table_changes";
import { type Area, isIn, selectedArea, withinTable } from "./table_selection";
import {
  columnsAround,
  FIRST_WINDOW,
  gapsOf,
  headerRows,
  isLarge,
  isLongText,
  isSamePieces,
  isSameWindow,
  type Lines,
  type Piece,
  piecesOf,
  rowsAround,
  runsOf,
  sizeOf,
  sizesOf,
  type TableSizes,
} from "./table_window";
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

/** A table as a grid in which keys work as in a spreadsheet; of a large one, what is on screen is drawn. */
export function TableGrid({ table, work, readOnly }: TableGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const sizes = useMemo(() => (isLarge(table) ? sizesOf(table) : null), [table.cells]);
  const { shown, update } = useTableWindow(scroller, grid, sizes);
  const within = withinTable(work.selection.value, table);
  const area = selectedArea(within, table);
  const focused = slotsOf(table)[within.to.row]?.[within.to.column];
  const editing = work.editing.value;
  const editedCell = editing?.table === table.id ? editing : null;
  const focusCount = work.focusCount.value;
  const nHeaders = headerRows(table);
  const { n_rows, n_columns } = table;
  const headerRun = { start: 0, end: nHeaders };
  const bodyRuns = sizes
    ? runsOf(shown.rows, focused?.row ?? 0, n_rows, nHeaders)
    : [{ start: nHeaders, end: n_rows }];
  const columnRuns = sizes
    ? runsOf(shown.columns, focused?.column ?? 0, n_columns)
    : [{ start: 0, end: n_columns }];
  const gaps = gapsOf(bodyRuns, n_rows, nHeaders);
  useLayoutEffect(() => {
    if (scroller.current && head.current)
      scroller.current.style.scrollPaddingTop = `${head.current.offsetHeight}px`;
  }, [nHeaders, table.cells]);
  const isEditing = editedCell !== null;
  useEffect(() => {
    if (!isEditing) return copyAndPaste(work, grid);
  }, [isEditing]);
  const lastFocus = useRef(0);
  useLayoutEffect(() => {
    const isFinding = work.find.value !== null;
    if (!(focusCount || isFinding) || editedCell) return;
    const cell = grid.current?.querySelector<HTMLElement>('[tabindex="0"]');
    // What was found is shown while the focus stays in the field.
    if (!isFinding || focusCount !== lastFocus.current) cell?.focus({ preventScroll: true });
    lastFocus.current = focusCount;
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    update();
  }, [focusCount, focused?.row, focused?.column, nHeaders, editedCell === null]);

  const rowsOf = (run: Lines) =>
    linesIn(run).map((row) => (
      <GridRow
        key={row}
        pieces={piecesOf(table, row, run, columnRuns)}
        height={sizes && sizeOf(sizes.rows, { start: row, end: row + 1 })}
        isHead={row < nHeaders}
        area={touches(area, row) ? area : null}
        focused={focused?.row === row ? focused.column : null}
        editing={editedCell?.row === row ? editedCell : null}
        {...{ row, work }}
      />
    ));
  return (
    <div ref={scroller} class="table-scroll scrolls" onScroll={update}>
      {table.caption ? <p class="caption">{table.caption}</p> : null}
      <table
        ref={grid}
        class={sizes ? "table-grid is-large" : "table-grid"}
        style={sizes ? { width: `${sizes.columns[n_columns]}em` } : undefined}
        {...GRID}
        {...{ "aria-readonly": readOnly || !work.mayEdit }}
        aria-rowcount={n_rows}
        aria-colcount={n_columns}
        aria-label={table.caption || t("Table {table}", { table: table.id })}
        data-keys={`${keysWithin("tables")} Escape`}
        data-testid="table-grid"
        onKeyDown={(event) => onKey(event, work)}
      >
        {sizes ? (
          <colgroup>
            {linesIn({ start: 0, end: n_columns }).map((column) => (
              <col key={column} style={{ width: widthOf(sizes, column) }} />
            ))}
          </colgroup>
        ) : null}
        {nHeaders ? <thead ref={head}>{rowsOf(headerRun)}</thead> : null}
        <tbody>
          {[
            // One list, so that the row with the focus stays in its place.
            ...bodyRuns.flatMap((run, i) => [
              <RowGap key={`gap ${i}`} lines={gaps[i]} sizes={sizes} />,
              ...rowsOf(run),
            ]),
            <RowGap key="gap" lines={gaps[bodyRuns.length]} sizes={sizes} />,
          ]}
        </tbody>
      </table>
    </div>
  );
}

/** Copy and paste cells by keys while the focus is in the grid. */
function copyAndPaste(work: TableWork, grid: RefObject<HTMLTableElement | null>): () => void {
  const stop = (["copy", "paste"] as const).map((type) =>
    listenToClipboard(type, (event, focused) => {
      if (!grid.current?.contains(focused)) return;
      event.preventDefault();
      if (type === "copy") event.clipboardData?.setData("text/plain", work.copy() ?? "");
      else work.paste(event.clipboardData?.getData("text/plain") ?? "");
    }),
  );
  return () => {
    for (const stopListening of stop) stopListening();
  };
}

const linesIn = ({ start, end }: Lines) => Array.from({ length: end - start }, (_, i) => start + i);

const widthOf = ({ columns }: TableSizes, column: number) =>
  `${sizeOf(columns, { start: column, end: column + 1 })}em`;

const touches = ({ row, rowspan }: Area, other: number) => other >= row && other < row + rowspan;

/** The part of a table that is drawn, which follows the scroll position. */
function useTableWindow(
  scroller: RefObject<HTMLDivElement | null>,
  grid: RefObject<HTMLTableElement | null>,
  sizes: TableSizes | null,
) {
  const shown = useSignal(FIRST_WINDOW);
  const current = useRef(sizes);
  current.current = sizes;
  const update = useCallback(() => {
    const { current: view } = scroller;
    if (!current.current || !view || !grid.current) return;
    const { rows, columns } = current.current;
    const em = Number.parseFloat(getComputedStyle(grid.current).fontSize);
    const top = (view.scrollTop - grid.current.offsetTop) / em;
    const left = (Math.abs(view.scrollLeft) - grid.current.offsetLeft) / em;
    const next = {
      rows: rowsAround(rows, top, top + view.clientHeight / em),
      columns: columnsAround(columns, left, left + view.clientWidth / em),
    };
    if (!isSameWindow(shown.value, next)) shown.value = next;
  }, []);
  useLayoutEffect(update, [sizes]);
  useEffect(() => {
    const observer = new ResizeObserver(update);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  return { shown: shown.value, update };
}

interface RowGapProps {
  lines: Lines | undefined;
  sizes: TableSizes | null;
}

/** The place of rows that are not drawn. */
function RowGap({ lines, sizes }: RowGapProps) {
  if (!sizes || !lines || lines.end <= lines.start) return null;
  return (
    <tr class="table-gap" style={{ height: `${sizeOf(sizes.rows, lines)}em` }}>
      <td />
    </tr>
  );
}

interface GridRowProps {
  pieces: Piece[];
  row: number;
  /** at least, in em */
  height: number | null;
  /** whether its cells are headers of columns */
  isHead: boolean;
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
    const { pieces, height, isHead, area, focused, editing } = this.props;
    const isSameArea =
      area === next.area ||
      (area !== null &&
        next.area !== null &&
        area.column === next.area.column &&
        area.colspan === next.area.colspan);
    return (
      !isSamePieces(pieces, next.pieces) ||
      !isSameArea ||
      height !== next.height ||
      isHead !== next.isHead ||
      focused !== next.focused ||
      editing !== next.editing
    );
  }

  override render({ pieces, row, height, isHead, work, area, focused, editing }: GridRowProps) {
    return (
      <tr aria-rowindex={row + 1} style={height ? { height: `${height}em` } : undefined}>
        {pieces.map(({ cell, column, ...piece }) => {
          if (!cell) return <td key={`gap ${column}`} class="table-gap" colSpan={piece.colspan} />;
          const isAnchor = cell.row === row && cell.column === column;
          return (
            <GridCell
              key={column}
              piece={{ cell, column, ...piece }}
              {...{ cell, isHead, work }}
              isSelected={area !== null && isIn(cell, area)}
              isFocused={isAnchor && column === focused}
              editing={isAnchor && editing?.column === column ? editing : null}
            />
          );
        })}
      </tr>
    );
  }
}

interface GridCellProps {
  cell: Pt.TableCell;
  piece: Piece;
  isHead: boolean;
  work: TableWork;
  isSelected: boolean;
  isFocused: boolean;
  editing: Editing | null;
}

function GridCell({ cell, piece, isHead, work, isSelected, isFocused, editing }: GridCellProps) {
  const { row, column, header, flag, fix } = cell;
  const Tag = header ? "th" : "td";
  const headerRole = isHead ? "columnheader" : "rowheader";
  const status = statusText(cell);
  const isCut = piece.rowspan < rowspanOf(cell) || piece.colspan < colspanOf(cell);
  const text = editing ? editing.before : textOf(cell);
  return (
    <Tag
      class={cellClass(cell, isCut)}
      role={header ? headerRole : "gridcell"}
      rowSpan={piece.rowspan}
      colSpan={piece.colspan}
      aria-rowspan={isCut ? rowspanOf(cell) : undefined}
      aria-colspan={isCut ? colspanOf(cell) : undefined}
      aria-colindex={piece.column + 1}
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
      <span
        class={isLongText(text) ? "cell-text is-long" : "cell-text"}
        dir="auto"
        aria-hidden={editing !== null}
      >
        {text}
      </span>
      {editing ? <CellEditor editing={editing} work={work} /> : null}
    </Tag>
  );
}

function cellClass(cell: Pt.TableCell, isCut: boolean) {
  const names = [cell.header ? "is-header" : "", isCut ? "is-cut" : "", stateClass(cell)];
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
  const { flag, fix, model_text } = cell;
  const parts: string[] = [];
  if (flag) parts.push(flag.note ? t("flagged: {note}", { note: flag.note }) : t("flagged"));
  if (needsConfirmation(cell) && fix)
    parts.push(t("to confirm: {change}", { change: fixText(fix) }));
  if ((model_text ?? null) !== null) parts.push(t("the model read: {text}", { text: model_text }));
  return parts.join(", ");
}

function CellEditor({ editing, work }: { editing: Editing; work: TableWork }) {
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
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
function onEditorKey(event: KeyboardEvent, work: TableWork) {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if (event.isComposing || ctrlKey || metaKey) return false;
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
    const isCorner = chord && (key === "Home" || key === "End");
    if (isCorner) work.move(right, right, extend);
    else work.move(down * (down ? far : 1), right * (right ? far : 1), extend);
    return true;
  }
  if (chord && key.toLowerCase() === "a") {
    work.selectAll();
    return true;
  }
  if (chord && key.toLowerCase() === "f") {
    work.openFind();
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
