/**
 * The state of an attempt as a function of its events: the client's copy of annotation/attempts/state.py.
 * Times and the search history are the server's alone.
 */

import { applyBox, isBoxEvent } from "../../shared/box_state";
import { MAX_CALCULATIONS, MAX_TEXT } from "../../shared/limits";
import { includesPlace, samePlace } from "../../shared/places";
import { withGivenTables, withNextRound, withTableWork } from "../../shared/table_state";
import {
  applyTranscriptEdit,
  givenTranscript,
  withGivenPatches,
  withRound,
} from "../../shared/transcript_state";
import { historyAfter, reversedStep } from "./history";
import { withMovedRow } from "./row_order";

type Change = Partial<Pt.AttemptState>;
/** What an event on a field or row is about. */
type FieldTarget = { field: string } & Partial<Pt.Target>;

const ENDED: Change = { skip_reason: null, missing: [], returned: false };
const REOPENED: Change = { status: "open", outcome: null, skip_reason: null, missing: [] };

/**
 * The state after one more event.
 * @param event `seq` is a guess while
 * the event is not acknowledged
 * @returns a new state
 */
export function apply(state: Pt.AttemptState, event: Pt.FoldedEvent): Pt.AttemptState {
  const changes = isBoxEvent(event)
    ? { boxes: applyBox(state.boxes, event) }
    : change(state, event);
  const status = state.status === "new" ? "open" : state.status;
  return { ...state, status, ...changes, ...historyAfter(state, event) };
}

function change(state: Pt.AttemptState, { seq, ...event }: Pt.FoldedEvent): Change {
  switch (event.type) {
    case "page_viewed": {
      const { document, page, search_id = null, rank = null } = event.payload;
      const position = { document, page, search_id, rank };
      return { position, n_page_views: state.n_page_views + 1 };
    }
    case "view_changed": {
      const { fit, zoom, rotation } = event.payload;
      return { view: { fit, zoom, rotation } };
    }
    case "citation_added": {
      const { document, page, search_id = null, rank = null } = event.payload;
      if (cites(state, document, page)) return {};
      const citation = { document, page, search_id, rank, seq };
      return { citations: [...state.citations, citation], draft_seq: seq };
    }
    case "citation_removed": {
      const { document, page } = event.payload;
      return {
        citations: state.citations.filter((c) => c.document !== document || c.page !== page),
        draft_seq: seq,
      };
    }
    case "answer_edited":
      return { answer_text: event.payload.text, draft_seq: seq };
    case "question_edited":
    case "question_seeded":
      return { question_text: event.payload.text, draft_seq: seq };
    case "field_set":
      return { fields: withValue(state.fields, event.payload, seq) };
    case "contradiction_confirmed": {
      const { field, document, page, chosen, drawn } = event.payload;
      const others = state.confirmed.filter(
        (held) => held.field !== field || held.document !== document || held.page !== page,
      );
      return { confirmed: [...others, { field, document, page, chosen, drawn, seq }] };
    }
    case "row_set":
      return { rows: withRow(state.rows, event.payload, seq) };
    case "row_deleted": {
      const { payload } = event;
      return {
        rows: state.rows.map((row) => (isRow(row, payload) ? { ...row, deleted: true } : row)),
      };
    }
    case "rows_set":
      return { rows: withSetRows(state.rows, event.payload) };
    case "row_moved":
      return { rows: withMovedRow(state.rows, event.payload) };
    case "rows_seeded":
      return { rows: withSeeds(state.rows, event.payload, seq) };
    case "text_edited":
    case "patch_decided":
    case "patches_decided": {
      const reversed = reversedStep(state, event.payload)?.transcript ?? null;
      return { transcript: applyTranscriptEdit(state.transcript, event, reversed) };
    }
    case "transcript_given":
      return { transcript: givenTranscript(event.payload) };
    case "patches_given":
      return { transcript: withGivenPatches(state.transcript, event.payload) };
    case "round_started": {
      const transcript = withRound(state.transcript, event.payload);
      const tables = withNextRound(state.tables, event.payload);
      return { ...REOPENED, closed: false, hidden: true, transcript, tables };
    }
    case "checked": {
      const { at_seq, findings } = event.payload;
      return { checks: { at_seq, findings } };
    }
    case "feedback_given": {
      const { right, score, parts } = event.payload;
      return { feedback: { right, score, parts } };
    }
    case "gold_disputed":
      return { disputed: event.payload.reason };
    case "page_bookmarked": {
      const { document, page } = event.payload;
      if (includesPlace(state.bookmarks, { document, page })) return {};
      return { bookmarks: [...state.bookmarks, { document, page }] };
    }
    case "bookmark_removed":
      return { bookmarks: state.bookmarks.filter((place) => !samePlace(place, event.payload)) };
    case "scratchpad_edited":
      return { scratchpad: event.payload.text };
    case "calculated": {
      const { expression, result } = event.payload;
      const calculations = [...state.calculations, { expression, result, seq }];
      return { calculations: calculations.slice(-MAX_CALCULATIONS) };
    }
    case "batch_aids_carried": {
      const { bookmarks, scratchpad } = event.payload;
      return { bookmarks, scratchpad };
    }
    case "tables_given":
      return { tables: withGivenTables(state.tables, event.payload) };
    case "table_edited":
    case "cell_flagged":
    case "cell_confirmed":
      return { tables: withTableWork(state.tables, event) };
    case "note_edited":
      return { note: event.payload.text };
    case "flagged":
      return { flag: event.payload.comment };
    case "unflagged":
      return { flag: null };
    case "paused":
      return { paused: true };
    case "resumed":
      return { paused: false };
    case "opened":
    case "tab_shown":
      return { hidden: false };
    case "tab_hidden":
      return { hidden: true };
    case "skipped":
      return { ...ENDED, status: "skipped", skip_reason: event.payload.reason, outcome: null };
    case "submitted": {
      const { outcome, missing = [] } = event.payload;
      return { ...ENDED, status: "submitted", outcome, missing };
    }
    case "reopened":
      return { ...REOPENED, outcome: state.review ? state.outcome : null };
    case "batch_closed":
      return { closed: true };
    case "commented":
      return { comments: [...state.comments, comment(event.payload.text, seq)] };
    case "returned": {
      const { comment: text, differences } = event.payload;
      const back = { ...comment(text, seq), returns: true, differences };
      return {
        ...REOPENED,
        closed: false,
        comments: [...state.comments, back],
        returned: true,
        hidden: true,
      };
    }
    default:
      return {};
  }
}

