/**
 * The comparison: a column per person and one for the gold draft, a row per part; below a part the
 * pages and elements that it is about. Built again on every change; the focus stays where it was.
 */

import { foldButton, keepFocus } from "../../shared/buttons";
import { h, plural } from "../../shared/dom";
import { shortNames } from "../../shared/places";
import { goldSwatch } from "../person_styles";
import { AnswerEditor } from "./answer_editor";
import { pageRule, whyWords } from "./cells";
import { whyLooked } from "./changes";
import { submitted } from "./comparison_rows";
import { setDiagram } from "./evidence_diagram";
import { elementRows, pageRows } from "./page_rows";
import { Shots } from "./page_thumbnails";
import { partRow } from "./part_row";
import { moreCell, personHead, remarksCell, searchesCell, timeCell } from "./person_column";
import { tableRows } from "./table_rows";

export class Matrix {
  actions: Pt.MatrixActions;
  agreedOpen: boolean;
  open: Map<string, boolean>;
  shots: Shots;
  editor: AnswerEditor;
  task: number | null;
  table: HTMLTableElement;
  empty: HTMLParagraphElement;
  element: HTMLDivElement;
  names: Map<string, string> | undefined;

  view!: Pt.ReviewView;
  /** @param actions what a click does */
  constructor(actions: Pt.MatrixActions) {
    this.actions = actions;
    this.agreedOpen = false;
    this.open = new Map();
    this.shots = new Shots();
    this.editor = new AnswerEditor({
      write: (texts) => actions.write(texts),
      closed: () => {
        this.update(this.view);
        this.element.focus(); // keys are off in a field
      },
    });
    this.task = null;
    this.table = h("table", { class: "matrix", testid: "matrix" });
    this.empty = h("p", {
      class: "matrix-empty quiet",
      text: "Nobody has submitted this task yet. It comes into the queue when its annotators are done.",
    });
    const props = { tabindex: "-1", role: "region", "aria-label": "Answers side by side" };
    this.element = h("div", { class: "matrix-scroll", ...props }, this.empty, this.table);
  }

  update(view: Pt.ReviewView) {
    this.view = view;
    this.names = shortNames(view.pages.map(({ document }) => document));
    if (view.data.task.id !== this.task) {
      this.task = view.data.task.id;
      this.agreedOpen = view.rows.every(({ agreed }) => agreed);
      this.open.clear();
      this.shots.clear();
      this.editor.drop();
      this.element.scrollTop = 0;
    }
    if (!view.editable) this.editor.drop();
    const top = this.element.scrollTop;
    const { sides: participants } = view.data;
    this.table.hidden = participants.length === 0;
    this.empty.hidden = participants.length > 0;
    this.table.classList.toggle("many", participants.length > 3);
    keepFocus(this.table, () => {
      this.table.replaceChildren(this.head(), ...this.bodies());
      this.element.scrollTop = top;
    });
  }

  /** Scroll a part into view. */
  reveal(part: string) {
    this.scrollTo(this.table.querySelector(`[data-part="${CSS.escape(part)}"]`));
  }

  /** Scroll the row of the open page in the current part into view. */
  revealPage() {
    const part = this.table.querySelector("tr.part.current");
    this.scrollTo(part?.parentElement?.querySelector("tr.open") ?? null);
  }

