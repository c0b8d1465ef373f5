/** Looking for a text in the open document: a bar under the viewer's, hits counted and outlined. */

import { ApiError } from "../../shared/api";
import { iconButton } from "../../shared/buttons";
import { h, setText, svg } from "../../shared/dom";
import { grouped } from "../../shared/notation";
import { samePlace } from "../../shared/places";
import type { Workspace } from "../workspace";
import { recordedRequest } from "./recorded_request";
import { findWords, normalised } from "./word_text";

/**
 * The hits of a document, one after the other.
 * @param pages number and hits of each page that has any
 * @returns `at` counts from 0 on its page
 */
export const everyHit = (pages: [number, number][]): { page: number; at: number }[] =>
  pages.flatMap(([page, n]) => Array.from({ length: n }, (_, at) => ({ page, at })));

export class FindBar {
  screen: Workspace;
  hits: { page: number; at: number }[];
  here: number;
  key: string;
  input: HTMLInputElement;
  count: HTMLSpanElement;
  element: HTMLDivElement;
  marks: SVGGElement;
  document: any;
  text: string | undefined;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.hits = [];
    this.here = -1;
    this.key = "";
    this.input = h("input", {
      class: "find-input",
      testid: "find",
      autocomplete: "off",
      maxlength: "200",
      "aria-label": "Find in this document",
      placeholder: "Find in this document",
      "data-keys": "Enter Escape",
    });
    this.count = h("span", { class: "quiet nowrap number", role: "status", testid: "find-count" });
    const step = (name: string, label: string, by: 1 | -1) =>
      iconButton(name, label, (event) => this.run(by, event.timeStamp), { testid: `find-${name}` });
    this.element = h(
      "div",
      { class: "viewbar find-bar line", role: "search", "aria-label": "Find", hidden: true },
      this.input,
      this.count,
      step("previous", "Previous hit (Shift+Enter)", -1),
      step("next", "Next hit (Enter)", 1),
      iconButton("close", "Close (Esc)", () => this.close(), { testid: "find-close" }),
    );
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (event.key === "Enter") this.run(event.shiftKey ? -1 : 1, event.timeStamp);
    });
    this.marks = svg("g", { class: "found" });
    screen.viewer.stage.overlay.insertBefore(this.marks, screen.viewer.stage.words);
    screen.viewer.bars.append(this.element);
    screen.commands.register("find", () => this.open());
    const keys: Pt.WatchedKeys = ["page", "protocol", "attempt"];
    screen.store.watch(keys, (data) => data.state && this.update(data));
  }

  update({ page, protocol }: Pt.WorkspaceData) {
    if (!page || !protocol.text.find) this.close();
    else if (this.key && page.document !== this.document) this.forget();
    if (!this.element.hidden) this.outline();
  }

  open() {
    const { page, protocol } = this.screen.store.data;
    if (!page || !protocol.text.find) return false;
    this.element.hidden = false;
    this.input.focus();
    this.input.select();
    return true;
  }

  close() {
    if (this.element.hidden) return;
    const focused = this.element.matches(":focus-within");
    this.element.hidden = true;
    this.forget();
    if (focused) this.screen.viewer.focusPage();
  }

  /** What was found is another document's, or another text's. */
  forget() {
    this.hits = [];
    this.here = -1;
    this.key = "";
    setText(this.count, "");
    this.marks.replaceChildren();
  }

  /** The next hit; looks first where the text is another. */
  async run(by: 1 | -1, stamp: number) {
    const { page } = this.screen.store.data;
    const text = this.input.value.trim();
    if (!page || !normalised(text)) return;
    const key = `${normalised(text)}/${page.document}`;
    if (key === this.key) this.step(by, stamp);
    else await this.look(text, key, page);
  }

  async look(text: string, key: string, page: any) {
    this.forget();
    this.key = key;
    this.document = page.document;
    setText(this.count, "…");
    let reply: any;
    try {
      reply = await recordedRequest(this.screen.attempt, "find", { document: page.document, text });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.forget();
      setText(this.count, error.message);
      return;
    }
    if (!reply || key !== this.key) return;
    this.text = text;
    this.hits = everyHit(reply.pages);
    this.here = this.hits.findIndex((hit) => hit.page >= page.page) - 1;
    if (this.here < -1) this.here = -1; // all are before this page: from the first on
    this.step(1, performance.now());
  }

  step(by: 1 | -1, stamp: number) {
    const { hits, screen } = this;
    if (!hits.length) {
      setText(this.count, "Not in this document");
      return;
    }
    this.here = (this.here + by + hits.length) % hits.length;
    setText(this.count, `${this.here + 1} of ${grouped(hits.length)}`);
    const place = { document: this.document, page: hits[this.here].page };
    if (samePlace(screen.store.data.page, place)) this.outline();
    else if (screen.viewer.mayOpen(place)) screen.viewer.goTo(place, "find", stamp);
  }

  /** Outline the hits of the open page; the present one stands out and is brought into view. */
  async outline() {
    this.marks.replaceChildren();
    const { store, boxes, viewer } = this.screen;
    const { page } = store.data;
    if (!this.hits.length || !page) return;
    const words = await boxes.words.load({ document: page.document, page: page.page });
    if (store.data.page !== page || !this.hits.length) return;
    const found = findWords(words, this.text ?? "");
    const hit = this.hits[this.here];
    const present = hit?.page === page.page ? Math.min(hit.at, found.length - 1) : -1;
    this.marks.replaceChildren(
      ...found.flatMap((part, n) =>
        part.map(([x0, y0, x1, y1]) =>
          svg("rect", {
            class: n === present ? "present" : "",
            x: x0 - 1,
            y: y0 - 1,
            width: x1 - x0 + 2,
            height: y1 - y0 + 2,
          }),
        ),
      ),
    );
    const at = found[present]?.[0];
    if (at) viewer.stage.reveal([at[0], at[1], at[2], at[3]]);
  }
}
