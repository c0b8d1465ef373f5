/** The text of the selected box: a text box that saves itself, and the model's text beside it. */

import { button } from "../../shared/buttons";
import { fill, h, setAttr } from "../../shared/dom";
import { diffNodes } from "../../shared/text_diff_view";
import type { TextField } from "../fields/text_field";
import { saveDraft } from "../sync/browser_storage";

export class ContentEditor {
  box: Pt.PageBox | null;
  attempt: string;
  compared: string | null;
  text: HTMLTextAreaElement;
  offer: HTMLParagraphElement;
  diff: HTMLDivElement;
  model: HTMLDivElement;
  element: HTMLDivElement;
  field: TextField;

  constructor(texts: Pt.Texts, commit: (text: string) => void) {
    this.box = null;
    this.attempt = "";
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
   * @param given `other`:
   * another box, or another attempt's, than before
   */
  show(
    box: Pt.PageBox,
    {
      other,
      attempt,
      readOnly,
      seq,
    }: { other: boolean; attempt: string; readOnly: boolean; seq: number },
  ) {
    this.box = box;
    this.attempt = attempt;
    const text = box.content ?? "";
    setAttr(this.text, "readonly", readOnly);
    if (other) {
      this.field.field = `content:${box.id}`; // as text_drafts.ts names it
      this.showOffer(this.field.attach(attempt, text, !readOnly, seq), readOnly);
    } else {
      this.field.sync(text);
    }
    this.compare();
  }

  /** Offer text typed earlier that newer work has overtaken. */
  showOffer(text: string | null, readOnly: boolean) {
    this.offer.hidden = text === null;
    if (text === null) return;
    const choice: (words: string, run: () => void) => HTMLElement = (words, run) => {
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
