/** Thumbnails of the open document; only those in view exist, so length does not matter. */

import { h, plural, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { grouped } from "../../shared/notation";
import { loadPatiently } from "../../shared/page/patient_image";

const SLOT = 108;
const AHEAD = 2;
const SETTLE_MS = 90;

export class Thumbnails {
  url: (sha: string, page: number) => string;
  open: (page: number, stamp: number) => void;
  info: any;
  pages: number[] | null;
  marks: Map<any, any>;
  current: number;
  stop: number;
  items: Map<any, any>;
  spacer: HTMLDivElement;
  element: HTMLDivElement;
  observer: ResizeObserver;
  timer: number | undefined;

  constructor({
    url,
    open,
  }: { url: (sha: string, page: number) => string; open: (page: number, stamp: number) => void }) {
    this.url = url;
    this.open = open;
    this.info = null;
    this.pages = null;
    this.marks = new Map();
    this.current = 0;
    this.stop = 0; // the page whose thumbnail Tab leads to
    this.items = new Map();
    this.spacer = h("div", { class: "rail-spacer", role: "presentation" });
    this.element = h(
      "div",
      {
        class: "rail",
        role: "group",
        "aria-label": "Pages of the document",
        testid: "rail",
        "data-keys": "ArrowUp ArrowDown Home End",
        on: { keydown: (event) => this.key(event) },
      },
      this.spacer,
    );
    this.element.addEventListener("scroll", () => this.render(true), { passive: true });
    this.observer = new ResizeObserver(() => {
      this.reveal();
      this.render();
    });
    this.observer.observe(this.element);
  }

  /**
   * Show a document.
   * @param pages the pages that may be opened; null means all
   */
  setDocument(
    info: { sha256: string; n_pages: number; pages: Array<[number, number]> },
    pages: number[] | null,
  ) {
    if (info === this.info && String(pages) === String(this.pages)) return;
    this.info = info;
    this.pages = pages;
    for (const item of this.items.values()) item.remove();
    this.items.clear();
    this.spacer.style.height = `${this.count * SLOT}px`;
    this.element.scrollTop = 0;
    this.render();
  }

  get count() {
    return this.pages?.length ?? this.info?.n_pages ?? 0;
  }

  pageAt(index: number) {
    return this.pages ? this.pages[index] : index + 1;
  }

  indexOf(page: number) {
    return this.pages ? this.pages.indexOf(page) : page - 1;
  }

  /** Mark the page in the viewer and keep it in view. */
  setCurrent(page: number) {
    this.items.get(this.current)?.removeAttribute("aria-current");
    this.current = page;
    this.items.get(page)?.setAttribute("aria-current", "page");
    this.setTabStop(page);
    this.reveal();
  }

  /** Only one thumbnail is in the tab order; the arrows move among them. */
  setTabStop(page: number) {
    this.stop = page;
    for (const [other, item] of this.items) item.tabIndex = other === page ? 0 : -1;
  }

  key(event: KeyboardEvent) {
    const at = this.indexOf(this.stop);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: this.count - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.setTabStop(this.pageAt(Math.min(this.count - 1, Math.max(0, to))));
    this.reveal(this.stop);
    this.render();
    this.items.get(this.stop)?.focus({ preventScroll: true });
  }

  /** Keep a page in view, the one in the viewer unless told. */
  reveal(page: number = this.current) {
    const top = Math.max(0, this.indexOf(page)) * SLOT;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + SLOT > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - (clientHeight - SLOT) / 2);
    }
  }

  /** Mark pages of this document. */
  setMarks(
    marks: Map<
      number,
      { cited: boolean; boxes: number; grade: string | null; graded: string | null }
    >,
  ) {
    this.marks = marks;
    for (const [page, item] of this.items) this.mark(page, item);
  }

  mark(page: number, item: any) {
    const { cited = false, boxes = 0, grade = null, graded = null } = this.marks.get(page) ?? {};
    item.classList.toggle("cited", cited);
    const count = item.querySelector(".thumb-boxes");
    const badge = item.querySelector(".thumb-grade");
    setText(count, boxes ? grouped(boxes) : "");
    setText(badge, grade ?? "");
    count.hidden = !boxes;
    badge.hidden = grade === null;
    const words = [cited && "cited", graded, boxes > 0 && plural(boxes, "box", "boxes")];
    const label = [`Page ${page}`, ...words.filter(Boolean)].join(", ");
    setAttr(item, "aria-label", label);
    setAttr(item, "title", words.some(Boolean) ? label : null);
    setAttr(item, "data-grade", grade);
  }

  render(scrolling = false) {
    const { scrollTop, clientHeight } = this.element;
    if (!this.info || !clientHeight) return; // out of sight: nothing is fetched for it
    const from = Math.max(0, Math.floor(scrollTop / SLOT) - AHEAD);
    const to = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / SLOT) + AHEAD);
    const wanted = new Set<number>();
    for (let index = from; index < to; index += 1) wanted.add(this.pageAt(index));
    const stop = this.indexOf(this.stop); // of a longer document until a page of this one is open
    if (stop >= 0 && stop < this.count) wanted.add(this.stop);
    for (const [page, item] of this.items) {
      if (!wanted.has(page)) {
        item.remove();
        this.items.delete(page);
      }
    }
    for (const page of wanted) if (!this.items.has(page)) this.add(page);
    clearTimeout(this.timer);
    if (scrolling) this.timer = setTimeout(() => this.fetch(), SETTLE_MS);
    else this.fetch();
  }

  add(page: number) {
    const [width, height] = this.info.pages[page - 1] ?? [3, 4];
    const item = h(
      "button",
      {
        class: "thumb bare inset-focus",
        testid: "thumb",
        "data-page": page,
        "aria-current": page === this.current ? "page" : null,
        tabIndex: page === this.stop ? 0 : -1,
        on: { click: (event) => this.open(page, event.timeStamp) },
      },
      h(
        "span",
        { class: "thumb-paper paper", style: `aspect-ratio: ${width} / ${height}` },
        h("span", { class: "thumb-cited small" }, icon("cited")),
        h("span", { class: "thumb-grade", hidden: true }),
        h("span", { class: "thumb-boxes", hidden: true }),
      ),
      h("span", { class: "thumb-number caption number", text: String(page) }),
    );
    item.querySelector(".thumb-paper")?.classList.toggle("wide", width > height);
    item.style.transform = `translateY(${this.indexOf(page) * SLOT}px)`;
    this.mark(page, item);
    this.items.set(page, item);
    this.spacer.append(item);
  }

  /** Load the images in view, once scrolling has settled. */
  fetch() {
    for (const [page, item] of this.items) {
      const paper = item.querySelector(".thumb-paper");
      if (paper.querySelector("img")) continue;
      const image = h("img", {
        alt: "",
        decoding: "async",
        fetchpriority: "low",
        draggable: "false",
      });
      paper.prepend(image);
      loadPatiently(image, this.url(this.info.sha256, page));
    }
  }

  destroy() {
    clearTimeout(this.timer);
    this.observer.disconnect();
  }
}
