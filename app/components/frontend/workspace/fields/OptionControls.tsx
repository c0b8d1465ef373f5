/** Controls of a closed list: one option as radio buttons, several as toggles. */

import { useSignal } from "@preact/signals";
import { KeyHint } from "../../shared/components/KeyHint";
import { digitOf } from "../../shared/keys";
import { t } from "../../shared/messages";
import type { ControlProps, Controls, Value } from "./controls";
import { digitsOf, toggled } from "./options";
import "./OptionControls.css";

const ROW_CHARACTERS = 24;

type Choice = Pick<Pt.Option, "label" | "help" | "key"> & { value: string | boolean };

const yesAndNo = (): Choice[] => [
  { value: true, label: t("Yes"), help: "", key: null },
  { value: false, label: t("No"), help: "", key: null },
];

const isPlain = (event: KeyboardEvent) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;

/**
 * The keys choose in a group while it has the focus. Digits of a group without keys of its own do so
 * only if the keyboard brought the focus: whoever clicks an option and goes on with the keys means
 * the page.
 * @returns what the group listens to
 */
function groupKeys(
  digits: string[],
  { isKeyed, onKeyed }: Pick<ControlProps, "isKeyed" | "onKeyed">,
  choose: (index: number, event: KeyboardEvent) => void,
) {
  const leave = () => onKeyed(false);
  const listeners = {
    onFocusIn: ({ target }: FocusEvent) => {
      if (!digits.length || (target as Element).matches(":focus-visible")) onKeyed(true);
    },
    onFocusOut: leave,
  };
  if (!digits.length) return { ...listeners, onDigit: undefined };
  return {
    ...listeners,
    "data-keys": isKeyed ? digits.join(" ") : undefined,
    onPointerDown: leave,
    onDigit(event: KeyboardEvent) {
      const index = isKeyed && isPlain(event) ? digits.indexOf(digitOf(event) ?? "") : -1;
      if (index < 0) return;
      event.preventDefault();
      choose(index, event);
    },
  };
}

interface OptionButtonProps {
  spec: Pt.FieldSpec;
  option: Choice;
  /** of the options of a radio group; toggles have none */
  role?: "radio";
  isOn: boolean;
  digit: string | undefined;
  printedKeys: ControlProps["printedKeys"];
  disabled: boolean;
  tabIndex?: number;
  buttonRef?: ControlProps["focusRef"];
  onFocus?: () => void;
  onClick: (event: MouseEvent) => void;
}

function OptionButton(props: OptionButtonProps) {
  const { spec, option, role, isOn, digit, printedKeys, buttonRef, ...rest } = props;
  const { help, label, value } = option;
  const works = option.key !== null && printedKeys.has(option.key.toLowerCase());
  const key = works && !rest.disabled ? option.key : null;
  const shownKey = digit ?? option.key;
  return (
    <button
      type="button"
      class="option toggle filled"
      {...(role ? { role, "aria-checked": isOn } : { "aria-pressed": isOn })}
      ref={buttonRef}
      data-testid="option"
      data-field={spec.name}
      data-value={String(value)}
      title={[help, key && t("Key: {key}", { key })].filter(Boolean).join(" ") || undefined}
      aria-keyshortcuts={key ?? undefined}
      {...rest}
    >
      {shownKey ? (
        <KeyHint keyName={shownKey} class={digit ? "digit" : key ? undefined : "idle"} />
      ) : null}
      <span>{label}</span>
    </button>
  );
}

interface RadiosProps extends ControlProps {
  options: Choice[];
  isOffered: (option: Choice) => boolean;
}

