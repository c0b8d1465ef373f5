/** The right panel: places for what is asked, answer, note, flag, submit, next and previous task. */

import { errorLine } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { sentence } from "../../shared/sentences";
import { isReadOnly, parseAnswers } from "../state/attempt_state";
import { formOf } from "../state/form_state";

const SLOTS = ["feedback", "question", "fields", "boxes", "records"];

export class AnswerPanel {
  answerLabel: HTMLLabelElement;
  answerInput: HTMLTextAreaElement;
  noteInput: HTMLTextAreaElement;
  answerError: HTMLParagraphElement;
  preview: HTMLOListElement;
  answer: any;
  note: any;
  flagText: HTMLSpanElement;
  flag: HTMLButtonElement;
  flagComment: HTMLParagraphElement;
  submit: HTMLButtonElement;
  notFound: HTMLButtonElement;
  unanswerable: HTMLButtonElement;
  skip: HTMLButtonElement;
  previous: HTMLButtonElement;
  next: HTMLButtonElement;
  submitError: HTMLParagraphElement;
  evidenceLine: HTMLParagraphElement;
  timeOver: HTMLParagraphElement;
  slots: { [k: string]: HTMLDivElement };
  answerField: HTMLDivElement;
  submitBlock: HTMLDivElement;
  element: HTMLElement;
  isList: boolean | undefined;

  previewKey: any;

  /**
   * @param actions submit(outcome), skip(), flag(), next(), previous(), `texts` (a
   * Texts), and `commit(field, text)` for the text boxes
   */
  constructor(actions: Pt.Actions) {
    const area = (props: Record<string, any>) =>
      h("textarea", { maxlength: "20000", spellcheck: "false", ...props });
    this.answerLabel = h("label", { for: "pt-answer" });
    this.answerInput = area({
      id: "pt-answer",
      testid: "answer",
      rows: "5",
      title: "Answer (a)",
      "aria-describedby": "pt-answer-error",
    });
    this.noteInput = area({ id: "pt-note", testid: "note", rows: "2", spellcheck: "true" });
    this.answerError = errorLine("answer-error", { id: "pt-answer-error" });
    this.preview = h("ol", {
      class: "preview quiet stack wrap medium",
      testid: "answer-preview",
      "aria-label": "Answers as read",
    });
    const field = (element: any, name: string) =>
      actions.texts.add(
        element,
        name,
        (text: string) => actions.commit(name, text),
        () => this.showPreview(),
      );
    this.answer = field(this.answerInput, "answer");
    this.note = field(this.noteInput, "note");
    this.flagText = h("span", {});
    this.flag = h(
      "button",
      {
        class: "button flag-button",
        testid: "flag",
        title: "Flag for the supervisor (f)",
        on: { click: () => actions.flag() },
      },
      icon("flag"),
      this.flagText,
    );
    this.flagComment = h("p", { class: "flag-comment quiet wrap medium", testid: "flag-comment" });
    const outcome = (
      testid: string,
      text: string,
      props: Record<string, any>,
      run: (...args: any[]) => any,
    ) => h("button", { class: "button block", testid, text, ...props, on: { click: run } });
    this.submit = outcome("submit", "Submit", { title: "Submit (Ctrl+Enter)" }, () =>
      actions.submit(),
    );
    this.submit.classList.add("primary");
    this.notFound = outcome(
      "no-answer",
      "No answer found",
      { title: "Submit: looked for, but not found" },
      () => actions.submit("not_found"),
    );
    this.unanswerable = outcome(
      "unanswerable",
      "Unanswerable",
      { title: "Submit: the collection does not hold the answer" },
      () => actions.submit("unanswerable"),
    );
    this.skip = outcome("skip", "Skip…", { title: "Put aside with a reason (s)" }, () =>
      actions.skip(),
    );
    this.previous = outcome(
      "task-previous",
      "",
      { title: "Previous task (Ctrl+←)", "aria-label": "Previous task" },
      () => actions.previous(),
    );
    this.next = outcome(
      "task-next",
      "",
      { title: "Next task (Ctrl+→)", "aria-label": "Next task" },
      () => actions.next(),
    );
    fill(this.previous, icon("previous"), "Previous");
    fill(this.next, "Next", icon("next"));
    this.submitError = errorLine("submit-error");
    this.evidenceLine = h("p", { class: "quiet medium", testid: "evidence-line" });
    this.timeOver = h("p", {
      class: "time-over notice warning medium",
      role: "status",
      testid: "time-over",
      hidden: true,
      text: sentence("time_over"),
    });
    this.slots = Object.fromEntries(
      SLOTS.map((name) => [name, h("div", { class: "slot", "data-slot": name })]),
    );
    this.answerField = h(
      "div",
      { class: "field stack" },
      this.answerLabel,
      this.answerInput,
      this.answerError,
      this.preview,
    );
    this.submitBlock = h(
      "div",
      { class: "stack" },
      this.timeOver,
      this.evidenceLine,
      this.submitError,
      this.submit,
      h("div", { class: "outcomes wrapping" }, this.notFound, this.unanswerable, this.skip),
    );
    this.element = h(
      "aside",
      { class: "right scrolls column", "aria-label": "Answer" },
      h(
        "div",
        { class: "right-scroll scrolls stack" },
        ...Object.values(this.slots),
        this.answerField,
        h(
          "div",
          { class: "field stack" },
          h(
            "label",
            { for: "pt-note" },
            "Note ",
            h("span", { class: "quiet private", text: "private" }),
          ),
          this.noteInput,
        ),
        h("div", { class: "field stack" }, this.flag, this.flagComment),
      ),
      h(
        "div",
        { class: "right-foot stack" },
        this.submitBlock,
        h("div", { class: "task-nav" }, this.previous, this.next),
      ),
    );
  }

