import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { TextInput } from "../../shared/components/TextInput";
import { keyName, withKey } from "../../shared/keys";
import { MAX_REASON } from "../../shared/limits";
import { insertValues, N_, t } from "../../shared/messages";
import type { ReviewState, ReviewStore } from "../store";
import { lastReasons } from "./last_reasons";
import { mixedWords } from "./mixed_evidence";
import { isUnfinished } from "./pending_work";
import { mayReturn } from "./sending_back";
import "./DecisionBar.css";

const CONFIDENCE = [
  ["", N_("How sure?")],
  ["high", N_("Sure")],
  ["medium", N_("Fairly sure")],
  ["low", N_("Not sure")],
] as const;

/** What is said of a decision. */
type Said = Pick<ReviewState, "reason" | "errors" | "confidence" | "datasetWrong">;

export interface DecisionBarProps {
  store: ReviewStore;
  reasonField: RefObject<HTMLInputElement | null>;
  onSay: (said: Partial<Said>) => void;
  onAccept: () => void;
  onConfirm: () => void;
  onEdit: () => void;
  onSendBack: () => void;
  onUndo: () => void;
  onReopen: () => void;
  onNext: () => void;
}

/** Below everything: the reason, and what can be done with the task. */
export function DecisionBar(props: DecisionBarProps) {
  const { store } = props;
  return (
    <footer class="decision line">
      <ReasonField {...props} />
      <DecisionDetails {...props} />
      <DatasetAnswers {...props} />
      <p class="before-deciding live" role="status" data-testid="still-at-it">
        {pendingWords(store)}
      </p>
      <MixedEvidence store={store} />
      <FieldError testid="decision-error">
        {store.reasonMissing.value ? t("Give a reason to reopen it.") : null}
      </FieldError>
      <DecisionButtons {...props} />
    </footer>
  );
}

function ReasonField({ store, reasonField, onSay }: DecisionBarProps) {
  const suggested = useSignal<string[]>([]);
  return (
    <div class="reason-field line">
      <span class="quiet" aria-hidden="true">
        {t("Reason")}
      </span>
      <TextInput
        ref={reasonField}
        class="reason fill"
        maxLength={MAX_REASON}
        list="pt-review-reasons"
        testid="reason"
        aria-label={t("Reason")}
        autocomplete="off"
        placeholder={reasonPlaceholder(store)}
        disabled={store.readOnly.value}
        value={store.reason.value}
        onFocus={() => {
          suggested.value = lastReasons();
        }}
        onInput={(event) => onSay({ reason: event.currentTarget.value })}
      />
      <datalist id="pt-review-reasons">
        {suggested.value.map((reason) => (
          <option key={reason} value={reason} />
        ))}
      </datalist>
    </div>
  );
}

function reasonPlaceholder(store: ReviewStore) {
  if (!store.decided.value) return withKey(t("Reason"), "reason");
  return store.review.value.status === "check"
    ? t("Reason to confirm or to reopen")
    : t("Reason to reopen");
}

/** Whether the dataset's answers stay accepted; asked of those who have seen them. */
function DatasetAnswers({ store, onSay }: DecisionBarProps) {
  if (!store.review.value.dataset_gold?.answers.length) return null;
  return (
    <label
      class="inline"
      title={t("Otherwise they stay accepted, next to the answers of the gold.")}
    >
      <input
        type="checkbox"
        data-testid="dataset-wrong"
        checked={store.datasetWrong.value}
        disabled={store.readOnly.value || store.decided.value}
        onChange={(event) => onSay({ datasetWrong: event.currentTarget.checked })}
      />
      {t("The dataset’s answers are wrong")}
    </label>
  );
}

/** Kinds of error, and how sure the reviewer is. */
function DecisionDetails({ store, onSay }: DecisionBarProps) {
  const { rule, status } = store.review.value;
  if (!rule.errors.length && !rule.confidence) return null;
  const errors = store.errors.value;
  const isFixed = store.readOnly.value || (store.decided.value && status !== "check");
  return (
    <div class="said line">
      <span class="inline wrap" role="group" aria-label={t("Kinds of error")}>
        {rule.errors.map((name) => (
          <Button
            key={name}
            aria-pressed={errors.includes(name)}
            disabled={isFixed}
            onClick={() =>
              onSay({
                errors: errors.includes(name)
                  ? errors.filter((other) => other !== name)
                  : [...errors, name],
              })
            }
          >
            {name}
          </Button>
        ))}
      </span>
      {rule.confidence ? (
        <select
          data-testid="confidence"
          aria-label={t("How sure are you?")}
          disabled={isFixed}
          value={store.confidence.value ?? ""}
          onChange={(event) =>
            onSay({ confidence: CONFIDENCE[event.currentTarget.selectedIndex][0] || null })
          }
        >
          {CONFIDENCE.map(([value, text]) => (
            <option key={value} value={value}>
              {t(text)}
            </option>
          ))}
        </select>
      ) : null}
    </div>
  );
}

