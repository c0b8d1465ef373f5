/**
 * Changes of a table's cells, and what undoes them: the client's copy of
 * annotation/tables/cells.py. A value that is the default is left out.
 */

export interface TableLayout {
  n_rows: number;
  n_columns: number;
  cells: Pt.TableCell[];
}

type LayoutChange = Pt.TableEdited["change"];
export type TableChange = LayoutChange | Pt.FlagSet | Pt.FixesConfirmed;
type Lines = Pt.LinesInserted | Pt.LinesDeleted;

const MAX_ROWS = 2000;
const MAX_COLUMNS = 500;
const MAX_SLOTS = 50_000;
const CELL_WEIGHT = 20;

export const textOf = (cell: Pt.TableCell) => cell.text ?? "";
export const rowspanOf = (cell: Pt.TableCell) => cell.rowspan ?? 1;
export const colspanOf = (cell: Pt.TableCell) => cell.colspan ?? 1;

/** Whether rows and columns mean other cells afterwards. */
export const isStructural = ({ kind }: TableChange) =>
  kind === "cells" || kind === "insert" || kind === "delete";

/** Whether a model changed the cell and the annotator has not said anything of it yet. */
export function needsConfirmation({ fix, confirmed, flag, model_text }: Pt.TableCell) {
  return Boolean(fix) && !confirmed && !flag && (model_text ?? null) === null;
}

type Slots = (Pt.TableCell | undefined)[][];

const knownSlots = new WeakMap<Pt.TableCell[], Slots>();

/** The cell of each slot, by row and column; worked out once for the same cells. */
export function slotsOf(layout: TableLayout): Slots {
  const known = knownSlots.get(layout.cells);
  if (known) return known;
  const slots = newSlots(layout);
  knownSlots.set(layout.cells, slots);
  return slots;
}

function newSlots({ n_rows, n_columns, cells }: TableLayout): Slots {
  const slots = Array.from({ length: n_rows }, () =>
    new Array<Pt.TableCell | undefined>(n_columns).fill(undefined),
  );
  for (const cell of cells) {
    const end = cell.column + colspanOf(cell);
    for (let row = cell.row; row < cell.row + rowspanOf(cell); row++)
      slots[row]?.fill(cell, cell.column, end);
  }
  return slots;
}

/** The layout after a change of cells; null where the change does not apply. */
export function changedLayout(layout: TableLayout, change: TableChange): TableLayout | null {
  switch (change.kind) {
    case "text": {
      const cell = cellAt(layout, change.row, change.column);
      if (!cell || textOf(cell) !== change.was) return null;
      return updated(layout, [[change.row, change.column]], (old) => withText(old, change.text));
    }
    case "header": {
      const header = change.header || undefined;
      return updated(layout, change.cells, (cell) => ({ ...cell, header }));
    }
    case "flag": {
      const { row = null, column = null, flag } = change;
      if (row === null || column === null) return layout;
      return updated(layout, [[row, column]], (cell) => ({ ...cell, flag: flag ?? undefined }));
    }
    case "confirm": {
      const confirmed = change.confirmed || undefined;
      return updated(layout, change.cells ?? [], (cell) => ({ ...cell, confirmed }));
    }
    case "cells":
      return replaced(layout, change);
    case "insert":
      return inserted(layout, change);
    case "delete":
      return deleted(layout, change);
    default:
      return null;
  }
}

/**
 * The change that leads back to the layout; null where the change does not apply to it.
 * @param tableFlag of the whole table, before the change
 */
export function inverseChange(
  layout: TableLayout,
  change: TableChange,
  tableFlag: Pt.CellFlag | null,
): TableChange | null {
  if (!changedLayout(layout, change)) return null;
  switch (change.kind) {
    case "text":
      return { ...change, text: change.was, was: change.text };
    case "header": {
      const differing = change.cells.filter(
        ([row, column]) => Boolean(cellAt(layout, row, column)?.header) !== change.header,
      );
      return differing.length
        ? { kind: "header", cells: differing, header: !change.header }
        : change;
    }
    case "flag": {
      const { row = null, column = null } = change;
      const cell = row === null || column === null ? null : cellAt(layout, row, column);
      return { ...change, flag: (cell ? cell.flag : tableFlag) ?? undefined };
    }
    case "confirm": {
      const cells = (change.cells ?? []).filter(
        ([row, column]) => Boolean(cellAt(layout, row, column)?.confirmed) !== change.confirmed,
      );
      return { ...change, cells: cells.length ? cells : undefined, confirmed: !change.confirmed };
    }
    case "cells":
      return { ...change, cells: layout.cells.filter((cell) => isInside(cell, change)) };
    case "insert":
      return { kind: "delete", axis: change.axis, at: change.at, count: change.count };
    case "delete":
      return reinsertion(layout, change);
    default:
      return null;
  }
}

