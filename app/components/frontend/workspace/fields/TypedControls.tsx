/** Controls that are typed in: numbers and texts. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { strip } from "../state/attempt_state";
import type { ControlProps, Controls, Value } from "./controls";
import { useSavedText } from "./saved_text";
import { fieldText } from "./text_drafts";

/** The value that a text stands for, or why it cannot be taken. */
type Parsed = { value: Value } | { problem: string };

function NumberControl(props: ControlProps) {
  return (
    <ParsedControl
      {...props}
      inputMode="decimal"
      parse={(text) => parsedNumber(props.spec, text)}
    />
  );
}

interface ParsedControlProps extends ControlProps {
  inputMode?: "decimal";
  /** @param text trimmed and not empty, which is no value */
  parse: (text: string) => Parsed;
}

/** One line that stands for a value; what cannot be taken is said and not sent. */
function ParsedControl(props: ParsedControlProps) {
  const name = fieldText(props.spec.name, props.target);
  return <ParsedBox key={`${props.attempt} ${name}`} {...props} />;
}

function ParsedBox(props: ParsedControlProps) {
  const { spec, attempt, value, disabled, ids, focusRef, texts, inputMode, parse } = props;
  const stored = value === null ? "" : String(value);
  const typed = useSignal<string | null>(null);
  const refused = useSignal<string | null>(null);
  const handOver = () => {
    const written = typed.peek()?.trim();
    if (written === undefined || written === refused.peek()) return; // said once, not at every flush
    const parsed = written === "" ? { value: null } : parse(written);
    if ("problem" in parsed) {
      refused.value = written;
      props.onProblem(parsed.problem);
      return;
    }
    refused.value = null;
    if (parsed.value === value) typed.value = null;
    else props.onChoose(parsed.value);
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
      inputMode={inputMode}
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

function parsedNumber(spec: Pt.FieldSpec, text: string): Parsed {
  const problem = (name: string, values: Record<string, string | number>) => ({
    problem: sentence(name, values),
  });
  const value = Number(text.replace(",", "."));
  if (!Number.isFinite(value)) {
    return problem("not_a_number", { value: t("“{label}”", { label: text }) });
  }
  if (spec.integer && !Number.isInteger(value)) return problem("not_whole", { value });
  if (spec.min !== null && value < spec.min) return problem("below", { value, limit: spec.min });
  if (spec.max !== null && value > spec.max) return problem("above", { value, limit: spec.max });
  return { value };
}

/** A text that saves itself. */
function TextControl(props: ControlProps) {
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

export const TYPED_CONTROLS = {
  number: { view: NumberControl, isInput: true },
  text: { view: TextControl, isInput: true },
} satisfies Controls;
