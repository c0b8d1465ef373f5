/** What can be sent back to a person, and in which parts their work differs; without DOM. */

import type { Row } from "../comparison/comparison_rows";
import { NOTHING, partWords } from "../formatting";

const MOST_LETTERS = 2000;

/** Whether somebody's work can be sent back: it was submitted or skipped. */
export function mayReturn({ status }: Pt.Participant) {
  return status === "submitted" || status === "skipped";
}

/** A part of somebody's work beside another's, and what they are told of it. */
export interface PartDifference extends Pt.Difference {
  /** The part is named to them. */
  named: boolean;
  /** The other value is shown to them. */
  shown: boolean;
}

/**
 * A person's parts; those in which they differ and which are in conflict are named.
 * @param draft what the gold would be
 */
export function partDifferences(
  data: Pt.ReviewData,
  rows: Row[],
  participant: Pt.Participant,
  draft: Pt.ReviewedContent,
): PartDifference[] {
  const others = data.participants.filter(
    (other) => other.status === "submitted" && other.attempt !== participant.attempt,
  );
  return rows
    .filter(({ score }) => score !== null)
    .map((row) => {
      const { part, label, agreed } = row;
      const yours = partWords(row, participant);
      const different = [draft, ...others]
        .map((content) => partWords(row, content))
        .filter((words) => words !== yours);
      // A draft without a value yet says less than what another annotator submitted.
      const other = different.find((words) => words !== NOTHING) ?? different[0] ?? "";
      return { part, label, yours, other, named: !agreed && other !== "", shown: false };
    });
}

/** The differences that are sent. */
export function namedDifferences(differences: PartDifference[]): Pt.Difference[] {
  return differences
    .filter(({ named }) => named)
    .map(({ part, label, yours, other, shown }) => ({
      part,
      label,
      yours: cut(yours),
      other: shown ? cut(other) : "",
    }));
}

export const cut = (text: string, most = MOST_LETTERS) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
