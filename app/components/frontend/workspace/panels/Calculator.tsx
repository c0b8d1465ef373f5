import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { TextInput } from "../../shared/components/TextInput";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { isReadOnly } from "../state/attempt_state";
import { calculationOf, type Result, shownCalculation } from "./arithmetic";
import "./Calculator.css";

const MAX_TYPED = 400;

export interface CalculatorProps {
  store: Pt.Store;
  calculatorInput: RefObject<HTMLInputElement | null>;
  onCalculation: (text: string) => void;
  /** Record a calculation, and go on with its result. */
  onCalculate: (calculation: Result) => void;
  /** Record a calculation, and put its result into the answer. */
  onUseResult: (calculation: Result) => void;
}

/** A calculator, where the campaign allows it; it has a key of the attempt. */
export function Calculator({ store, calculatorInput, ...props }: CalculatorProps) {
  const typed = store.calculation.value;
  const calculations = useComputed(() => store.state.value.calculations).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const problem = useSignal("");
  const { aids, answer } = store.protocol.value;
  if (!aids.calculator || readOnly || store.review.value) return null;
  const calculation = calculationOf(typed);
  const result = calculation && "result" in calculation ? calculation : null;
  const last = calculations.at(-1);
  const calculate = () => {
    if (result) props.onCalculate(result);
    else problem.value = calculation && "problem" in calculation ? t(calculation.problem) : "";
  };
  return (
    <section class="field stack" aria-label={t("Calculator")} data-testid="calculator">
      <label for="pt-calculator">{t("Calculator")}</label>
      <div class="line">
        <TextInput
          ref={calculatorInput}
          class="calculation-input"
          id="pt-calculator"
          testid="calculation"
          maxLength={MAX_TYPED}
          autocomplete="off"
          spellcheck={false}
          placeholder="(120 − 100) ÷ 100"
          title={withKey(t("Calculator"), "focusCalculator")}
          value={typed}
          aria-describedby="pt-calculation pt-calculation-error"
          aria-invalid={problem.value ? "true" : undefined}
          onInput={({ currentTarget }) => {
            problem.value = "";
            props.onCalculation(currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            calculate();
          }}
        />
        <Button class="button" testid="calculate" aria-label={t("Calculate")} onClick={calculate}>
          =
        </Button>
      </div>
      <p id="pt-calculation" class="quiet wrap medium number" data-testid="calculation-result">
        {result ? shownCalculation(result) : t("10% means 0.1. Enter keeps the result.")}
      </p>
      <FieldError id="pt-calculation-error" testid="calculation-error">
        {problem.value}
      </FieldError>
      {result && answer.kind !== "off" ? (
        <Button testid="use-result" onClick={() => props.onUseResult(result)}>
          {t("Result to the answer")}
        </Button>
      ) : null}
      <LiveRegion class="unseen">{last ? shownCalculation(last) : null}</LiveRegion>
      {last ? (
        <ol class="caption wrap number" data-testid="calculations" aria-label={t("Calculations")}>
          {calculations.map((past) => (
            <li key={past.seq}>{shownCalculation(past)}</li>
          ))}
        </ol>
      ) : null}
    </section>
  );
}
