/**
 * What can be undone and redone in a task, as a fold of its events: the client's copy of
 * annotation/attempts/history.py, and the event that reverses a step.
 */

import { getBox, lastChange } from "../../shared/box_state";
import { crc32 } from "../../shared/crc32";
import { includesPlace } from "../../shared/places";
import { changeWeight, type TableChange } from "../../shared/table_changes";
import { tableChange, tableOf, undoingChange } from "../../shared/table_state";
import { isDecidable, stepCharacters, transcriptStep } from "../../shared/transcript_state";

import { rowsOfTable, withMovedRow } from "./row_order";

const MAX_STEPS = 50;
const MAX_CHARACTERS = 20_000;

type History = Pick<Pt.AttemptState, "undo" | "redo">;
type Stack = keyof History;
export type Command = Pt.EventOf<Pt.EventPayloads>;

const EMPTY: Omit<Pt.HistoryStep, "id" | "part"> = {
  field: null,
  document: null,
  page: null,
  box: null,
  row: null,
  value: null,
  cells: {},
  rows: {},
  present: false,
  search_id: null,
  rank: null,
  transcript: null,
  table: null,
  table_change: null,
};

/**
 * The history after one more event, as far as it changes.
 * @param state before the event
 */
export function historyAfter(state: Pt.AttemptState, event: Pt.FoldedEvent): Partial<History> {
  switch (event.type) {
    case "batch_aids_carried":
      // They were changed in other tasks: undoing here would lose that.
      return withoutParts(state, "bookmark", "scratchpad");
    case "transcript_given":
    case "patches_given":
      return withoutParts(state, "transcript");
    case "tables_given":
      return withoutParts(state, "table");
    case "round_started":
      return withoutParts(state, "transcript", "table");
  }
  if (event.type === "undone" || event.type === "redone") return afterBoxTurn(state, event);
  const step = stepBefore(state, event);
  if (!step) return {};
  const { undoes } = event.payload as { undoes?: string | null };
  const { undo, redo } = state;
  if (undoes && hasStep(undo, undoes))
    return { undo: without(undo, undoes), redo: [...redo, step] };
  if (undoes && hasStep(redo, undoes))
    return { undo: limited([...undo, step]), redo: without(redo, undoes) };
  if (changesNothing(step, event)) return {};
  return { undo: limited([...undo, step]), redo: [] };
}

/** The step of the change that an event undoes or redoes; null where it does neither. */
export function reversedStep(state: Pt.AttemptState, payload: { undoes?: string | null }) {
  const { undoes } = payload;
  if (!undoes) return null;
  return [...state.undo, ...state.redo].find(({ id }) => id === undoes) ?? null;
}

/** The event that undoes or redoes a step; null where another change of the same came after it. */
export function reversal(
  state: Pt.AttemptState,
  step: Pt.HistoryStep,
  stack: Stack,
): Command | null {
  const last = state[stack].findLast((other) => overlaps(other, step));
  if (last?.id !== step.id) return null;
  const { id: undoes, document, page, box, row, value } = step;
  switch (step.part) {
    case "answer":
      return { type: "answer_edited", payload: { text: String(value ?? ""), undoes } };
    case "question":
      return { type: "question_edited", payload: { text: String(value ?? ""), undoes } };
    case "note":
      return { type: "note_edited", payload: { text: String(value ?? ""), undoes } };
    case "scratchpad":
      return { type: "scratchpad_edited", payload: { text: String(value ?? ""), undoes } };
    case "bookmark": {
      const place = { document: document ?? "", page: page ?? 0, undoes };
      return { type: step.present ? "page_bookmarked" : "bookmark_removed", payload: place };
    }
    case "flag":
      if (value === null) return { type: "unflagged", payload: { undoes } };
      return { type: "flagged", payload: { comment: String(value), undoes } };
    case "citation": {
      const place = { document: document ?? "", page: page ?? 0, undoes };
      if (!step.present) return { type: "citation_removed", payload: place };
      const { search_id, rank } = step;
      return { type: "citation_added", payload: { ...place, search_id, rank } };
    }
    case "field":
      return { type: "field_set", payload: { ...target(step), value, undoes } };
    case "row": {
      const place = { ...target(step), row: row ?? "", undoes };
      if (!step.present) return { type: "row_deleted", payload: place };
      return { type: "row_set", payload: { ...place, values: step.cells } };
    }
    case "rows":
      return { type: "rows_set", payload: { ...target(step), rows: step.rows, undoes } };
    case "table":
      return step.table_change && tableReversal(state, step, step.table_change);
    case "transcript":
      return transcriptReversal(state.transcript, step);
    case "row_order": {
      const before = value === null ? null : String(value);
      return { type: "row_moved", payload: { ...target(step), row: row ?? "", before, undoes } };
    }
    case "box": {
      const change = lastChange(state.boxes, stack, document ?? "", page ?? 0);
      if (change?.id !== undoes || change.box !== box) return null;
      const type = stack === "undo" ? "undone" : "redone";
      return { type, payload: { document: change.document, page: change.page, change: undoes } };
    }
  }
}

