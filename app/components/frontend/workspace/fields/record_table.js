/** A table of records: rows as cards that fit the panel, a model's rows verified or one's own written. */

import { errorLine } from "../../shared/buttons.js";
import { h, plural, setText } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { RecordRow } from "./record_row.js";

/** The column that a row is about: the only required choice. @param {Pt.FieldSpec} spec */
function decisionOf(spec) {
  const found = spec.columns.filter((c) => c.kind === "choice" && c.required && c.editable);
  return found.length === 1 ? found[0] : null;
}

/** Whether a link to a page was used, which opens that page and no other. @param {Event} event */
const namesPage = ({ target }) =>
  target instanceof Element && target.matches("[data-testid=named-page]");

export class RecordsTable {
  /** @type {any} */
  stored;

  /**
   * @param {Pt.FieldSpec} spec
   * @param {Pt.Target} target
   * @param {string} attempt
   * @param {Pt.Actions} actions
   */
  constructor(spec, target, attempt, actions) {
    this.spec = spec;
    this.target = target;
    this.attempt = attempt;
    this.actions = actions;
    /** @type {any} */
    this.decision = decisionOf(spec);
    this.rows = new Map();
    const id = `pt-records-${spec.name}`;
    this.count = h("span", {
      class: "count quiet number",
      testid: "records-count",
      role: "status",
    });
    this.fillBar = h("span", { class: "bar-fill" });
    this.bar = h(
      "div",
      { class: "bar", "aria-hidden": "true", hidden: !this.decision },
      this.fillBar,
    );
    this.error = errorLine("field-error", { "data-field": spec.name });
    this.list = h("ol", { class: "stack" });
    this.addButton = h(
      "button",
      {
        class: "button small",
        testid: "row-add",
        hidden: !spec.add_rows,
        on: { click: () => this.add() },
      },
      icon("plus"),
      "Add row",
    );
    this.element = h(
      "section",
      { class: "records stack", testid: "records", "data-field": spec.name, "aria-labelledby": id },
      h("div", { class: "elements-head line" }, h("h2", { id, text: spec.label }), this.count),
      this.bar,
      spec.help ? h("p", { class: "records-help caption", text: spec.help }) : null,
      this.error,
      this.list,
      this.addButton,
    );
  }

  get dirty() {
    return [...this.rows.values()].some((row) => row.dirty);
  }

  flush() {
    for (const row of this.rows.values()) row.flush();
  }

  /**
   * Show rows as stored.
   * @param {Pt.RecordRow[]} rows
   * @param {{ readOnly: boolean, seq: number }} given
   */
  update(rows, { readOnly, seq }) {
    this.readOnly = readOnly;
    this.stored = rows;
    const ids = new Set(rows.map(({ row }) => row));
    for (const [id, row] of this.rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.rows.delete(id);
    }
    rows.forEach((stored, i) => {
      let row = this.rows.get(stored.row);
      if (!row) {
        row = this.create(stored, readOnly);
        row.attach(stored, seq);
      }
      row.show(stored, { number: i + 1, readOnly });
    });
    this.addButton.disabled = readOnly;
    this.progress();
  }

  /** @param {any} stored @param {boolean} readOnly */
  create(stored, readOnly) {
    const { spec, target, attempt, actions } = this;
    const row = new RecordRow(spec, stored, {
      attempt,
      restore: !readOnly,
      target,
      decision: this.decision,
      set: (/** @type {any} */ values) => actions.set(spec, target, stored.row, values),
      decide: (/** @type {Pt.Option} */ option, /** @type {boolean} */ byKey) =>
        this.decide(stored.row, option, byKey),
      remove: () => actions.remove(spec, target, stored.row),
      move: (/** @type {Pt.Column} */ column, /** @type {number} */ by) =>
        this.move(stored.row, column, by),
      seq: actions.seq,
      onTyping: actions.onTyping,
      given: actions.given,
      open: actions.open,
    });
    // On pressing, not on a click: by then a mark may have led on to the next row.
    for (const type of ["pointerdown", "focusin"])
      row.element.addEventListener(type, (event) =>
        actions.present(spec, stored.row, !namesPage(event)),
      );
    this.rows.set(stored.row, row);
    this.list.append(row.element);
    return row;
  }

  progress() {
    const alive = this.stored.filter((/** @type {Pt.RecordRow} */ row) => !row.deleted);
    const done = this.decision
      ? alive.filter((/** @type {Pt.RecordRow} */ row) => row.values[this.decision.name]).length
      : 0;
    setText(
      this.count,
      this.decision ? `${done} of ${alive.length} decided` : plural(alive.length, "row"),
    );
    this.fillBar.style.width = `${alive.length ? (100 * done) / alive.length : 0}%`;
    if (this.decision ? done === alive.length : alive.length) setText(this.error, "");
  }

  /** @param {string} id @param {Pt.Option} option @param {boolean} byKey */
  decide(id, option, byKey) {
    this.actions.set(this.spec, this.target, id, { [this.decision.name]: option });
    if (byKey || !this.spec.add_rows) this.focusUndecided(id);
  }

  /** Rows that can be worked on, in order. */
  alive() {
    return this.stored
      .filter((/** @type {Pt.RecordRow} */ row) => !row.deleted)
      .map((/** @type {Pt.RecordRow} */ row) => row.row);
  }

  /** @param {string} id @param {Pt.Column} column @param {number} by */
  move(id, column, by) {
    const ids = this.alive();
    const to = ids[ids.indexOf(id) + by];
    if (to) this.rows.get(to).focus(column);
  }

  /** The next row without a decision after this one, or the first. @param {any} [after] */
  undecided(after = null) {
    if (!this.decision || this.readOnly) return null;
    const ids = this.alive();
    const from = ids.indexOf(after) + 1;
    const open = [...ids.slice(from), ...ids.slice(0, from)].find(
      (id) =>
        !this.stored.find((/** @type {Pt.RecordRow} */ row) => row.row === id).values[
          this.decision.name
        ],
    );
    return open ?? null;
  }

  /** @param {any} [after] */
  focusUndecided(after = null) {
    const open = this.undecided(after);
    if (open) this.rows.get(open).focus(this.decision.name);
    return open !== null;
  }

  focusInvalid() {
    return [...this.rows.values()].some((row) => row.focusInvalid());
  }

  add() {
    const id = this.actions.add(this.spec, this.target);
    const first = this.spec.columns[0];
    if (id) this.rows.get(id)?.focus(first.name);
  }
}
