/**
 * What is asked in a state: the rules of annotation/attempts/forms.py, applied before the server
 * answers. What is still missing is in completeness.ts.
 *
 * A target is {document, page, box}: all null for the task, without a box for a page. A box's
 * target names its page as well.
 */

import { strip } from "./attempt_state";

const CLOSED = new Set(["choice", "multi", "ordinal"]);

/** the target of task fields */
export const TASK: Readonly<Pt.Target> = Object.freeze({ document: null, page: null, box: null });

/** The target of a page's fields. */
export const pageTarget = (document: string | null, page: number | null) => ({
  document,
  page,
  box: null,
});

/** The target of a box's fields. */
export const boxTarget = ({
  document,
  page,
  id,
}: {
  document: string;
  page: number;
  id: string;
}) => ({ document, page, box: id });

export class Form {
  protocol: Pt.Protocol;
  state: Pt.AttemptState;
  given: { document: string; page: number }[] | null;
  specs: Map<string, { spec: Pt.FieldSpec; place: number }>;
  values: Map<string, string | number | boolean | string[] | null>;
  cache: Map<string, Pt.FieldValue["value"]>;

  /** @param given the task's pages, in order */
  constructor(
    protocol: Pt.Protocol,
    state: Pt.AttemptState,
    given: Array<{ document: string; page: number }> | null,
  ) {
    this.protocol = protocol;
    this.state = state;
    this.given = given;
    this.specs = new Map(protocol.fields.map((spec, place) => [spec.name, { spec, place }]));
    this.values = new Map(state.fields.map((entry) => [key(entry.field, entry), entry.value]));
    this.cache = new Map();
  }

  /** The field of that name, or null. */
  field(name: string) {
    return this.specs.get(name)?.spec ?? null;
  }

  /** The fields of a scope: "task", "page" or "box". */
  scoped(scope: Pt.Scope) {
    return this.protocol.fields.filter((spec) => spec.scope === scope);
  }

  /** Where a field comes among the others. */
  position(name: string) {
    return this.specs.get(name)?.place ?? -1;
  }

  /** Whether a task field's value says that nothing more is asked. */
  get ended() {
    return this.protocol.ends !== null && this.holds(this.protocol.ends, TASK);
  }

  /** The pages that page fields are asked of: the given ones, else the cited ones. */
  pages() {
    return this.given ?? this.state.citations;
  }

  /**
   * Everything that a field is asked of now.
   * @returns targets
   */
  targets(spec: Pt.FieldSpec): Pt.Target[] {
    let found: Pt.Target[] = [TASK];
    if (spec.scope === "page") {
      found = this.pages().map(({ document, page }) => pageTarget(document, page));
    } else if (spec.scope === "box") {
      found = this.state.boxes.boxes.filter((box) => !box.deleted).map(boxTarget);
    }
    return found.filter((target) => this.asked(spec, target));
  }

  /** Whether a field is asked of a target now. */
  asked(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    const { ends } = this.protocol;
    if (ends) {
      const later = this.position(spec.name) > this.position(ends.field);
      if (later && this.ended) return false;
    }
    return !spec.when || this.holds(spec.when, target);
  }

  /** The options that are offered now. */
  options(spec: Pt.FieldSpec, target: Pt.Target = TASK): Pt.Option[] {
    return spec.options.filter((option) => !option.when || this.holds(option.when, target));
  }

  /** Whether boxes are allowed on a page by what was said of it. */
  mayHaveBoxes(document: string | null, page: number | null) {
    const { boxes } = this.protocol;
    if (!boxes.enabled || this.ended) return false;
    return !boxes.when || this.holds(boxes.when, pageTarget(document, page));
  }