/** Characters that a change counts as in a history. */
export function changeWeight(change: TableChange): number {
  switch (change.kind) {
    case "text":
      return characters(change.text) + characters(change.was);
    case "cells":
    case "insert":
      return (change.cells ?? []).reduce(
        (sum, cell) => sum + CELL_WEIGHT + characters(textOf(cell)),
        0,
      );
    case "header":
    case "confirm":
      return change.cells?.length ?? 0;
    default:
      return 0;
  }
}

/** As Python counts them. */
const characters = (text: string) => [...text].length;

export function cellAt({ cells }: TableLayout, row: number, column: number) {
  return cells.find((cell) => cell.row === row && cell.column === column);
}

function* cellSlots(cell: Pt.TableCell): Generator<[number, number]> {
  for (let row = cell.row; row < cell.row + rowspanOf(cell); row++)
    for (let column = cell.column; column < cell.column + colspanOf(cell); column++)
      yield [row, column];
}

/** The cell with another text; what the model gave is kept beside it. */
function withText(cell: Pt.TableCell, text: string): Pt.TableCell {
  const model_text = cell.model_text ?? textOf(cell);
  const isAsGiven = cell.added || text === model_text;
  return { ...cell, text: text || undefined, model_text: isAsGiven ? undefined : model_text };
}

function updated(
  layout: TableLayout,
  anchors: [number, number][],
  change: (cell: Pt.TableCell) => Pt.TableCell,
): TableLayout | null {
  const wanted = new Set(anchors.map(([row, column]) => slotKey(row, column)));
  let count = 0;
  const cells = layout.cells.map((cell) => {
    if (!wanted.has(slotKey(cell.row, cell.column))) return cell;
    count += 1;
    return change(cell);
  });
  return count === wanted.size ? { ...layout, cells } : null;
}

const slotKey = (row: number, column: number) => row * MAX_COLUMNS + column;

function isInside(cell: Pt.TableCell, area: Pt.CellsReplaced) {
  return (
    area.row <= cell.row &&
    cell.row + rowspanOf(cell) <= area.row + area.rowspan &&
    area.column <= cell.column &&
    cell.column + colspanOf(cell) <= area.column + area.colspan
  );
}

function replaced(layout: TableLayout, change: Pt.CellsReplaced) {
  if (!change.cells.every((cell) => isInside(cell, change))) return null;
  const kept = layout.cells.filter((cell) => !isInside(cell, change));
  return covering(layout.n_rows, layout.n_columns, [...kept, ...change.cells]);
}

/** The layout of these cells if they cover each slot exactly once. */
function covering(n_rows: number, n_columns: number, cells: Pt.TableCell[]): TableLayout | null {
  const sorted = [...cells].sort((a, b) => a.row - b.row || a.column - b.column);
  const covered = new Set<number>();
  let area = 0;
  for (const cell of sorted) {
    const isOutside =
      cell.row + rowspanOf(cell) > n_rows || cell.column + colspanOf(cell) > n_columns;
    if (isOutside) return null;
    area += rowspanOf(cell) * colspanOf(cell);
    for (const [row, column] of cellSlots(cell)) covered.add(slotKey(row, column));
  }
  if (area !== n_rows * n_columns || covered.size < area) return null;
  return { n_rows, n_columns, cells: sorted };
}

/** First line and number of lines along an axis. */
function spanAlong(cell: Pt.TableCell, axis: Lines["axis"]): [number, number] {
  return axis === "row" ? [cell.row, rowspanOf(cell)] : [cell.column, colspanOf(cell)];
}

function withSpan(cell: Pt.TableCell, axis: Lines["axis"], start: number, length: number) {
  const span = length === 1 ? undefined : length;
  return axis === "row"
    ? { ...cell, row: start, rowspan: span }
    : { ...cell, column: start, colspan: span };
}

