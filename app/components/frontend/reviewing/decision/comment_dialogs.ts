/** Dialogs with and about one person: sending back, and the thread of comments. */

import { errorLine } from "../../shared/buttons";
import { dialogButton, openDialog } from "../../shared/dialogs";
import { h, setText } from "../../shared/dom";
import { sentence } from "../../shared/sentences";
import type { Row } from "../comparison/comparison_rows";
import { dateTime, NOTHING, partWords } from "../formatting";
import { mayReturn } from "./decision_bar";

/** A part in which somebody's work differs from others'. */
export type PartDifference = {
  part: string;
  label: string;
  yours: string;
  other: string;
  differs: boolean;
};

/**
 * What a person differs in, to tick: by default the names of the parts that are in conflict.
 * @param draft what the gold would be
 */
function differencesOf(
  data: Pt.ReviewData,
  rows: Row[],
  participant: Pt.Participant,
  draft: Pt.ReviewedContent,
): PartDifference[] {
  return rows
    .filter(({ score }) => score !== null)
    .map((row) => {
      const yours = partWords(row, participant);
      const others = [
        draft,
        ...data.sides.filter((other) => other.status === "submitted" && other !== participant),
      ];
      const different = others
        .map((state) => partWords(row, state))
        .filter((words) => words !== yours);
      // A draft without a value yet says less than what another annotator submitted.
      const other = different.find((words) => words !== NOTHING) ?? different[0] ?? "";
      return {
        part: row.part,
        label: row.label,
        yours,
        other,
        differs: !row.agreed && other !== "",
      };
    });
}

const cut = (text: string, most = 2000) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/**
 * Ask what is sent back, to whom, and with which words.
 * @param options data, rows, draft, chosen (attempt|null)
 */
export function askReturn(
  host: Element,
  { data, rows, draft, chosen = null }: any,
): Promise<{ attempt: string; comment: string; differences: any[] } | undefined> {
  const people = data.sides.filter(mayReturn);
  const select = h(
    "select",
    { class: "ways wide", "aria-label": "To whom", testid: "return-person" },
    ...people.map(({ attempt, name }: { attempt: string; name: string }) =>
      h("option", { value: attempt, text: name }),
    ),
  );
  if (chosen) select.value = chosen;
  const comment = h("textarea", {
    rows: "4",
    maxlength: "20000",
    testid: "return-comment",
    "aria-label": "Comment",
  });
  const error = errorLine(null);
  const list = h("div", {});
  let ticks: any[] = [];
  const show = () => {
    const participant = people.find(({ attempt }: { attempt: string }) => attempt === select.value);
    ticks = differencesOf(data, rows, participant, draft).map((difference) => tick(difference));
    list.replaceChildren(
      ...(ticks.length
        ? ticks.map(({ element }) => element)
        : [h("p", { class: "quiet", text: "There is nothing to compare with." })]),
    );
  };
  select.addEventListener("change", show);
  show();
  const send = () => {
    if (!comment.value.trim()) {
      setText(error, "Say what is to be looked at again.");
      comment.focus();
      return;
    }
    const differences = ticks
      .filter(({ on }) => on.checked)
      .map(({ difference: { part, label, yours, other }, with: shown }) => ({
        part,
        label,
        yours: cut(yours),
        other: shown.checked ? cut(other) : "",
      }));
    dialog.close({ attempt: select.value, comment: comment.value, differences });
  };
  const dialog = openDialog(host, {
    title: "Send back to an annotator",
    testid: "return-dialog",
    wide: true,
    focus: comment,
    onSubmit: send,
    body: [
      h("label", { class: "stacked stack" }, h("span", { text: "To" }), select),
      h(
        "label",
        { class: "stacked stack" },
        h("span", { text: "What should be looked at again" }),
        comment,
      ),
      error,
      h("h3", { text: "Differences shown to them" }),
      h("p", {
        class: "quiet",
        text: "By default only the parts are named. The other value is shown where you tick it; it may give the answer away.",
      }),
      list,
    ],
    actions: [
      dialogButton("Cancel", { on: { click: () => dialog.close() } }),
      dialogButton("Send back", { main: true, testid: "return-send" }),
    ],
  });
  return dialog.closed;
}

function tick(difference: PartDifference) {
  const on = h("input", {
    type: "checkbox",
    checked: difference.differs,
    "aria-label": `Name “${difference.label}”`,
  });
  const shown = h("input", {
    type: "checkbox",
    disabled: !difference.other || !difference.differs,
    "aria-label": `Show the other value of “${difference.label}”`,
  });
  on.addEventListener("change", () => {
    shown.disabled = !on.checked || !difference.other;
    if (!on.checked) shown.checked = false;
  });
  const element = h(
    "div",
    { class: "difference stack" },
    h("label", { class: "keep inline" }, on, h("strong", { text: difference.label })),
    h("span", { class: "quiet", text: `Submitted: ${cut(difference.yours, 160)}` }),
    h(
      "label",
      { class: "keep inline" },
      shown,
      h("span", {
        text: difference.other
          ? `Show the other value: ${cut(difference.other, 160)}`
          : "No other value",
      }),
    ),
  );
  return { difference, on, with: shown, element };
}

/**
 * The thread of comments with one person, and a reply.
 * @returns what is written
 */
export function askComment(
  host: Element,
  participant: Pt.Participant,
): Promise<string | undefined> {
  const thread = participant.comments.map(({ by, at, text, returns, differences }) =>
    h(
      "li",
      { class: "comment framed" },
      h("p", { class: "caption", text: `${by} · ${dateTime(at)}${returns ? " · sent back" : ""}` }),
      h("p", { class: "pre", text }),
      differences?.length
        ? h("p", {
            class: "caption",
            text: `Named: ${differences.map(({ label }) => label).join(", ")}`,
          })
        : null,
    ),
  );
  const reply = h("textarea", {
    rows: "3",
    maxlength: "20000",
    testid: "comment-text",
    "aria-label": "Your comment",
  });
  const error = errorLine(null);
  const send = () => {
    if (!reply.value.trim()) {
      setText(error, sentence("blank"));
      reply.focus();
      return;
    }
    dialog.close(reply.value);
  };
  const dialog = openDialog(host, {
    title: `Comments: ${participant.name}`,
    testid: "comment-dialog",
    wide: true,
    focus: reply,
    onSubmit: send,
    body: [
      thread.length
        ? h("ol", { class: "stack", testid: "thread" }, ...thread)
        : h("p", {
            class: "quiet",
            text: `No comments yet. ${participant.name} sees what you write here.`,
          }),
      h("label", { class: "stacked stack" }, h("span", { text: "Your comment" }), reply),
      error,
    ],
    actions: [
      dialogButton("Close", { on: { click: () => dialog.close() } }),
      dialogButton("Send comment", { main: true, testid: "comment-send" }),
    ],
  });
  return dialog.closed;
}
