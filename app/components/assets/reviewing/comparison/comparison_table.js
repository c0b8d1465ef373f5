/**
 * The comparison: a column a person and one for the gold draft, a row a part; below a part the
 * pages and elements that it is about. Made anew on every change; the focus stays where it was.
 */

import { h, plural } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { shortNames } from "../../workspace/search/filmstrip.js";
import { choiceOf } from "../decision/selections.js";
import { wayWords } from "../formatting.js";
import { goldSwatch } from "../person_styles.js";
import { leftOut, partCell, whyWords } from "./cells.js";
import { submitted, whyLooked } from "./comparison_rows.js";
import { setDiagram } from "./evidence_diagram.js";
import { elementRows, pageRows } from "./page_rows.js";
import { Shots } from "./page_thumbnails.js";
import { moreCell, personHead, remarksCell, searchesCell, timeCell } from "./person_column.js";

export class Matrix {
  /**
   * @param {Pt.Actions} actions what a click does: part(part), side(part, attempt), way(part, how),
   *   all(attempt), page(place), cite(place), at(part, place, attempt), box(attempt, box),
   *   drop(id), comments(side), replay(side), proposed(part)
   */
  constructor(actions) {
    this.actions = actions;
    this.agreedOpen = false;
    this.open = new Map();
    this.shots = new Shots();
    /** @type {any} */
    this.table = h("table", { class: "matrix", testid: "matrix" });
    this.empty = h("p", {
      class: "matrix-empty quiet",
      text: "Nobody has submitted this task yet. It comes into the queue when its annotators are done.",
    });
    /** @type {any} */
    this.element = h(
      "div",
      {
        class: "matrix-scroll",
        tabindex: "-1",
        role: "region",
        "aria-label": "Answers side by side",
      },
      this.empty,
      this.table,
    );
  }

  /**
   * @param {any} view data, rows, part, picks, choices, draft, basis, busy, editable, look, page,
   *   imageUrl
   */
  update(view) {
    this.view = view;
    this.names = shortNames(view.pages.map((/** @type {Pt.Place} */ { document }) => document));
    if (view.data.task.id !== this.task) {
      this.task = view.data.task.id;
      this.agreedOpen = view.rows.every((/** @type {{ agreed: boolean }} */ { agreed }) => agreed);
      this.open.clear();
      this.shots.clear();
      this.element.scrollTop = 0;
    }
    const held = this.element.getRootNode().activeElement?.dataset?.focus;
    const top = this.element.scrollTop;
    const { sides } = view.data;
    this.table.hidden = sides.length === 0;
    this.empty.hidden = sides.length > 0;
    this.table.classList.toggle("many", sides.length > 3);
    this.table.replaceChildren(this.head(), ...this.bodies());
    this.element.scrollTop = top;
    if (held)
      this.table
        .querySelector(`[data-focus="${CSS.escape(held)}"]`)
        ?.focus({ preventScroll: true });
  }

  /**
   * Bring a part into sight.
   * @param {string} part
   */
  reveal(part) {
    const row = this.table.querySelector(`[data-part="${CSS.escape(part)}"]`);
    if (row) this.scrollTo(row);
  }

  /** Bring the row of the open page in the part at work into sight. */
  revealPage() {
    const part = this.table.querySelector("tr.part.current");
    const row = part?.parentElement.querySelector("tr.open");
    if (row) this.scrollTo(row);
  }

  /** @param {any} row */
  scrollTo(row) {
    const head = this.table.tHead.offsetHeight;
    const { scrollTop, clientHeight } = this.element;
    const top = row.offsetTop - head;
    if (top < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight) {
      this.element.scrollTop = top - 8;
    }
  }

