/** Controls that are typed in: numbers and texts. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { strip } from "../state/attempt_state";
import type { ControlProps } from "./controls";
import { useSavedText } from "./saved_text";
import { fieldText } from "./text_drafts";

/** A number; what is no number or out of bounds is said and not sent. */
export function NumberControl(props: ControlProps) {
  const name = fieldText(props.spec.name, props.target);
  return <NumberBox key={`${props.attempt} ${name}`} {...props} />;
}

function NumberBox(props: ControlProps) {
  const { spec, attempt, value, disabled, ids, focusRef, texts } = props;
  const stored = value === null ? "" : String(value);
  const typed = useSignal<string | null>(null);
  const refused = useSignal<string | null>(null);
  const handOver = () => {
    const written = typed.peek()?.trim();
    if (written === undefined || written === refused.peek()) return; // said once, not at every flush
    const number = written === "" ? null : Number(written.replace(",", "."));
    const wrong = number === null ? "" : wrongNumber(spec, number, written);
    refused.value = wrong ? written : null;
    if (wrong) {
      props.onProblem(wrong);
      return;
    }
    if (number === value) typed.value = null;
    else props.onChoose(number);
  };
  const latest = useRef(handOver);
  latest.current = handOver;

  useLayoutEffect(() => {
    typed.value = null;
    refused.value = null;
  }, [stored]);
  useLayoutEffect(() => {
    const entry = {
      attempt,
      get dirty() {
        return typed.peek() !== null;
      },
      flush: () => latest.current(),
    };
    texts.include(entry);
    return () => texts.remove(entry);
  }, []);
  return (
    <input
      type="text"
      dir="auto"
      class="number-input"
      id={ids.input}
      ref={focusRef}
      inputMode="decimal"
      autoComplete="off"
      data-testid="field-input"
      data-field={spec.name}
      aria-describedby={ids.error}
      aria-invalid={refused.value === null ? undefined : "true"}
      readOnly={disabled}
      value={typed.value ?? stored}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onChange={handOver}
      onKeyDown={(event) => event.key === "Enter" && handOver()}
    />
  );
}

/** Why a number cannot be taken, or "". */
function wrongNumber(spec: Pt.FieldSpec, value: number, text: string) {
  if (!Number.isFinite(value))
    return sentence("not_a_number", { value: t("“{label}”", { label: text }) });
  if (spec.integer && !Number.isInteger(value)) return sentence("not_whole", { value });
  if (spec.min !== null && value < spec.min) return sentence("below", { value, limit: spec.min });
  if (spec.max !== null && value > spec.max) return sentence("above", { value, limit: spec.max });
  return "";
}

/** A text that saves itself. */
export function TextControl(props: ControlProps) {
  const name = fieldText(props.spec.name, props.target);
  return <SavedTextBox key={`${props.attempt} ${name}`} name={name} {...props} />;
}

function SavedTextBox({ name, ...props }: ControlProps & { name: string }) {
  const { spec, attempt, value, disabled, ids, focusRef, texts, onText, onLostText } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useSavedText(box, {
    ...{ texts, name, attempt },
    stored: typeof value === "string" ? value : "",
    restore: !disabled,
    onCommit: onText,
    onLost: (lost, use) => strip(lost) && onLostText(use),
  });
  return (
    <textarea
      dir="auto"
      id={ids.input}
      ref={(element) => {
        box.current = element;
        focusRef(element);
      }}
      rows={spec.max_length > 200 ? 3 : 1}
      maxLength={spec.max_length}
      data-testid="field-input"
      data-field={spec.name}
      aria-describedby={ids.error}
      spellcheck={true}
      readOnly={disabled}
    />
  );
}
