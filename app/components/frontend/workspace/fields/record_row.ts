/** One row of a table of records, as a card: its cells, what became of it, and the way back. */

import { h, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { diffNodes } from "../../shared/text_diff_view";
import { ChoiceCell } from "./choice_cell";
import { FixedCell, TextCell } from "./record_cells";

const STATES = { given: "", changed: "changed", added: "added", deleted: "deleted" };

/**
 * What became of a row; a decision about it is no change of it.
 * @param row as stored
 * @param decision the column of the decision
 */
export function rowState(
  { model, values, deleted }: Pt.RecordRow,
  decision: any | null,
): "given" | "changed" | "added" | "deleted" {
  if (deleted) return "deleted";
  if (!model) return "added";
  const names = new Set([...Object.keys(values), ...Object.keys(model)]);
  if (decision) names.delete(decision.name);
  const same = [...names].every((name) => (values[name] ?? "") === (model[name] ?? ""));
  return same ? "given" : "changed";
}

/** Under which name a cell's text is kept while it is not acknowledged. */
export function cellName(
  spec: Pt.FieldSpec,
  { document, page, box }: Pt.Target,
  row: Pt.RecordRow,
  column: string,
) {
  const place = spec.scope === "box" ? [box] : [document, page].filter((part) => part !== null);
  return ["cell", spec.name, ...place, row, column].join(":");
}

/** Two fixed texts, the old and the new, of a change that is proposed. */
function proposal(spec: Pt.FieldSpec) {
  const fixed = spec.columns.filter((column) => !column.editable);
  return !spec.add_rows && fixed.length === 2 ? fixed.map((column) => column.name) : null;
}

export class RecordRow {
  stored: Pt.RecordRow | null;
  at: number;
  readOnly: boolean;
  spec: Pt.FieldSpec;
  host: any;
  pair: any;
  number: HTMLSpanElement;
  state: HTMLSpanElement;
  remove: HTMLButtonElement;
  restore: HTMLButtonElement;
  cells: Map<string, ChoiceCell | TextCell | FixedCell>;
  body: HTMLDivElement;
  element: HTMLLIElement;

  /**
   * @param spec the field
   * @param stored the row
   * @param host attempt, restore, target, decision, set(values), decide(option, byKey),
   * remove(), move(column, by), seq(), onTyping(), given() → pages, open(page)
   */
  constructor(spec: Pt.FieldSpec, stored: any, host: any) {
    this.stored = null;
    this.at = 0;
    this.readOnly = false;
    this.spec = spec;
    this.host = host;
    this.pair = proposal(spec);
    this.number = h("span", { class: "row-number quiet number" });
    this.state = h("span", { class: "row-state" });
    this.remove = h(
      "button",
      {
        class: "icon-button small",
        testid: "row-delete",
        title: "Delete this row",
        "aria-label": "Delete this row",
        hidden: !spec.add_rows,
        on: { click: () => host.remove() },
      },
      icon("bin"),
    );
    this.restore = h("button", {
      class: "button small",
      testid: "row-restore",
      text: "Restore",
      on: { click: () => host.set({}) },
    });
    const columns = this.inOrder();
    // The first caption is in the head, beside the number: rows stay low.
    const caption = columns[0].kind !== "choice" ? columns[0].label : "";
    this.cells = new Map(
      columns.map((column, i) => [column.name, this.cell(column, stored, i > 0)]),
    );
    this.body = h(
      "div",
      { class: "record-cells wrapping" },
      ...[...this.cells.values()].map((cell) => cell.element),
    );
    this.element = h(
      "li",
      { class: "record stack framed", testid: "row", "data-row": stored.row },
      h(
        "div",
        { class: "record-head line" },
        this.number,
        h("span", { class: "cell-label caption", text: caption }),
        this.state,
        h("span", { class: "spacer" }),
        this.remove,
        this.restore,
      ),
      this.body,
    );
  }

  cell(column: Pt.Column, stored: any, caption: any) {
    const { host, spec } = this;
    // The cells of a model's row may be locked; those of one's own never are.
    if (!column.editable && stored.model) return new FixedCell(column, host, { caption });
    const move = (by: number) => host.move(column.name, by);
    if (column.kind === "choice") {
      const big = column === host.decision && !spec.add_rows;
      const commit = (option: Pt.Option, byKey: boolean) =>
        column === host.decision ? host.decide(option, byKey) : host.set({ [column.name]: option });
      return new ChoiceCell(column, { commit, move }, { big });
    }
    const cell = {
      name: cellName(spec, host.target, stored.row, column.name),
      attempt: host.attempt,
      restore: host.restore,
      commit: (text: string) => host.set({ [column.name]: text }),
      seq: host.seq,
      onTyping: host.onTyping,
      move,
    };
    return new TextCell(column, cell, { caption });
  }

  /** The columns; a decision is right under its proposal. */
  inOrder() {
    const { decision } = this.host;
    const { columns } = this.spec;
    if (!this.pair || !decision) return columns;
    const rank = ({ name }: { name: string }) =>
      this.pair.includes(name) ? 0 : name === decision.name ? 1 : 2;
    return [...columns].sort((a, b) => rank(a) - rank(b));
  }

  get dirty() {
    return [...this.cells.values()].some((cell) => cell.dirty);
  }

  flush() {
    for (const cell of this.cells.values()) cell.flush();
  }

  /** Put the stored texts in for the first time. */
  attach(stored: any, seq: number) {
    for (const [name, cell] of this.cells) cell.attach(stored.values[name] ?? "", seq);
  }

  show(stored: any, { number, readOnly }: { number: number; readOnly: boolean }) {
    if (this.stored === stored && this.at === number && this.readOnly === readOnly) return;
    this.stored = stored;
    this.at = number;
    this.readOnly = readOnly;
    const { decision } = this.host;
    const state = rowState(stored, decision);
    setText(this.number, String(number));
    if (this.element.dataset.state !== state) {
      this.element.dataset.state = state;
      setText(this.state, STATES[state]);
    }
    this.element.classList.toggle("decided", Boolean(decision && stored.values[decision.name]));
    this.body.inert = stored.deleted;
    this.remove.hidden = !this.spec.add_rows || stored.deleted || readOnly;
    this.restore.hidden = !stored.deleted || readOnly;
    for (const [name, cell] of this.cells) {
      const model = stored.model && name !== decision?.name ? (stored.model[name] ?? "") : null;
      (cell as any).show(
        stored.values[name] ?? "",
        model,
        readOnly,
        this.marked(name, stored.values),
      );
    }
  }

  /** A proposed change, with the words that go and those that come. */
  marked(name: string, values: any) {
    const at = this.pair?.indexOf(name) ?? -1;
    if (at < 0) return null;
    const [before, after] = this.pair.map((column: string) => values[column] ?? "");
    return () => diffNodes(before, after, at === 0 ? "before" : "after");
  }

  focus(column: string) {
    this.element.scrollIntoView({ block: "nearest" });
    this.cells.get(column)?.focus();
  }

  focusInvalid() {
    if (this.stored?.deleted) return false;
    const cell = [...this.cells.values()].find((cell) => (cell as any).invalid);
    cell?.focus();
    return Boolean(cell);
  }
}
