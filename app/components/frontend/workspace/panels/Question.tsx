import type { RefObject } from "preact";
import { Button, IconButton } from "../../shared/components/Button";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { isCompact } from "../panel_visibility";
import { useScrollToTop } from "./scroll_to_top";

export interface QuestionProps {
  store: Pt.Store;
  /** takes the focus where no page is open */
  textRef: RefObject<HTMLParagraphElement | null>;
  onToggleContext: () => void;
  onOpenBrief: (place: Pt.Place, stamp: number) => void;
}

/** What the task asks, and the documents that it says to read first. */
export function Question({ store, textRef, onToggleContext, onOpenBrief }: QuestionProps) {
  const { question, domain, category } = store.task.value;
  const card = useScrollToTop<HTMLElement>(store.attempt.value);
  const { prefilled } = store.protocol.value.question;
  const kinds = [...new Set([domain, category, prefilled ? t("Given text") : null])]
    .filter(Boolean)
    .join(" · ");
  const brief = store.brief.value;
  return (
    <section ref={card} class="question" aria-label={t("Question")}>
      <ContextToggle store={store} onToggle={onToggleContext} />
      {kinds ? <p class="caption">{kinds}</p> : null}
      <p ref={textRef} id="pt-question" class="question-text" data-testid="question" tabIndex={-1}>
        {question}
      </p>
      {brief.length ? (
        <p class="line wrap" data-testid="brief">
          {brief.map((place) => (
            <Button
              key={`${place.page} ${place.document}`}
              testid="brief-open"
              onClick={(event) => onOpenBrief(place, event.timeStamp)}
            >
              {place.page === 1
                ? t("Open {document}", { document: place.document })
                : t("Open {document}, page {page}", { ...place })}
            </Button>
          ))}
        </p>
      ) : null}
    </section>
  );
}

function ContextToggle({ store, onToggle }: { store: Pt.Store; onToggle: () => void }) {
  if (!store.page.value) return null;
  const compact = isCompact(store.tracked);
  const label = compact ? t("Show question and results") : t("Make room for the page");
  return (
    <IconButton
      class="icon-button small context-toggle"
      icon={compact ? "down" : "up"}
      label={label}
      title={withKey(label, "toggleContext")}
      aria-expanded={!compact}
      testid="context-toggle"
      onClick={onToggle}
    />
  );
}
