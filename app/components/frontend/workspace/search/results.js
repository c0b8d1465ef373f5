/** The strip of results, or of the pages that the task gives. */

import { h, plural, setAttr, setText } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { grouped } from "../../shared/notation.js";
import { loadPatiently } from "../../shared/page/patient_image.js";
import { gradeField } from "../fields/page_fields.js";
import { cites } from "../state/attempt_state.js";
import { Filmstrip } from "./filmstrip.js";
import { Preview } from "./preview.js";
import { runsTogether, STARS } from "./writing_systems.js";

/**
 * @param {Object} host
 * @param {(result: any, stamp: number) => void} host.open
 * @param {(document: string, page: number) => string|null} host.thumbnail image address
 * @param {(document: string) => any|null} host.info
 * @param {(query: string) => void} host.runSuggestion
 * @param {() => void} host.reveal shows the results where they have made room for the page
 */
export class Results {
  /** @param {any} host */
  constructor(host) {
    this.host = host;
    /** @type {any[]} */
    this.cards = [];
    this.index = -1;
    this.heading = h("span", {
      class: "results-heading heading strong",
      testid: "results-heading",
      role: "status",
    });
    this.list = h("ol", { class: "cards", testid: "results" });
    this.film = new Filmstrip({
      ...host,
      onFocus: (/** @type {any} */ element) =>
        this.setTabStop(this.cards.findIndex((card) => card.element === element)),
    });
    this.body = h("div", { class: "results-body" });
    this.preview = new Preview();
    this.element = h(
      "section",
      { class: "results", "aria-label": "Results" },
      h("div", { class: "results-head line" }, this.heading),
      this.body,
      this.preview.element,
    );
  }

  /**
   * Show the outcome of a search, also of one that is replayed, the given pages, or nothing.
   * @param {Pt.WorkspaceData} data the store's values
   */
  show(data) {
    const { results, given, searching, replayed } = data;
    this.preview.hide();
    const found = results && !results.refusal;
    this.element.hidden = !found && !given?.length;
    this.element.classList.toggle("replayed", Boolean(replayed));
    if (replayed) this.given({ ...data, given: replayed.pages }, replayed.said);
    else if (found) this.found(results, data);
    else if (given?.length) this.given(data);
    else this.none(data);
    this.element.classList.toggle("stale", Boolean(searching));
    this.mark(data);
  }

  /** @param {any} results @param {Pt.WorkspaceData} data */
  found(results, data) {
    const n = results.results.length;
    const hits = results.total_hits ?? n;
    /** @type {any[]} */
    this.cards = [];
    this.index = -1;
    if (!n) {
      this.heading.textContent = "No page matches";
      this.body.replaceChildren(this.nothing(results));
      return;
    }
    this.heading.textContent =
      hits > n ? `Best ${n} of ${plural(hits, "matching page")}` : plural(hits, "matching page");
    this.cards = results.results.map((/** @type {Pt.SearchResult} */ result) =>
      this.card({ ...result, search_id: results.search_id, via: "result" }, data),
    );
    this.fill();
  }

  /** @param {Pt.WorkspaceData} data @param {string} [heading] */
  given(data, heading = `${plural((data.given ?? []).length, "page")} for this task`) {
    setText(this.heading, heading);
    this.film.show(data);
    if (this.cards === this.film.cards) return;
    this.cards = this.film.cards;
    this.body.replaceChildren(this.film.element);
    this.setTabStop(0);
  }

  /** Nothing is left of the task before: its pages are not this one's. @param {Pt.WorkspaceData} data */
  none(data) {
    this.film.show(data);
    this.cards = [];
    this.body.replaceChildren();
  }

  fill() {
    this.list.replaceChildren(...this.cards.map((card) => h("li", {}, card.element)));
    this.body.replaceChildren(this.list);
    this.setTabStop(0);
  }

  /** @param {any} results */
  nothing(results) {
    const noWord = results.parsed === "nothing";
    const words = [
      h("p", {
        text: noWord
          ? "Very common words (the, of, and …), single characters and signs are not indexed. Add a more specific word."
          : "All words must match on one page. Try fewer or other words.",
      }),
    ];
    if (runsTogether(results.query ?? "")) words.push(h("p", { text: STARS }));
    if (results.parsed && !noWord) {
      words.push(h("p", { class: "quiet" }, "Understood as ", h("code", { text: results.parsed })));
    }
    if (results.suggestion) {
      const again = h("button", {
        class: "link",
        testid: "suggestion",
        text: results.suggestion,
        on: { click: () => this.host.runSuggestion(results.suggestion) },
      });
      words.push(h("p", {}, "Did you mean ", again, "?"));
    }
    return h("div", { class: "no-results stack wrap framed", testid: "no-results" }, ...words);
  }

