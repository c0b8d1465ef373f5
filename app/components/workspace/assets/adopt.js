/** Events that a closed or crashed tab left behind, as far as they are still to be sent. */

import { adoptQueues, loadDraft } from "./persist.js";
import { textName } from "./texts.js";

const TEXTS = {
  answer_edited: (state) => state.answer_text,
  note_edited: (state) => state.note,
  question_edited: (state) => state.question_text ?? "",
};

/**
 * Take them over, without text that newer work elsewhere has overtaken.
 * @param {string} attempt
 * @param {Object} state as the server has it
 * @param {string|null} previous this tab's session before a reload
 * @returns {Object[]} events
 */
export function adoptable(attempt, state, previous) {
  const events = adoptQueues(attempt, previous);
  const overtaken = (event) => {
    const stored = TEXTS[event.type];
    if (!stored || state.last_seq <= event.seq) return false;
    return loadDraft(attempt, textName(event.type, event.payload))?.base !== stored(state);
  };
  if (!events.some(overtaken)) return events;
  return events.filter((event) => !TEXTS[event.type] && event.type !== "submitted");
}
