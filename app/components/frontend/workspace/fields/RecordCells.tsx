/** Cells of a table of records: fixed, chosen, or a text that saves itself. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { FieldError } from "../../shared/components/FieldError";
import { KeyHint } from "../../shared/components/KeyHint";
import { TextDiff, type TextDiffProps } from "../../shared/components/TextDiff";
import { digitOf, keyOf } from "../../shared/keys";
import { MAX_CONTENT } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { ControlProps } from "./controls";
import { namedPages } from "./named_pages";
import { optionKeys } from "./options";
import { wrongCell } from "./record_state";
import { useSavedText } from "./saved_text";
import type { Texts } from "./text_drafts";
import type { TextField } from "./text_field";

type FocusRef = ControlProps["focusRef"] | undefined;

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

const isModified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

export interface ChoiceCellProps {
  column: Pt.Column;
  value: string;
  /** It is the decision that the row is about. */
  isBig?: boolean;
  readOnly: boolean;
  /** the button that takes the focus */
  focusRef: FocusRef;
  onChoose: (option: string, byKey: boolean) => void;
  /** by how many rows, or steps of a replay */
  onMove: (by: number) => void;
}

/** Buttons side by side, with keys while one of them is focused. */
export function ChoiceCell(props: ChoiceCellProps) {
  const { column, value, isBig = false, readOnly, focusRef, onChoose, onMove } = props;
  const keys = optionKeys(column.options);
  const focused = column.options.includes(value) ? value : column.options[0];
  const hasFocus = useSignal(false);
  const press = (event: KeyboardEvent) => {
    if (isModified(event) || readOnly) return;
    const by = STEPS[event.key];
    const pressed = [keyOf(event), digitOf(event)];
    const option = column.options.find((one) => pressed.includes(keys.get(one) ?? null));
    if (!by && option === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) onMove(by);
    else if (option !== undefined && !event.repeat) onChoose(option, true);
  };
  return (
    <div class="cell wide">
      <div
        class="wrapping"
        role="group"
        aria-label={column.label}
        data-testid="cell"
        data-column={column.name}
        data-keys={[...keys.values(), ...Object.keys(STEPS)].join(" ")}
        data-value={value}
        onKeyDown={press}
        onFocusIn={() => {
          hasFocus.value = true;
        }}
        onFocusOut={() => {
          hasFocus.value = false;
        }}
      >
        {column.options.map((option) => (
          <button
            key={option}
            type="button"
            class={isBig ? "choice big toggle filled" : "choice toggle filled"}
            data-value={option}
            title={t("{option} ({key} while one of these is focused)", {
              option: capitalized(column.option_titles[option] ?? option),
              key: keys.get(option),
            })}
            aria-pressed={option === value}
            disabled={readOnly}
            ref={option === focused ? focusRef : undefined}
            onClick={() => onChoose(option, false)}
          >
            {capitalized(column.option_titles[option] ?? option)}
            <KeyHint
              keyName={keys.get(option) ?? ""}
              class={hasFocus.value && !readOnly ? undefined : "idle"}
            />
          </button>
        ))}
      </div>
    </div>
  );
}

const capitalized = (option: string) => option.charAt(0).toUpperCase() + option.slice(1);

export interface TextCellProps {
  column: Pt.Column;
  hasCaption: boolean;
  texts: Texts;
  attempt: string;
  /** of its draft */
  name: string;
  value: string;
  /** what the model said, or null where it said nothing */
  model: string | null;
  readOnly: boolean;
  isDeleted: boolean;
  focusRef: FocusRef;
  /** what an empty cell means */
  placeholder?: string;
  /** what the title says after how to go on */
  hint?: string;
  onCommit: (text: string) => void;
  onMove: (by: number) => void;
  onFocus?: (field: TextField) => void;
  /** whether it takes the key */
  onKey?: (event: KeyboardEvent) => boolean;
}

