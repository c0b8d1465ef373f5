/**
 * Which rows and columns of a large table are drawn. Those that are not are gaps of an estimated
 * size: a row is at least as high as its estimate, so that the gaps before it are where it begins.
 * Sizes are in em.
 */

import {
  colspanOf,
  rowspanOf,
  slotsOf,
  type TableLayout,
  textOf,
} from "../../shared/table_changes";
import type { Slot } from "./table_selection";

/** A table with more slots is drawn in part. */
const MAX_WHOLE = 800;
const MAX_WIDTH = 22;
const MIN_WIDTH = 4;
const CELL_PADDING = 1.1;
const LINE_HEIGHT = 1.4;
const ROW_PADDING = 0.75;
const MAX_HEADERS = 3;
/** As many lines of a text are shown; it can be scrolled. */
const MAX_LINES = 15;
/** More than fit on those lines need not be measured. */
const MAX_MEASURED = 900;
/** Windows begin and end at multiples of these, so that few steps of scrolling change one. */
const ROW_STEP = 8;
const COLUMN_STEP = 4;

/** Rows or columns, up to but not including the end. */
export interface Lines {
  start: number;
  end: number;
}

/** Where each line begins, and where the last one ends. */
type Offsets = number[];

export interface TableSizes {
  rows: Offsets;
  columns: Offsets;
}

/** What is drawn, or on screen. */
export interface TableWindow {
  rows: Lines;
  columns: Lines;
}

/** A cell, or the part of a merged cell within drawn lines; a gap where there is no cell. */
export interface Piece extends Slot {
  cell: Pt.TableCell | null;
  rowspan: number;
  colspan: number;
}

/** What is drawn before anything could be measured. */
export const FIRST_WINDOW: TableWindow = {
  rows: { start: 0, end: 24 },
  columns: { start: 0, end: 12 },
};

export const isLarge = ({ n_rows, n_columns }: TableLayout) => n_rows * n_columns > MAX_WHOLE;

/** Whether a text has more lines than are shown of it. */
export const isLongText = (text: string) => linesOf(lineWidths(text), MAX_WIDTH) > MAX_LINES;

/** Rows at the top of which all cells are headers: they stay on screen. */
export function headerRows(layout: TableLayout) {
  const slots = slotsOf(layout);
  const isHeader = (row: number) => slots[row]?.every((cell) => cell?.header) ?? false;
  let count = 0;
  while (count < MAX_HEADERS && count < layout.n_rows - 1 && isHeader(count)) count += 1;
  return count;
}

/** Estimated sizes of rows and columns. */
export function sizesOf({ n_rows, n_columns, cells }: TableLayout): TableSizes {
  const widths = new Array<number>(n_columns).fill(MIN_WIDTH);
  const lineWidthsByCell = cells.map(measured);
  cells.forEach((cell, i) => {
    if (colspanOf(cell) === 1)
      widths[cell.column] = Math.max(
        widths[cell.column] ?? 0,
        columnWidth(lineWidthsByCell[i] ?? []),
      );
  });
  const columns = offsetsOf(widths);
  const heights = new Array<number>(n_rows).fill(1);
  cells.forEach((cell, i) => {
    const width = sizeOf(columns, { start: cell.column, end: cell.column + colspanOf(cell) });
    const lines = Math.min(MAX_LINES, linesOf(lineWidthsByCell[i] ?? [], width));
    const share = Math.ceil(lines / rowspanOf(cell));
    for (let row = cell.row; row < cell.row + rowspanOf(cell); row++)
      heights[row] = Math.max(heights[row] ?? 0, share);
  });
  return { rows: offsetsOf(heights.map((n) => n * LINE_HEIGHT + ROW_PADDING)), columns };
}

export const sizeOf = (offsets: Offsets, { start, end }: Lines) =>
  (offsets[end] ?? 0) - (offsets[start] ?? 0);

/** The lines to draw so that those between two places are on screen, with some around them. */
export function rowsAround(offsets: Offsets, from: number, to: number) {
  return linesAround(offsets, from, to, ROW_STEP);
}

/** As `rowsAround`. */
export function columnsAround(offsets: Offsets, from: number, to: number) {
  return linesAround(offsets, from, to, COLUMN_STEP);
}

export const isSameWindow = (a: TableWindow, b: TableWindow) =>
  isSameLines(a.rows, b.rows) && isSameLines(a.columns, b.columns);