  /**
   * The value that counts; null where the field is unset or not asked. A required field that
   * offers a single option has that value without being set.
   */
  value(spec: Pt.FieldSpec, target: Pt.Target = TASK): Pt.FieldValue["value"] {
    const at = key(spec.name, target);
    const known = this.cache.get(at);
    if (known !== undefined) return known;
    const value = this.count(spec, target);
    this.cache.set(at, value);
    return value;
  }

  count(spec: Pt.FieldSpec, target: Pt.Target) {
    if (!this.asked(spec, target)) return null;
    let stored = this.stored(spec, target);
    if (!CLOSED.has(spec.kind)) return stored;
    const offered = this.options(spec, target).map((option) => option.value);
    if (Array.isArray(stored)) {
      stored = stored.filter((item) => offered.includes(item));
      if (!stored.length) stored = null;
    } else if (!offered.includes(stored as string)) {
      stored = null;
    }
    if (stored === null && spec.required && offered.length === 1) {
      return spec.kind === "multi" ? [offered[0]] : offered[0];
    }
    return stored;
  }

  /** The value as it was set, whether or not it counts. */
  stored(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    return this.values.get(key(spec.name, place(spec.scope, target))) ?? null;
  }

  /** Whether a value counts without having been set. */
  implied(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    return this.stored(spec, target) === null && this.value(spec, target) !== null;
  }

  /** The rows of a table of records, deleted ones included. */
  rows(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    return rowsOf(this.state.rows, spec, target);
  }

  /** Whether a condition holds for the target, its page or the task. */
  holds(condition: Pt.Condition, target: Pt.Target): boolean {
    const spec = this.field(condition.field);
    if (!spec) return false;
    let at = target;
    if (spec.scope === "task") at = TASK;
    else if (spec.scope === "page") at = pageTarget(target.document, target.page);
    const value = this.value(spec, at);
    if (value === null) return false;
    const values = Array.isArray(value) ? value : [String(value)];
    return values.some((item) => condition.values.includes(item));
  }

  /** Whether a field has no value there; a text of nothing but space is none. */
  isUnset(spec: Pt.FieldSpec, target: Pt.Target = TASK) {
    if (spec.kind === "records") return !this.rows(spec, target).some((row) => !row.deleted);
    const value = this.value(spec, target);
    if (typeof value === "string") return !strip(value);
    return value === null || (Array.isArray(value) && !value.length);
  }
}

/** Those of all rows that are a table's. */
export function rowsOf(rows: Pt.RecordRow[], spec: Pt.FieldSpec, target: Pt.Target) {
  const wanted = place(spec.scope, target);
  return rows.filter((row) => row.field === spec.name && same(row, wanted));
}

/** Stored values of a box are keyed by the box alone. */
function place(scope: Pt.Scope, { document, page, box }: Pt.Target) {
  if (scope === "task") return TASK;
  return scope === "page" ? pageTarget(document, page) : { document: null, page: null, box };
}

function same(stored: Pt.Target, { document, page, box }: Pt.Target) {
  return stored.document === document && stored.page === page && stored.box === box;
}

function key(field: string, { document, page, box }: Pt.Target) {
  return JSON.stringify([field, document, page, box]);
}

let last: Form | null = null;

/** The form of the store's values, made once for each state. */
export function formOf({
  protocol,
  state,
  given_pages: given,
}: Pick<Pt.WorkspaceData, "protocol" | "state" | "given_pages">): Form {
  if (last?.protocol !== protocol || last.state !== state || last.given !== given) {
    last = new Form(protocol, state, given);
  }
  return last;
}

/** The form as a component shows it: rendered again when it changes. */
export const currentForm = (store: Pt.Store) =>
  formOf({
    protocol: store.protocol.value,
    state: store.state.value,
    given_pages: store.given_pages.value,
  });

/** Whether pages wait to be opened by hand: until then their judgement can be corrected. */
export const arePagesClosed = ({ protocol, state }: Pick<Pt.WorkspaceData, "protocol" | "state">) =>
  protocol.pages_after.length > 0 && !state.n_page_views;
