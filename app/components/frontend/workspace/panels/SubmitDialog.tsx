import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { N_, t, tn } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { parseAnswers, strip } from "../state/attempt_state";
import { missing } from "../state/completeness";
import { formOf } from "../state/form_state";
import { linkText, summaryLines } from "./submit_summary";
import "./SubmitDialog.css";

const TITLES: Record<Pt.Outcome, string> = {
  answered: N_("Submit this answer?"),
  not_found: N_("Submit “No answer found”?"),
  unanswerable: N_("Submit as unanswerable?"),
  completed: N_("Submit this task?"),
};

const DRAFT_TITLES: Record<Pt.Outcome, string> = {
  answered: N_("Done with this draft?"),
  not_found: N_("Done: “No answer found”?"),
  unanswerable: N_("Done: unanswerable?"),
  completed: N_("Done with this draft?"),
};

export interface SubmitDialogProps {
  /** the task as it is submitted */
  data: Pt.WorkspaceData;
  outcome: Pt.Outcome;
  /** given what is missing where the time is over; resolves to null, or why it failed */
  onConfirm: (missing: string[]) => Promise<string | null>;
  /** whether submissions are asked about from now on; null where they always are */
  onSetDirect: ((direct: boolean) => void) | null;
  /** with the part of the screen or the field to go to */
  onClose: (part?: string) => void;
}

/** Ask before submitting; resolves to the part of the screen or the field to go to instead. */
export function openSubmit(host: Element, props: Omit<SubmitDialogProps, "onClose">) {
  return openDialog<string>(host, (close) => <SubmitDialog {...props} onClose={close} />);
}

function SubmitDialog({ data, outcome, onConfirm, onSetDirect, onClose }: SubmitDialogProps) {
  const { protocol, review, state, task, timeOver } = data;
  const isSubmitting = useSignal(false);
  const failure = useSignal("");
  const direct = useRef<HTMLInputElement>(null);
  const firstLink = useRef<HTMLButtonElement>(null);
  const form = formOf(data);
  const problems = Object.entries(missing(form, outcome));
  const isBlocked = problems.length > 0 && !timeOver;
  const isWritten = protocol.question.kind === "editable";
  const submit = async () => {
    if (isBlocked || isSubmitting.value) return;
    isSubmitting.value = true;
    const reason = await onConfirm(problems.map(([part]) => part));
    if (reason === null) {
      if (direct.current?.checked) onSetDirect?.(true);
      onClose();
      return;
    }
    isSubmitting.value = false;
    failure.value = reason;
  };
  return (
    <Dialog
      title={
        review
          ? t(DRAFT_TITLES[outcome])
          : isWritten && outcome === "answered"
            ? t("Submit this question?")
            : t(TITLES[outcome])
      }
      testid="submit-dialog"
      focus={isBlocked ? firstLink : undefined}
      onSubmit={submit}
      onClose={() => onClose()}
      actions={
        <>
          <DialogButton testid="cancel-submit" onClick={() => onClose()}>
            {t("Keep working")}
          </DialogButton>
          <DialogButton main testid="confirm-submit" disabled={isBlocked || isSubmitting.value}>
            {submitText(Boolean(review), isSubmitting.value)}
          </DialogButton>
        </>
      }
    >
      <p class="summary-question notice wrap">{task.question}</p>
      {isWritten ? (
        <>
          <h3>{t("Your question")}</h3>
          <p data-testid="summary-written">{state.question_text || t("Nothing written.")}</p>
        </>
      ) : null}
      {problems.length && timeOver ? (
        <p class="strong" data-testid="accepted-unfinished">
          {sentence("unfinished")}
        </p>
      ) : null}
      {problems.length ? (
        <div role="alert">
          <ul class="missing stack">
            {problems.map(([part, problem], index) => (
              <li key={part} class="line notice warning" data-testid={`missing-${part}`}>
                <Icon name="warning" />
                <span>
                  {`${problem} `}
                  {isBlocked ? (
                    <Button
                      ref={index === 0 ? firstLink : undefined}
                      class="link"
                      testid={`fix-${part}`}
                      onClick={() => onClose(part)}
                    >
                      {linkText(form, part)}
                    </Button>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <Summary lines={summaryLines(form)} />
      {outcome === "completed" ? null : (
        <Answers
          answers={
            protocol.answer.kind === "text"
              ? [state.answer_text].filter(strip)
              : parseAnswers(state.answer_text)
          }
          outcome={outcome}
        />
      )}
      {protocol.evidence.enabled ? <Citations citations={state.citations} /> : null}
      {onSetDirect ? (
        <label class="line medium">
          <input ref={direct} type="checkbox" data-testid="submit-directly" />
          {t("Do not ask again; a submission can be undone")}
        </label>
      ) : null}
      <FieldError testid="confirm-error">{failure.value}</FieldError>
    </Dialog>
  );
}

function submitText(isDraft: boolean, isSubmitting: boolean) {
  if (isDraft) return isSubmitting ? t("Saving…") : t("Done: back to review");
  return isSubmitting ? t("Submitting…") : t("Submit");
}

function Summary({ lines }: { lines: [string, string][] }) {
  if (!lines.length) return null;
  return (
    <dl class="summary-fields pairs stack tight" data-testid="summary-fields">
      {lines.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Answers({ answers, outcome }: { answers: string[]; outcome: Pt.Outcome }) {
  const isAnswered = outcome === "answered";
  return (
    <>
      <h3>
        {answers.length > 1 && isAnswered
          ? tn("{number} answer", "{number} answers", answers.length)
          : t("Answer")}
      </h3>
      {answers.length ? (
        <ol class="summary-answers wrap">
          {answers.map((answer) => (
            <li key={answer}>{answer}</li>
          ))}
        </ol>
      ) : (
        <p class="quiet">{isAnswered ? t("Nothing written.") : t("None.")}</p>
      )}
      {answers.length && !isAnswered ? (
        <p class="quiet">
          {t("What is in the answer box stays with the task but is not the answer.")}
        </p>
      ) : null}
    </>
  );
}

function Citations({ citations }: { citations: Pt.Citation[] }) {
  return (
    <>
      <h3>{t("Citations")}</h3>
      {citations.length ? (
        <ul class="summary-citations wrap">
          {citations.map(({ document, page }) => (
            <li key={`${page} ${document}`}>{t("{document}, page {page}", { document, page })}</li>
          ))}
        </ul>
      ) : (
        <p class="quiet">{t("None.")}</p>
      )}
    </>
  );
}