function inserted(layout: TableLayout, change: Pt.LinesInserted) {
  const { axis, at, count = 1 } = change;
  const n_rows = layout.n_rows + (axis === "row" ? count : 0);
  const n_columns = layout.n_columns + (axis === "column" ? count : 0);
  if (at > (axis === "row" ? layout.n_rows : layout.n_columns)) return null;
  if (n_rows > MAX_ROWS || n_columns > MAX_COLUMNS || n_rows * n_columns > MAX_SLOTS) return null;
  const extensions = new Map(
    (change.extended ?? []).map((entry) => [slotKey(entry.row, entry.column), entry]),
  );
  const cells: Pt.TableCell[] = [];
  for (const cell of layout.cells) {
    const [start, length] = spanAlong(cell, axis);
    const key = slotKey(cell.row, cell.column);
    const extension = extensions.get(key);
    if (extension) {
      extensions.delete(key);
      const { lead = 0, trail = 0 } = extension;
      if ((lead && start !== at) || (trail && start + length !== at)) return null;
      if (Math.max(lead, trail) > count) return null;
      const begin = start >= at ? at + count - lead : start;
      cells.push(withSpan(cell, axis, begin, length + lead + trail));
    } else if (start >= at) cells.push(withSpan(cell, axis, start + count, length));
    else if (start + length > at) cells.push(withSpan(cell, axis, start, length + count));
    else cells.push(cell);
  }
  if (extensions.size) return null;
  cells.push(...(change.cells ?? []));
  return covering(n_rows, n_columns, [...cells, ...emptyCells(layout, change, cells)]);
}

/** Empty cells for the free slots of inserted lines: headers between headers. */
function emptyCells(layout: TableLayout, change: Pt.LinesInserted, cells: Pt.TableCell[]) {
  const { axis, at, count = 1 } = change;
  const covered = new Set<number>();
  for (const cell of cells)
    for (const [row, column] of cellSlots(cell)) covered.add(slotKey(row, column));
  const slots = slotsOf(layout);
  const empty: Pt.TableCell[] = [];
  const across = axis === "row" ? layout.n_columns : layout.n_rows;
  for (let other = 0; other < across; other++) {
    const neighbours = [at - 1, at]
      .map((line) => (axis === "row" ? slots[line]?.[other] : slots[other]?.[line]))
      .filter((cell) => cell !== undefined);
    const header = neighbours.every((cell) => cell.header) || undefined;
    for (let line = at; line < at + count; line++) {
      const [row, column] = axis === "row" ? [line, other] : [other, line];
      if (!covered.has(slotKey(row, column))) empty.push({ row, column, header, added: true });
    }
  }
  return empty;
}

function deleted(layout: TableLayout, change: Pt.LinesDeleted) {
  const { axis, at, count = 1 } = change;
  const lines = axis === "row" ? layout.n_rows : layout.n_columns;
  if (at + count > lines || count >= lines) return null;
  const cells: Pt.TableCell[] = [];
  for (const cell of layout.cells) {
    const [start, length] = spanAlong(cell, axis);
    const overlap = overlapOf(start, length, change);
    if (overlap === length) continue;
    const begin = start < at ? start : Math.max(at, start - count);
    cells.push(withSpan(cell, axis, begin, length - overlap));
  }
  const n_rows = layout.n_rows - (axis === "row" ? count : 0);
  const n_columns = layout.n_columns - (axis === "column" ? count : 0);
  return covering(n_rows, n_columns, cells);
}

/** Lines of a cell that are deleted. */
function overlapOf(start: number, length: number, { at, count = 1 }: Pt.LinesDeleted) {
  return Math.max(0, Math.min(start + length, at + count) - Math.max(start, at));
}

function reinsertion(layout: TableLayout, change: Pt.LinesDeleted): Pt.LinesInserted {
  const { axis, at, count = 1 } = change;
  const cells: Pt.TableCell[] = [];
  const extended: Pt.Extension[] = [];
  for (const cell of layout.cells) {
    const [start, length] = spanAlong(cell, axis);
    const overlap = overlapOf(start, length, change);
    const { row, column } = cell;
    if (overlap === length) cells.push(cell);
    else if (overlap && start < at && start + length <= at + count)
      extended.push({ row, column, trail: overlap });
    else if (overlap && start >= at)
      extended.push({
        row: axis === "row" ? at : row,
        column: axis === "column" ? at : column,
        lead: overlap,
      });
  }
  return {
    kind: "insert",
    axis,
    at,
    count: change.count,
    cells: cells.length ? cells : undefined,
    extended: extended.length ? extended : undefined,
  };
}
