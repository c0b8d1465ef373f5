/** The row of a part: its name and score, how its gold is made, what each person submitted, the gold. */

import { button } from "../../shared/buttons";
import { h } from "../../shared/dom";
import { choiceOf, DATASET, sidesOf } from "../decision/selections";
import { wayWords } from "../formatting";
import { leftOut, list, partCell } from "./cells";
import { submitted } from "./comparison_rows";

export function partRow(matrix: Pt.Matrix, row: Pt.ComparisonRow) {
  const { data, part, draft, busy, picks, choices } = matrix.view;
  const choice = choiceOf(picks, choices, row.follows ?? row.part);
  const current = part === row.part;
  return h(
    "tr",
    {
      class: current ? "part current" : "part",
      testid: "part",
      "data-part": row.part,
      "aria-current": current ? "true" : null,
      on: { click: () => !current && matrix.actions.part(row.part) },
    },
    head(matrix, row, choice),
    ...data.sides.map((participant, i) => given(matrix, row, participant, i, choice)),
    h(
      "td",
      { class: "gold-col", "aria-busy": String(busy) },
      row.kind === "answer" ? goldAnswer(matrix, row) : partCell(row, draft, null),
      leftOut(row, matrix.view),
    ),
  );
}

/** The accepted answers of the gold, to be written there too. */
function goldAnswer(matrix: Pt.Matrix, row: Pt.ComparisonRow) {
  const { data, draft, editable } = matrix.view;
  const { editor } = matrix;
  if (editor.isOpen) return editor.element;
  const lines = (text: string) =>
    data.protocol.answer.kind === "text" ? [text] : text.split("\n").filter((one) => one.trim());
  const further = (draft.variants ?? []).flatMap((text) => [
    h("span", { class: "caption", text: "or" }),
    list(lines(text), undefined),
  ]);
  const write = row.ways.includes("edited")
    ? button("Edit", () => matrix.actions.edit(), {
        disabled: !editable,
        title: "Write what the gold accepts (a)",
        testid: "edit-answer",
        "data-focus": "edit-answer",
      })
    : null;
  return h(
    "div",
    { class: "stack" },
    list(draft.answer, undefined),
    ...further,
    h("div", { class: "wrapping" }, write),
  );
}

function head(matrix: Pt.Matrix, row: Pt.ComparisonRow, choice: Pt.PickRequest | null) {
  return h(
    "th",
    { scope: "row", class: "part-col" },
    h("button", {
      class: "part-name bare strong",
      "data-focus": `part-${row.part}`,
      text: row.label,
      on: { click: () => matrix.actions.part(row.part) },
    }),
    scoreBar(row),
    row.follows
      ? h("span", { class: "caption", text: "Goes with the elements" })
      : ways(matrix, row, choice),
    matrix.view.tied.includes(row.part)
      ? h("span", {
          class: "caption strong",
          text: matrix.view.draft.open_pages?.[row.part] ?? "Tie: yours to decide",
          testid: "tie",
        })
      : gap(matrix.view.missing?.[row.part]),
  );
}

/** What the gold is missing in the part. */
const gap = (text: string | undefined) =>
  text ? h("span", { class: "caption strong", text, testid: "gap" }) : null;

function scoreBar({ score, agreed, variants }: Pt.ComparisonRow) {
  if (score === null) return h("span", { class: "caption", text: "Not compared" });
  const found = agreed ? "Within the rule" : variants ? "Variants of one answer" : "Conflict";
  const title = `${found}, difference ${score.toFixed(2)} of 1`;
  const fill = h("span", { style: `width: ${Math.round(100 * score)}%` });
  return h(
    "span",
    { class: agreed ? "score" : "score conflict", title },
    h("span", { class: "score-bar", "aria-hidden": "true" }, fill),
    h("span", { class: "number", text: score.toFixed(2) }),
    h("span", {
      class: "score-word",
      text: agreed ? "agreed" : variants ? "variants" : "conflict",
    }),
  );
}

/** How the part's gold is made, to choose from. */
function ways(matrix: Pt.Matrix, row: Pt.ComparisonRow, choice: Pt.PickRequest | null) {
  const { data, editable, basis, tied } = matrix.view;
  if (!row.ways.length || basis === "stored") return null;
  const people = submitted(data).map(({ attempt, name }, i) => [
    `side:${attempt}`,
    `${i + 1} ${name}`,
  ]);
  const others = row.ways.filter(
    (how) => how !== "side" && (!["pick", "edited"].includes(how) || choice?.how === how),
  );
  if (data.dataset_gold?.parts?.includes(row.part))
    people.push([`side:${DATASET}`, "The dataset’s"]);
  const options = [
    ...(row.ways.includes("side") ? people : []),
    ...others.map((how) => [how, wayWords(how)]),
  ];
  const select = h(
    "select",
    {
      class: "ways",
      "aria-label": `${row.label} in the gold`,
      disabled: !editable,
      testid: "ways",
      "data-focus": `ways-${row.part}`,
      on: {
        change: () => {
          const { value } = select;
          select.blur(); // keys are off in a list of choices
          if (value.startsWith("side:")) matrix.actions.takeFrom(row.part, value.slice(5));
          else matrix.actions.way(row.part, value as Pt.MergeMethod);
        },
      },
    },
    ...options.map(([value, text]) => h("option", { value, text })),
  );
  select.value = (choice?.how === "side" ? `side:${choice.side}` : choice?.how) ?? "";
  // Nothing is chosen yet: leaving it empty is one of the ways.
  if (choice?.how === "none" && tied.includes(row.part)) select.value = "";
  const label = h("span", { class: "caption", text: "Gold: " });
  return h("label", { class: "way-label" }, label, select);
}

function given(
  matrix: Pt.Matrix,
  row: Pt.ComparisonRow,
  participant: Pt.Participant,
  i: number,
  choice: Pt.PickRequest | null,
) {
  if (participant.status !== "submitted") return h("td", { class: "quiet ellipsis" });
  const { data, editable, basis } = matrix.view;
  const taken = sidesOf(choice).includes(participant.attempt) && basis !== "stored";
  const others = submitted(data).filter((other) => other !== participant);
  const take = row.ways.includes("side")
    ? h("button", {
        class: "take number toggle filled",
        text: String(i + 1),
        "aria-pressed": String(taken),
        disabled: !editable,
        title: `Take ${participant.name}’s (${i + 1})`,
        "aria-label": `${row.label}: take ${participant.name}’s`,
        "data-focus": `take-${row.part}-${i}`,
        testid: "take",
        on: { click: () => matrix.actions.takeFrom(row.part, participant.attempt) },
      })
    : null;
  const shown = h("div", { class: "fill" }, partCell(row, participant, others));
  return h(
    "td",
    { class: taken ? "submission taken" : "submission" },
    h("div", { class: "submission-cell" }, shown, take),
  );
}
