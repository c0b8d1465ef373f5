/** What tables of records show, worked out from their rows. */

import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import type { Form } from "../state/form_state";
import { shownTarget } from "./field_state";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const SEPARATED_NUMBER =
  /(?<![\d.,])(?:(?<commaGroups>\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?)|(?<pointGroups>\d{1,3}(?:\.\d{3})+),(?<decimals>\d+)|(?<whole>\d*),(?<fraction>\d+))(?!\d|[.,]\d)/;

export interface ShownTable {
  spec: Pt.FieldSpec;
  target: Pt.Target;
}

/** The tables that are asked for now: of the task, the open page and the selected box. */
export function shownTables(data: ShownData, form: Form): ShownTable[] {
  return form.protocol.fields
    .filter(({ kind }) => kind === "records")
    .flatMap((spec) => {
      const target = shownTarget(spec.scope, data, form);
      return target && form.asked(spec, target) ? [{ spec, target }] : [];
    });
}

type ShownData = Parameters<typeof shownTarget>[1];

/** The column that a row is about: the only required choice, or null. */
export function decisionOf(spec: Pt.FieldSpec): Pt.Column | null {
  const choices = spec.columns.filter((c) => c.kind === "choice" && c.required && c.editable);
  return choices.length === 1 ? choices[0] : null;
}

/** The next row without a decision after this one, or the first; null where there is none. */
export function nextUndecided(
  rows: Pt.RecordRow[],
  decision: Pt.Column | null,
  after: string | null = null,
): string | null {
  if (!decision) return null;
  const alive = rows.filter((row) => !row.deleted);
  const from = alive.findIndex(({ row }) => row === after) + 1;
  const order = [...alive.slice(from), ...alive.slice(0, from)];
  return order.find(({ values }) => !values[decision.name])?.row ?? null;
}

export type RowState = "given" | "changed" | "added" | "deleted";

/** What became of a row; a decision about it is no change of it. */
export function rowState(
  { model, values, deleted }: Pick<Pt.RecordRow, "model" | "values" | "deleted">,
  decision: Pick<Pt.Column, "name"> | null,
): RowState {
  if (deleted) return "deleted";
  if (!model) return "added";
  const names = new Set([...Object.keys(values), ...Object.keys(model)]);
  if (decision) names.delete(decision.name);
  const same = [...names].every((name) => (values[name] ?? "") === (model[name] ?? ""));
  return same ? "given" : "changed";
}

/** The names of two fixed columns, the old and the new of a change that is proposed, or null. */
export function proposalOf(spec: Pt.FieldSpec): [string, string] | null {
  const fixed = spec.columns.filter((column) => !column.editable);
  return !spec.add_rows && fixed.length === 2 ? [fixed[0].name, fixed[1].name] : null;
}

/** The columns as a row shows them: a decision is right under its proposal. */
export function shownColumns(spec: Pt.FieldSpec): Pt.Column[] {
  const decision = decisionOf(spec);
  const proposal = proposalOf(spec);
  if (!proposal || !decision) return spec.columns;
  const rank = ({ name }: Pt.Column) => {
    if (proposal.includes(name)) return 0;
    return name === decision.name ? 1 : 2;
  };
  return [...spec.columns].sort((a, b) => rank(a) - rank(b));
}

/** Under which name a cell's text is kept while it is not acknowledged. */
export function cellName(
  spec: Pt.FieldSpec,
  { document, page, box }: Pt.Target,
  row: string,
  column: string,
) {
  const place = spec.scope === "box" ? [box] : [document, page].filter((part) => part !== null);
  return ["cell", spec.name, ...place, row, column].join(":");
}

/** Why a cell cannot hold a text; empty when it can. The server checks the same. */
export function wrongCell(column: Pick<Pt.Column, "kind">, text: string) {
  if (column.kind !== "number" || !text.trim()) return "";
  const plain = withDecimalPoint(text.trim());
  return NUMBER.test(plain) && Number.isFinite(Number(plain))
    ? ""
    : sentence("not_a_number", { value: t("“{label}”", { label: text.trim() }) });
}

/** As the server reads it: “1,050” is 1050, “1.050,5” is 1050.5 and “1,5” is 1.5. */
function withDecimalPoint(number: string) {
  const parts = SEPARATED_NUMBER.exec(number)?.groups;
  if (!parts) return number;
  const plain = parts.commaGroups
    ? parts.commaGroups.replaceAll(",", "")
    : parts.pointGroups
      ? `${parts.pointGroups.replaceAll(".", "")}.${parts.decimals}`
      : `${parts.whole}.${parts.fraction}`;
  return number.replace(SEPARATED_NUMBER, plain);
}