/** One of a closed list: only one button is in the tab order, ↑ and ↓ move among them. */
function Radios(props: RadiosProps) {
  const { spec, options, isOffered, value, keepsPlace, disabled, ids, focusRef, onChoose } = props;
  const focused = useSignal<Value>(null);
  const digits = digitsOf(options);
  const shown = options.filter((option) => keepsPlace || isOffered(option));
  const isDisabled = (option: Choice) => disabled || !isOffered(option);
  const { onDigit, ...listeners } = groupKeys(digits, props, (index, event) => {
    const option = options[index];
    if (isOffered(option) && !disabled) onChoose(option.value, event, true);
  });
  const withValue = (wanted: Value) => shown.find((option) => option.value === wanted);
  const tabStop = withValue(focused.value) ?? withValue(value) ?? shown[0];

  const move = (event: KeyboardEvent) => {
    onDigit?.(event);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...(event.currentTarget as Element).children] as HTMLButtonElement[];
    const enabled = buttons.filter((button) => !button.disabled);
    const next = enabled[enabled.indexOf(event.target as HTMLButtonElement) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  const characters = options.reduce((sum, { label }) => sum + label.length + 2, 0);
  const isStacked = options.length > 4 || characters > ROW_CHARACTERS + 4;
  // What is optional and chosen without keys does not take a line for each option.
  const isOnChips = isStacked && !spec.required && !options.some(({ key }) => key);
  const layout = isStacked ? "options stacked" : "options abreast";
  return (
    <div
      class={isOnChips ? "options chips-row" : layout}
      role="radiogroup"
      aria-labelledby={ids.label}
      aria-describedby={ids.error}
      aria-required={spec.required ? "true" : undefined}
      onKeyDown={move}
      {...listeners}
      onBlurCapture={() => {
        focused.value = null;
      }}
    >
      {shown.map((option) => (
        <OptionButton
          key={String(option.value)}
          spec={spec}
          option={option}
          role="radio"
          isOn={option.value === value}
          digit={digits[options.indexOf(option)]}
          printedKeys={props.printedKeys}
          disabled={isDisabled(option)}
          tabIndex={option === tabStop ? 0 : -1}
          buttonRef={option === tabStop ? focusRef : undefined}
          onFocus={() => {
            focused.value = option.value;
          }}
          onClick={(event) => onChoose(option.value, event)}
        />
      ))}
    </div>
  );
}

function ChoiceControl(props: ControlProps) {
  const isOffered = ({ value }: Choice) => props.offered.some((option) => option.value === value);
  return <Radios {...props} options={props.spec.options} isOffered={isOffered} />;
}

function YesNoControl(props: ControlProps) {
  return <Radios {...props} options={yesAndNo()} isOffered={() => true} />;
}

/** Several of a closed list. */
function MultiControl(props: ControlProps) {
  const { spec, offered, keepsPlace, disabled, ids, focusRef, onChoose } = props;
  const value = Array.isArray(props.value) ? props.value : [];
  const digits = digitsOf(spec.options);
  const toggle = (option: Pt.Option, event: Event) => onChoose(toggled(spec, value, option), event);
  const { onDigit, ...listeners } = groupKeys(digits, props, (index, event) => {
    const option = spec.options[index];
    if (offered.includes(option) && !disabled) toggle(option, event);
  });
  const shown = spec.options.filter((option) => keepsPlace || offered.includes(option));
  const first = shown.find((option) => offered.includes(option));
  return (
    <div
      class={props.isProposed ? "options chips-row proposed" : "options chips-row"}
      role="group"
      aria-labelledby={ids.label}
      aria-describedby={ids.error}
      onKeyDown={onDigit}
      {...listeners}
    >
      {shown.map((option) => (
        <OptionButton
          key={option.value}
          spec={spec}
          option={option}
          isOn={value.includes(option.value)}
          digit={digits[spec.options.indexOf(option)]}
          printedKeys={props.printedKeys}
          disabled={disabled || !offered.includes(option)}
          buttonRef={option === first ? focusRef : undefined}
          onClick={(event) => toggle(option, event)}
        />
      ))}
    </div>
  );
}

export const OPTION_CONTROLS = {
  choice: { view: ChoiceControl },
  ordinal: { view: ChoiceControl },
  boolean: { view: YesNoControl },
  multi: { view: MultiControl },
} satisfies Controls;
