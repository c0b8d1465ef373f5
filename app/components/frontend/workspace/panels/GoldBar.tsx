import { Icon } from "../../shared/components/Icon";
import { plural } from "../../shared/dom";
import "./GoldBar.css";

const CHANGES: [RegExp, string][] = [
  [/^citation_/, "citation"],
  [/^answer_/, "answer"],
  [/^question_/, "question"],
  [/^field_/, "field"],
  [/^row_/, "row"],
  [/^(box_|undone|redone)/, "box change"],
];

export interface GoldBarProps {
  store: Pt.Store;
  /** events that a stopped outbox still holds */
  unsaved: () => Pt.Event[];
  onLeave: () => void;
}

/**
 * Says that this is the gold draft of a task under review. The draft belongs to whoever holds the
 * task; when that is another, nothing is taken.
 */
export function GoldBar({ store, unsaved, onLeave }: GoldBarProps) {
  const review = store.review.value;
  if (!review) return null;
  const lost = store.lost.value;
  const isUnsaved = store.connection.value.kind === "stopped" && store.pending.value > 0;
  const notes = [
    lost?.length
      ? `Not taken over from your last visit, because the draft was changed meanwhile: ${changeWords(lost)}.`
      : "",
    isUnsaved
      ? `Not saved: ${changeWords(unsaved())}. Kept in this browser, and brought in when you take ` +
        "the task again, unless the draft is another by then."
      : "",
  ].filter(Boolean);
  return (
    <section class="gold-bar line notice" data-testid="gold-bar" aria-label="Gold draft">
      <Icon name="pencil" />
      <p class="gold-text wrap">
        <strong>Gold draft of a task under review, not your own work. </strong>
        It becomes gold when you decide.
      </p>
      <a
        class="button small"
        data-testid="gold-back"
        href={review.back}
        onClick={(event) => {
          event.preventDefault();
          onLeave();
        }}
      >
        Back to review
      </a>
      <p class="gold-note strong" role="status" data-testid="gold-note" hidden={!notes.length}>
        {notes.join(" ")}
      </p>
    </section>
  );
}

/** "2 citations, 1 box change": events in the words of the screen. */
function changeWords(events: { type: string }[]): string {
  const counts = new Map<string, number>();
  for (const { type } of events) {
    const word = CHANGES.find(([pattern]) => pattern.test(type))?.[1] ?? "other change";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => plural(count, word)).join(", ");
}
