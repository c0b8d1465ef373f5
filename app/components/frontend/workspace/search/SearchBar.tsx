import type { RefObject } from "preact";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { clean, isReadOnly, strip } from "../state/attempt_state";
import "./SearchBar.css";

export interface SearchBarProps {
  store: Pt.Store;
  input: RefObject<HTMLInputElement | null>;
  onType: (query: string) => void;
  onRun: (query: string) => void;
  /** returns whether there are results to move to */
  onMoveToResults: () => boolean;
  /** opens the first result; returns whether there is one */
  onOpenFirst: (stamp: number) => boolean;
}

export function SearchBar({ store, input, onType, onRun, ...results }: SearchBarProps) {
  if (!store.protocol.value.search.enabled) return null;
  const isSearching = Boolean(store.searching.value);
  const readOnly = isReadOnly(store.state.value);
  const error = store.searchError.value;
  const note = error ? null : store.searchNote.value;
  return (
    <form
      class={isSearching ? "search busy" : "search"}
      role="search"
      aria-label={t("Search the collection")}
      aria-busy={isSearching}
      onSubmit={(event) => {
        event.preventDefault();
        onRun(store.data.query);
      }}
    >
      <div class="search-row">
        <span class="search-box fill">
          <Icon name="search" />
          <input
            ref={input}
            type="search"
            dir="auto"
            class="search-input"
            data-testid="search-input"
            placeholder={t("Search all pages")}
            aria-label={t("Search all pages")}
            aria-describedby="pt-question pt-search-hint"
            title={withKey(t("Search"), "focusSearch")}
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="search"
            disabled={readOnly}
            value={store.query.value}
            onInput={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => {
              const { isComposing, key, timeStamp } = event;
              const isTaken =
                (key === "ArrowDown" && results.onMoveToResults()) ||
                (key === "Enter" &&
                  !isComposing &&
                  !event.repeat &&
                  isAnswered(store.data) &&
                  results.onOpenFirst(timeStamp));
              if (isTaken) event.preventDefault();
            }}
          />
        </span>
        <button
          type="submit"
          class="button primary"
          data-testid="search-run"
          title={t("Run the search (Enter)")}
          disabled={readOnly}
        >
          <span>{isSearching ? t("Searching…") : t("Search")}</span>
        </button>
      </div>
      <div class="progress-line" aria-hidden="true" />
      <p
        class="hint caption"
        id="pt-search-hint"
        data-testid="search-hint"
        hidden={Boolean(error || note || (store.page.value && store.results.value))}
      >
        {t('All words must match. Type "quotes" for a phrase, OR between alternatives.')}
      </p>
      <FieldError
        testid="search-message"
        class={note ? "field-error live note" : "field-error live"}
      >
        {error ?? note}
      </FieldError>
    </form>
  );
}

/** Whether the results on screen are those of the query in the box. */
function isAnswered({ query, results, searching }: Pt.WorkspaceData) {
  return !searching && results !== null && strip(clean(query)) === strip(results.query ?? "");
}
