import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { Icon } from "../../shared/components/Icon";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { sentence } from "../../shared/sentences";
import { comparePart } from "./pilot_comparison";
import "./FeedbackDialog.css";

const PART_TITLES: Record<string, string> = {
  answer: "Answer",
  outcome: "Answer",
  evidence: "Cited pages",
  boxes: "Boxes",
};

export interface FeedbackDialogProps {
  /** as submitted */
  form: Pt.Form;
  /** without progress for a task outside a batch */
  reply: Pt.FeedbackReply;
  /** null in a practice task, whose gold is a lesson */
  onDispute: ((reason: string) => void) | null;
  onClose: () => void;
}

/** Show the feedback on the task that was submitted; resolves when it is closed. */
export function openFeedback(host: Element, props: Omit<FeedbackDialogProps, "onClose">) {
  return openDialog(host, (close) => <FeedbackDialog {...props} onClose={close} />);
}

/** What was right in a pilot task, with its gold, and how the pilot is going. */
function FeedbackDialog({ form, reply, onDispute, onClose }: FeedbackDialogProps) {
  const { feedback, gold, progress, why } = reply;
  const isPractice = onDispute === null;
  const goldWords = isPractice ? "what was expected" : "the gold";
  return (
    <Dialog
      title={feedback.right ? "Right" : "Not right"}
      testid="feedback"
      wide
      onSubmit={() => onClose()}
      onClose={() => onClose()}
      actions={
        <DialogButton main testid="feedback-continue">
          {isPractice ? "To My batches" : "Continue"}
        </DialogButton>
      }
    >
      <p class={feedback.right ? "lead feedback-lead agrees" : "lead feedback-lead differs"}>
        <Icon name={feedback.right ? "check" : "close"} />
        {feedback.right
          ? `Everything agrees with ${goldWords}.`
          : `Something differs from ${goldWords}.`}
      </p>
      <ul class="stack">
        {feedback.parts.map((score) => (
          <Part
            key={score.part}
            score={score}
            form={form}
            gold={gold}
            goldName={isPractice ? "Expected" : "Gold"}
            why={why[score.part] ?? ""}
          />
        ))}
      </ul>
      {onDispute ? <Dispute reason={form.state.disputed} onDispute={onDispute} /> : null}
      {progress ? (
        <p class="feedback-progress strong" data-testid="feedback-progress">
          {progressSentence(progress)}
        </p>
      ) : null}
      {progress && progress.passed !== null ? <Verdict isPassed={progress.passed} /> : null}
    </Dialog>
  );
}

/** "4 of 5 right so far, 80 % needed." */
function progressSentence({ done, total, right, pass_mark: mark }: Pt.PilotProgress) {
  const counted = done < total ? `${right} of ${done} right so far` : `${right} of ${total} right`;
  return `${counted}, ${Math.round(100 * mark)} % needed.`;
}

function Verdict({ isPassed }: { isPassed: boolean }) {
  return (
    <p
      class={`feedback-verdict line notice strong ${isPassed ? "agrees" : "differs"}`}
      data-testid="pilot-verdict"
      role="status"
    >
      <Icon name={isPassed ? "check" : "close"} />
      {isPassed
        ? "Pilot passed. Batches that ask for it can now be taken."
        : "Pilot not passed. Ask your supervisor how to go on."}
    </p>
  );
}

interface PartProps {
  score: Pt.PartScore;
  form: Pt.Form;
  gold: Pt.ShownGold;
  goldName: string;
  why: string;
}

function Part({ score: { part, right, score }, form, gold, goldName, why }: PartProps) {
  const partly = score > 0 ? ` (${Math.round(100 * score)} % agrees)` : "";
  return (
    <li
      class={`feedback-part stack ${right ? "agrees" : "differs"}`}
      data-testid="feedback-part"
      data-part={part}
      data-right={right}
    >
      <p class="check-head line">
        <Icon name={right ? "check" : "close"} />
        <span class="check-title strong fill">
          {PART_TITLES[part] ?? form.field(part)?.label ?? part}
        </span>
        <span class="check-word nowrap">{right ? "right" : `wrong${partly}`}</span>
      </p>
      {comparePart(part, form, gold, goldName).map(([heading, text]) =>
        heading === null ? (
          <p key="" class="quiet">
            {text}
          </p>
        ) : (
          <p key={heading} class="feedback-pair">
            <span class="feedback-who quiet">{heading}</span>
            <span>{text}</span>
          </p>
        ),
      )}
      {why ? (
        <p class="medium" data-testid="feedback-why">
          {why}
        </p>
      ) : null}
    </li>
  );
}

interface DisputeProps {
  /** what the person has already said is wrong with the gold */
  reason: string | null;
  onDispute: (reason: string) => void;
}

/** Says that the gold itself is wrong. */
function Dispute({ reason, onDispute }: DisputeProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const note = useSignal(reason ? sentence("gold_disputed") : "");
  const send = () => {
    const text = input.current?.value.trim();
    if (text) {
      onDispute(text);
      note.value = sentence("gold_disputed");
    } else {
      note.value = sentence("blank");
      input.current?.focus();
    }
  };
  return (
    <details class="stack" data-testid="dispute" open={Boolean(reason)}>
      <summary>The gold is wrong</summary>
      <label for="pt-dispute">What is wrong with it?</label>
      <TextArea
        ref={input}
        id="pt-dispute"
        rows={2}
        maxLength={MAX_REASON}
        testid="dispute-reason"
        defaultValue={reason ?? ""}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.stopPropagation(); // it sends this, and does not go on
          send();
        }}
      />
      <div class="wrapping">
        <Button testid="dispute-send" onClick={send}>
          Tell the supervisor
        </Button>
        <p class="quiet" role="status" data-testid="dispute-sent">
          {note.value}
        </p>
      </div>
    </details>
  );
}

/** Say why there is no feedback; resolves to whether to try again. */
export async function openFailedFeedback(host: Element, message: string, mayRetry: boolean) {
  const retry = await openDialog<boolean>(host, (close) => (
    <Dialog
      title="No feedback yet"
      testid="feedback-failed"
      onSubmit={mayRetry ? () => close(true) : undefined}
      onClose={() => close(false)}
      actions={
        <>
          <DialogButton testid="feedback-later" onClick={() => close(false)}>
            Go on without
          </DialogButton>
          {mayRetry ? (
            <DialogButton main testid="feedback-retry">
              Try again
            </DialogButton>
          ) : null}
        </>
      }
    >
      <p>{message}</p>
      <p class="quiet">
        The task is submitted. Its feedback can be opened from the task at any time.
      </p>
    </Dialog>
  ));
  return retry === true;
}
