import { useComputed } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import type { Texts } from "../fields/text_drafts";
import { isReadOnly } from "../state/attempt_state";
import { currentForm } from "../state/form_state";
import { AnswerField, NoteField, Scratchpad } from "./AnswerField";
import { QuestionEditor } from "./QuestionEditor";
import { RequestedOptions } from "./RequestedOptions";
import "./AnswerPanel.css";

export type WrittenText = "answer" | "note" | "question" | "scratchpad";

export interface AnswerPanelProps {
  store: Pt.Store;
  texts: Texts;
  answerInput: RefObject<HTMLTextAreaElement | null>;
  questionInput: RefObject<HTMLTextAreaElement | null>;
  scratchpadInput: RefObject<HTMLTextAreaElement | null>;
  /** what a protocol may ask for besides the answer */
  feedback: ComponentChildren;
  checks: ComponentChildren;
  fields: ComponentChildren;
  boxes: ComponentChildren;
  /** panels below the note, one after the other */
  aids: ComponentChildren;
  records: ComponentChildren;
  transcript: ComponentChildren;
  tables: ComponentChildren;
  onCommit: (field: WrittenText, text: string) => void;
  /** A text of this browser lost against newer work. */
  onLost: (field: WrittenText, text: string) => void;
  onAnswer: () => void;
  /** without an outcome, with the answer or as done */
  onSubmit: (outcome?: Pt.Outcome) => void;
  onSkip: () => void;
  onFlag: () => void;
  onStep: (by: 1 | -1) => void;
}

/** The right panel: what is asked, answer, note, flag, submit, next and previous task. */
export function AnswerPanel({ store, ...props }: AnswerPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const scrolled = useRef<HTMLDivElement>(null);
  const attempt = store.attempt.value;
  const { boxes, fields, question } = store.protocol.value;
  const className = useComputed(() => panelClass(store)).value;
  const isAuthor = question.kind === "editable";
  const hasTables = fields.some(({ kind }) => kind === "records");
  useLayoutEffect(() => {
    for (const element of [panel.current, scrolled.current]) if (element) element.scrollTop = 0;
  }, [attempt]);
  const answer = <AnswerField key="answer" store={store} {...props} />;
  return (
    <aside ref={panel} class={className} aria-label={t("Answer")}>
      {props.transcript}
      {props.tables}
      <div ref={scrolled} class="right-scroll scrolls stack">
        <Slot name="feedback">{props.feedback}</Slot>
        <Slot name="question" hidden={!isAuthor}>
          <RequestedOptions store={store} />
          <QuestionEditor store={store} input={props.questionInput} {...props} />
          {props.checks}
        </Slot>
        {/* An author writes the answer beneath the question; whoever grades pages answers at the end. */}
        {isAuthor ? answer : null}
        <Slot name="fields">{props.fields}</Slot>
        <Slot name="boxes" hidden={!boxes.enabled}>
          {props.boxes}
        </Slot>
        <Slot name="records" hidden={!hasTables}>
          {props.records}
        </Slot>
        {isAuthor ? null : answer}
        <NoteField key={`note ${attempt}`} store={store} {...props} />
        <Scratchpad key={`scratchpad ${attempt}`} store={store} {...props} />
        {props.aids}
        <Flag store={store} onFlag={props.onFlag} />
      </div>
      <div class="right-foot stack">
        <SubmitBlock store={store} onSubmit={props.onSubmit} onSkip={props.onSkip} />
        <TaskButtons store={store} onStep={props.onStep} />
      </div>
    </aside>
  );
}

function panelClass(store: Pt.Store) {
  const classes = ["right scrolls column"];
  if (currentForm(store).ended) classes.push("ended");
  if (isReadOnly(store.state.value)) classes.push("read-only");
  return classes.join(" ");
}

interface SlotProps {
  name: string;
  hidden?: boolean;
  children: ComponentChildren;
}

function Slot({ name, hidden, children }: SlotProps) {
  return (
    <div class="slot" data-slot={name} hidden={hidden}>
      {children}
    </div>
  );
}

