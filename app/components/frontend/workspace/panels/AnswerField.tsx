import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { FieldError } from "../../shared/components/FieldError";
import { TextArea } from "../../shared/components/TextInput";
import { withKey } from "../../shared/keys";
import { MAX_SCRATCHPAD, MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import { useSavedText } from "../fields/saved_text";
import { isReadOnly, parseAnswers } from "../state/attempt_state";
import { currentForm } from "../state/form_state";
import type { AnswerPanelProps, WrittenText } from "./AnswerPanel";

export type SavedTextProps = Pick<AnswerPanelProps, "store" | "texts" | "onCommit" | "onLost">;

/** Makes a text of the attempt on screen save itself. */
export function savedText(
  { store, texts, onCommit, onLost }: SavedTextProps,
  name: WrittenText,
  stored: string,
) {
  const restore = !isReadOnly(store.data.state);
  return {
    ...{ texts, name, stored, restore },
    attempt: store.data.attempt,
    onCommit: (text: string) => onCommit(name, text),
    onLost: (text: string) => restore && onLost(name, text),
  };
}

type AnswerFieldProps = SavedTextProps & Pick<AnswerPanelProps, "answerInput" | "onAnswer">;

export function AnswerField(props: AnswerFieldProps) {
  const { attempt, protocol } = props.store;
  return protocol.value.answer.kind === "off" ? null : <Answer key={attempt.value} {...props} />;
}

function Answer({ answerInput, onAnswer, ...props }: AnswerFieldProps) {
  const { store } = props;
  const stored = useComputed(() => store.state.value.answer_text).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const isEnded = useComputed(() => currentForm(store).ended).value;
  const isLocked = readOnly || store.timeOver.value || isEnded;
  const isList = store.protocol.value.answer.kind === "list";
  const error = store.answerError.value;
  const answers = useSignal<string[]>([]);
  useSavedText(answerInput, {
    ...savedText(props, "answer", stored),
    onText(text) {
      answers.value = parseAnswers(text);
      if (answers.value.length) onAnswer();
    },
  });
  return (
    <div class={isLocked ? "field stack locked" : "field stack"}>
      <label for="pt-answer">
        {t("Answer")} {isList ? <span class="quiet">{t("one per line")}</span> : null}
      </label>
      <TextArea
        ref={answerInput}
        id="pt-answer"
        testid="answer"
        rows={5}
        maxLength={MAX_TEXT}
        spellcheck={false}
        title={withKey(t("Answer"), "focusAnswer")}
        placeholder={isList ? t("One answer per line") : t("Your answer")}
        readOnly={isLocked}
        aria-describedby="pt-answer-error"
        aria-invalid={error ? "true" : undefined}
      />
      <FieldError id="pt-answer-error" testid="answer-error">
        {error}
      </FieldError>
      {isList && answers.value.length ? (
        <ol
          class="preview quiet stack wrap medium"
          data-testid="answer-preview"
          aria-label={t("Answers as read")}
        >
          {answers.value.map((answer) => (
            <li>{answer}</li>
          ))}
        </ol>
      ) : null}
    </div>
  );
}

type ScratchpadProps = SavedTextProps & Pick<AnswerPanelProps, "scratchpadInput">;

/** A text for all tasks of the batch, where the campaign allows it; it has a key of the attempt. */
export function Scratchpad(props: ScratchpadProps) {
  const { protocol, review } = props.store;
  const isOffered = protocol.value.aids.scratchpad && review.value === null;
  return isOffered ? <ScratchpadField {...props} /> : null;
}

function ScratchpadField({ scratchpadInput: input, ...props }: ScratchpadProps) {
  const { store } = props;
  const stored = useComputed(() => store.state.value.scratchpad).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  useSavedText(input, savedText(props, "scratchpad", stored));
  return (
    <div class="field stack">
      <label for="pt-scratchpad">
        {t("Scratchpad")} <span class="quiet">{t("for all tasks of this batch")}</span>
      </label>
      <TextArea
        ref={input}
        id="pt-scratchpad"
        testid="scratchpad"
        rows={3}
        maxLength={MAX_SCRATCHPAD}
        spellcheck
        title={withKey(t("Scratchpad"), "focusScratchpad")}
        readOnly={readOnly}
      />
    </div>
  );
}

/** The note; it has a key of the attempt. */
export function NoteField(props: SavedTextProps) {
  const { store } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  const stored = useComputed(() => store.state.value.note).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  useSavedText(input, savedText(props, "note", stored));
  return (
    <div class="field stack">
      <label for="pt-note">
        {t("Note")} <span class="quiet private">{t("private")}</span>
      </label>
      <TextArea
        ref={input}
        id="pt-note"
        testid="note"
        rows={2}
        maxLength={MAX_TEXT}
        spellcheck
        readOnly={readOnly}
      />
    </div>
  );
}
