/** What one attempt has so far: query and results, citations, answer, fields. */

import { fill, h, plural, setAttr, setText } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { pageWords } from "./formatting.js";

export class Now {
  /**
   * @param {import("./script_state.js").Track} track
   * @param {{onPage: (page: number) => void}} host shows a page that was clicked
   */
  constructor(track, host) {
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
    const section = (/** @type {Node} */ title, /** @type {Node[]} */ ...children) =>
      h("section", {}, title, ...children);
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
    /** @type {any} */
    this.shown = {};
  }

  /**
   * @param {number} seq
   * @param {number | null} open the page in the viewer
   */
  show(seq, open) {
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

  /** @param {any} search */
  search(search) {
    setText(this.query, search ? search.query || "(empty query)" : "No search yet");
    this.query.classList.toggle("quiet", !search);
    setText(this.found, search ? search.outcome : "");
    fill(
      this.results,
      ...(search?.results ?? []).map((/** @type {number} */ page, /** @type {number} */ i) =>
        this.item(page, i + 1),
      ),
    );
  }

  /**
   * @param {number} page
   * @param {any} [rank]
   */
  item(page, rank = null) {
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

  /**
   * @param {any} button
   * @param {any} cited
   * @param {number | null} open
   */
  mark(button, cited, open) {
    const page = Number(button.dataset.page);
    const isCited = cited.has(page);
    setAttr(button, "aria-current", page === open ? "true" : null);
    if (button.dataset.cited === String(isCited)) return;
    button.dataset.cited = String(isCited);
    fill(button.lastChild, isCited ? icon("cited") : null);
    const name = button.title + (isCited ? ", cited" : "");
    setAttr(button, "aria-label", name);
  }

  /** @param {number[]} pages */
  citations(pages) {
    setText(this.citedHead, pages.length ? `Citations (${pages.length})` : "Citations");
    fill(this.cited, ...(pages.length ? pages.map((page) => this.item(page)) : []));
    this.cited.classList.toggle("none", !pages.length);
  }

  /** @param {number} seq */
  values(seq) {
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
