/** The selected rectangle of a table, and what keys and changes mean by it. */

import {
  colspanOf,
  rowspanOf,
  slotsOf,
  type TableLayout,
  textOf,
} from "../../shared/table_changes";

/** A slot, 0-based. */
export interface Slot {
  row: number;
  column: number;
}

export interface Selection {
  /** where it began, and where the focus is */
  from: Slot;
  to: Slot;
}

export interface Area {
  row: number;
  column: number;
  rowspan: number;
  colspan: number;
}

export const FIRST: Selection = { from: { row: 0, column: 0 }, to: { row: 0, column: 0 } };

/** The selection within the table as it is now. */
export function withinTable({ from, to }: Selection, layout: TableLayout): Selection {
  const within = ({ row, column }: Slot) => ({
    row: Math.min(row, layout.n_rows - 1),
    column: Math.min(column, layout.n_columns - 1),
  });
  return { from: within(from), to: within(to) };
}

/** The smallest rectangle of whole cells around a selection. */
export function selectedArea({ from, to }: Selection, layout: TableLayout): Area {
  let top = Math.min(from.row, to.row);
  let left = Math.min(from.column, to.column);
  let bottom = Math.max(from.row, to.row) + 1;
  let right = Math.max(from.column, to.column) + 1;
  for (let grows = true; grows; ) {
    grows = false;
    for (const cell of layout.cells) {
      const end = { row: cell.row + rowspanOf(cell), column: cell.column + colspanOf(cell) };
      const isApart =
        cell.row >= bottom || end.row <= top || cell.column >= right || end.column <= left;
      if (isApart) continue;
      if (cell.row < top || cell.column < left || end.row > bottom || end.column > right) {
        top = Math.min(top, cell.row);
        left = Math.min(left, cell.column);
        bottom = Math.max(bottom, end.row);
        right = Math.max(right, end.column);
        grows = true;
      }
    }
  }
  return { row: top, column: left, rowspan: bottom - top, colspan: right - left };
}

export function cellsIn(layout: TableLayout, area: Area) {
  return layout.cells.filter((cell) => isIn(cell, area));
}

export function isIn({ row, column }: Slot, area: Area) {
  return (
    row >= area.row &&
    row < area.row + area.rowspan &&
    column >= area.column &&
    column < area.column + area.colspan
  );
}

/** The slot that a step in a direction leads to: past the whole of a merged cell. */
export function stepFrom(layout: TableLayout, { row, column }: Slot, down: number, right: number) {
  const cell = slotsOf(layout)[row]?.[column];
  if (!cell) return { row: 0, column: 0 };
  const next = {
    row: down > 0 ? cell.row + rowspanOf(cell) - 1 + down : down < 0 ? cell.row + down : row,
    column:
      right > 0
        ? cell.column + colspanOf(cell) - 1 + right
        : right < 0
          ? cell.column + right
          : column,
  };
  return {
    row: Math.max(0, Math.min(layout.n_rows - 1, next.row)),
    column: Math.max(0, Math.min(layout.n_columns - 1, next.column)),
  };
}

/** The next or previous cell in reading order; null at the end. */
export function neighbour(layout: TableLayout, { row, column }: Slot, by: 1 | -1): Slot | null {
  const cell = slotsOf(layout)[row]?.[column];
  const index = cell ? layout.cells.indexOf(cell) : -1;
  return layout.cells[index + by] ?? null;
}

/** A merged cell over an area; its text is that of the cells, in reading order. */
export function mergedCell(layout: TableLayout, { row, column, rowspan, colspan }: Area) {
  const cells = cellsIn(layout, { row, column, rowspan, colspan });
  const text = cells.map(textOf).filter(Boolean).join(" ");
  const flag = cells.find((cell) => cell.flag)?.flag;
  return compact({
    row,
    column,
    rowspan,
    colspan,
    text,
    header: cells.some((cell) => cell.header),
    flag,
    added: true,
  });
}