  /** @param {Pt.SearchResult} result @param {Pt.WorkspaceData} data */
  card(result, data) {
    const info = this.host.info(result.document);
    const [width, height] = info?.pages[result.page - 1] ?? [3, 4];
    const paper = h("span", { class: "paper", style: `aspect-ratio: ${width} / ${height}` });
    paper.classList.toggle("wide", width > height);
    const address = this.host.thumbnail(result.document, result.page);
    if (address) {
      const image = h("img", { alt: "", decoding: "async", draggable: "false" });
      paper.append(image);
      loadPatiently(image, address);
    }
    const total = info ? ` of ${grouped(info.n_pages)}` : "";
    const where = `page ${result.page}${total}`;
    const cited = h("span", { class: "card-cited line small" }, icon("cited"), "Cited");
    const said = h("span", { class: "unseen" });
    const meta = h(
      "span",
      { class: "card-meta", "aria-hidden": "true" },
      h("span", { class: "card-name wrap", text: result.document }),
      h("span", { class: "card-page caption", text: where }),
      result.snippet ? snippet(result.snippet) : null,
      cited,
    );
    const rank = result.rank ? h("span", { class: "card-rank", text: String(result.rank) }) : null;
    const element = h(
      "button",
      {
        class: "card tile",
        testid: "result",
        title: `${result.document}, ${where}`,
        "data-document": result.document,
        "data-page": result.page,
        on: { click: (event) => this.host.open(result, event.timeStamp) },
      },
      h("span", { class: "card-image", "aria-hidden": "true" }, paper, rank),
      meta,
      said,
    );
    element.addEventListener("focus", () =>
      this.setTabStop(this.cards.findIndex((c) => c.element === element)),
    );
    if (address) this.preview.follow(element, address, width / height);
    const label = `${result.rank ? `Result ${result.rank}: ` : ""}${result.document}, ${where}`;
    return { element, result, label, said, cited, snippets: data.protocol.search.snippets };
  }

  /** Only one card is in the tab order; the arrows move among them. @param {any} index */
  setTabStop(index) {
    this.index = index;
    this.cards.forEach((card, i) => {
      card.element.tabIndex = i === Math.max(0, index) ? 0 : -1;
    });
  }

  /** Mark the cited pages and the one in the viewer. @param {Pt.WorkspaceData} data */
  mark(data) {
    const { state, page } = data;
    if (this.cards === this.film.cards) {
      this.film.mark(data);
      this.element.hidden = isAlone(data);
      return;
    }
    for (const { element, result, label, said, cited } of this.cards) {
      const isCited = cites(state, result.document, result.page);
      const open = page?.document === result.document && page?.page === result.page;
      cited.hidden = !isCited;
      setAttr(element, "aria-current", open ? "true" : null);
      setText(said, label + (isCited ? ", cited" : "") + (open ? ", open" : ""));
    }
  }

  /**
   * Move the focus among the results.
   * @param {1|-1} step
   * @returns {boolean} whether there is anything to move to
   */
  move(step) {
    if (!this.cards.length || this.element.hidden) return false;
    if (this.cards !== this.film.cards) this.host.reveal();
    const focused = this.cards.findIndex((card) => card.element.matches(":focus"));
    const from = focused >= 0 ? focused : step > 0 ? -1 : this.cards.length;
    const to = Math.min(this.cards.length - 1, Math.max(0, from + step));
    this.setTabStop(to);
    this.cards[to].element.focus();
    return true;
  }

  /**
   * Make room for the page: results are hidden, of given pages a line is left.
   * @param {boolean} compact
   */
  setCompact(compact) {
    this.element.classList.toggle("compact", compact);
    if (this.cards === this.film.cards) this.film.revealCurrent();
  }
}

/**
 * Whether the task gives one page, which is open and has no grade: a strip of it says nothing.
 * @param {Pt.WorkspaceData} workspaceData
 */
function isAlone({ given, page, protocol, replayed }) {
  if (replayed || given?.length !== 1 || gradeField(protocol)) return false;
  return page?.document === given[0].document && page.page === given[0].page;
}

/** @param {any} runs */
function snippet(runs) {
  const parts = runs.map((/** @type {any[]} */ [text, match]) =>
    match ? h("mark", { text }) : text,
  );
  return h("span", { class: "card-snippet caption" }, ...parts);
}