function tableReversal(
  state: Pt.AttemptState,
  { id: undoes, document, page, table: id }: Pt.HistoryStep,
  change: TableChange,
): Command | null {
  const table = tableOf(state.tables, id ?? "");
  if (!table) return null;
  const { structure } = table;
  const place = { document: document ?? "", page: page ?? 0, table: table.id, structure, undoes };
  switch (change.kind) {
    case "flag": {
      const { row = null, column = null, flag } = change;
      const { kind = null, note = "" } = flag ?? {};
      return { type: "cell_flagged", payload: { ...place, row, column, kind, note } };
    }
    case "confirm": {
      const { cells = [], removed = false, confirmed } = change;
      return { type: "cell_confirmed", payload: { ...place, cells, removed, confirmed } };
    }
    default:
      return { type: "table_edited", payload: { ...place, change } };
  }
}

function transcriptReversal(
  transcript: Pt.Transcript | null,
  { id: undoes, document, page, transcript: change }: Pt.HistoryStep,
): Command | null {
  if (!transcript || !change) return null;
  const place = { document: document ?? "", page: page ?? 0, undoes };
  const { edits, patches, decision } = change;
  if (decision === null) {
    const text_crc32 = crc32(transcript.text);
    return { type: "text_edited", payload: { ...place, edits, source: "undo", text_crc32 } };
  }
  const decidable = patches.some((name) =>
    isDecidable(
      transcript,
      transcript.patches.find((patch) => patch.id === name),
      decision,
    ),
  );
  if (!decidable) return null;
  return patches.length === 1
    ? { type: "patch_decided", payload: { ...place, patch: patches[0], decision } }
    : { type: "patches_decided", payload: { ...place, patches, decision } };
}

/** The page that a step is on, or null. */
export function pageOf(
  state: Pt.AttemptState,
  { box, document, page }: Pt.HistoryStep,
): Pt.Place | null {
  const place = box === null ? { document, page } : getBox(state.boxes, box);
  return place?.document && place.page ? { document: place.document, page: place.page } : null;
}

