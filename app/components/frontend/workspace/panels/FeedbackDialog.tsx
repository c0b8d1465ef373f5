import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { Icon } from "../../shared/components/Icon";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { N_, t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { comparePart, type Verdict, verdictOf } from "./pilot_comparison";
import "./FeedbackDialog.css";

const PART_TITLES: Record<string, string> = {
  answer: N_("Answer"),
  outcome: N_("Answer"),
  evidence: N_("Cited pages"),
  boxes: N_("Boxes"),
};

const VERDICTS = {
  agrees: { title: () => t("Right"), icon: "check" },
  differs: { title: () => t("Not right"), icon: "close" },
  open: { title: () => t("Not decided"), icon: "clock" },
} as const;

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
  const { feedback, gold, progress, reasons: why } = reply;
  const isPractice = onDispute === null;
  const verdict = verdictOf(feedback);

  return (
    <Dialog
      title={VERDICTS[verdict].title()}
      testid="feedback"
      wide
      onSubmit={() => onClose()}
      onClose={() => onClose()}
      actions={
        <DialogButton main testid="feedback-continue">
          {isPractice ? t("To My batches") : t("Continue")}
        </DialogButton>
      }
    >
      <p class={`lead feedback-lead ${verdict}`}>
        <Icon name={VERDICTS[verdict].icon} />
        {leadText(isPractice, verdict)}
      </p>
      <ul class="stack">
        {feedback.parts.map((score) => (
          <Part
            key={score.part}
            score={score}
            form={form}
            gold={gold}
            goldName={isPractice ? t("Expected") : t("Gold")}
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
      {progress && progress.passed !== null ? <PassMark isPassed={progress.passed} /> : null}
      {progress?.waiting ? <Waiting /> : null}
    </Dialog>
  );
}

function leadText(isPractice: boolean, verdict: Verdict) {
  if (verdict === "open")
    return isPractice
      ? t("Whether this is what was expected cannot be told by rule. Compare them yourself.")
      : t("Whether this agrees with the gold cannot be told by rule. Your supervisor decides.");
  if (isPractice)
    return verdict === "agrees"
      ? t("Everything agrees with what was expected.")
      : t("Something differs from what was expected.");
  return verdict === "agrees"
    ? t("Everything agrees with the gold.")
    : t("Something differs from the gold.");
}

/** "4 of 5 right so far, 80 % needed. Waiting for review: 1." */
function progressSentence({
  done,
  total,
  right,
  pass_mark: mark,
  undecided: count,
}: Pt.PilotProgress) {
  const percent = Math.round(100 * mark);
  const sentence =
    done < total
      ? t("{right} of {done} right so far, {percent} % needed.", { right, done, percent })
      : t("{right} of {total} right, {percent} % needed.", { right, total, percent });
  return count ? [sentence, t("Waiting for review: {count}.", { count })].join(" ") : sentence;
}

/** The answers that the rule leaves undecided decide whether the pilot is passed. */
function Waiting() {
  return (
    <p class="feedback-verdict line notice strong" data-testid="pilot-waiting" role="status">
      <Icon name="clock" />
      {t("Waiting for review. Your supervisor looks at the answers that no rule can decide.")}
    </p>
  );
}

function PassMark({ isPassed }: { isPassed: boolean }) {
  return (
    <p
      class={`feedback-verdict line notice strong ${isPassed ? "agrees" : "differs"}`}
      data-testid="pilot-verdict"
      role="status"
    >
      <Icon name={isPassed ? "check" : "close"} />
      {isPassed
        ? t("Pilot passed. Batches that ask for it can now be taken.")
        : t("Pilot not passed. Ask your supervisor how to go on.")}
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

function Part({ score: { part, right, score, undecided }, form, gold, goldName, why }: PartProps) {
  const wrong =
    score > 0 ? t("wrong ({percent} % agrees)", { percent: Math.round(100 * score) }) : t("wrong");
  const verdict = undecided ? "open" : right ? "agrees" : "differs";
  return (
    <li
      class={`feedback-part stack ${verdict}`}
      data-testid="feedback-part"
      data-part={part}
      data-right={right}
    >
      <p class="check-head line">
        <Icon name={VERDICTS[verdict].icon} />
        <span class="check-title strong fill">
          {part in PART_TITLES ? t(PART_TITLES[part]) : (form.field(part)?.label ?? part)}
        </span>
        <span class="check-word nowrap">
          {undecided ? t("not decided") : right ? t("right") : wrong}
        </span>
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
      <summary>{t("The gold is wrong")}</summary>
      <label for="pt-dispute">{t("What is wrong with it?")}</label>
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
          {t("Tell the supervisor")}
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
      title={t("No feedback yet")}
      testid="feedback-failed"
      onSubmit={mayRetry ? () => close(true) : undefined}
      onClose={() => close(false)}
      actions={
        <>
          <DialogButton testid="feedback-later" onClick={() => close(false)}>
            {t("Go on without")}
          </DialogButton>
          {mayRetry ? (
            <DialogButton main testid="feedback-retry">
              {t("Try again")}
            </DialogButton>
          ) : null}
        </>
      }
    >
      <p>{message}</p>
      <p class="quiet">
        {t("The task is submitted. Its feedback can be opened from the task at any time.")}
      </p>
    </Dialog>
  ));
  return retry === true;
}
