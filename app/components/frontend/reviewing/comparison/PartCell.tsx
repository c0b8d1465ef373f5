import { tn } from "../../shared/messages";
import {
  boxWords,
  fieldValue,
  NOTHING,
  outcomeWords,
  partWords,
  rowWords,
  valueWords,
} from "../formatting";
import type { Row } from "./comparison_rows";
import { MarkedRuns, MarkedValue, StringList } from "./Marked";
import { gradeCounts } from "./page_words";
import { differsFromMost, markedText } from "./text_differences";

export interface PartCellProps {
  row: Row;
  /** a participant, or the draft */
  content: Pt.ReviewedContent;
  /** the other participants; none marks nothing */
  others?: Pt.Participant[];
}

/** What somebody submitted for a part, or the draft has, with its differences marked. */
export function PartCell({ row, content, others }: PartCellProps) {
  const { kind, part, spec, score } = row;
  const ofOthers = <Value,>(value: (other: Pt.ReviewedContent) => Value) => others?.map(value);
  switch (kind) {
    case "answer":
      return <StringList texts={content.answer} others={ofOthers(({ answer }) => answer)} />;
    case "question": {
      const texts = ofOthers((other) => other.question_text ?? "") ?? [];
      return (
        <p>
          <MarkedRuns runs={markedText(content.question_text ?? NOTHING, texts)} />
        </p>
      );
    }
    case "records": {
      const rows = (of: Pt.ReviewedContent) => of.rows.filter(({ field }) => field === part);
      const lines = (of: Pt.ReviewedContent) => rows(of).map((one) => rowWords(spec, one));
      if (spec?.scope === "box")
        return <StringList texts={lines(content)} others={ofOthers(lines)} />;
      const count = rows(content).length;
      return <MarkedValue text={count ? tn("{number} row", "{number} rows", count) : NOTHING} />;
    }
    case "outcome": {
      const outcomes = ofOthers(({ outcome }) => outcome);
      const differs = differsFromMost(content.outcome, outcomes);
      return <MarkedValue text={outcomeWords(content.outcome)} differs={differs} />;
    }
    case "evidence":
      return <span>{tn("{number} page", "{number} pages", content.citations.length)}</span>;
    case "transcript": {
      const { transcript } = content;
      if (transcript === null) return <span class="quiet">{NOTHING}</span>;
      const count = Array.from(transcript).length;
      return <span>{tn("{number} character", "{number} characters", count)}</span>;
    }
    case "tables":
      if (row.isMerged) {
        const count = content.tables.length;
        return <span>{count ? tn("{number} row", "{number} rows", count) : NOTHING}</span>;
      }
      return <StringList texts={content.tables} others={ofOthers(({ tables }) => tables)} />;
    case "field": {
      const text = partWords(row, content);
      const values = ofOthers((other) => valueWords(spec, fieldValue(other, part)));
      if (spec?.kind === "text" && text !== NOTHING)
        return (
          <p>
            <MarkedRuns runs={markedText(text, score === null ? [] : (values ?? []))} />
          </p>
        );
      return <MarkedValue text={text} differs={score !== null && differsFromMost(text, values)} />;
    }
    case "pageField":
      return <span class="quiet">{gradeCounts(spec, part, content)}</span>;
    case "boxField":
      return <p>{partWords(row, content)}</p>;
    case "boxes":
      return <MarkedValue text={boxWords(content.boxes)} />;
    default:
      return null; // content and order: the rows of the elements show them
  }
}
