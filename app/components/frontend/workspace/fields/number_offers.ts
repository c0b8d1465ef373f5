/**
 * Offers the numbers that are printed on the page for the value of a chart's point: they are marked
 * while the value has the focus, and a click or keys put one into it.
 */

import { effect, untracked } from "@preact/signals";
import { getBox } from "../../shared/box_state";
import { keyName } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import type { Stage } from "../../shared/page/page_stage";
import { samePlace } from "../../shared/places";
import type { Attempt } from "../state/attempt";
import { clean } from "../state/attempt_state";
import type { PageWords } from "../viewer/page_words";
import { type PrintedNumber, printedNumbers } from "./printed_numbers";
import type { TextField } from "./text_field";

interface NumberOffersHost {
  attempt: Attempt;
  root: ShadowRoot | HTMLElement;
  stage: Stage;
  words: PageWords;
}

interface Offer {
  field: TextField;
  /** whose numbers alone are offered */
  box: string | null;
}

const STEPS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };
const MODIFIER = /^(?:Alt|Control|Meta|Shift)$/;

export class NumberOffers {
  private offer: Offer | null = null;
  private numbers: PrintedNumber[] = [];
  /** why there are none */
  private reason = "";
  /** the number that Enter takes; −1 for none */
  private current = -1;
  /** the last one that was taken, and on which page */
  private taken: { place: Pt.Place; index: number } | null = null;
  /** pages for which it was said how numbers are taken */
  private readonly explained = new Set<string>();

  constructor(private readonly host: NumberOffersHost) {
    const { attempt, root, stage } = host;
    stage.onNumber = (index) => this.take(index);
    root.addEventListener("focusin", (event) => this.focusMoved(event));
    effect(() => {
      attempt.store.page.value;
      attempt.store.selected.value;
      untracked(() => this.refresh());
    });
  }

  private get data() {
    return this.host.attempt.store.data;
  }

  /** Whether the campaign gives the words of its pages. */
  private get hasWords() {
    const { boxes, text } = this.data.protocol;
    return boxes.enabled || text.select;
  }

  /** The value of a point has the focus. */
  start(field: TextField, box: string | null) {
    if (!this.host.attempt.mayEdit || !this.hasWords) return;
    if (this.offer?.field !== field) this.current = -1;
    this.offer = { field, box };
    this.refresh();
  }

  /** The focus may go to the page and back, so that it can be zoomed and moved. */
  private focusMoved(event: Event) {
    const target = event.composedPath()[0];
    if (!this.offer || !(target instanceof Element)) return;
    if (target === this.offer.field.element || target.closest(".viewer")) return;
    this.offer = null;
    this.refresh();
  }

  private refresh() {
    const { offer, host } = this;
    const { page } = this.data;
    this.show([], "");
    if (!offer || !page) return;
    const known = host.words.known(page);
    if (known) {
      this.showOf(known, page);
      return;
    }
    void host.words.load(page).then(() => {
      if (offer === this.offer && samePlace(page, this.data.page))
        this.showOf(host.words.known(page), page);
    });
  }

  /** @param words of the open page; null where they could not be loaded */
  private showOf(words: Pt.Word[] | null, page: Pt.Place) {
    const numbers = printedNumbers(words ?? [], this.boxOn(page));
    this.show(numbers, numbers.length ? "" : reasonFor(words));
    const key = JSON.stringify([page.document, page.page]);
    if (this.explained.has(key)) return;
    this.explained.add(key);
    this.host.stage.showHint(
      this.reason ||
        tn(
          "{number} printed number is marked: click it to take it, or press {key}.",
          "{number} printed numbers are marked: click one to take it, or press {key}.",
          numbers.length,
          { key: keyName("printedNumbers") },
        ),
    );
  }

  /** The box of the chart on a page, or the selected one; null for the whole page. */
  private boxOn(page: Pt.Place): Pt.Rect | null {
    const { selected, state } = this.data;
    const name = this.offer?.box ?? selected;
    const box = name ? getBox(state.boxes, name) : null;
    return box && !box.deleted && samePlace(box, page) ? box.rect : null;
  }

  private show(numbers: PrintedNumber[], reason: string) {
    this.numbers = numbers;
    this.reason = reason;
    this.current = -1;
    this.draw();
  }

  private draw() {
    this.host.stage.setNumbers(this.numbers, this.current);
  }

  /** Choose the next number, the first time one near what was taken last; false without a value. */
  next(by: 1 | -1 = 1) {
    const { numbers, host } = this;
    if (!this.offer?.field.element.isConnected) return false;
    if (!numbers.length) {
      if (this.reason) host.stage.showHint(this.reason);
      return true;
    }
    this.current =
      this.current < 0 ? this.first() : (this.current + by + numbers.length) % numbers.length;
    const { text, rect } = numbers[this.current];
    this.draw();
    host.stage.reveal(rect);
    host.stage.showHint(
      t("{text}, {index} of {number}. Enter: take it. ↓ ↑: next, previous. Esc: none.", {
        text,
        index: this.current + 1,
        number: numbers.length,
      }),
    );
    return true;
  }

  private first() {
    const { numbers, offer, taken } = this;
    const held = offer?.field.text.trim() ?? "";
    const same = numbers.findIndex(({ text }) => text === held);
    if (same >= 0) return same;
    if (taken && samePlace(taken.place, this.data.page)) return (taken.index + 1) % numbers.length;
    return 0;
  }

  /** A key in the value; whether it was for the numbers. */
  press(event: KeyboardEvent) {
    if (this.current < 0 || event.isComposing || MODIFIER.test(event.key)) return false;
    const by = STEPS[event.key];
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!isModified && by) this.next(by);
    else if (!isModified && event.key === "Enter") this.take(this.current);
    else {
      if (!event.altKey) this.cancel();
      return false;
    }
    event.preventDefault();
    return true;
  }

  /** Choose none; whether one was chosen. */
  cancel() {
    if (this.current < 0) return false;
    this.current = -1;
    this.draw();
    this.host.stage.showHint("");
    return true;
  }

  private take(index: number) {
    const { offer, host } = this;
    const { page } = this.data;
    const number = this.numbers[index];
    if (!offer?.field.element.isConnected || !page || !number || !host.attempt.mayEdit) return;
    const { field } = offer;
    const { text, rect } = number;
    this.taken = { place: page, index };
    field.flush();
    if (field.text !== clean(text)) {
      const { document } = page;
      const copied = { document, page: page.page, text: clean(text), to: "row", rect } as const;
      host.attempt.together(() => {
        host.attempt.record("text_copied", copied);
        field.use(text);
      });
    }
    this.current = -1;
    this.draw();
    field.element.focus();
    host.stage.showHint(t("The value is now {text}.", { text }));
  }
}

/** Why a page has no numbers to offer. */
function reasonFor(words: Pt.Word[] | null) {
  if (!words)
    return t(
      "The words of this page could not be loaded, so no numbers are offered. Type the value.",
    );
  return words.length
    ? t("No numbers are printed here, or they are part of an image. Type the value.")
    : t(
        "This page has no text, and none was recognised, so no numbers are offered. Type the value.",
      );
}
