/** The summary before submitting, skipping and flagging. */

import { errorLine } from "../../shared/buttons";
import { dialogButton, openDialog } from "../../shared/dialogs";
import { h, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { sentence } from "../../shared/sentences";
import { parseAnswers, strip } from "../state/attempt_state";
import { missing } from "../state/completeness";
import { formOf } from "../state/form_state";
import { summary, wayTo } from "./submit_summary";

const REASONS = [
  "The question is unclear",
  "The question has more than one reading",
  "A page cannot be read",
  "It takes too long",
];

const TITLES = {
  answered: "Submit this answer?",
  not_found: "Submit “No answer found”?",
  unanswerable: "Submit as unanswerable?",
  completed: "Submit this task?",
};

const DRAFT_TITLES = {
  answered: "Done with this draft?",
  not_found: "Done: “No answer found”?",
  unanswerable: "Done: unanswerable?",
  completed: "Done with this draft?",
};

/**
 * The summary before a submission.
 * @param data the store's values
 */
export function openSubmit(
  host: Element,
  data: Pt.WorkspaceData,
  {
    outcome,
    goTo,
    confirm,
    setDirect,
  }: {
    outcome: "answered" | "not_found" | "unanswerable" | "completed";
    /** a part of the screen or a field's name */
    goTo: (part: string) => void;
    /** given what is missing where the time is over; resolves to null, or the reason it failed */
    confirm: (missing: string[]) => Promise<string | null>;
    /** whether submissions are asked about from now on; null where they always are */
    setDirect: ((direct: boolean) => void) | null;
  },
) {
  const { protocol, review, state, task, timeOver } = data;
  const word = review ? "Done: back to review" : "Submit";
  const form = formOf(data);
  const { answer_text: text } = state;
  const answers = protocol.answer.kind === "text" ? [text].filter(strip) : parseAnswers(text);
  const items = answers.map((answer) => h("li", { text: answer }));
  const absent = missing(form, outcome);
  const unfinished = Object.keys(absent).length > 0;
  const blocked = unfinished && !timeOver;
  const asksAnswer = outcome !== "completed";
  const error = errorLine("confirm-error");
  const direct = h("input", { type: "checkbox", testid: "submit-directly" });
  const cancel = dialogButton("Keep working", {
    testid: "cancel-submit",
    on: { click: () => dialog.close() },
  });
  const submit = dialogButton(word, { main: true, testid: "confirm-submit", disabled: blocked });
  const answerList = answers.length
    ? h("ol", { class: "summary-answers wrap" }, ...items)
    : h("p", { class: "quiet", text: outcome === "answered" ? "Nothing written." : "None." });
  const note =
    outcome !== "answered" && answers.length
      ? h("p", {
          class: "quiet",
          text: "What is in the answer box stays with the task but is not the answer.",
        })
      : null;
  const citations = state.citations.length
    ? h(
        "ul",
        { class: "summary-citations wrap" },
        ...state.citations.map((c) => h("li", { text: `${c.document}, page ${c.page}` })),
      )
    : h("p", { class: "quiet", text: "None." });
  const problems = Object.entries(absent).map(([field, sentence]) => {
    const go =
      blocked &&
      h("button", {
        class: "link",
        testid: `fix-${field}`,
        text: wayTo(form, field),
        on: {
          click: async () => {
            dialog.close();
            await dialog.closed; // closing gives the focus back; ours comes after
            goTo(field);
          },
        },
      });
    return h(
      "li",
      { class: "line notice warning", testid: `missing-${field}` },
      icon("warning"),
      h("span", {}, `${sentence} `, go),
    );
  });
  const body = [
    h("p", { class: "summary-question notice wrap", text: task.question }),
    ...(protocol.question.kind === "editable"
      ? [
          h("h3", { text: "Your question" }),
          h("p", { testid: "summary-written", text: state.question_text || "Nothing written." }),
        ]
      : []),
    unfinished && timeOver
      ? h("p", { class: "strong", testid: "accepted-unfinished", text: sentence("unfinished") })
      : null,
    problems.length
      ? h("div", { role: "alert" }, h("ul", { class: "missing stack" }, ...problems))
      : null,
    ...summary(form),
    ...(asksAnswer
      ? [
          h("h3", {
            text:
              answers.length > 1 && outcome === "answered" ? `${answers.length} answers` : "Answer",
          }),
          answerList,
          note,
        ]
      : []),
    protocol.evidence.enabled ? h("h3", { text: "Citations" }) : null,
    protocol.evidence.enabled ? citations : null,
    setDirect &&
      h("label", { class: "line medium" }, direct, "Do not ask again; a submission can be undone"),
    error,
  ].filter(Boolean);
  let busy = false;
  const written = protocol.question.kind === "editable" && outcome === "answered";
  const dialog = openDialog(host, {
    title: review ? DRAFT_TITLES[outcome] : written ? "Submit this question?" : TITLES[outcome],
    testid: "submit-dialog",
    body: body as Node[],
    actions: [cancel, submit],
    focus: blocked ? (problems[0].querySelector("button") ?? submit) : submit,
    async onSubmit() {
      if (blocked || busy) return;
      busy = true;
      submit.disabled = true;
      setText(submit, review ? "Saving…" : "Submitting…");
      const failure = await confirm(Object.keys(absent));
      if (failure === null) {
        if (direct.checked) setDirect?.(true);
        dialog.close("submitted");
        return;
      }
      busy = false;
      submit.disabled = false;
      setText(submit, word);
      setText(error, failure);
    },
  });
  return dialog;
}

/**
 * Ask why a task is skipped.
 * @param confirm resolves to null, or why it failed
 */
export function openSkip(host: Element, confirm: (reason: string) => Promise<string | null>) {
  const error = errorLine("skip-error");
  const input = h("textarea", {
    id: "pt-skip",
    rows: "3",
    maxlength: "2000",
    testid: "skip-reason",
    placeholder: "Say why",
  });
  const suggestions = REASONS.map((reason) =>
    h("button", {
      class: "chip toggle",
      text: reason,
      on: {
        click: () => {
          input.value = reason;
          input.focus();
        },
      },
    }),
  );
  const cancel = dialogButton("Cancel", { on: { click: () => dialog.close() } });
  const skip = dialogButton("Skip this task", { main: true, testid: "confirm-skip" });
  const body = [
    h("p", {
      text: "Skipping puts the task aside for good; it is not the same as “No answer found”.",
    }),
    h("div", { class: "wrapping" }, ...suggestions),
    h("label", { for: "pt-skip", text: "Reason" }),
    input,
    error,
  ];
  const dialog = openDialog(host, {
    title: "Skip this task?",
    testid: "skip-dialog",
    body,
    actions: [cancel, skip],
    focus: input,
    async onSubmit() {
      const reason = input.value.trim();
      if (!reason) {
        setText(error, sentence("no_skip_reason"));
        input.focus();
        return;
      }
      skip.disabled = true;
      const failure = await confirm(reason);
      skip.disabled = false;
      if (failure === null) dialog.close("skipped");
      else setText(error, failure);
    },
  });
  return dialog;
}

/** Flag a task, change the comment, or remove the flag. */
export function openFlag(
  host: Element,
  comment: string | null,
  actions: { flag: (comment: string) => void; unflag: () => void },
) {
  const input = h("textarea", {
    id: "pt-flag",
    rows: "3",
    maxlength: "2000",
    testid: "flag-input",
    value: comment ?? "",
  });
  const remove = dialogButton("Remove the flag", {
    testid: "flag-remove",
    hidden: comment === null,
    on: {
      click: () => {
        actions.unflag();
        dialog.close();
      },
    },
  });
  const cancel = dialogButton("Cancel", { on: { click: () => dialog.close() } });
  const save = dialogButton(comment === null ? "Flag" : "Save", {
    main: true,
    testid: "confirm-flag",
  });
  const body = [h("label", { for: "pt-flag", text: "What should the supervisor know?" }), input];
  const dialog = openDialog(host, {
    title: "Flag for the supervisor",
    testid: "flag-dialog",
    body,
    actions: [remove, cancel, save],
    focus: input,
    onSubmit() {
      actions.flag(input.value.trim());
      dialog.close();
    },
  });
  return dialog;
}
