/** A row of the list of boxes, and a box's verdict as an icon and a word. */

import { verdict } from "../../shared/box_state";
import { h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { swatch } from "../../shared/label_styles";

const WORDS = 160;
const VERDICTS: Record<string, any> = {
  open: { icon: "circle", word: "to check" },
  accepted: { icon: "check", word: "accepted" },
  corrected: { icon: "pencil", word: "corrected" },
  added: { icon: "plus", word: "added" },
  deleted: { icon: "close", word: "deleted" },
};

/** A verdict as an icon and a word. */
export function verdictMark(kind: string) {
  const { icon: name, word } = VERDICTS[kind];
  return h("span", { class: `verdict inline caption small nowrap ${kind}` }, icon(name), word);
}

export class Row {
  box: Pt.PageBox | null;
  number: HTMLSpanElement;
  mark: SVGElement;
  label: HTMLSpanElement;
  verdict: HTMLSpanElement;
  words: HTMLSpanElement;
  button: HTMLButtonElement;
  restore: HTMLButtonElement;
  element: HTMLLIElement;
  seen: any[] | undefined;

  kind: any;

  constructor(id: string, actions: Pt.Actions) {
    this.box = null;
    this.number = h("span", { class: "element-number quiet number" });
    this.mark = swatch();
    this.label = h("span", { class: "element-label ellipsis strong" });
    this.verdict = h("span", {});
    this.words = h("span", { class: "element-words caption ellipsis" });
    this.button = h(
      "button",
      {
        class: "element bare list-row inset-focus medium",
        testid: "element",
        "data-id": id,
        tabindex: "-1",
        on: { click: () => actions.select(id) },
      },
      this.number,
      this.mark,
      this.label,
      this.verdict,
      this.words,
    );
    this.restore = h("button", {
      class: "button small",
      testid: "element-restore",
      text: "Restore",
      on: { click: () => actions.restore(this.box) },
    });
    this.element = h("li", {}, this.button, this.restore);
  }

  show(
    box: Pt.PageBox,
    {
      number,
      part,
      selected,
      restorable,
      readOnly,
    }: {
      number: number | string;
      part: Pt.BoxesPart;
      selected: string | null;
      restorable: any;
      readOnly: boolean;
    },
  ) {
    const seen = [box, number, part, box.id === selected, restorable, readOnly];
    if (this.seen?.every((value, i) => value === seen[i])) return;
    this.seen = seen;
    this.box = box;
    const kind = verdict(box);
    setText(this.number, String(number));
    const sorts = part.order && !readOnly && !box.deleted;
    setAttr(
      this.button,
      "title",
      sorts ? "Drag to change the reading order, or press Alt+↑ and Alt+↓" : null,
    );
    setText(this.label, box.label ?? "No label");
    swatch(part.labels, box.label, this.mark);
    if (this.kind !== kind) {
      this.kind = kind;
      this.button.dataset.verdict = kind;
      this.verdict.replaceChildren(verdictMark(kind));
    }
    this.verdict.hidden = !part.seed && kind !== "deleted";
    const text = part.content
      ? (box.content ?? "").slice(0, WORDS).replace(/\s+/g, " ").trim()
      : "";
    setText(this.words, text);
    this.words.hidden = !part.content;
    setAttr(this.button, "aria-current", box.id === selected ? "true" : null);
    this.element.classList.toggle("deleted", box.deleted);
    this.restore.hidden = !box.deleted || readOnly;
    this.restore.disabled = !restorable;
    setAttr(
      this.restore,
      "title",
      restorable ? "Undo the deletion" : "Undo the later changes of this page first (Ctrl+Z)",
    );
  }
}