/** The drawn lines from the first one on, in runs: those on screen, and the one with the focus. */
export function runsOf({ start, end }: Lines, focused: number, count: number, first = 0): Lines[] {
  const focusedLine = { start: focused, end: Math.min(count, focused + 1) };
  const shown = { start: Math.min(start, count), end: Math.min(end, count) };
  const runs: Lines[] = [];
  const sorted = [shown, focusedLine].sort((a, b) => a.start - b.start);
  for (const run of sorted) {
    const begin = Math.max(run.start, runs.at(-1)?.end ?? first);
    const last = runs.at(-1);
    if (run.end <= begin) continue;
    if (last && last.end === begin && run.start <= begin) last.end = run.end;
    else runs.push({ start: begin, end: run.end });
  }
  return runs;
}

/** The lines before, between and behind runs. */
export function gapsOf(runs: Lines[], count: number, first = 0): Lines[] {
  const begins = [first, ...runs.map(({ end }) => end)];
  return begins.map((start, i) => ({ start, end: runs[i]?.start ?? count }));
}

/** What is drawn in a row of a run, in the order of the columns. */
export function piecesOf(layout: TableLayout, row: number, rows: Lines, columns: Lines[]): Piece[] {
  const slots = slotsOf(layout)[row] ?? [];
  const gaps = gapsOf(columns, layout.n_columns);
  const pieces: Piece[] = [];
  const addGap = ({ start, end }: Lines) => {
    if (end > start)
      pieces.push({ cell: null, row, column: start, rowspan: 1, colspan: end - start });
  };
  columns.forEach((run, i) => {
    addGap(gaps[i] ?? run);
    for (let column = run.start; column < run.end; column++) {
      const cell = slots[column];
      if (!cell || row !== Math.max(cell.row, rows.start)) continue;
      if (column !== Math.max(cell.column, run.start)) continue;
      const rowspan = Math.min(cell.row + rowspanOf(cell), rows.end) - row;
      const colspan = Math.min(cell.column + colspanOf(cell), run.end) - column;
      pieces.push({ cell, row, column, rowspan, colspan });
    }
  });
  addGap(gaps[columns.length] ?? { start: 0, end: 0 });
  return pieces;
}

export function isSamePieces(a: Piece[], b: Piece[]) {
  return (
    a.length === b.length &&
    a.every((piece, i) => {
      const other = b[i];
      return (
        piece.cell === other?.cell &&
        piece.column === other.column &&
        piece.rowspan === other.rowspan &&
        piece.colspan === other.colspan
      );
    })
  );
}

const isSameLines = (a: Lines, b: Lines) => a.start === b.start && a.end === b.end;

function linesAround(offsets: Offsets, from: number, to: number, step: number): Lines {
  const count = offsets.length - 1;
  const start = Math.floor(lineAt(offsets, from) / step) * step - step;
  const end = Math.ceil((lineAt(offsets, to) + 1) / step) * step + step;
  return { start: Math.max(0, start), end: Math.min(count, end) };
}

/** The line at a place; the first or the last where it is outside of the table. */
function lineAt(offsets: Offsets, place: number) {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function offsetsOf(sizes: number[]): Offsets {
  let sum = 0;
  const offsets = [0];
  for (const size of sizes) {
    sum += size;
    offsets.push(sum);
  }
  return offsets;
}

/** The width that a column needs for a text without breaking it, within bounds. */
const columnWidth = (widths: number[]) => Math.min(MAX_WIDTH, Math.max(...widths) + CELL_PADDING);

/** Lines of a text in a cell of that width. */
function linesOf(widths: number[], width: number) {
  const inner = Math.max(1, width - CELL_PADDING);
  return widths.reduce((sum, line) => sum + Math.max(1, Math.ceil(line / inner)), 0);
}

const knownWidths = new WeakMap<Pt.TableCell, number[]>();

/** Widths of the lines of a cell's text; most cells are those of before the last change. */
function measured(cell: Pt.TableCell) {
  const known = knownWidths.get(cell);
  if (known) return known;
  const widths = lineWidths(textOf(cell));
  knownWidths.set(cell, widths);
  return widths;
}

const lineWidths = (text: string) => text.slice(0, MAX_MEASURED).split("\n").map(textWidth);

function textWidth(line: string) {
  let width = 0;
  for (let i = 0; i < line.length; i++) width += line.charCodeAt(i) < FULL_WIDTH ? 0.58 : 1;
  return width;
}

/** From here on, most characters are as wide as they are high. */
const FULL_WIDTH = 0x2e80;
