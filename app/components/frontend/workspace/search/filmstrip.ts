/**
 * The strip of the pages that a task gives: thumbnail, number, grade, boxes, what is missing. A
 * card is made once for each page and only ever changed in place.
 */

import { h, plural, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { loadPatiently } from "../../shared/page/patient_image";
import { samePlace, shortNames } from "../../shared/places";
import { gradeField, gradeRank, pageMarks } from "../fields/page_marks";
import { cites } from "../state/attempt_state";
import { formOf } from "../state/form_state";

const SHORT = 3;

export class Filmstrip {
  host: any;
  cards: any[];
  key: any;
  current: any;
  waiting: any;
  element: HTMLOListElement;
  observer: IntersectionObserver;

  /**
   * @param host open(result, stamp), thumbnail(document, page), info(document), and
   * `onFocus(card)`
   */
  constructor(host: any) {
    this.host = host;
    this.cards = [];
    this.key = null;
    this.current = null;
    this.waiting = null;
    this.element = h("ol", { class: "films", testid: "films", "aria-label": "Pages of this task" });
    this.observer = new IntersectionObserver((entries) => this.seen(entries), {
      root: this.element,
      rootMargin: "0px 320px",
    });
  }

  /**
   * Show the given pages; does nothing while they are the same.
   * @param data the store's values
   */
  show({ given, attempt }: Pt.WorkspaceData) {
    const key = JSON.stringify([attempt, given]);
    if (key === this.key) return;
    this.key = key;
    this.current = null;
    this.waiting = null;
    this.observer.disconnect();
    const names = shortNames((given ?? []).map(({ document }) => document));
    this.cards = (given ?? []).map((place) => this.card(place, names.get(place.document) ?? ""));
    this.element.replaceChildren(...this.cards.map(({ element }) => h("li", {}, element)));
    this.element.scrollLeft = 0;
    for (const { element } of this.cards) this.observer.observe(element);
  }

  /** @param place a result has its rank */
  card(place: Pt.Place & { rank?: number }, name: string) {
    const { document, page } = place;
    const info = this.host.info(document);
    const [width, height] = info?.pages[page - 1] ?? [3, 4];
    const paper = h("span", { class: "paper", style: `aspect-ratio: ${width} / ${height}` });
    paper.classList.toggle("wide", width > height);
    const badge = h("span", { class: "film-grade" });
    const count = h("span", {});
    const boxes = h("span", {}, icon("box"), count);
    const todo = h("span", { class: "film-todo" }, icon("warning"));
    const done = h("span", { class: "film-done" }, icon("check"));
    const cited = h("span", { class: "film-cited" }, icon("cited"));
    const said = h("span", { class: "unseen" });
    const result = { ...place, via: "given" };
    const element = h(
      "button",
      {
        class: "film tile",
        testid: "film",
        "data-document": document,
        "data-page": page,
        on: {
          click: (event) => this.host.open(result, event.timeStamp),
          focus: () => this.host.onFocus(element),
        },
      },
      h("span", { class: "film-image", "aria-hidden": "true" }, paper),
      said,
      h(
        "span",
        { class: "film-text", "aria-hidden": "true" },
        name ? h("span", { class: "film-name caption ellipsis", text: name }) : null,
        h(
          "span",
          { class: "film-line spread line" },
          h("span", {
            class: "film-page number ellipsis",
            text: place.rank ? `#${place.rank} · p. ${page}` : `p. ${page}`,
          }),
          h("span", { class: "film-marks inline" }, cited, todo, done),
        ),
        h(
          "span",
          { class: "film-line spread line" },
          badge,
          h("span", { class: "film-marks inline" }, boxes),
        ),
      ),
    );
    return { element, result, place, said, paper, badge, boxes, count, todo, done, cited };
  }

  seen(entries: any) {
    for (const { isIntersecting, target } of entries) {
      const card = isIntersecting && this.cards.find(({ element }) => element === target);
      if (card && this.picture(card)) this.observer.unobserve(target);
    }
  }

  /** Load a card's image; false while pages must not be seen yet. */
  picture({ paper, place }: any) {
    const address = this.host.thumbnail(place.document, place.page);
    if (!address) {
      this.waiting = place;
      return false;
    }
    const image = h("img", {
      alt: "",
      decoding: "async",
      fetchpriority: "low",
      draggable: "false",
    });
    paper.append(image);
    loadPatiently(image, address);
    return true;
  }

  /** Pages that could not be seen yet are looked at again. */
  retry() {
    const { document, page } = this.waiting as Pt.Place;
    if (!this.host.thumbnail(document, page)) return;
    this.waiting = null;
    for (const { element, paper } of this.cards) {
      if (paper.childElementCount) continue;
      this.observer.unobserve(element);
      this.observer.observe(element);
    }
  }

  /** Grades, boxes, what is missing, and which page is open. */
  mark(data: Pt.WorkspaceData) {
    if (this.waiting) this.retry();
    const form = formOf(data);
    const { state, page, protocol } = data;
    const field = gradeField(protocol);
    this.element.classList.toggle(
      "worded",
      Boolean(field?.options.some(({ value }) => value.length > SHORT)),
    );
    for (const card of this.cards) {
      const { element, place, said, badge, boxes, count, todo, done, cited } = card;
      const { grade, asks, missing, boxes: n } = pageMarks(form, place);
      const label = grade && (grade.value.length <= SHORT ? grade.value : grade.label);
      setText(badge, label ?? "");
      badge.hidden = !field;
      badge.dataset.rank = grade ? gradeRank(protocol, grade) : "none";
      setAttr(element, "data-grade", grade?.value ?? "");
      boxes.hidden = !n;
      setText(count, n ? String(n) : "");
      const isCited = cites(state, place.document, place.page);
      cited.hidden = !isCited;
      const started = Boolean(grade || n);
      todo.hidden = !(started && missing.length);
      done.hidden = !(asks && !missing.length);
      const open = samePlace(page, place);
      setAttr(element, "aria-current", open ? "true" : null);
      if (open) this.reveal(card);
      const words = [
        `${place.rank ? `Result ${place.rank}: ` : ""}${place.document}, page ${place.page}`,
        grade?.label,
        n && plural(n, "box", "boxes"),
        isCited && "cited",
        missing.length && `missing: ${missing.join(", ")}`,
        open && "open",
      ].filter(Boolean);
      setText(said, words.join("; "));
      setAttr(element, "title", words.filter((word) => word !== "open").join("\n"));
    }
  }

  /** The strip is shown again: the open page may have changed meanwhile. */
  revealCurrent() {
    const card = this.cards.find(({ element }) => element.hasAttribute("aria-current"));
    if (card) this.reveal(card);
  }

  /** Keep the open page in view by scrolling the strip and nothing else. */
  reveal(card: any) {
    if (this.current === card) return;
    const { offsetLeft, offsetWidth } = card.element.parentElement;
    const { scrollLeft, clientWidth } = this.element;
    if (!clientWidth) return; // collapsed: tried again when it is shown
    this.current = card;
    const left = offsetLeft - offsetWidth;
    const right = offsetLeft + 2 * offsetWidth;
    if (left >= scrollLeft && right <= scrollLeft + clientWidth) return;
    this.element.scrollLeft = offsetLeft - (clientWidth - offsetWidth) / 2;
  }
}
