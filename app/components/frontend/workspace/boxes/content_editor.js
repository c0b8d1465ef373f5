/** The text of the selected box: a text box that saves itself, and the model's text beside it. */

import { button } from "../../shared/buttons.js";
import { fill, h, setAttr } from "../../shared/dom.js";
import { diffNodes } from "../../shared/text_diff_view.js";
import { saveDraft } from "../sync/browser_storage.js";

export class ContentEditor {
  /** @param {Pt.Texts} texts @param {(text: string) => void} commit */
  constructor(texts, commit) {
    /** @type {Pt.PageBox | null} */
    this.box = null;
    this.attempt = "";
    /** @type {string | null} */
    this.compared = null;
    this.text = h("textarea", {
      id: "pt-element-content",
      rows: "4",
      maxlength: "20000",
      spellcheck: "false",
      testid: "element-content",
    });
    this.offer = h("p", { class: "draft-offer notice warning", hidden: true });
    this.diff = h("div", { class: "text-diff framed pre", testid: "element-diff" });
    const label = h("p", { class: "model-line caption wrap", text: "Model → you" });
    this.model = h("div", {}, label, this.diff);
    this.element = h(
      "div",
      { class: "field stack" },
      h("label", { for: "pt-element-content", text: "Content" }),
      this.text,
      this.offer,
      this.model,
    );
    this.field = texts.add(this.text, "content", commit, () => this.compare());
  }

  get dirty() {
    return this.field.dirty;
  }

  flush() {
    this.field.flush();
  }

  /**
   * Show a box's text.
   * @param {Pt.PageBox} box
   * @param {{ other: boolean, attempt: string, readOnly: boolean, seq: number }} given `other`:
   *   another box, or another attempt's, than before
   */
  show(box, { other, attempt, readOnly, seq }) {
    this.box = box;
    this.attempt = attempt;
    const text = box.content ?? "";
    setAttr(this.text, "readonly", readOnly);
    if (other) {
      this.field.field = `content:${box.id}`; // as text_drafts.js names it
      this.showOffer(this.field.attach(attempt, text, !readOnly, seq), readOnly);
    } else {
      this.field.sync(text);
    }
    this.compare();
  }

  /**
   * Offer text typed earlier that newer work has overtaken.
   * @param {string | null} text
   * @param {boolean} readOnly
   */
  showOffer(text, readOnly) {
    this.offer.hidden = text === null;
    if (text === null) return;
    /** @type {(words: string, run: () => void) => HTMLElement} */
    const choice = (words, run) => {
      const click = () => {
        this.offer.hidden = true;
        run();
      };
      return button(words, click, { class: "link" });
    };
    fill(
      this.offer,
      "Text typed here was not saved, and this box was changed since. ",
      readOnly ? null : choice("Use my text", () => this.field.use(text)),
      " ",
      choice("Discard it", () => saveDraft(this.attempt, this.field.field, null)),
    );
  }

  /** Mark what differs from the model's text. */
  compare() {
    const model = this.box?.model;
    const theirs = model?.content ?? "";
    const mine = this.text.value;
    const differs = Boolean(model) && theirs !== mine;
    this.model.hidden = !differs;
    const key = differs ? `${this.box?.id}\n${theirs}\n${mine}` : null;
    if (key === this.compared) return;
    this.compared = key;
    fill(this.diff, ...(differs ? diffNodes(theirs, mine) : []));
  }
}