/** A cell that is typed in. */
export function TextCell(props: TextCellProps) {
  const { column, attempt, name, texts, readOnly, isDeleted, model, onMove } = props;
  const box = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const text = useSignal(props.value);
  // Said while typing: what appears on leaving would move the button that is being pressed.
  const wrong = wrongCell(column, text.value);
  const field = useSavedText(box, {
    ...{ texts, name, attempt },
    stored: props.value,
    restore: !readOnly,
    onCommit: props.onCommit,
    onText: (typed) => {
      text.value = typed;
    },
    check: (typed) => (isDeleted ? "" : wrongCell(column, typed)),
  });
  const press = (event: KeyboardEvent) => {
    if (props.onKey?.(event)) return;
    const by = event.key === "Enter" ? (event.shiftKey ? -1 : 1) : STEPS[event.key];
    const isForLines = column.wide && (event.key !== "Enter" || event.shiftKey);
    if (!by || isForLines || isModified(event) || event.isComposing) return;
    event.preventDefault();
    field.current?.flush();
    onMove(by);
  };
  const setRef = (element: HTMLInputElement | HTMLTextAreaElement | null) => {
    box.current = element;
    props.focusRef?.(element);
  };
  const common = {
    dir: "auto",
    "data-testid": "cell",
    "data-column": column.name,
    autoComplete: "off",
    spellcheck: false,
    maxLength: MAX_CONTENT,
    placeholder: props.placeholder,
    readOnly,
    "aria-label": column.label,
    "aria-invalid": wrong ? "true" : undefined,
    title: [
      column.wide ? t("Enter: next row. Shift+Enter: new line") : t("Enter or ↓: next row"),
      props.hint,
    ]
      .filter(Boolean)
      .join(". "),
    onFocus: () => field.current && props.onFocus?.(field.current),
    onKeyDown: press,
    ref: setRef,
  } as const;
  return (
    <div class={column.wide ? "cell wide" : "cell"}>
      {props.hasCaption ? (
        <span class="cell-label caption" aria-hidden="true">
          {column.label}
        </span>
      ) : null}
      {column.wide ? (
        <textarea class="cell-input wide" rows={1} {...common} />
      ) : (
        <input
          class="cell-input"
          type="text"
          inputMode={column.kind === "number" ? "decimal" : undefined}
          {...common}
        />
      )}
      <FieldError>{wrong}</FieldError>
      {model === null || model === text.value ? null : (
        <p class="model-line caption wrap">
          {column.wide && model ? (
            <>
              {t("Model → you:")} <TextDiff before={model} after={text.value} />
            </>
          ) : (
            t("Model: {value}", { value: model || t("empty") })
          )}
        </p>
      )}
    </div>
  );
}

export interface FixedCellProps {
  column: Pt.Column;
  hasCaption: boolean;
  value: string;
  given: Pt.Place[];
  /** the proposed change that it is part of */
  change: TextDiffProps | null;
  onOpenPage: (page: Pt.Place) => void;
}

/** A cell that cannot be changed; the given pages that it names can be opened. */
export function FixedCell(props: FixedCellProps) {
  const { column, hasCaption, value, given, change, onOpenPage } = props;
  return (
    <div class="cell wide">
      {hasCaption ? <span class="cell-label caption">{column.label}</span> : null}
      <div
        class={value ? "fixed-text pre" : "fixed-text pre empty"}
        data-testid="cell"
        data-column={column.name}
      >
        {value ? null : t("(nothing)")}
        {value && change ? <TextDiff {...change} /> : null}
        {value && !change
          ? namedPages(value, given).map(({ text, page }, i) =>
              page ? (
                <button
                  key={i}
                  type="button"
                  class="link"
                  data-testid="named-page"
                  onClick={() => onOpenPage(page)}
                >
                  {text}
                </button>
              ) : (
                text
              ),
            )
          : null}
      </div>
    </div>
  );
}
