/** Labels of a chart's points: one split into two, or two merged into one. Pure, without DOM. */

/** The columns of a chart's points. */
export const LABELS = "labels";
export const VALUE = "value";
export const TOLERANCE = "tolerance";

const COLUMNS = [LABELS, VALUE];

/** Whether a field's rows are points of a chart; as `FieldSpec.is_chart` on the server. */
export const isChart = ({ kind, columns }: Pick<Pt.FieldSpec, "kind" | "columns">) =>
  kind === "records" && COLUMNS.every((name) => columns.some((column) => column.name === name));

/** The labels in a cell, which semicolons separate. */
export const labelsIn = (cell: string) =>
  cell
    .split(";")
    .map((label) => label.trim())
    .filter(Boolean);

const joined = (labels: string[]) => labels.join("; ");

/** What becomes of a row's labels; null where it does not apply to them. */
export type LabelRule = (labels: string[]) => string[] | null;

/** How the same is done in other rows; `both` ends of a label give the same. */
export type RuleName = "both" | "start" | "end";

export interface LabelChoice {
  /** what is between or around the two parts, from the row where it is chosen */
  parts: [string, string];
  here: LabelRule;
  rules: { name: RuleName; rule: LabelRule }[];
}

const GAP =
  /\s*(?<!\d),\s*|\s*,(?!\d)\s*|\s*[:|/·–—]\s*|\s+-\s+|\s*[([]\s*|\s+|(?<=\p{L})-(?=\p{N})|(?<=\p{N})-(?=\p{L})/gu;
const CHANGE = /(?<=\p{N})(?=\p{L})|(?<=\p{L})(?=\p{N})/gu;

/** Where a label can be divided: the parts before and after, without what separates them. */
export function splitPoints(label: string): [string, string][] {
  const gaps = [...label.matchAll(GAP)];
  const breaks = gaps.length
    ? gaps.map(({ 0: gap, index }) => [index, index + gap.length])
    : inOneWord(label).map((index) => [index, index]);
  return breaks.flatMap(([end, start]): [string, string][] => {
    const before = label.slice(0, end).trim();
    const after = withoutStray(label.slice(start).trim());
    return before && after ? [[before, after]] : [];
  });
}

/** Places in a label without gaps: between letters and digits, and between words by dictionary. */
function inOneWord(label: string) {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(label);
  const places = new Set([
    ...[...segments].map(({ index }) => index),
    ...[...label.matchAll(CHANGE)].map(({ index }) => index),
  ]);
  places.delete(0);
  return [...places].sort((a, b) => a - b);
}

/** Without the bracket that closes one before it. */
function withoutStray(text: string) {
  const isOpen = (opening: string) => text.includes(opening);
  if (text.endsWith(")") && !isOpen("(")) return text.slice(0, -1).trim();
  if (text.endsWith("]") && !isOpen("[")) return text.slice(0, -1).trim();
  return text;
}

/** Replace one label by the parts at one of its split points, counted from its start or its end. */
function splitRule(label: number, point: number, fromEnd: boolean): LabelRule {
  return (labels) => {
    const points = splitPoints(labels[label] ?? "");
    const parts = points[fromEnd ? points.length - 1 - point : point];
    return parts ? labels.toSpliced(label, 1, ...parts) : null;
  };
}

/** Replace two labels by one, where the first of them is. */
function mergeRule(first: number, second: number): LabelRule {
  return (labels) => {
    if (labels[first] === undefined || labels[second] === undefined) return null;
    const merged = labels.with(first, `${labels[first]} ${labels[second]}`);
    return merged.toSpliced(second, 1);
  };
}

/** The ways to split one of a row's labels. */
export function splitChoices(labels: string[]): LabelChoice[] {
  return labels.flatMap((label, i) => {
    const points = splitPoints(label);
    return points.map((parts, point): LabelChoice => {
      const start = splitRule(i, point, false);
      const end = splitRule(i, points.length - 1 - point, true);
      const rules = [
        { name: "start", rule: start },
        { name: "end", rule: end },
      ] as const;
      return { parts, here: start, rules: [...rules] };
    });
  });
}

/** The ways to merge two of a row's labels, in either order. */
export function mergeChoices(labels: string[]): LabelChoice[] {
  return labels.flatMap((first, i) =>
    labels.flatMap((second, j) => {
      if (i === j) return [];
      const rule = mergeRule(i, j);
      const choice: LabelChoice = {
        parts: [first, second],
        here: rule,
        rules: [{ name: "both", rule }],
      };
      return [choice];
    }),
  );
}

export interface LabelChange {
  row: string;
  /** counted from 1 */
  number: number;
  before: string;
  after: string;
}

type LabelledRow = Pick<Pt.RecordRow, "row" | "values" | "deleted">;

/** What a rule makes of the rows that it applies to; deleted ones are left out. */
export function labelChanges(rows: LabelledRow[], rule: LabelRule): LabelChange[] {
  return rows.flatMap(({ row, values, deleted }, i) => {
    const before = values[LABELS] ?? "";
    const labels = deleted ? null : rule(labelsIn(before));
    return labels ? [{ row, number: i + 1, before, after: joined(labels) }] : [];
  });
}

/** The changes of all rows by rule; one entry where both ends of the labels give the same. */
export function changesByRule(rows: LabelledRow[], { rules }: LabelChoice) {
  const entries = rules.map(({ name, rule }) => ({ name, changes: labelChanges(rows, rule) }));
  const [one, other] = entries;
  const isSame = other && JSON.stringify(one.changes) === JSON.stringify(other.changes);
  return isSame ? [{ name: "both" as const, changes: one.changes }] : entries;
}
