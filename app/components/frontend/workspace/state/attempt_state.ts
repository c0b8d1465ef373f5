/**
 * The state of an attempt as a function of its events: the client's copy of annotation/attempts/state.py.
 * Times and the search history are the server's alone.
 */

import { applyBox, BOX_EVENTS } from "../../shared/box_state";
import { MAX_TEXT } from "../../shared/limits";

const ENDED = { skip_reason: null, missing: [], returned: false };
const REOPENED = { status: "open", outcome: null, skip_reason: null, missing: [] };

/**
 * The state after one more event.
 * @param event `seq` is a guess while
 * the event is not acknowledged
 * @returns a new state
 */
export function apply(
  state: Pt.AttemptState,
  event: { type: string; payload: any; seq?: number; id?: any },
): any {
  const seq = event.seq ?? null;
  const changes = BOX_EVENTS.has(event.type)
    ? { boxes: applyBox(state.boxes, event.type, event.payload, seq, event.id) }
    : change(state, event.type, event.payload, seq);
  const status = state.status === "new" ? "open" : state.status;
  return { ...state, status, ...changes };
}

function change(state: Pt.AttemptState, type: string, payload: Record<string, any>, seq: any) {
  const { document, page } = payload;
  switch (type) {
    case "page_viewed": {
      const { search_id = null, rank = null } = payload;
      const position = { document, page, search_id, rank };
      return { position, n_page_views: state.n_page_views + 1 };
    }
    case "view_changed":
      return { view: { fit: payload.fit, zoom: payload.zoom, rotation: payload.rotation } };
    case "citation_added": {
      if (cites(state, document, page)) return {};
      const { search_id = null, rank = null } = payload;
      const citation = { document, page, search_id, rank, seq };
      return { citations: [...state.citations, citation], draft_seq: seq };
    }
    case "citation_removed":
      return {
        citations: state.citations.filter((c) => c.document !== document || c.page !== page),
        draft_seq: seq,
      };
    case "answer_edited":
      return { answer_text: payload.text, draft_seq: seq };
    case "question_edited":
      return { question_text: payload.text, draft_seq: seq };
    case "field_set":
      return { fields: withValue(state.fields, payload, seq) };
    case "contradiction_confirmed": {
      const { field, chosen, drawn } = payload;
      const others = state.confirmed.filter(
        (held) => held.field !== field || held.document !== document || held.page !== page,
      );
      return { confirmed: [...others, { field, document, page, chosen, drawn, seq }] };
    }
    case "row_set":
      return { rows: withRow(state.rows, payload, seq) };
    case "row_deleted":
      return {
        rows: state.rows.map((row) => (isRow(row, payload) ? { ...row, deleted: true } : row)),
      };
    case "rows_seeded":
      return { rows: withSeeds(state.rows, payload, seq) };
    case "checked":
      return { checks: { at_seq: payload.at_seq, findings: payload.findings } };
    case "feedback_given":
      return { feedback: { right: payload.right, score: payload.score, parts: payload.parts } };
    case "gold_disputed":
      return { disputed: payload.reason };
    case "note_edited":
      return { note: payload.text };
    case "flagged":
      return { flag: payload.comment };
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
      return { ...ENDED, status: "skipped", skip_reason: payload.reason, outcome: null };
    case "submitted":
      return {
        ...ENDED,
        status: "submitted",
        outcome: payload.outcome,
        missing: payload.missing ?? [],
      };
    case "reopened":
      return { ...REOPENED, outcome: state.review ? state.outcome : null };
    case "batch_closed":
      return { closed: true };
    case "commented":
      return { comments: [...state.comments, comment(payload.text, seq)] };
    case "returned": {
      const { differences } = payload;
      const back = { ...comment(payload.comment, seq), returns: true, differences };
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
  return { seq, by: null, at: null, text, returns: false, differences: [] };
}

function target({ field, document = null, page = null, box = null }: Record<string, any>) {
  return { field, document, page, box };
}

function sameTarget(stored: any, payload: Record<string, any>) {
  const wanted: Record<string, any> = target(payload);
  return Object.keys(wanted).every((key) => stored[key] === wanted[key]);
}

function withValue(fields: Pt.FieldValue[], payload: Record<string, any>, seq: any) {
  const kept = fields.filter((stored) => !sameTarget(stored, payload));
  const value = payload.value ?? null;
  return value === null ? kept : [...kept, { ...target(payload), value, seq }];
}

function isRow(row: Pt.RecordRow, payload: Record<string, any>) {
  return row.row === payload.row && sameTarget(row, payload);
}

function withRow(rows: Pt.RecordRow[], payload: Record<string, any>, seq: any) {
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

function withSeeds(rows: Pt.RecordRow[], payload: Record<string, any>, seq: any) {
  const given = rows.filter((row) => row.model && sameTarget(row, payload)).length;
  const made = payload.rows.map(({ values }: { values: any }, i: number) => ({
    ...target(payload),
    row: `r${given + i + 1}`,
    values,
    model: values,
    deleted: false,
    seq,
  }));
  return [...rows, ...made];
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
