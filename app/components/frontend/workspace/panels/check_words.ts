/** What the checks say, as text: marked quotes, counts of questions. */

import { t, tn } from "../../shared/messages";

/**
 * A text cut at character offsets as Python counts them, by code points.
 * @param spans half-open, ascending
 */
export function cut(text: string, spans: [number, number][]) {
  const points = [...text];
  const parts: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start > at) parts.push({ text: points.slice(at, start).join(""), marked: false });
    if (end > Math.max(at, start))
      parts.push({ text: points.slice(Math.max(at, start), end).join(""), marked: true });
    at = Math.max(at, end);
  }
  if (at < points.length) parts.push({ text: points.slice(at).join(""), marked: false });
  return parts;
}

/** "2 of 9 questions on several pages (22 %; target 20 %)" */
export function hopSentence({ written, multi_hop: several, target }: Pt.QuestionCounts) {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  if (!written)
    return target === null
      ? ""
      : t("No question submitted yet; target {target} on several pages", {
          target: percent(target),
        });
  const values = { several, share: percent(several / written), target: percent(target ?? 0) };
  return target === null
    ? tn(
        "{several} of {number} question on several pages ({share})",
        "{several} of {number} questions on several pages ({share})",
        written,
        values,
      )
    : tn(
        "{several} of {number} question on several pages ({share}; target {target})",
        "{several} of {number} questions on several pages ({share}; target {target})",
        written,
        values,
      );
}
