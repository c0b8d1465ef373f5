/** The tables of a task as a fold of their events: the client's copy of annotation/attempts/table_state.py. */

import { changedLayout, inverseChange, isStructural, type TableChange } from "./table_changes";

export type TableEvent = Extract<
  Pt.EventOf<Pt.EventPayloads>,
  { type: "table_edited" | "cell_flagged" | "cell_confirmed" }
>;

export const tableOf = ({ tables }: Pt.Tables, id: string) =>
  tables.find((table) => table.id === id);

/** What an event does to the cells of its table. */
export function tableChange(event: TableEvent): TableChange {
  switch (event.type) {
    case "table_edited":
      return event.payload.change;
    case "cell_flagged": {
      const { row, column, kind, note } = event.payload;
      const flag = kind ? { kind, note: note || undefined } : undefined;
      return { kind: "flag", row: row ?? undefined, column: column ?? undefined, flag };
    }
    case "cell_confirmed": {
      const { cells, removed, confirmed = true } = event.payload;
      return {
        kind: "confirm",
        cells: cells?.length ? cells : undefined,
        removed: removed || undefined,
        confirmed,
      };
    }
  }
}

export function withTableWork(tables: Pt.Tables, event: TableEvent): Pt.Tables {
  const { table: id } = event.payload;
  const table = tableOf(tables, id);
  const changed = table && changedTable(table, tableChange(event));
  if (!changed) return tables;
  return { ...tables, tables: tables.tables.map((other) => (other === table ? changed : other)) };
}

/** The tables at the beginning of a round, before a model's are given. */
export function withNextRound(
  tables: Pt.Tables,
  { number, model }: { number: number; model?: string | null },
): Pt.Tables {
  if (!tables.tables.length) return tables;
  const unedited = tables.tables.map((table) => ({ ...table, edited: false }));
  return { round: number, model: model ?? null, tables: unedited };
}

export function withGivenTables(tables: Pt.Tables, payload: Pt.TablesGiven): Pt.Tables {
  const { document, page, round, model } = payload;
  const given = new Map<string, Pt.Table>(
    payload.tables.map((table) => [
      table.id,
      {
        ...table,
        document,
        page,
        flag: null,
        removed_confirmed: false,
        structure: 0,
        edited: false,
      },
    ]),
  );
  const replaced = tables.tables.map((table) => {
    const newer = given.get(table.id) ?? table;
    given.delete(table.id);
    return newer;
  });
  return { round, model, tables: [...replaced, ...given.values()] };
}

/** The change that undoes an event; null where the event does not apply. */
export function undoingChange(tables: Pt.Tables, event: TableEvent): TableChange | null {
  const table = tableOf(tables, event.payload.table);
  return table ? inverseChange(table, tableChange(event), table.flag) : null;
}

/** A model's changes that the annotator has not confirmed, corrected or flagged. */
export function openFixes(table: Pt.Table) {
  const { removed, answered_flag, removed_confirmed, flag, cells } = table;
  const isWholeOpen = (removed.length > 0 || answered_flag !== null) && !removed_confirmed && !flag;
  const open = cells.filter(
    (cell) => cell.fix && !cell.confirmed && !cell.flag && (cell.model_text ?? null) === null,
  );
  return { cells: open, isWholeOpen, number: open.length + (isWholeOpen ? 1 : 0) };
}

/** The flags of a table: its own, then those of its cells. */
export function flagsOf({ flag, cells }: Pt.Table) {
  const ofCells = cells.flatMap((cell) => (cell.flag ? [{ cell, flag: cell.flag }] : []));
  return flag ? [{ cell: null, flag }, ...ofCells] : ofCells;
}

function changedTable(table: Pt.Table, change: TableChange): Pt.Table | null {
  const layout = changedLayout(table, change);
  if (!layout) return null;
  const { n_rows, n_columns, cells } = layout;
  const changed = { ...table, n_rows, n_columns, cells };
  if (change.kind === "flag")
    return (change.row ?? null) === null ? { ...changed, flag: change.flag ?? null } : changed;
  if (change.kind === "confirm")
    return change.removed ? { ...changed, removed_confirmed: change.confirmed } : changed;
  return { ...changed, edited: true, structure: table.structure + (isStructural(change) ? 1 : 0) };
}
