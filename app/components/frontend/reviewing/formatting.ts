/** Values, places and times in words, without DOM. */

import { N_, t, tn } from "../shared/messages";
import { dayWords, fixed, timeOfDay } from "../shared/notation";
import { placeWords, samePlace } from "../shared/places";
import { sentence } from "../shared/sentences";
import type { Row } from "./comparison/comparison_rows";

const WAYS: Record<string, string> = {
  side: N_("One person’s"),
  union: N_("Union of all submissions"),
  intersection: N_("What all submissions share"),
  majority: N_("Majority"),
  medoid: N_("Nearest to all others"),
  retention: N_("Retention rule"),
  variants: N_("Several accepted"),
  pick: N_("Picked one by one"),
  none: N_("Left empty"),
  edited: N_("Written by the reviewer"),
};
export const NOTHING = "—";

/** How often each text occurs, in the order of the first: "2 × Chart, 1 × Text". */
export function countedTexts(texts: string[]) {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, n]) => `${n} × ${text}`).join(", ");
}

export const outcomeWords = (outcome: string | null) =>
  outcome ? sentence(`outcome.${outcome}`) : NOTHING;
export const wayWords = (how: string) => t(WAYS[how] ?? how);

/** A field's value as shown. */
export function valueWords(
  spec: Pt.FieldSpec | undefined,
  value: Pt.ReviewedValue["value"] | undefined,
): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (Array.isArray(value)) {
    return value.length ? value.map((item) => valueWords(spec, item)).join(", ") : NOTHING;
  }
  if (typeof value === "boolean") return value ? t("Yes") : t("No");
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

/** What a participant submitted for a part, or a draft has, as a line of text. */
export function partWords({ part, kind, spec }: Row, content: Pt.ReviewedContent): string {
  const listed = (texts: string[]) => texts.join("; ") || NOTHING;
  const values = () => content.fields.filter(({ field }) => field === part);
  switch (kind) {
    case "outcome":
      return outcomeWords(content.outcome);
    case "question":
      return content.question_text || NOTHING;
    case "answer":
      return listed(content.answer);
    case "evidence":
      return listed(content.citations.map(placeWords));
    case "field":
      return valueWords(spec, fieldValue(content, part));
    case "records":
      return listed(
        content.rows.filter(({ field }) => field === part).map((row) => rowWords(spec, row)),
      );
    case "pageField":
      return listed(
        values()
          .filter(({ box }) => box === null)
          .map((value) => `${placeWords(value)}: ${valueWords(spec, value.value)}`),
      );
    case "boxField": {
      const titles = new Map(content.boxes.map(({ id, title }) => [id, title]));
      return listed(
        values().flatMap(({ box, value }) =>
          box === null ? [] : [`${titles.get(box) ?? t("box")}: ${valueWords(spec, value)}`],
        ),
      );
    }
    default:
      return boxWords(content.boxes);
  }
}

/** A row of a table: its cells, in the columns' order. */
export function rowWords(
  spec: Pt.FieldSpec | undefined,
  { values }: { values: Record<string, string> },
) {
  return (spec?.columns ?? [])
    .map(({ name, option_titles: titles }) => titles[values[name]] ?? values[name] ?? "")
    .join(" | ");
}

/** "3 boxes: 2 × Chart, 1 × Text". */
export function boxWords(boxes: Pt.ReviewedBox[]) {
  if (!boxes.length) return NOTHING;
  const labels = countedTexts(boxes.map(({ title }) => title ?? t("no label")));
  return tn("{number} box: {labels}", "{number} boxes: {labels}", boxes.length, { labels });
}
