import { Icon } from "../../shared/components/Icon";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { t, tn } from "../../shared/messages";
import "./GoldBar.css";

const CHANGES: [RegExp, (count: number) => string][] = [
  [/^citation_/, (count) => tn("{number} citation", "{number} citations", count)],
  [/^answer_/, (count) => tn("{number} answer", "{number} answers", count)],
  [/^question_/, (count) => tn("{number} question", "{number} questions", count)],
  [/^field_/, (count) => tn("{number} field", "{number} fields", count)],
  [/^row_/, (count) => tn("{number} row", "{number} rows", count)],
  [/^(box_|undone|redone)/, (count) => tn("{number} box change", "{number} box changes", count)],
  [/^/, (count) => tn("{number} other change", "{number} other changes", count)],
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
      ? t(
          "Not taken over from your last visit, because the draft was changed meanwhile: {changes}.",
          { changes: changeWords(lost) },
        )
      : "",
    isUnsaved
      ? t(
          "Not saved: {changes}. Kept in this browser, and brought in when you take the task again, unless the draft is another by then.",
          { changes: changeWords(unsaved()) },
        )
      : "",
  ].filter(Boolean);
  return (
    <section class="gold-bar line notice" data-testid="gold-bar" aria-label={t("Gold draft")}>
      <Icon name="pencil" />
      <p class="gold-text wrap">
        <strong>{t("Gold draft of a task under review, not your own work.")} </strong>
        {t("It becomes gold when you decide.")}
      </p>
      <a
        class="button small"
        data-testid="gold-back"
        href={review.review_address}
        onClick={(event) => {
          event.preventDefault();
          onLeave();
        }}
      >
        {t("Back to review")}
      </a>
      <LiveRegion class="gold-note strong" testid="gold-note">
        {notes.join(" ")}
      </LiveRegion>
    </section>
  );
}

/** "2 citations, 1 box change": events in the words of the screen. */
function changeWords(events: { type: string }[]): string {
  const counts = new Map<(count: number) => string, number>();
  for (const { type } of events) {
    const words = CHANGES.find(([pattern]) => pattern.test(type))?.[1];
    if (words) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => words(count)).join(", ");
}
