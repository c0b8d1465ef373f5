/** The question, what annotators see beside it, and what the dataset says of its answer (folded). */

import { fill, h, setText } from "../shared/dom.js";
import { placeWords } from "../shared/places.js";
import { sentence } from "../shared/sentences.js";
import { ShownRecords } from "../shared/shown_record.js";
import { choiceOf, DATASET, sidesOf } from "./decision/selections.js";
import { valueWords } from "./formatting.js";

export class QuestionBox {
  /** @type {any} */
  task;

  /** @param {(part: string) => void} take take the dataset's version of a part */
  constructor(take) {
    this.take = take;
    this.text = h("p", { class: "question-text", testid: "question" });
    this.meta = h("p", { class: "caption" });
    /** @type {Set<string>} what is folded */
    const folded = new Set();
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

  /** @param {Pt.ReviewView} view the task under review */
  update(view) {
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

  /**
   * Takes the dataset's version of a part, where it can be.
   * @param {Pt.ReviewView} view
   * @param {string} part
   */
  button({ data, picks, choices, editable, basis }, part) {
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
 * @param {any} gold
 * @param {Pt.Protocol} protocol
 */
function datasetLines(gold, protocol) {
  /** @type {string[][]} */
  const lines = [];
  if (!gold) return lines;
  const answers = gold.answers.map((/** @type {any} */ answer) =>
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
