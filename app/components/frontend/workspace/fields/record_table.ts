/** A table of records: rows as cards that fit the panel, a model's rows verified or one's own written. */

import { errorLine } from "../../shared/buttons";
import { h, plural, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { RecordRow } from "./record_row";

/** The column that a row is about: the only required choice. */
function decisionOf(spec: Pt.FieldSpec) {
  const found = spec.columns.filter((c) => c.kind === "choice" && c.required && c.editable);
  return found.length === 1 ? found[0] : null;
}

/** Whether a link to a page was used, which opens that page and no other. */
const namesPage = ({ target }: Event) =>
  target instanceof Element && target.matches("[data-testid=named-page]");

export class RecordsTable {
  spec: Pt.FieldSpec;
  target: Pt.Target;
  attempt: string;
  actions: Pt.Actions;
  decision: any;
  rows: Map<any, any>;
  count: HTMLSpanElement;
  fillBar: HTMLSpanElement;
  bar: HTMLDivElement;
  error: HTMLParagraphElement;
  list: HTMLOListElement;
  addButton: HTMLButtonElement;
  element: HTMLElement;
  readOnly: boolean | undefined;

  stored: any;

  constructor(spec: Pt.FieldSpec, target: Pt.Target, attempt: string, actions: Pt.Actions) {
    this.spec = spec;
    this.target = target;
    this.attempt = attempt;
    this.actions = actions;
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

  /** Show rows as stored. */
  update(rows: Pt.RecordRow[], { readOnly, seq }: { readOnly: boolean; seq: number }) {
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

  create(stored: any, readOnly: boolean) {
    const { spec, target, attempt, actions } = this;
    const row = new RecordRow(spec, stored, {
      attempt,
      restore: !readOnly,
      target,
      decision: this.decision,
      set: (values: any) => actions.set(spec, target, stored.row, values),
      decide: (option: Pt.Option, byKey: boolean) => this.decide(stored.row, option, byKey),
      remove: () => actions.remove(spec, target, stored.row),
      move: (column: Pt.Column, by: number) => this.move(stored.row, column, by),
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
    const alive = this.stored.filter((row: Pt.RecordRow) => !row.deleted);
    const done = this.decision
      ? alive.filter((row: Pt.RecordRow) => row.values[this.decision.name]).length
      : 0;
    setText(
      this.count,
      this.decision ? `${done} of ${alive.length} decided` : plural(alive.length, "row"),
    );
    this.fillBar.style.width = `${alive.length ? (100 * done) / alive.length : 0}%`;
    if (this.decision ? done === alive.length : alive.length) setText(this.error, "");
  }

  decide(id: string, option: Pt.Option, byKey: boolean) {
    this.actions.set(this.spec, this.target, id, { [this.decision.name]: option });
    if (byKey || !this.spec.add_rows) this.focusUndecided(id);
  }

  /** Rows that can be worked on, in order. */
  alive() {
    return this.stored
      .filter((row: Pt.RecordRow) => !row.deleted)
      .map((row: Pt.RecordRow) => row.row);
  }

  move(id: string, column: Pt.Column, by: number) {
    const ids = this.alive();
    const to = ids[ids.indexOf(id) + by];
    if (to) this.rows.get(to).focus(column);
  }

  /** The next row without a decision after this one, or the first. */
  undecided(after: any = null) {
    if (!this.decision || this.readOnly) return null;
    const ids = this.alive();
    const from = ids.indexOf(after) + 1;
    const open = [...ids.slice(from), ...ids.slice(0, from)].find(
      (id) => !this.stored.find((row: Pt.RecordRow) => row.row === id).values[this.decision.name],
    );
    return open ?? null;
  }

  focusUndecided(after: any = null) {
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
