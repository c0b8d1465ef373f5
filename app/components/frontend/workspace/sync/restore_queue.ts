/** Events that a closed or crashed tab left behind, as far as they are still to be sent. */

import { storedText } from "../fields/text_drafts";
import { loadDraft, takeOverQueues } from "./browser_storage";

const TEXTS: Record<string, (state: Pt.AttemptState) => string> = {
  answer_edited: (state) => state.answer_text,
  note_edited: (state) => state.note,
  scratchpad_edited: (state) => state.scratchpad,
  question_edited: (state) => state.question_text ?? "",
};

/**
 * Take them over, without text that newer work elsewhere has overtaken.
 * @param state as the server has it
 * @param previous this tab's session before a reload
 * @returns events
 */
export function leftOver(
  attempt: string,
  state: Pt.AttemptState,
  previous: string | null,
): Pt.Event[] {
  const events = takeOverQueues(attempt, previous);
  const overtaken = (event: Pt.Event) => {
    const stored = TEXTS[event.type];
    if (!stored || state.last_seq <= event.seq) return false;
    return loadDraft(attempt, storedText(event)?.name ?? "")?.base !== stored(state);
  };
  if (!events.some(overtaken)) return events;
  return events.filter((event) => !TEXTS[event.type] && event.type !== "submitted");
}

/**
 * The same for the draft of a task under review: what was made over a draft that is another by now
 * is not brought in, but named.
 * @param since the event that made the draft another
 * @param content types of events that carry work
 */
export function leftOverOfDraft(
  attempt: string,
  since: number,
  previous: string | null,
  content: string[],
): { events: Pt.Event[]; lost: Pt.Event[] } {
  const events = takeOverQueues(attempt, previous);
  const late = (event: Pt.Event) => event.seq < since;
  return {
    events: events.filter((event) => !late(event)),
    lost: events.filter((event) => late(event) && content.includes(event.type)),
  };
}
