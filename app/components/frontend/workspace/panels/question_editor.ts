/** The author's question: a text box that saves itself, with a count of what is written. */

import { errorLine } from "../../shared/buttons";
import { h, setAttr, setText } from "../../shared/dom";
import { MAX_TEXT } from "../../shared/limits";
import { t, tn } from "../../shared/messages";
import type { Texts } from "../fields/text_drafts";
import type { TextField } from "../fields/text_field";
import { isReadOnly } from "../state/attempt_state";

export class QuestionEditor {
  input: HTMLTextAreaElement;
  count: HTMLSpanElement;
  error: HTMLParagraphElement;
  field: TextField;
  element: HTMLDivElement;

  /** @param commit records the text */
  constructor(texts: Texts, commit: (text: string) => void) {
    this.input = h("textarea", {
      id: "pt-question",
      class: "question-input",
      testid: "question-input",
      rows: "4",
      maxlength: String(MAX_TEXT),
      spellcheck: "true",
      placeholder: t("One question that makes sense without a page open"),
      "aria-describedby": "pt-question-error",
    });
    this.count = h("span", { class: "count quiet number", testid: "question-count" });
    this.error = errorLine("field-error", { id: "pt-question-error", "data-field": "question" });
    this.field = texts.add(this.input, "question", commit, () => this.counted());
    this.element = h(
      "div",
      { class: "field question-editor stack" },
      h(
        "div",
        { class: "elements-head line" },
        h("label", { for: "pt-question", text: t("Your question") }),
        this.count,
      ),
      this.input,
      this.error,
    );
  }

  /**
   * Show another attempt's question.
   * @returns a draft to offer
   */
  attach(attempt: string, state: Pt.AttemptState): string | null {
    const text = state.question_text ?? "";
    const lost = this.field.attach(attempt, text, !isReadOnly(state), state.last_seq);
    this.showError("");
    this.counted();
    return lost;
  }

  /** Show the store's values. */
  update({ state, protocol }: Pt.WorkspaceData, readOnly: boolean) {
    if (protocol.question.kind !== "editable") return;
    this.field.sync(state.question_text ?? "");
    setAttr(this.input, "readonly", readOnly);
    this.counted();
  }

  counted() {
    const text = this.input.value.trim();
    const words = text ? text.split(/\s+/).length : 0;
    setText(
      this.count,
      text
        ? [
            tn("{number} word", "{number} words", words),
            tn("{number} character", "{number} characters", [...text].length),
          ].join(", ")
        : "",
    );
    if (text) this.showError("");
  }

  showError(message: string) {
    setText(this.error, message);
    setAttr(this.input, "aria-invalid", message ? "true" : null);
  }
}
