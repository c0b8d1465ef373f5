import { Button } from "../../shared/components/Button";
import { t, withElements } from "../../shared/messages";
import { runsTogether, STARS } from "./writing_systems";

export interface NoResultsProps {
  response: Pt.ShownSearch;
  onSearch: (query: string) => void;
}

/** Why a search may have found nothing, and what to try. */
export function NoResults({ response: { parsed, query, suggestion }, onSearch }: NoResultsProps) {
  const hasNoWord = parsed === "nothing";
  return (
    <div class="no-results stack wrap framed" data-testid="no-results">
      <p>
        {hasNoWord
          ? t(
              "Very common words (the, of, and …), single characters and signs are not indexed. Add a more specific word.",
            )
          : t("All words must match on one page. Try fewer or other words.")}
      </p>
      {runsTogether(query ?? "") ? <p>{t(STARS)}</p> : null}
      {parsed && !hasNoWord ? (
        <p class="quiet">
          {withElements(t("Understood as {query}"), { query: <code>{parsed}</code> })}
        </p>
      ) : null}
      {suggestion ? (
        <p>
          {withElements(t("Did you mean {query}?"), {
            query: (
              <Button class="link" testid="suggestion" onClick={() => onSearch(suggestion)}>
                {suggestion}
              </Button>
            ),
          })}
        </p>
      ) : null}
    </div>
  );
}