  head() {
    const { data, editable, look, gold } = this.view;
    const people = data.sides.map((/** @type {Pt.Side} */ side, /** @type {number} */ i) =>
      h(
        "th",
        { scope: "col", testid: "person", "data-attempt": side.attempt },
        h(
          "div",
          { class: "person-head line spread" },
          ...personHead(side, i + 1, {
            look,
            editable,
            takeAll: () => this.actions.all(side.attempt),
          }),
        ),
      ),
    );
    const title = h(
      "span",
      { class: "person-name inline strong" },
      goldSwatch(),
      h("span", { class: "ellipsis", text: gold }),
    );
    return h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col", class: "part-col", text: "Part" }),
        ...people,
        h(
          "th",
          { scope: "col", class: "gold-col" },
          h("div", { class: "person-head line spread" }, title),
        ),
      ),
    );
  }

  bodies() {
    const { rows } = this.view;
    const differing = rows.filter((/** @type {{ agreed: boolean }} */ { agreed }) => !agreed);
    const agreed = rows.filter((/** @type {any} */ row) => row.agreed);
    const found = differing.map((/** @type {any} */ row) => this.part(row));
    if (agreed.length) {
      found.push(this.fold(agreed, differing.length > 0));
      if (this.agreedOpen) found.push(...agreed.map((/** @type {any} */ row) => this.part(row)));
    }
    found.push(this.work());
    return found;
  }

  /** Columns of the table, to span. */
  get width() {
    return this.view.data.sides.length + 2;
  }

  /**
   * @param {any} agreed
   * @param {boolean} others
   */
  fold(agreed, others) {
    const names = others
      ? agreed.map((/** @type {{ label: string }} */ { label }) => label).join(", ")
      : whyLooked(this.view.data);
    const compared = this.view.data.parts.length > 0;
    const said = others
      ? `${plural(agreed.length, "part")} without a conflict`
      : compared
        ? "No part differs by the campaign’s rule"
        : "One person’s work, and nothing to compare it with";
    const button = h(
      "button",
      {
        type: "button",
        class: "fold line bare",
        "aria-expanded": String(this.agreedOpen),
        "data-focus": "agreed",
        testid: "agreed",
        on: {
          click: () => {
            this.agreedOpen = !this.agreedOpen;
            this.update(this.view);
          },
        },
      },
      icon(this.agreedOpen ? "up" : "down"),
      h("span", { text: said }),
      h("span", { class: "quiet ellipsis", text: names }),
    );
    return h("tbody", {}, h("tr", {}, h("td", { colspan: this.width }, button)));
  }

  /** @param {any} row */
  part(row) {
    const { data, part, draft, busy, picks, choices } = this.view;
    const others = submitted(data);
    const choice = choiceOf(picks, choices, row.follows ?? row.part);
    const cells = data.sides.map((/** @type {Pt.Side} */ side, /** @type {number} */ i) =>
      this.side(row, side, i, others, choice),
    );
    const gold = h(
      "td",
      { class: "gold-col", "aria-busy": String(busy) },
      partCell(row, draft, null),
      leftOut(row, this.view),
    );
    const current = part === row.part;
    const line = h(
      "tr",
      {
        class: current ? "part current" : "part",
        testid: "part",
        "data-part": row.part,
        "aria-current": current ? "true" : null,
        on: { click: () => !current && this.actions.part(row.part) },
      },
      this.label(row, choice),
      ...cells,
      gold,
    );
    return h("tbody", {}, line, ...this.below(row));
  }

  /**
   * @param {any} row
   * @param {any} choice
   */
  label(row, choice) {
    return h(
      "th",
      { scope: "row", class: "part-col" },
      h("button", {
        type: "button",
        class: "part-name bare strong",
        "data-focus": `part-${row.part}`,
        text: row.label,
        on: { click: () => this.actions.part(row.part) },
      }),
      this.score(row),
      row.follows
        ? h("span", { class: "caption", text: "Goes with the elements" })
        : this.ways(row, choice),
    );
  }

  /** @param {{ score: any, agreed: boolean }} given */
  score({ score, agreed }) {
    if (score === null) return h("span", { class: "caption", text: "Not compared" });
    const label = `${agreed ? "Within the rule" : "Conflict"}, difference ${score.toFixed(2)} of 1`;
    return h(
      "span",
      { class: agreed ? "score" : "score conflict", title: label },
      h(
        "span",
        { class: "score-bar", "aria-hidden": "true" },
        h("span", { style: `width: ${Math.round(100 * score)}%` }),
      ),
      h("span", { class: "number", text: score.toFixed(2) }),
      h("span", { class: "score-word", text: agreed ? "agreed" : "conflict" }),
    );
  }

  /**
   * How the part is put together, to choose from.
   * @param {any} row
   * @param {any} choice
   */
  ways(row, choice) {
    const { data, editable, basis } = this.view;
    if (!row.ways.length || basis === "stored") return null;
    const people = submitted(data).map((side, i) => [
      `side:${side.attempt}`,
      `${i + 1} ${side.name}`,
    ]);
    const ways = row.ways.filter(
      (/** @type {string} */ how) => how !== "side" && (how !== "pick" || choice?.how === "pick"),
    );
    const options = [
      ...(row.ways.includes("side") ? people : []),
      ...ways.map((/** @type {string} */ how) => [how, wayWords(how)]),
    ];
    const now = choice?.how === "side" ? `side:${choice.side}` : choice?.how;
    const select = h(
      "select",
      {
        class: "ways",
        "aria-label": `${row.label} in the gold`,
        disabled: !editable,
        testid: "ways",
        "data-focus": `ways-${row.part}`,
        on: {
          change: () => {
            const { value } = select;
            select.blur(); // keys are off in a list of choices
            if (value.startsWith("side:")) this.actions.side(row.part, value.slice(5));
            else this.actions.way(row.part, value);
          },
        },
      },
      ...options.map(([value, text]) => h("option", { value, text })),
    );
    select.value = now ?? "";
    return h(
      "label",
      { class: "way-label" },
      h("span", { class: "caption", text: "Gold: " }),
      select,
    );
  }

  /**
   * @param {any} row
   * @param {Pt.Side} side
   * @param {number} i
   * @param {Pt.Side[]} others
   * @param {any} choice
   */
  side(row, side, i, others, choice) {
    if (side.status !== "submitted") return h("td", { class: "quiet" });
    const { editable, basis } = this.view;
    const taken = choice?.how === "side" && choice.side === side.attempt && basis !== "stored";
    const may = row.ways.includes("side");
    const take = may
      ? h("button", {
          type: "button",
          class: "take number toggle filled",
          text: String(i + 1),
          "aria-pressed": String(taken),
          disabled: !editable,
          title: `Take ${side.name}’s (${i + 1})`,
          "aria-label": `${row.label}: take ${side.name}’s`,
          "data-focus": `take-${row.part}-${i}`,
          testid: "take",
          on: { click: () => this.actions.side(row.part, side.attempt) },
        })
      : null;
    return h(
      "td",
      { class: taken ? "side taken" : "side" },
      h(
        "div",
        { class: "side-cell" },
        h(
          "div",
          { class: "fill" },
          partCell(
            row,
            side,
            others.filter((other) => other !== side),
          ),
        ),
        take,
      ),
    );
  }

  /**
   * The diagram, pages and elements of a part.
   * @param {any} row
   */
  below(row) {
    const found = [];
    if (row.kind === "evidence" && row.pages.length) {
      const { data, look, draft } = this.view;
      const diagram = setDiagram({
        evidence: data.evidence,
        sides: submitted(data),
        look,
        kept: draft.evidence ?? [],
        thumb: (/** @type {Pt.Place} */ place, /** @type {string} */ slot) =>
          this.shot(place, slot),
      });
      found.push(h("tr", {}, h("td", { colspan: this.width }, diagram)));
    }
    if (["evidence", "pageField", "boxes"].includes(row.kind)) found.push(...pageRows(this, row));
    if (row.kind === "boxes") found.push(...elementRows(this, row));
    return found;
  }

  /** What is known of how the work was done. */
  work() {
    const { sides } = this.view.data;
    const line = (/** @type {string} */ label, /** @type {any} */ cell) =>
      h(
        "tr",
        {},
        h("th", { scope: "row", class: "part-col quiet", text: label }),
        ...sides.map((/** @type {Pt.Side} */ side) => h("td", {}, cell(side))),
        h("td", { class: "gold-col" }),
      );
    const searching = sides.some(
      (/** @type {{ searches: any }} */ { searches }) => searches.length,
    );
    return h(
      "tbody",
      { class: "work" },
      line("Time", timeCell),
      searching
        ? line("Searches", (/** @type {Pt.Side} */ side) =>
            searchesCell(
              side,
              this.isOpen(`searches-${side.attempt}`),
              (/** @type {boolean} */ open) => this.open.set(`searches-${side.attempt}`, open),
            ),
          )
        : null,
      sides.some((/** @type {Pt.Side} */ side) => side.note || side.flag || side.skip_reason)
        ? line("Remarks", remarksCell)
        : null,
      line("More", (/** @type {Pt.Side} */ side) =>
        moreCell(side, {
          replay: this.actions.replay(side),
          comments: () => this.actions.comments(side),
        }),
      ),
    );
  }

  /** @param {string} key */
  isOpen(key) {
    return this.open.get(key) ?? false;
  }

  /** @param {Pt.Place} place */
  why(place) {
    return whyWords(this.view.data, place, this.view.draft.evidence ?? []);
  }

  /**
   * A page's picture that opens the page.
   * @param {Pt.Place} place
   * @param {string} slot
   */
  shot(place, slot) {
    return this.shots.make(place, slot, this.view, (page) => this.actions.page(page));
  }
}
