import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { ReviewStore } from "../store";
import { type AnswerEditing, linesOf } from "./answer_editing";

const MOST_ANSWERS = 50;

/** A field for each accepted answer. */
export function AnswerEditor({ store, editing }: { store: ReviewStore; editing: AnswerEditing }) {
  const answers = store.answers.value ?? [];
  const pasted = useSignal<number | null>(null);
  const lines = pasted.value === null ? 0 : linesOf(answers[pasted.value] ?? "").length;
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
            onPaste={(text) => {
              if (linesOf(text).length > 1) pasted.value = i;
            }}
          />
        ))}
      </div>
      {lines > 1 ? (
        <div class="stack" role="status" data-testid="pasted-list">
          <span>{t("These {lines} lines are", { lines })}</span>
          <div class="wrapping">
            <Button
              testid="pasted-items"
              onClick={() => {
                pasted.value = null;
              }}
            >
              {t("one answer with {lines} items, all needed", { lines })}
            </Button>
            <Button
              testid="pasted-variants"
              onClick={() => {
                const index = pasted.value ?? 0;
                pasted.value = null;
                editing.split(index);
              }}
            >
              {t("{lines} right answers, each enough", { lines })}
            </Button>
          </div>
        </div>
      ) : null}
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
  onPaste: (text: string) => void;
}

function AnswerField({ number, text, isLast, onType, onPaste }: AnswerFieldProps) {
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
        onPaste={(event) => onPaste(event.clipboardData?.getData("text/plain") ?? "")}
        onInput={(event) => onType(event.currentTarget.value, event.isComposing)}
      />
    </div>
  );
}
