/** Values, places and times in words, without DOM. */

import { dayWords, fixed, timeOfDay } from "../shared/notation";
import { placeWords, samePlace } from "../shared/places";
import { sentence } from "../shared/sentences";

const WAYS: Record<string, string> = {
  side: "One person’s",
  union: "Union of all submissions",
  intersection: "What all submissions share",
  majority: "Majority",
  medoid: "Nearest to all others",
  retention: "Retention rule",
  variants: "Several accepted",
  pick: "Picked one by one",
  none: "Left empty",
  edited: "Written by the reviewer",
};
export const NOTHING = "—";

export const outcomeWords = (outcome: string | null) =>
  outcome ? sentence(`outcome.${outcome}`) : NOTHING;
export const wayWords = (how: string) => WAYS[how] ?? String(how);

/** A field's value as shown. */
export function valueWords(spec: Pt.FieldSpec | undefined, value: any): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (Array.isArray(value)) {
    return value.length ? value.map((one) => valueWords(spec, one)).join(", ") : NOTHING;
  }
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return spec?.options.find((option) => option.value === value)?.label ?? String(value);
}

/** The value of a field of the task, of a page or of a box; undefined where there is none. */
export function fieldValue(
  state: Pt.ReviewedContent,
  field: string,
  place: Pt.Place | null = null,
  box: string | null = null,
) {
  return state.fields.find(
    (value) =>
      value.field === field &&
      (box === null ? value.box === null : value.box === box) &&
      (place === null || box !== null || samePlace(value, place)),
  )?.value;
}

/** "0:07", "4:07" or "1:04:07". */
export function duration(ms: number | null): string {
  if (ms === null || ms === undefined) return NOTHING;
  const seconds = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** A share in [0, 1] with two places, or a dash. */
export function share(value: number | null | undefined) {
  return value === null || value === undefined ? NOTHING : fixed(value, 2);
}

/** "21 Nov 2026, 14:02" in the reader's time. */
export function dateTime(iso: string | null) {
  if (!iso) return NOTHING;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return NOTHING;
  return `${dayWords(date)}, ${timeOfDay(date, false)}`;
}

/**
 * What one participant submitted for a part, as a line of text.
 * @param row from comparison/comparison_rows.ts
 * @param state a participant, or a draft
 */
export function partWords(row: Pt.ComparisonRow, state: Pt.ReviewedContent): string {
  const { part, kind, spec } = row;
  if (kind === "outcome") return outcomeWords(state.outcome);
  if (kind === "question") return state.question_text || NOTHING;
  if (kind === "answer") return state.answer.join("; ") || NOTHING;
  if (kind === "evidence") return state.citations.map(placeWords).join("; ") || NOTHING;
  if (kind === "field") return valueWords(spec, fieldValue(state, part));
  if (kind === "records") {
    const mine = state.rows.filter((given) => given.field === part);
    return mine.map((given) => rowWords(spec, given)).join("; ") || NOTHING;
  }
  if (kind === "pageField") {
    const given = state.fields.filter(({ field, box }) => field === part && box === null);
    return (
      given.map((one) => `${placeWords(one)}: ${valueWords(spec, one.value)}`).join("; ") || NOTHING
    );
  }
  if (kind === "boxField") {
    const given = state.fields.filter(({ field, box }) => field === part && box !== null);
    const names = new Map(state.boxes.map((box) => [box.id, box.label ?? "box"]));
    return (
      given
        .map(({ box, value }) => `${names.get(box as any) ?? "box"}: ${valueWords(spec, value)}`)
        .join("; ") || NOTHING
    );
  }
  return boxWords(state.boxes);
}

/** A row of a table: its cells, in the columns' order. */
export function rowWords(
  spec: Pt.FieldSpec | undefined,
  { values }: { values: Record<string, string> },
) {
  return (spec?.columns ?? []).map(({ name }) => values[name] ?? "").join(" | ");
}

/** "3 boxes: 2 × Chart, 1 × Text". */
export function boxWords(boxes: Pt.ReviewedBox[]) {
  if (!boxes.length) return NOTHING;
  const counts = new Map();
  for (const { label } of boxes)
    counts.set(label ?? "no label", (counts.get(label ?? "no label") ?? 0) + 1);
  const labels = [...counts].map(([label, n]) => `${n} × ${label}`).join(", ");
  return `${boxes.length} ${boxes.length === 1 ? "box" : "boxes"}: ${labels}`;
}