  scrollTo(row: Element | null) {
    if (!(row instanceof HTMLElement)) return;
    const top = row.offsetTop - (this.table.tHead?.offsetHeight ?? 0);
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight) {
      this.element.scrollTop = top - 8;
    }
  }

  head() {
    const { data, editable, look, gold } = this.view;
    const people = data.sides.map((participant, i) => {
      const takeAll = () => this.actions.all(participant.attempt);
      const head = personHead(participant, i + 1, { look, editable, takeAll });
      const props = { scope: "col", testid: "person" };
      return h(
        "th",
        { ...props, "data-attempt": participant.attempt },
        h("div", { class: "person-head line spread" }, ...head),
      );
    });
    const name = h("span", { class: "ellipsis", text: gold });
    const title = h("span", { class: "person-name inline strong" }, goldSwatch(), name);
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
    const differing = rows.filter(({ agreed }) => !agreed);
    const agreed = rows.filter((row) => row.agreed);
    const found = differing.map((row) => this.part(row));
    if (agreed.length) {
      found.push(this.fold(agreed, differing.length > 0));
      if (this.agreedOpen) found.push(...agreed.map((row) => this.part(row)));
    }
    return [...found, this.work()];
  }

  /** Columns of the table, to span. */
  get width() {
    return this.view.data.sides.length + 2;
  }

  /** @param others whether there are parts that differ */
  fold(agreed: Pt.ComparisonRow[], others: boolean) {
    const { data } = this.view;
    const note = others ? agreed.map(({ label }) => label).join(", ") : whyLooked(data);
    const text = others
      ? `${plural(agreed.length, "part")} without a conflict`
      : data.parts.length
        ? "No part differs by the campaign’s rule"
        : "Only one submission, and nothing to compare it with";
    const given = { open: this.agreedOpen, focus: "agreed", testid: "agreed", note };
    const button = foldButton(text, given, () => {
      this.agreedOpen = !this.agreedOpen;
      this.update(this.view);
    });
    return h("tbody", {}, h("tr", {}, h("td", { colspan: this.width }, button)));
  }

  part(row: Pt.ComparisonRow) {
    return h("tbody", {}, partRow(this, row), ...this.below(row));
  }

  /** The diagram, pages and elements of a part. */
  below(row: Pt.ComparisonRow) {
    const found = [];
    if (row.kind === "evidence" && row.pages.length) {
      const { data, look, draft } = this.view;
      const diagram = setDiagram({
        evidence: data.evidence,
        participants: submitted(data),
        look,
        kept: draft.evidence ?? [],
        thumb: (place, slot) => this.shot(place, slot),
      });
      found.push(h("tr", {}, h("td", { colspan: this.width }, diagram)));
    }
    if (["evidence", "pageField", "boxes"].includes(row.kind)) found.push(...pageRows(this, row));
    if (row.kind === "boxes") found.push(...elementRows(this, row));
    if (row.kind === "records") found.push(...tableRows(this, row));
    return found;
  }

  /** How the work was done. */
  work() {
    const { sides: participants } = this.view.data;
    const line: (label: string, cell: (participant: Pt.Participant) => Element) => Element = (
      label,
      cell,
    ) =>
      h(
        "tr",
        {},
        h("th", { scope: "row", class: "part-col quiet", text: label }),
        ...participants.map((participant) => h("td", {}, cell(participant))),
        h("td", { class: "gold-col" }),
      );
    const searching = participants.some(({ searches }) => searches.length);
    const remarks = participants.some(
      ({ note, flag, skip_reason, submitted_without: parts }) =>
        note || flag || skip_reason || parts.length,
    );
    return h(
      "tbody",
      { class: "work" },
      line("Time", timeCell),
      searching ? line("Searches", (participant) => this.searches(participant)) : null,
      remarks ? line("Remarks", remarksCell) : null,
      line("More", (participant) =>
        moreCell(participant, {
          replay: this.view.data.rule.hide_names ? null : this.actions.replay(participant),
          comments: () => this.actions.comments(participant),
        }),
      ),
    );
  }

  searches(participant: Pt.Participant) {
    const key = `searches-${participant.attempt}`;
    return searchesCell(participant, this.isOpen(key), (open) => this.open.set(key, open));
  }

  isOpen(key: string) {
    return this.open.get(key) ?? false;
  }

  /** Why a page is in the gold, or not. */
  why(part: string, place: Pt.Place) {
    const { data, draft } = this.view;
    const rule = pageRule(draft, part, place);
    if (rule) return rule.why;
    return part === "evidence" ? whyWords(data, place, draft.evidence ?? []) : "";
  }

  /** A page's image that opens the page. */
  shot(place: Pt.Place, slot: string) {
    return this.shots.make(place, slot, this.view, (page) => this.actions.page(page));
  }
}
