import { Button } from "../../shared/components/Button";
import { t } from "../../shared/messages";
import { type Verdict, verdictOf } from "./pilot_comparison";
import { hasFeedback } from "./pilot_feedback";

const PRACTICE_LINES: Record<Verdict, () => string> = {
  agrees: () => t("Practice task: right."),
  differs: () => t("Practice task: not right."),
  open: () => t("Practice task: not decided."),
};

const PILOT_LINES: Record<Verdict, () => string> = {
  agrees: () => t("Pilot task: right."),
  differs: () => t("Pilot task: not right."),
  open: () => t("Pilot task: waiting for review."),
};

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
        {t("Show the feedback")}
      </Button>
    </p>
  );
}

function lineText(isPractice: boolean, feedback: Pt.AttemptState["feedback"]) {
  if (isPractice) {
    if (!feedback) return t("This is a practice task.");
    return PRACTICE_LINES[verdictOf(feedback)]();
  }
  if (!feedback) return t("This is a pilot task.");
  return PILOT_LINES[verdictOf(feedback)]();
}
