/** The tables of records that are asked for the task, the open page and the selected box. */

import { h, setAttr, setText } from "../../shared/dom";
import { boxTarget, formOf, pageTarget, TASK } from "../state/form_state";
import { loadDraft, saveDraft } from "../sync/browser_storage";
import { cellName } from "./record_row";
import { RecordsTable } from "./record_table";

export class RecordsPanel {
  actions: Pt.Actions;
  tables: Map<any, any>;
  element: HTMLDivElement;
  seen: any[] | undefined;

  /**
   * @param actions set(spec, target, row, values), remove(spec, target, row),
   * add(spec, target) → id, seq(), onTyping(), given() → pages, open(page),
   * present(spec, row, open)
   */
  constructor(actions: Pt.Actions) {
    this.actions = actions;
    this.tables = new Map();
    this.element = h("div", { class: "records-panel stack" });
  }

  get dirty() {
    return [...this.tables.values()].some((table) => table.dirty);
  }

  /** Whether something typed cannot be stored as it is; its cell gets the focus. */
  focusInvalid() {
    return [...this.tables.values()].some((table) => table.focusInvalid());
  }

  /** Hand over what is being typed. */
  flush() {
    for (const table of this.tables.values()) table.flush();
  }

  /** Show the store's values. */
  update(data: Pt.WorkspaceData, readOnly: boolean) {
    const { state, protocol, given, page, selected, attempt } = data;
    const specs = protocol.fields.filter((spec) => spec.kind === "records");
    if (!specs.length && !this.tables.size) return;
    const seen = [
      state.rows,
      state.fields,
      state.boxes,
      readOnly,
      protocol,
      given,
      page?.document,
      page?.page,
      selected,
      attempt,
    ];
    if (this.seen?.every((value, i) => value === seen[i])) return;
    this.seen = seen;
    const form = formOf(data);
    const wanted = new Map();
    for (const spec of specs) {
      const target = targetOf(spec, form, data);
      if (target) wanted.set(JSON.stringify([attempt, spec.name, target]), { spec, target });
    }
    for (const [key, table] of this.tables) {
      if (wanted.has(key)) continue;
      table.flush();
      table.element.remove();
      this.tables.delete(key);
    }
    for (const [key, { spec, target }] of wanted) {
      if (!this.tables.has(key)) {
        this.tables.set(key, new RecordsTable(spec, target, attempt, this.actions));
      }
      const table = this.tables.get(key);
      if (table.element.parentNode !== this.element) this.element.append(table.element);
      table.update(form.rows(spec, target), { readOnly, seq: state.last_seq });
    }
  }

  /** The server has stored cells: their drafts have done their work. */
  acknowledged(
    attempt: string,
    spec: Pt.FieldSpec,
    target: Pt.Target,
    row: Pt.RecordRow,
    values: Record<string, string>,
  ) {
    for (const [column, text] of Object.entries(values)) {
      const name = cellName(spec, target, row, column);
      if (loadDraft(attempt, name)?.text === text) saveDraft(attempt, name, null);
    }
  }

  /** A sentence under the table it is about; whether there is such a table. */
  showError(field: string, message: string) {
    const table = this.table(field);
    if (table) setText(table.error, message);
    return Boolean(table);
  }

  /** Go to the next row without a decision; false where there is none. */
  focusNext() {
    return [...this.tables.values()].some((table) => table.focusUndecided());
  }

  table(field: string) {
    return [...this.tables.values()].find(({ spec }) => spec.name === field);
  }

  /** The first row without a decision, or null. */
  undecided(field: string) {
    return this.table(field)?.undecided() ?? null;
  }

  /** Show which row is the present step. */
  present(field: string, row: string) {
    for (const [id, { element }] of this.table(field)?.rows ?? [])
      setAttr(element, "aria-current", id === row ? "step" : null);
  }

  /** Bring a row into view. */
  reveal(field: string, row: string) {
    this.table(field)?.rows.get(row)?.element.scrollIntoView({ block: "nearest" });
  }

  /** Go to the decision of a row. */
  focusRow(field: string, row: string) {
    const table = this.table(field);
    table?.rows.get(row)?.focus(table.decision?.name);
  }

  /** Bring a table into view; false where there is none of that name. */
  focus(field: string) {
    const table = this.table(field);
    if (!table) return false;
    if (!table.focusUndecided()) table.element.scrollIntoView({ block: "start" });
    return true;
  }
}

function targetOf(spec: Pt.FieldSpec, form: Pt.Form, { page, selected, state }: Pt.WorkspaceData) {
  let target = null;
  if (spec.scope === "task") target = TASK;
  else if (spec.scope === "page" && page) target = pageTarget(page.document, page.page);
  else if (spec.scope === "box") {
    const box = state.boxes.boxes.find(({ id, deleted }) => id === selected && !deleted);
    if (box) target = boxTarget(box);
  }
  if (!target || !form.asked(spec, target)) return null;
  if (spec.scope !== "page") return target;
  const mine = form.pages().some((p) => p.document === target.document && p.page === target.page);
  return mine ? target : null;
}