function Flag({ store, onFlag }: Pick<AnswerPanelProps, "store" | "onFlag">) {
  const comment = useComputed(() => store.state.value.flag).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const isFlagged = comment !== null;
  return (
    <div class="field stack">
      <Button
        class="button flag-button"
        testid="flag"
        title={withKey(t("Flag for the supervisor"), "flag")}
        aria-pressed={isFlagged}
        disabled={readOnly}
        onClick={onFlag}
      >
        <Icon name="flag" />
        <span>{isFlagged ? t("Flagged") : t("Flag")}</span>
      </Button>
      {comment ? (
        <p class="flag-comment quiet wrap medium" data-testid="flag-comment">
          {comment}
        </p>
      ) : null}
    </div>
  );
}

function SubmitBlock({
  store,
  onSubmit,
  onSkip,
}: Pick<AnswerPanelProps, "store" | "onSubmit" | "onSkip">) {
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const isEnded = useComputed(() => currentForm(store).ended).value;
  const citations = useComputed(() => store.state.value.citations.length).value;
  const { answer, evidence } = store.protocol.value;
  const isAnswered = answer.kind !== "off" && !isEnded;
  const isStopped = store.connection.value.kind === "stopped";
  const isDraft = Boolean(store.review.value);
  if (readOnly) return null;
  return (
    <div class="stack">
      <LiveRegion class="time-over notice warning medium" testid="time-over">
        {store.timeOver.value ? sentence("time_over") : null}
      </LiveRegion>
      {evidence.enabled ? (
        <p class="quiet medium" data-testid="evidence-line">
          {citations
            ? tn("{number} page cited", "{number} pages cited", citations)
            : t("No page cited yet")}
        </p>
      ) : null}
      <FieldError testid="submit-error">{store.submitError.value}</FieldError>
      <Button
        class="button block primary"
        testid="submit"
        title={
          isDraft
            ? withKey(t("Keep this draft and go back"), "submit")
            : withKey(t("Submit"), "submit")
        }
        disabled={isStopped}
        onClick={() => onSubmit()}
      >
        {isDraft ? t("Done: back to review") : t("Submit")}
      </Button>
      <div class="outcomes wrapping">
        {isAnswered && answer.not_found ? (
          <Button
            class="button block"
            testid="no-answer"
            title={t("Submit: looked for, but not found")}
            disabled={isStopped}
            onClick={() => onSubmit("not_found")}
          >
            {t("No answer found")}
          </Button>
        ) : null}
        {isAnswered && answer.unanswerable ? (
          <Button
            class="button block"
            testid="unanswerable"
            title={t("Submit: the collection does not hold the answer")}
            disabled={isStopped}
            onClick={() => onSubmit("unanswerable")}
          >
            {t("Unanswerable")}
          </Button>
        ) : null}
        <Button
          class="button block"
          testid="skip"
          title={withKey(t("Put aside with a reason"), "skip")}
          disabled={isStopped}
          onClick={onSkip}
        >
          {t("Skip…")}
        </Button>
      </div>
    </div>
  );
}

function TaskButtons({ store, onStep }: Pick<AnswerPanelProps, "store" | "onStep">) {
  const { tasks } = store.batch.value;
  const index = tasks.findIndex(({ attempt }) => attempt === store.attempt.value);
  const isClosed = (task?: Pt.ShownBatchTask) => !task || task.locked;
  return (
    <div class="task-nav">
      <Button
        class="button block"
        testid="task-previous"
        title={withKey(t("Previous task"), "previousTask")}
        aria-label={t("Previous task")}
        disabled={isClosed(tasks[index - 1])}
        onClick={() => onStep(-1)}
      >
        <Icon name="previous" />
        {t("Previous")}
      </Button>
      <Button
        class="button block"
        testid="task-next"
        title={withKey(t("Next task"), "nextTask")}
        aria-label={t("Next task")}
        disabled={isClosed(tasks[index + 1])}
        onClick={() => onStep(1)}
      >
        {t("Next")}
        <Icon name="next" />
      </Button>
    </div>
  );
}
