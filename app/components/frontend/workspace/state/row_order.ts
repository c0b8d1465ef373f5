/** The order of rows in tables of records: the client's copy of annotation/attempts/form_state.py. */

/** The rows of the table that an event is about, in their order. */
export function rowsOfTable(rows: Pt.RecordRow[], payload: { field: string } & Partial<Pt.Target>) {
  const { field, document = null, page = null, box = null } = payload;
  return rows.filter(
    (row) =>
      row.field === field && row.document === document && row.page === page && row.box === box,
  );
}

/** The rows after one was moved; as they are where it, or the row to follow it, is not there. */
export function withMovedRow(rows: Pt.RecordRow[], payload: Pt.RowMoved): Pt.RecordRow[] {
  const table = new Set(rowsOfTable(rows, payload));
  const moved = [...table].find(({ row }) => row === payload.row);
  const before = payload.before ?? null;
  const others = rows.filter((row) => row !== moved);
  const own = others.flatMap((row, i) => (table.has(row) ? [i] : []));
  const following = own.find((i) => others[i].row === before);
  if (!moved || (before !== null && following === undefined)) return rows;
  const place = following ?? Math.max(-1, ...own) + 1;
  return [...others.slice(0, place), moved, ...others.slice(place)];
}
