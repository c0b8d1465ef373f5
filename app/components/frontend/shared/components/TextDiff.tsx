import { diffWords } from "../text_diff";

export interface TextDiffProps {
  before: string;
  after: string;
  /** whose words */
  shown?: "both" | "before" | "after";
}

const HIDDEN_KINDS = { both: "", before: "added", after: "removed" };

/** Two texts with their differences marked, for the eye and for screen readers. */
export function TextDiff({ before, after, shown = "both" }: TextDiffProps) {
  const runs = diffWords(before, after).filter(({ kind }) => kind !== HIDDEN_KINDS[shown]);
  return (
    <>
      {runs.map(({ kind, text }, i) => {
        if (kind === "same") return text;
        return kind === "removed" ? <del key={i}>{text}</del> : <ins key={i}>{text}</ins>;
      })}
    </>
  );
}
