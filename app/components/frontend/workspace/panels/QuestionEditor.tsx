import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { FieldError } from "../../shared/components/FieldError";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_TEXT } from "../../shared/limits";
import { t, tn } from "../../shared/messages";
import { useSavedText } from "../fields/saved_text";
import { isReadOnly } from "../state/attempt_state";
import { type SavedTextProps, savedText } from "./AnswerField";

export interface QuestionEditorProps extends SavedTextProps {
  input: RefObject<HTMLTextAreaElement | null>;
}

/** The author's question: a text box that saves itself, with a count of what is written. */
export function QuestionEditor(props: QuestionEditorProps) {
  const { attempt, protocol } = props.store;
  const isEditable = protocol.value.question.kind === "editable";
  return isEditable ? <Editor key={attempt.value} {...props} /> : null;
}

function Editor({ input, ...props }: QuestionEditorProps) {
  const { store } = props;
  const stored = useComputed(() => store.state.value.question_text ?? "").value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const error = store.questionError.value;
  const count = useSignal("");
  useSavedText(input, {
    ...savedText(props, "question", stored),
    onText(text) {
      count.value = lengthOf(text.trim());
      if (count.value) store.set({ questionError: "" });
    },
  });
  return (
    <div class="field question-editor stack">
      <div class="elements-head line">
        <label for="pt-question">{t("Your question")}</label>
        <span class="count quiet number" data-testid="question-count">
          {count}
        </span>
      </div>
      <TextArea
        ref={input}
        id="pt-question"
        class="question-input"
        testid="question-input"
        rows={4}
        maxLength={MAX_TEXT}
        spellcheck
        placeholder={t("One question that makes sense without a page open")}
        readOnly={readOnly || store.timeOver.value}
        aria-describedby="pt-question-error"
        aria-invalid={error ? "true" : undefined}
      />
      <FieldError id="pt-question-error" testid="field-error" data-field="question">
        {error}
      </FieldError>
    </div>
  );
}

function lengthOf(text: string) {
  if (!text) return "";
  return [
    tn("{number} word", "{number} words", text.split(/\s+/).length),
    tn("{number} character", "{number} characters", [...text].length),
  ].join(", ");
}
