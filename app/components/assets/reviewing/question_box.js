/** The question, what annotators see beside it, and what the dataset says of its answer (folded). */

import { fill, h, setText } from "../shared/dom.js";
import { placeWords } from "../shared/places.js";
import { ShownRecords } from "../shared/shown_record.js";
import { valueWords } from "./formatting.js";

export class QuestionBox {
  /** @type {any} */
  task;

  constructor() {
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

  /** @param {Pt.ReviewData} data the task under review */
  update({ task, material, dataset_gold: gold, protocol }) {
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
        ...lines.map(([what, text]) => h("div", {}, h("dt", { text: what }), h("dd", { text }))),
      ),
    );
  }
}

/**
 * What a dataset says of a task, line by line; empty where it says nothing.
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
  if (answers.length) lines.push(["Answer", answers.join(" — or: ")]);
  if (gold.unanswerable) lines.push(["Answer", "It cannot be answered from the collection."]);
  if (gold.evidence.length) lines.push(["Evidence", gold.evidence.map(placeWords).join("; ")]);
  for (const [name, value] of Object.entries(gold.fields ?? {})) {
    const spec = protocol.fields.find((field) => field.name === name);
    if (typeof value !== "object" || Array.isArray(value))
      lines.push([spec?.label ?? name, valueWords(spec, value)]);
  }
  return lines;
}
