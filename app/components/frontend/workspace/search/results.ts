/** The strip of results, or of the pages that the task gives. */

import { h, plural, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { grouped } from "../../shared/notation";
import { loadPatiently } from "../../shared/page/patient_image";
import { gradeField } from "../fields/page_marks";
import { cites } from "../state/attempt_state";
import { Filmstrip } from "./filmstrip";
import { Preview } from "./preview";
import { runsTogether, STARS } from "./writing_systems";

export class Results {
  host: any;
  cards: any[];
  index: number;
  heading: HTMLSpanElement;
  list: HTMLOListElement;
  film: Filmstrip;
  body: HTMLDivElement;
  preview: Preview;
  element: HTMLElement;

  constructor(host: any) {
    this.host = host;
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
      onFocus: (element: any) =>
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
   * @param data the store's values
   */
  show(data: Pt.WorkspaceData) {
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

  found(results: any, data: Pt.WorkspaceData) {
    const n = results.results.length;
    const hits = results.total_hits ?? n;
    this.cards = [];
    this.index = -1;
    if (!n) {
      this.heading.textContent = "No page matches";
      this.body.replaceChildren(this.nothing(results));
      return;
    }
    this.heading.textContent =
      hits > n ? `Best ${n} of ${plural(hits, "matching page")}` : plural(hits, "matching page");
    this.cards = results.results.map((result: Pt.SearchResult) =>
      this.card({ ...result, search_id: results.search_id, via: "result" }, data),
    );
    this.fill();
  }

  given(
    data: Pt.WorkspaceData,
    heading: string = `${plural((data.given ?? []).length, "page")} for this task`,
  ) {
    setText(this.heading, heading);
    this.film.show(data);
    if (this.cards === this.film.cards) return;
    this.cards = this.film.cards;
    this.body.replaceChildren(this.film.element);
    this.setTabStop(0);
  }

  /** Nothing is left of the task before: its pages are not this one's. */
  none(data: Pt.WorkspaceData) {
    this.film.show(data);
    this.cards = [];
    this.body.replaceChildren();
  }

  fill() {
    this.list.replaceChildren(...this.cards.map((card) => h("li", {}, card.element)));
    this.body.replaceChildren(this.list);
    this.setTabStop(0);
  }

  nothing(results: any) {
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

  card(result: Pt.SearchResult, data: Pt.WorkspaceData) {
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

  /** Only one card is in the tab order; the arrows move among them. */
  setTabStop(index: any) {
    this.index = index;
    this.cards.forEach((card, i) => {
      card.element.tabIndex = i === Math.max(0, index) ? 0 : -1;
    });
  }

  /** Mark the cited pages and the one in the viewer. */
  mark(data: Pt.WorkspaceData) {
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
   * @returns whether there is anything to move to
   */
  move(step: 1 | -1): boolean {
    if (!this.cards.length || this.element.hidden) return false;
    if (this.cards !== this.film.cards) this.host.reveal();
    const focused = this.cards.findIndex((card) => card.element.matches(":focus"));
    const from = focused >= 0 ? focused : step > 0 ? -1 : this.cards.length;
    const to = Math.min(this.cards.length - 1, Math.max(0, from + step));
    this.setTabStop(to);
    this.cards[to].element.focus();
    return true;
  }

  /** Make room for the page: results are hidden, of given pages a line is left. */
  setCompact(compact: boolean) {
    this.element.classList.toggle("compact", compact);
    if (this.cards === this.film.cards) this.film.revealCurrent();
  }
}

/** Whether the task gives one page, which is open and has no grade: a strip of it says nothing. */
function isAlone({ given, page, protocol, replayed }: Pt.WorkspaceData) {
  if (replayed || given?.length !== 1 || gradeField(protocol)) return false;
  return page?.document === given[0].document && page.page === given[0].page;
}

function snippet(runs: any) {
  const parts = runs.map(([text, match]: any[]) => (match ? h("mark", { text }) : text));
  return h("span", { class: "card-snippet caption" }, ...parts);
}
