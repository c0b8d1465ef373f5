import { t } from "../../shared/messages";
import { NOTHING } from "../formatting";
import { markedList } from "./text_differences";

/** Runs of text; what differs is marked by colour and by a line. */
export function MarkedRuns({ runs }: { runs: Pt.Run[] }) {
  return (
    <>
      {runs.map(({ text, differs, gap }, i) =>
        gap ? (
          <mark key={i} class="differs gap" title={t("Others have more here")}>
            …
          </mark>
        ) : differs ? (
          <mark key={i} class="differs">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </>
  );
}

/** A short value, marked as a whole. */
export function MarkedValue({ text, differs = false }: { text: string; differs?: boolean }) {
  if (text === NOTHING) return <span class={differs ? "quiet differs" : "quiet"}>{text}</span>;
  return differs ? <mark class="differs">{text}</mark> : <span>{text}</span>;
}

/** Several texts, one below the other. */
export function StringList({ texts, others }: { texts: string[]; others?: string[][] }) {
  if (!texts.length) return <p class="quiet">{NOTHING}</p>;
  const marked = others
    ? markedList(texts, others)
    : texts.map((text) => [{ text, differs: false }]);
  return (
    <ul class="strings stack">
      {marked.map((runs, i) => (
        <li key={i}>
          <MarkedRuns runs={runs} />
        </li>
      ))}
    </ul>
  );
}