/** The step that puts back what the state holds before an event, or null. */
function stepBefore(state: Pt.AttemptState, event: Pt.FoldedEvent): Pt.HistoryStep | null {
  const { id } = event;
  switch (event.type) {
    case "box_drawn": {
      const { box, document, page } = event.payload;
      if (getBox(state.boxes, box)) return null;
      return { ...EMPTY, id, part: "box", box, document, page };
    }
    case "box_moved":
    case "box_resized":
    case "box_labelled":
    case "box_content_edited":
    case "box_ordered":
    case "box_attributes_edited":
    case "box_accepted":
    case "box_deleted": {
      const box = getBox(state.boxes, event.payload.box);
      if (!box) return null;
      const { document, page } = box;
      return { ...EMPTY, id, part: "box", box: box.id, document, page };
    }
    case "field_set": {
      const step: Pt.HistoryStep = { ...EMPTY, id, part: "field", ...target(event.payload) };
      const stored = state.fields.find(
        (other) => other.field === step.field && samePlaces(other, step),
      );
      return { ...step, value: stored?.value ?? null };
    }
    case "row_set":
    case "row_deleted":
      return rowStep(state, event);
    case "rows_set":
      return rowsStep(state, event);
    case "table_edited":
    case "cell_flagged":
    case "cell_confirmed": {
      const { document, page, table } = event.payload;
      const table_change = undoingChange(state.tables, event);
      return table_change && { ...EMPTY, id, part: "table", document, page, table, table_change };
    }
    case "row_moved":
      return rowOrderStep(state, event);
    case "citation_added":
    case "citation_removed":
      return citationStep(state, event);
    case "text_edited":
    case "patch_decided":
    case "patches_decided": {
      const change = transcriptStep(state.transcript, event);
      const { document, page } = event.payload;
      return change && { ...EMPTY, id, part: "transcript", document, page, transcript: change };
    }
    case "answer_edited":
      return { ...EMPTY, id, part: "answer", value: state.answer_text };
    case "question_edited":
      return { ...EMPTY, id, part: "question", value: state.question_text ?? "" };
    case "note_edited":
      return { ...EMPTY, id, part: "note", value: state.note };
    case "scratchpad_edited":
      return { ...EMPTY, id, part: "scratchpad", value: state.scratchpad };
    case "page_bookmarked":
    case "bookmark_removed": {
      const { document, page } = event.payload;
      const present = includesPlace(state.bookmarks, { document, page });
      if (present === (event.type === "page_bookmarked")) return null;
      return { ...EMPTY, id, part: "bookmark", document, page, present };
    }
    case "flagged":
    case "unflagged":
      return { ...EMPTY, id, part: "flag", value: state.flag };
    default:
      return null;
  }
}

type EventLike<Type> = Extract<Pt.FoldedEvent, { type: Type }>;

function rowStep(
  state: Pt.AttemptState,
  event: EventLike<"row_set" | "row_deleted">,
): Pt.HistoryStep | null {
  const { row } = event.payload;
  const step: Pt.HistoryStep = {
    ...EMPTY,
    id: event.id,
    part: "row",
    ...target(event.payload),
    row,
  };
  const stored = state.rows.find(
    (other) => other.field === step.field && other.row === row && samePlaces(other, step),
  );
  const present = stored !== undefined && !stored.deleted;
  if (event.type === "row_deleted") return present ? { ...step, present } : null;
  const columns = present ? Object.keys(event.payload.values) : [];
  const cells = Object.fromEntries(columns.map((name) => [name, stored?.values[name] ?? ""]));
  return { ...step, present, cells };
}

function rowsStep(state: Pt.AttemptState, event: EventLike<"rows_set">): Pt.HistoryStep | null {
  const changed = rowsOfTable(state.rows, event.payload).filter(
    ({ row, deleted }) => !deleted && event.payload.rows[row],
  );
  const rows = Object.fromEntries(
    changed.map(({ row, values }) => {
      const columns = Object.keys(event.payload.rows[row]);
      return [row, Object.fromEntries(columns.map((name) => [name, values[name] ?? ""]))];
    }),
  );
  if (!changed.length) return null;
  return { ...EMPTY, id: event.id, part: "rows", ...target(event.payload), rows };
}

function rowOrderStep(
  state: Pt.AttemptState,
  event: EventLike<"row_moved">,
): Pt.HistoryStep | null {
  const { row } = event.payload;
  const place = target(event.payload);
  const rows = rowsOfTable(state.rows, event.payload);
  const at = rows.findIndex((other) => other.row === row);
  const moved = withMovedRow(state.rows, event.payload);
  if (at < 0 || moved.every((other, i) => other === state.rows[i])) return null;
  const value = rows[at + 1]?.row ?? null;
  return { ...EMPTY, id: event.id, part: "row_order", ...place, row, value };
}

function citationStep(
  state: Pt.AttemptState,
  event: EventLike<"citation_added" | "citation_removed">,
): Pt.HistoryStep | null {
  const { document, page } = event.payload;
  const citation = state.citations.find((c) => c.document === document && c.page === page);
  const present = citation !== undefined;
  if (present === (event.type === "citation_added")) return null;
  const { search_id = null, rank = null } = citation ?? {};
  return { ...EMPTY, id: event.id, part: "citation", document, page, present, search_id, rank };
}