/** Whom the decision does not wait for. */
function pendingWords(store: ReviewStore) {
  const data = store.review.value;
  if (store.decided.value || !isUnfinished(data)) return "";
  const { sentence, decide_hint: hint } = data.unfinished;
  return store.warned.value
    ? `${sentence} ${insertValues(hint, { key: keyName("accept") })}`
    : sentence;
}

function MixedEvidence({ store }: { store: ReviewStore }) {
  const words = useRef("");
  // While a draft is being made, what was said of the one before stays.
  if (!store.busy.value)
    words.current = store.decided.value
      ? ""
      : mixedWords(store.review.value, store.draft.value.mixed_evidence);
  return (
    <p class="before-deciding live" role="status" data-testid="mixed-evidence">
      {words.current}
    </p>
  );
}

function DecisionButtons(props: DecisionBarProps) {
  const { store, onSendBack } = props;
  const isFixed = store.acting.value > 0 || store.readOnly.value;
  return (
    <>
      <Button
        class="button"
        testid="send-back"
        title={withKey(t("Send back to an annotator, with a comment"), "sendBack")}
        disabled={isFixed || !store.review.value.participants.some(mayReturn)}
        onClick={onSendBack}
      >
        {t("Send back…")}
      </Button>
      {store.decided.value ? (
        <DecidedButtons {...props} isFixed={isFixed} />
      ) : (
        <UndecidedButtons {...props} isFixed={isFixed} />
      )}
    </>
  );
}

function UndecidedButtons({
  store,
  isFixed,
  onEdit,
  onAccept,
}: DecisionBarProps & { isFixed: boolean }) {
  const data = store.review.value;
  const isStored = store.draftSource.value === "stored";
  const isSubmitted = store.participants.value.length > 0;
  const waits = isUnfinished(data);
  return (
    <>
      <Button
        class="button"
        testid="edit"
        title={withKey(t("Keep the draft and go on with it in the workspace"), "edit")}
        disabled={isFixed || !isSubmitted}
        onClick={onEdit}
      >
        {t("Edit in the workspace")}
      </Button>
      <Button
        class={waits ? "button" : "button primary"}
        testid="accept"
        title={
          waits
            ? t("Make this draft gold without waiting ({key}, twice)", { key: keyName("accept") })
            : withKey(t("Make this draft gold"), "accept")
        }
        disabled={isFixed || !(isSubmitted || isStored)}
        onClick={onAccept}
      >
        {waits ? data.unfinished.decide_label : isStored ? t("Accept the draft") : t("Accept")}
      </Button>
    </>
  );
}

function DecidedButtons({
  store,
  isFixed,
  onUndo,
  onReopen,
  onConfirm,
  onNext,
}: DecisionBarProps & { isFixed: boolean }) {
  const { gold, status, queue } = store.review.value;
  const isOutdated = status === "changed" || status === "incomplete";
  return (
    <>
      {gold?.undoable ? (
        <Button
          class="button"
          testid="undo"
          title={withKey(t("Undo your decision"), "undo")}
          disabled={store.acting.value > 0}
          onClick={onUndo}
        >
          {t("Undo")}
        </Button>
      ) : null}
      <Button
        class={isOutdated ? "button primary" : "button"}
        testid="take-up"
        title={t("Change the gold; a reason is needed")}
        disabled={isFixed}
        onClick={onReopen}
      >
        {t("Reopen")}
      </Button>
      {status === "check" ? (
        <Button
          class="button primary"
          testid="confirm"
          title={withKey(t("Leave it as it is"), "accept")}
          disabled={isFixed}
          onClick={onConfirm}
        >
          {t("Confirm")}
        </Button>
      ) : (
        <Button
          class={isOutdated ? "button" : "button primary"}
          testid="next-task"
          title={withKey(t("Next in the queue"), "nextTask")}
          disabled={!queue.next}
          onClick={onNext}
        >
          {t("Next task")}
        </Button>
      )}
    </>
  );
}
