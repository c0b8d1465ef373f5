/** The state of an attempt as a function of its events: the client's copy of the server's fold. */

/**
 * The state after one more event. An event without `seq` is not acknowledged yet.
 * @param {Object} state
 * @param {{type: string, payload: Object, seq?: number}} event
 * @returns {Object} a new state
 */
export function apply(state, event) {
  const changes = change(state, event.type, event.payload, event.seq ?? null);
  const status = state.status === "new" ? "open" : state.status;
  return { ...state, status, ...changes };
}

function change(state, type, payload, seq) {
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
      return { citations: [...state.citations, { document, page, search_id, rank, seq }] };
    }
    case "citation_removed":
      return {
        citations: state.citations.filter((c) => c.document !== document || c.page !== page),
      };
    case "answer_edited":
      return { answer_text: payload.text };
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
      return { status: "skipped", skip_reason: payload.reason, outcome: null };
    case "submitted":
      return { status: "submitted", outcome: payload.outcome, skip_reason: null };
    case "reopened":
      return { status: "open", outcome: null, skip_reason: null };
    default:
      return {};
  }
}

/**
 * Whether a page is cited.
 * @param {Object} state
 * @param {string} document
 * @param {number} page
 * @returns {boolean}
 */
export function cites(state, document, page) {
  return state.citations.some((c) => c.document === document && c.page === page);
}

/**
 * Whether the attempt takes no edits now.
 * @param {Object} state
 * @returns {boolean}
 */
export function isReadOnly(state) {
  return state.closed || state.status === "submitted" || state.status === "skipped";
}

/**
 * The answers in a text: one a non-blank line, trimmed. Lines and white space are Python's, since
 * the server parses with `str.splitlines` and `str.strip`.
 * @param {string} text
 * @returns {string[]}
 */
export function parseAnswers(text) {
  const space = "[\\s\\x1c-\\x1f\\x85]";
  const edges = new RegExp(`^(?:(?!\\ufeff)${space})+|(?:(?!\\ufeff)${space})+$`, "g");
  return text
    .split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
    .map((line) => line.replace(edges, ""))
    .filter((line) => line !== "");
}

/**
 * Text that the server stores unchanged: well-formed and without NUL, at most 20,000 characters.
 * @param {string} text
 * @returns {string}
 */
export function clean(text) {
  const formed = text.toWellFormed ? text.toWellFormed() : text;
  return formed.replaceAll("\0", "").slice(0, 20000);
}
