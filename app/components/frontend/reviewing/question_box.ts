/** The question, what annotators see beside it, and what the dataset says of its answer (folded). */

import { fill, h, setText } from "../shared/dom";
import { placeWords } from "../shared/places";
import { sentence } from "../shared/sentences";
import { ShownRecords } from "../shared/shown_record";
import { choiceOf, DATASET, sidesOf } from "./decision/selections";
import { valueWords } from "./formatting";

export class QuestionBox {
  take: (part: string) => void;
  text: HTMLParagraphElement;
  meta: HTMLParagraphElement;
  material: ShownRecords;
  said: HTMLDivElement;
  details: HTMLDetailsElement;
  element: HTMLElement;

  task: any;

  /** @param take take the dataset's version of a part */
  constructor(take: (part: string) => void) {
    this.take = take;
    this.text = h("p", { class: "question-text", testid: "question" });
    this.meta = h("p", { class: "caption" });
    /** what is folded */
    const folded: Set<string> = new Set();
    this.material = new ShownRecords({
      collapsed: (source, set) => {
        if (set === true) folded.add(source);
        else if (set === false) folded.delete(source);
        return folded.has(source);
      },
    });
    this.said = h("div", { class: "wrap" });
    this.details = h(
      "details",
      { testid: "dataset-gold" },
      h("summary", { text: "What the dataset says" }),
      this.said,
    );
    this.element = h(
      "section",
      { class: "question", "aria-label": "Question" },
      this.meta,
      this.text,
      this.material.element,
      this.details,
    );
  }

  /** Show what the dataset says; whether it was folded before. */
  open() {
    const folded = !this.details.open && !this.details.hidden;
    this.details.open = true;
    return folded;
  }

  /** @param view the task under review */
  update(view: Pt.ReviewView) {
    const { task, material, dataset_gold: gold, protocol } = view.data;
    const meta = [task.domain, task.category].filter(Boolean).join(" · ");
    setText(this.meta, meta);
    this.meta.hidden = !meta;
    setText(this.text, task.question || "This task has no question.");
    this.material.update(material);
    const lines = datasetLines(gold, protocol);
    this.details.hidden = !lines.length;
    if (this.task !== task.id) this.details.open = false;
    this.task = task.id;
    fill(
      this.said,
      h(
        "dl",
        { class: "pairs" },
        ...lines.map(([what, text, part]) =>
          h(
            "div",
            {},
            h("dt", { text: what }),
            h("dd", { class: "submission-cell" }, h("span", { text }), this.button(view, part)),
          ),
        ),
      ),
    );
  }

  /** Takes the dataset's version of a part, where it can be. */
  button({ data, picks, choices, editable, basis }: Pt.ReviewView, part: string) {
    if (!data.dataset_gold.parts?.includes(part)) return null;
    const taken = sidesOf(choiceOf(picks, choices, part)).includes(DATASET);
    return h("button", {
      class: "take number toggle filled",
      text: "D",
      "aria-pressed": String(taken && basis !== "stored"),
      disabled: !editable,
      title: "Take the dataset’s (d)",
      "aria-label": `${sentence(`part.${part}`)}: take the dataset’s`,
      testid: "take-dataset",
      "data-focus": `dataset-${part}`,
      on: { click: () => this.take(part) },
    });
  }
}

/**
 * What a dataset says of a task: label, text and part, line by line; empty where it says nothing.
 */
function datasetLines(gold: any, protocol: Pt.Protocol) {
  const lines: string[][] = [];
  if (!gold) return lines;
  const answers = gold.answers.map((answer: any) =>
    Array.isArray(answer) ? answer.join("; ") : String(answer),
  );
  if (answers.length) lines.push(["Answer", answers.join(" — or: "), "answer"]);
  if (gold.unanswerable)
    lines.push(["Answer", "It cannot be answered from the collection.", "answer"]);
  if (gold.evidence.length)
    lines.push(["Evidence", gold.evidence.map(placeWords).join("; "), "evidence"]);
  for (const [name, value] of Object.entries(gold.fields ?? {})) {
    const spec = protocol.fields.find((field) => field.name === name);
    if (typeof value !== "object" || Array.isArray(value))
      lines.push([spec?.label ?? name, valueWords(spec, value), name]);
  }
  return lines;
}