  /**
   * Show another attempt's texts.
   * @returns a draft to offer
   */
  attach(attempt: string, state: Pt.AttemptState): { field: string; text: string } | null {
    const restore = !isReadOnly(state);
    const answer = this.answer.attach(attempt, state.answer_text, restore, state.last_seq);
    const note = this.note.attach(attempt, state.note, restore, state.last_seq);
    this.showError("answer", "");
    this.showError("submit", "");
    this.showPreview();
    if (!restore) return null;
    if (answer !== null) return { field: "answer", text: answer };
    return note === null ? null : { field: "note", text: note };
  }

  /** Show the store's values. */
  update(data: Pt.WorkspaceData) {
    const { state, protocol, batch, attempt, connection, review, timeOver } = data;
    const readOnly = isReadOnly(state);
    const { ended } = formOf(data);
    const done = protocol.answer.kind === "off" || ended;
    this.element.classList.toggle("ended", ended);
    this.showAnswer(data, readOnly || timeOver || ended);
    this.note.sync(state.note);
    setAttr(this.noteInput, "readonly", readOnly);
    this.element.classList.toggle("read-only", readOnly);
    const flagged = state.flag !== null;
    setText(this.flagText, flagged ? "Flagged" : "Flag");
    setAttr(this.flag, "aria-pressed", String(flagged));
    this.flag.disabled = readOnly;
    setText(this.flagComment, state.flag ?? "");
    this.flagComment.hidden = !state.flag;
    setText(this.submit, review ? "Done: back to review" : "Submit");
    setAttr(
      this.submit,
      "title",
      review ? "Keep this draft and go back (Ctrl+Enter)" : "Submit (Ctrl+Enter)",
    );
    this.notFound.hidden = done || !protocol.answer.not_found;
    this.unanswerable.hidden = done || !protocol.answer.unanswerable;
    this.submitBlock.hidden = readOnly;
    this.timeOver.hidden = readOnly || !timeOver;
    const stopped = connection.kind === "stopped";
    for (const button of [this.submit, this.notFound, this.unanswerable, this.skip])
      button.disabled = stopped;
    const n = state.citations.length;
    this.evidenceLine.hidden = !protocol.evidence.enabled;
    setText(
      this.evidenceLine,
      n ? `${n} ${n === 1 ? "page" : "pages"} cited` : "No page cited yet",
    );
    const here = batch.tasks.findIndex((task) => task.attempt === attempt);
    const closed = (task: Pt.ShownBatchTask | undefined) => !task || task.locked;
    this.previous.disabled = closed(batch.tasks[here - 1]);
    this.next.disabled = here < 0 || closed(batch.tasks[here + 1]);
  }

  showAnswer({ state, protocol }: Pt.WorkspaceData, locked: boolean) {
    const { kind } = protocol.answer;
    this.answerField.hidden = kind === "off";
    // An author writes the answer beneath the question; whoever grades pages answers at the end.
    const place = this.slots[protocol.question.kind === "editable" ? "question" : "records"];
    if (this.answerField.previousElementSibling !== place) place.after(this.answerField);
    this.answerField.classList.toggle("locked", locked);
    this.isList = kind === "list";
    fill(
      this.answerLabel,
      "Answer ",
      this.isList ? h("span", { class: "quiet", text: "one per line" }) : null,
    );
    setAttr(this.answerInput, "placeholder", this.isList ? "One answer per line" : "Your answer");
    this.answer.sync(state.answer_text);
    setAttr(this.answerInput, "readonly", locked);
    this.showPreview();
  }

  showPreview() {
    const answers = parseAnswers(this.answerInput.value);
    const key = answers.join("\n");
    this.preview.hidden = !this.isList || !answers.length;
    if (key === this.previewKey) return;
    this.previewKey = key;
    fill(this.preview, ...answers.map((answer) => h("li", { text: answer })));
    if (answers.length) this.showError("answer", "");
  }

  /** A sentence beside the field it is about. */
  showError(field: string, message: string) {
    const place = field === "answer" ? this.answerError : this.submitError;
    setText(place, message);
    if (field === "answer") setAttr(this.answerInput, "aria-invalid", message ? "true" : null);
  }
}
