/** What the calculator does besides computing: numbers come from pages, results go into the answer. */

import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { formOf } from "../state/form_state";
import { withCopied } from "../viewer/copy_to_answer";
import type { Workspace } from "../workspace";
import { numbersIn, type Result, withNumbers } from "./arithmetic";

type Screen = Pick<
  Workspace,
  "attempt" | "boxes" | "calculatorInput" | "commands" | "layout" | "store" | "texts" | "toast"
>;

export class CalculatorCommands {
  constructor(private readonly screen: Screen) {
    const { boxes, commands } = screen;
    boxes.text.addOffer({
      text: t("To the calculator"),
      testid: "copy-to-calculator",
      title: withKey(t("Add the selected numbers up in the calculator"), "focusCalculator"),
      isOffered: () => this.mayTake && this.numbers.length > 0,
      run: () => this.takeNumbers(),
    });
    commands.register("focusCalculator", () => this.takeNumbers() || this.focus());
  }

  private get mayTake() {
    const { aids, text } = this.screen.store.data.protocol;
    return aids.calculator && text.select && !this.screen.attempt.readOnly;
  }

  private get numbers() {
    return numbersIn(this.screen.boxes.text.string.split(/\s+/));
  }

  private takeNumbers() {
    const { boxes, store } = this.screen;
    const { numbers } = this;
    if (!this.mayTake || !numbers.length) return false;
    boxes.copied(boxes.text.string, "calculator");
    store.set({ calculation: withNumbers(store.data.calculation, numbers) });
    boxes.text.clear();
    this.focus();
    return true;
  }

  private focus() {
    const { calculatorInput, layout } = this.screen;
    if (!calculatorInput.current) return false;
    layout.showRight();
    return calculatorInput.current.focus();
  }

  /** Record a calculation; its result is what the next one begins with. */
  record({ expression, result }: Result) {
    if (expression === result) return; // a number alone
    this.screen.attempt.record("calculated", { expression, result });
    this.screen.store.set({ calculation: result.replace("-", "−") });
  }

  /** Record a calculation, and put its result at the end of the answer. */
  useResult(calculation: Result) {
    const { attempt, store, texts, toast } = this.screen;
    this.record(calculation);
    const answer = texts.get("answer");
    const { protocol } = store.data;
    if (!answer || !attempt.mayEdit || formOf(store.data).ended) return;
    answer.flush();
    const text = withCopied(answer.text, calculation.result, protocol.answer.kind === "list");
    if (text === null) toast(t("The answer has no room for this result."));
    else answer.use(text);
  }
}