function changesNothing(step: Pt.HistoryStep, event: Pt.FoldedEvent) {
  switch (event.type) {
    case "field_set":
      return JSON.stringify(step.value) === JSON.stringify(event.payload.value ?? null);
    case "row_set": {
      const { values } = event.payload;
      return step.present && Object.keys(values).every((name) => step.cells[name] === values[name]);
    }
    case "rows_set": {
      const { rows } = event.payload;
      const names = Object.keys(rows);
      return names.every((row) => sameCells(step.rows[row], rows[row]));
    }
    case "answer_edited":
    case "question_edited":
    case "note_edited":
    case "scratchpad_edited":
      return step.value === event.payload.text;
    case "flagged":
      return step.value === event.payload.comment;
    case "unflagged":
      return step.value === null;
    case "table_edited":
    case "cell_flagged":
    case "cell_confirmed":
      return sameChange(step.table_change, tableChange(event));
    default:
      return false;
  }
}

/** The history without the changes of some parts. */
function withoutParts(
  { undo, redo }: Pt.AttemptState,
  ...parts: Pt.HistoryStep["part"][]
): History {
  const without = (steps: Pt.HistoryStep[]) => steps.filter(({ part }) => !parts.includes(part));
  return { undo: without(undo), redo: without(redo) };
}

/** Whether two changes of a table are the same, in whatever order their parts are written. */
function sameChange(left: TableChange | null, right: TableChange) {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, sorted(part)]);
}

function afterBoxTurn(
  state: Pt.AttemptState,
  { type, payload }: EventLike<"undone" | "redone">,
): Partial<History> {
  const { document, page } = payload;
  const change = lastChange(state.boxes, type === "undone" ? "undo" : "redo", document, page);
  if (!change || change.id !== payload.change) return {};
  const { id, box } = change;
  const step: Pt.HistoryStep = { ...EMPTY, id, part: "box", box, document, page };
  return type === "undone"
    ? { undo: without(state.undo, id), redo: [...state.redo, step] }
    : { undo: limited([...state.undo, step]), redo: without(state.redo, id) };
}

function target({
  field,
  document = null,
  page = null,
  box = null,
}: Partial<Pt.Target> & { field: string | null }) {
  return { field: field ?? "", document, page, box };
}

const samePlaces = (left: Pt.Target, right: Pt.Target) =>
  left.document === right.document && left.page === right.page && left.box === right.box;

const sameTarget = (left: Pt.HistoryStep, right: Pt.HistoryStep) =>
  left.part === right.part &&
  left.field === right.field &&
  left.row === right.row &&
  left.table === right.table &&
  samePlaces(left, right);

/** Whether both change the same value. */
const overlaps = (left: Pt.HistoryStep, right: Pt.HistoryStep) =>
  sameTarget(left, right) ||
  (left.field === right.field &&
    samePlaces(left, right) &&
    changedRows(left).some((row) => changedRows(right).includes(row)));

/** Rows whose cells a step changes. */
const changedRows = ({ part, row, rows }: Pt.HistoryStep) => [
  ...(part === "row" && row !== null ? [row] : []),
  ...Object.keys(rows),
];

const sameCells = (left: Record<string, string> | undefined, right: Record<string, string>) =>
  left !== undefined && Object.keys(right).every((name) => left[name] === right[name]);

const hasStep = (steps: Pt.HistoryStep[], id: string) => steps.some((step) => step.id === id);

const without = (steps: Pt.HistoryStep[], id: string) => steps.filter((step) => step.id !== id);

/** As Python counts them. */
const characters = (text: string) => [...text].length;

function weight({ value, cells, rows, transcript, table_change }: Pt.HistoryStep) {
  const texts = [
    ...(typeof value === "string" ? [value] : []),
    ...[cells, ...Object.values(rows)].flatMap((row) => Object.values(row)),
  ];
  const edited = transcript ? stepCharacters(transcript) : 0;
  const changed = table_change ? changeWeight(table_change) : 0;
  return texts.reduce((sum, text) => sum + characters(text), edited + changed);
}

/** The last steps, as many as are kept. */
function limited(steps: Pt.HistoryStep[]) {
  const kept = steps.slice(-MAX_STEPS);
  let excess = kept.reduce((sum, step) => sum + weight(step), 0) - MAX_CHARACTERS;
  while (excess > 0 && kept.length > 1) excess -= weight(kept.shift() as Pt.HistoryStep);
  return kept;
}
