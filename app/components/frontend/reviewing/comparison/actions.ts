import type { RowEntry } from "../decision/row_selections";
import type { Difference, MergedPair, TextDecision } from "../decision/text_decisions";

/** What a click in the comparison asks for. */
export interface ComparisonActions {
  onSelect: (part: string) => void;
  onTakeFrom: (part: string, attempt: string) => void;
  onTakeAll: (attempt: string) => void;
  onTakeDraft: (draft: Pt.ModelDraft) => void;
  /** reject a draft as a whole, or withdraw that */
  onRejectDraft: (draft: Pt.ModelDraft) => void;
  onTakeWay: (part: string, how: Pt.MergeMethod) => void;
  onTakeOnPage: (part: string, place: Pt.Place, attempt: string) => void;
  onTakeBox: (attempt: string, box: Pt.ReviewedBox) => void;
  /**
   * @param before the rows that are taken now
   * @param lines every row of the table, with everybody's versions
   * @param taken whether this version is in the gold
   */
  onTakeRow: (
    part: string,
    before: RowEntry[],
    lines: RowEntry[][],
    entry: RowEntry,
    taken: boolean,
  ) => void;
  onDecideText: (
    pair: MergedPair,
    difference: Difference,
    decision: TextDecision["decision"],
    text?: string,
  ) => void;
  /** decide every open difference as one version has it */
  onDecideRest: (pair: MergedPair, side: "left" | "right") => void;
  /** compare two other people's versions */
  onComparePair: (pair: MergedPair) => void;
  /** compare what was merged of a pair with another version */
  onCompareMerged: (pair: MergedPair, version: string) => void;
  /** take a page into the evidence, or out of it */
  onCite: (place: Pt.Place) => void;
  /** mark a page of the retention rule, or reject it */
  onDecidePage: (part: string, place: Pt.Place, verdict: Pt.PageVerdict) => void;
  onOpenPage: (place: Pt.Place) => void;
  onShowBox: (box: Pt.ReviewedBox) => void;
  /** open the editor of the accepted answers */
  onEditAnswer: () => void;
  onComment: (participant: Pt.Participant) => void;
}
