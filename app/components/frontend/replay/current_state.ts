/** What one attempt has so far: query and results, citations, answer, fields. */

import { fill, h, plural, setAttr, setText } from "../shared/dom";
import { icon } from "../shared/icons";
import { pageWords } from "./formatting";
import type { Track } from "./script_state";

export class Now {
  track: Track;
  host: { onPage: (page: number) => void };
  query: HTMLParagraphElement;
  found: HTMLParagraphElement;
  results: HTMLOListElement;
  citedHead: HTMLHeadingElement;
  cited: HTMLUListElement;
  boxes: HTMLParagraphElement;
  texts: { name: string; title: string; node: HTMLParagraphElement }[];
  fields: HTMLDListElement;
  element: HTMLDivElement;
  shown: any;

  /** @param host shows a page that was clicked */
  constructor(track: Track, host: { onPage: (page: number) => void }) {
    this.track = track;
    this.host = host;
    this.query = h("p", { class: "wrap strong", testid: "replay-query" });
    this.found = h("p", { class: "caption" });
    this.results = h("ol", { testid: "replay-results" });
    this.citedHead = h("h3", {});
    this.cited = h("ul", { class: "now-cited", testid: "replay-citations" });
    this.boxes = h("p", { class: "quiet", testid: "replay-boxes" });
    this.texts = track.data.textNames.map(([name, title]) => ({
      name,
      title,
      node: h("p", { class: "pre", testid: `replay-${name}` }),
    }));
    this.fields = h("dl", { class: "now-fields" });
    const { data } = track;
    const section = (title: Node, ...children: Node[]) => h("section", {}, title, ...children);
    this.element = h(
      "div",
      {
        class: "now inset-focus column",
        tabindex: "0",
        role: "region",
        "aria-label": `So far: ${data.name}`,
      },
      data.searches.length
        ? section(h("h3", { text: "Search" }), this.query, this.found, this.results)
        : null,
      data.citations.length ? section(this.citedHead, this.cited) : null,
      data.boxes.length ? section(h("h3", { text: "Boxes" }), this.boxes) : null,
      data.fields.length ? section(h("h3", { text: "Fields" }), this.fields) : null,
      ...this.texts.map(({ title, node }) => section(h("h3", { text: title }), node)),
    );
    this.shown = {};
  }

  /** @param open the page in the viewer */
  show(seq: number, open: number | null) {
    const search = this.track.search(seq);
    const citations = this.track.citations(seq);
    const cited = new Set(citations);
    if (search !== this.shown.search) this.search(search);
    this.shown.search = search;
    for (const item of this.results.children) this.mark(item.firstChild, cited, open);
    const key = citations.join();
    if (key !== this.shown.citations) this.citations(citations);
    this.shown.citations = key;
    for (const item of this.cited.children) this.mark(item.firstChild, new Set(), open);
    const count = this.track.countBoxes(seq);
    const here = open === null ? 0 : this.track.boxes(open, seq).length;
    setText(
      this.boxes,
      count ? `${plural(count, "box", "boxes")}, ${here} on this page` : "None yet",
    );
    for (const { name, node } of this.texts) {
      const text = this.track.text(name, seq);
      setText(node, text || "Nothing yet");
      node.classList.toggle("quiet", !text);
    }
    if (this.track.data.fields.length) this.values(seq);
  }

  search(search: any) {
    setText(this.query, search ? search.query || "(empty query)" : "No search yet");
    this.query.classList.toggle("quiet", !search);
    setText(this.found, search ? search.outcome : "");
    fill(
      this.results,
      ...(search?.results ?? []).map((page: number, i: number) => this.item(page, i + 1)),
    );
  }

  item(page: number, rank: any = null) {
    const place = this.track.pages[page];
    const button = h(
      "button",
      {
        type: "button",
        class: "now-page line bare list-row medium",
        title: pageWords(place),
        "data-page": page,
        on: { click: () => this.host.onPage(page) },
      },
      rank ? h("span", { class: "now-rank quiet number", text: String(rank) }) : null,
      h("span", { class: "now-name ellipsis", text: place.document }),
      h("span", { class: "now-number", text: `p. ${place.number}` }),
      h("span", { class: "now-mark inline" }),
    );
    return h("li", {}, button);
  }

  mark(button: any, cited: any, open: number | null) {
    const page = Number(button.dataset.page);
    const isCited = cited.has(page);
    setAttr(button, "aria-current", page === open ? "true" : null);
    if (button.dataset.cited === String(isCited)) return;
    button.dataset.cited = String(isCited);
    fill(button.lastChild, isCited ? icon("cited") : null);
    const name = button.title + (isCited ? ", cited" : "");
    setAttr(button, "aria-label", name);
  }

  citations(pages: number[]) {
    setText(this.citedHead, pages.length ? `Citations (${pages.length})` : "Citations");
    fill(this.cited, ...(pages.length ? pages.map((page) => this.item(page)) : []));
    this.cited.classList.toggle("none", !pages.length);
  }

  values(seq: number) {
    const { fieldLabels } = this.track.data;
    const held = this.track.fields(seq);
    const key = JSON.stringify(held);
    if (key === this.shown.fields) return;
    this.shown.fields = key;
    fill(
      this.fields,
      ...held
        .slice(-60)
        .reverse()
        .flatMap(([field, page, box, value]) => {
          const where =
            page !== null ? pageWords(this.track.pages[page]) : box !== null ? `box ${box}` : "";
          const name = fieldLabels[field] ?? field;
          return [h("dt", { text: where ? `${name}, ${where}` : name }), h("dd", { text: value })];
        }),
    );
  }
}
