import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { ReviewStore } from "../store";
import type { AnswerEditing } from "./answer_editing";

const MOST_ANSWERS = 50;

/** A field for each accepted answer. */
export function AnswerEditor({ store, editing }: { store: ReviewStore; editing: AnswerEditing }) {
  const answers = store.answers.value ?? [];
  return (
    <div class="answer-editor stack" data-testid="answer-editor">
      <div class="stack">
        {answers.map((text, i) => (
          <AnswerField
            key={i}
            number={i + 1}
            text={text}
            isLast={i === answers.length - 1}
            onType={(typed, isComposing) => editing.type(i, typed, isComposing)}
          />
        ))}
      </div>
      <div class="wrapping">
        <Button
          testid="add-variant"
          disabled={answers.length >= MOST_ANSWERS}
          onClick={() => editing.add()}
        >
          {t("Add a variant")}
        </Button>
        <Button testid="answer-done" onClick={() => editing.finish()}>
          {t("Done")}
        </Button>
      </div>
    </div>
  );
}

interface AnswerFieldProps {
  number: number;
  text: string;
  isLast: boolean;
  onType: (text: string, isComposing: boolean) => void;
}

function AnswerField({ number, text, isLast, onType }: AnswerFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const rows = useRef(Math.min(6, text.split("\n").length)).current;
  // The last field gets the focus when the editor opens, a further one when it is added.
  useLayoutEffect(() => {
    if (!isLast) return;
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  return (
    <div class="stack">
      {number > 1 ? <span class="caption">{t("or")}</span> : null}
      <textarea
        ref={field}
        dir="auto"
        rows={rows}
        maxLength={MAX_TEXT}
        value={text}
        aria-label={number === 1 ? t("Accepted answer") : t("Accepted answer {number}", { number })}
        data-testid="accepted-answer"
        onInput={(event) => onType(event.currentTarget.value, event.isComposing)}
      />
    </div>
  );
}
