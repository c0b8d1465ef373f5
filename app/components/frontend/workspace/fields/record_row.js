/** One row of a table of records, as a card: its cells, what became of it, and the way back. */

import { h, setText } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { diffNodes } from "../../shared/text_diff_view.js";
import { ChoiceCell } from "./choice_cell.js";
import { FixedCell, TextCell } from "./record_cells.js";

const STATES = { given: "", changed: "changed", added: "added", deleted: "deleted" };

/**
 * What became of a row; a decision about it is no change of it.
 * @param {Pt.RecordRow} row as stored
 * @param {any | null} decision the column of the decision
 * @returns {"given"|"changed"|"added"|"deleted"}
 */
export function rowState({ model, values, deleted }, decision) {
  if (deleted) return "deleted";
  if (!model) return "added";
  const names = new Set([...Object.keys(values), ...Object.keys(model)]);
  if (decision) names.delete(decision.name);
  const same = [...names].every((name) => (values[name] ?? "") === (model[name] ?? ""));
  return same ? "given" : "changed";
}

/**
 * Under which name a cell's text is kept while it is not acknowledged.
 * @param {Pt.FieldSpec} spec
 * @param {Pt.Target} target
 * @param {Pt.RecordRow} row
 * @param {string} column
 */
export function cellName(spec, { document, page, box }, row, column) {
  const place = spec.scope === "box" ? [box] : [document, page].filter((part) => part !== null);
  return ["cell", spec.name, ...place, row, column].join(":");
}

/**
 * Two fixed texts, the old and the new, of a change that is proposed.
 * @param {Pt.FieldSpec} spec
 */
function proposal(spec) {
  const fixed = spec.columns.filter((column) => !column.editable);
  return !spec.add_rows && fixed.length === 2 ? fixed.map((column) => column.name) : null;
}

export class RecordRow {
  /**
   * @param {Pt.FieldSpec} spec the field
   * @param {any} stored the row
   * @param {any} host attempt, restore, target, decision, set(values), decide(option, byKey),
   *   remove(), move(column, by), seq(), onTyping(), given() → pages, open(page)
   */
  constructor(spec, stored, host) {
    /** @type {Pt.RecordRow | null} */
    this.stored = null;
    this.at = 0;
    this.readOnly = false;
    this.spec = spec;
    this.host = host;
    /** @type {any} */
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

  /** @param {Pt.Column} column @param {any} stored @param {any} caption */
  cell(column, stored, caption) {
    const { host, spec } = this;
    // The cells of a model's row may be locked; those of one's own never are.
    if (!column.editable && stored.model) return new FixedCell(column, host, { caption });
    const move = (/** @type {number} */ by) => host.move(column.name, by);
    if (column.kind === "choice") {
      const big = column === host.decision && !spec.add_rows;
      const commit = (/** @type {Pt.Option} */ option, /** @type {boolean} */ byKey) =>
        column === host.decision ? host.decide(option, byKey) : host.set({ [column.name]: option });
      return new ChoiceCell(column, { commit, move }, { big });
    }
    const cell = {
      name: cellName(spec, host.target, stored.row, column.name),
      attempt: host.attempt,
      restore: host.restore,
      commit: (/** @type {string} */ text) => host.set({ [column.name]: text }),
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
    const rank = (/** @type {{ name: string }} */ { name }) =>
      this.pair.includes(name) ? 0 : name === decision.name ? 1 : 2;
    return [...columns].sort((a, b) => rank(a) - rank(b));
  }

  get dirty() {
    return [...this.cells.values()].some((cell) => cell.dirty);
  }

  flush() {
    for (const cell of this.cells.values()) cell.flush();
  }

  /** Put the stored texts in for the first time. @param {any} stored @param {number} seq */
  attach(stored, seq) {
    for (const [name, cell] of this.cells) cell.attach(stored.values[name] ?? "", seq);
  }

  /** @param {any} stored @param {{ number: number, readOnly: boolean }} given */
  show(stored, { number, readOnly }) {
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
      /** @type {any} */ (cell).show(
        stored.values[name] ?? "",
        model,
        readOnly,
        this.marked(name, stored.values),
      );
    }
  }

  /**
   * A proposed change, with the words that go and those that come.
   * @param {string} name
   * @param {any} values
   */
  marked(name, values) {
    const at = this.pair?.indexOf(name) ?? -1;
    if (at < 0) return null;
    const [before, after] = this.pair.map((/** @type {string} */ column) => values[column] ?? "");
    return () => diffNodes(before, after, at === 0 ? "before" : "after");
  }

  /** @param {string} column */
  focus(column) {
    this.element.scrollIntoView({ block: "nearest" });
    this.cells.get(column)?.focus();
  }

  focusInvalid() {
    if (this.stored?.deleted) return false;
    const cell = [...this.cells.values()].find((cell) => /** @type {any} */ (cell).invalid);
    cell?.focus();
    return Boolean(cell);
  }
}