/** The cells of a merged cell that is split: its text is in the first. */
export function splitCells(cell: Pt.TableCell): Pt.TableCell[] {
  const { text = "", flag, header = false } = cell;
  const cells: Pt.TableCell[] = [];
  for (let row = cell.row; row < cell.row + rowspanOf(cell); row++)
    for (let column = cell.column; column < cell.column + colspanOf(cell); column++) {
      const isFirst = !cells.length;
      cells.push(
        compact({
          row,
          column,
          text: isFirst ? text : "",
          flag: isFirst ? flag : undefined,
          header,
          added: true,
        }),
      );
    }
  return cells;
}

/** Without the values that are the default. */
function compact(cell: Pt.TableCell): Pt.TableCell {
  return {
    ...cell,
    text: cell.text || undefined,
    rowspan: rowspanOf(cell) === 1 ? undefined : cell.rowspan,
    colspan: colspanOf(cell) === 1 ? undefined : cell.colspan,
    header: cell.header || undefined,
    flag: cell.flag ?? undefined,
  };
}

/** An area as text with tabs, as spreadsheets copy it; merged cells have their text once. */
export function copiedText(layout: TableLayout, area: Area) {
  const slots = slotsOf(layout);
  const lines: string[] = [];
  for (let row = area.row; row < area.row + area.rowspan; row++) {
    const texts: string[] = [];
    for (let column = area.column; column < area.column + area.colspan; column++) {
      const cell = slots[row]?.[column];
      const isAnchor = cell?.row === row && cell.column === column;
      texts.push(isAnchor && cell ? textOf(cell).replaceAll(/[\t\n]+/g, " ") : "");
    }
    lines.push(texts.join("\t"));
  }
  return lines.join("\n");
}

/** The lines and fields of a text that was copied from a spreadsheet. */
export function pastedTexts(text: string): string[][] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return lines.map((line) => line.split("\t"));
}

/**
 * The change that pastes texts from a cell on; null where nothing differs.
 * @returns with the number of texts beyond the table, which are left out
 */
export function pasting(layout: TableLayout, { row, column }: Slot, texts: string[][]) {
  const width = Math.max(...texts.map((line) => line.length));
  const to = {
    row: Math.min(layout.n_rows, row + texts.length) - 1,
    column: Math.min(layout.n_columns, column + width) - 1,
  };
  const area = selectedArea({ from: { row, column }, to }, layout);
  const cells = cellsIn(layout, area).map((cell) => {
    const text = texts[cell.row - row]?.[cell.column - column];
    return text === undefined || text === textOf(cell) ? cell : pastedCell(cell, text);
  });
  const within = texts
    .slice(0, layout.n_rows - row)
    .reduce((sum, line) => sum + Math.min(line.length, layout.n_columns - column), 0);
  const all = texts.reduce((sum, line) => sum + line.length, 0);
  return { change: { kind: "cells" as const, ...area, cells }, leftOut: all - within };
}

function pastedCell(cell: Pt.TableCell, text: string): Pt.TableCell {
  const model_text = cell.model_text ?? textOf(cell);
  const isAsGiven = cell.added || text === model_text;
  return { ...cell, text: text || undefined, model_text: isAsGiven ? undefined : model_text };
}

/** The cells whose text contains another, in reading order; none for no text. */
export function cellsWith({ cells }: TableLayout, text: string): Pt.TableCell[] {
  const found = text.toLowerCase();
  return found ? cells.filter((cell) => textOf(cell).toLowerCase().includes(found)) : [];
}

/** The cell that follows a slot in reading order, or the one before it; round the end. */
export function cellAfter(cells: Pt.TableCell[], { row, column }: Slot, by: 1 | -1) {
  const ordered = by > 0 ? cells : [...cells].reverse();
  const next = ordered.find((cell) => by * (cell.row - row || cell.column - column) > 0);
  return next ?? ordered[0];
}