/** An entry of the talk; whose it is and when it came is the server's to say: null is one's own. */
function comment(text: string, seq: number) {
  const unknown = { by: null, at: null } as unknown as Pick<Pt.Comment, "by" | "at">;
  return { seq, ...unknown, text, returns: false, differences: [] as Pt.Difference[] };
}

function target({ field, document = null, page = null, box = null }: FieldTarget) {
  return { field, document, page, box };
}

function sameTarget(stored: { field: string } & Pt.Target, wanted: FieldTarget) {
  const { field, document, page, box } = target(wanted);
  return (
    stored.field === field &&
    stored.document === document &&
    stored.page === page &&
    stored.box === box
  );
}

function withValue(fields: Pt.FieldValue[], payload: Pt.FieldSet, seq: number) {
  const kept = fields.filter((stored) => !sameTarget(stored, payload));
  const value = payload.value ?? null;
  return value === null ? kept : [...kept, { ...target(payload), value, seq }];
}

function isRow(row: Pt.RecordRow, payload: Pt.RowSet | Pt.RowDeleted) {
  return row.row === payload.row && sameTarget(row, payload);
}

function withRow(rows: Pt.RecordRow[], payload: Pt.RowSet, seq: number) {
  const { row, values } = payload;
  if (!rows.some((stored) => isRow(stored, payload))) {
    return [...rows, { ...target(payload), row, values, model: null, deleted: false, seq }];
  }
  return rows.map((stored) =>
    isRow(stored, payload)
      ? { ...stored, values: { ...stored.values, ...values }, deleted: false }
      : stored,
  );
}

function withSetRows(rows: Pt.RecordRow[], payload: Pt.RowsSet): Pt.RecordRow[] {
  return rows.map((row) => {
    const cells = row.deleted || !sameTarget(row, payload) ? undefined : payload.rows[row.row];
    return cells ? { ...row, values: { ...row.values, ...cells } } : row;
  });
}

function withSeeds(rows: Pt.RecordRow[], payload: Pt.RowsSeeded, seq: number) {
  const given = rows.filter((row) => row.model && sameTarget(row, payload)).length;
  const seeds = payload.rows.map(({ values }, i) => ({
    ...target(payload),
    row: `r${given + i + 1}`,
    values,
    model: values,
    deleted: false,
    seq,
  }));
  return [...rows, ...seeds];
}

/** Whether a page is cited. */
export function cites(state: Pt.AttemptState, document: string, page: number): boolean {
  return state.citations.some((c) => c.document === document && c.page === page);
}

/** Whether the attempt takes no edits now. */
export function isReadOnly(state: Pt.AttemptState): boolean {
  return state.closed || state.status === "submitted" || state.status === "skipped";
}

/** Whether the last comment is another's, and sent nothing back. */
export function isAsked({ comments }: Pt.AttemptState, user: { name: string }): boolean {
  const last = comments.at(-1);
  return last !== undefined && last.by !== null && last.by !== user.name && !last.returns;
}

/**
 * The answers in a text: one a non-blank line, trimmed. Lines and white space are Python's, since
 * the server parses with `str.splitlines` and `str.strip`.
 */
export function parseAnswers(text: string): string[] {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines in Python
      .split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
      .map(strip)
      .filter((line) => line !== "")
  );
}

const SPACE = "(?:(?!\\ufeff)[\\s\\x1c-\\x1f\\x85])";
const EDGES = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/** A text without what Python's `str.strip` takes off its ends. */
export function strip(text: string): string {
  return text.replace(EDGES, "");
}

/**
 * Text that the server stores unchanged: well-formed and without NUL, at most 20,000 characters.
 */
export function clean(text: string): string {
  const formed = text.toWellFormed ? text.toWellFormed() : text;
  return formed.replaceAll("\0", "").slice(0, MAX_TEXT);
}
