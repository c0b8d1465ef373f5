/** Events that a closed or crashed tab left behind, as far as they are still to be sent. */

import { textName } from "../fields/text_drafts.js";
import { loadDraft, takeOverQueues } from "./browser_storage.js";

/** @type {Record<string, any>} */
const TEXTS = {
  answer_edited: (/** @type {Pt.AttemptState} */ state) => state.answer_text,
  note_edited: (/** @type {Pt.AttemptState} */ state) => state.note,
  question_edited: (/** @type {Pt.AttemptState} */ state) => state.question_text ?? "",
};

/**
 * Take them over, without text that newer work elsewhere has overtaken.
 * @param {string} attempt
 * @param {Pt.AttemptState} state as the server has it
 * @param {string|null} previous this tab's session before a reload
 * @returns {any[]} events
 */
export function leftOver(attempt, state, previous) {
  const events = takeOverQueues(attempt, previous);
  const overtaken = (/** @type {any} */ event) => {
    const stored = TEXTS[event.type];
    if (!stored || state.last_seq <= event.seq) return false;
    return loadDraft(attempt, textName(event.type, event.payload) ?? "")?.base !== stored(state);
  };
  if (!events.some(overtaken)) return events;
  return events.filter((event) => !TEXTS[event.type] && event.type !== "submitted");
}

/**
 * The same for the draft of a task under review: what was made over a draft that is another by now
 * is not brought in, but named.
 * @param {string} attempt
 * @param {number} since the event that made the draft another
 * @param {string|null} previous
 * @param {string[]} content types of events that carry work
 * @returns {{events: any[], lost: any[]}}
 */
export function leftOverOfDraft(attempt, since, previous, content) {
  const events = takeOverQueues(attempt, previous);
  const late = (/** @type {any} */ event) => event.seq < since;
  return {
    events: events.filter((event) => !late(event)),
    lost: events.filter((event) => late(event) && content.includes(event.type)),
  };
}
