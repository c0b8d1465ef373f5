import { Button } from "../../shared/components/Button";
import { hasFeedback } from "./pilot_feedback";

export interface FeedbackLineProps {
  store: Pt.Store;
  onOpen: () => void;
}

/** Says that the task is of a pilot, and opens its feedback. */
export function FeedbackLine({ store, onOpen }: FeedbackLineProps) {
  const state = store.state.value;
  if (!hasFeedback(store.protocol.value, state, store.review.value)) return null;
  return (
    <p class="feedback-line line notice spread medium" data-testid="feedback-line">
      <span>{lineText(store.practice.value, state.feedback)}</span>
      <Button testid="feedback-open" onClick={onOpen}>
        Show the feedback
      </Button>
    </p>
  );
}

function lineText(isPractice: boolean, feedback: Pt.AttemptState["feedback"]) {
  if (!feedback) return `This is a ${isPractice ? "practice" : "pilot"} task.`;
  return `${isPractice ? "Practice" : "Pilot"} task: ${feedback.right ? "right" : "not right"}.`;
}
