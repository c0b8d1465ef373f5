import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { Icon } from "../../shared/components/Icon";
import { PatientImage } from "../../shared/components/PatientImage";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { THUMBNAIL_DPI } from "../../shared/page/page_images";
import { samePlace } from "../../shared/places";
import { cites } from "../state/attempt_state";
import { arePagesClosed } from "../state/form_state";
import type { PreviewState } from "./preview_state";
import type { ResultsProps } from "./Results";
import "./ResultCards.css";

export interface ResultCardsProps extends Pick<ResultsProps, "store" | "imageUrl" | "onOpen"> {
  response: Pt.ShownSearch;
  list: RefObject<HTMLOListElement | null>;
  preview: PreviewState;
}

/** The results of a search. Only one card is in the tab order; the arrows move among them. */
export function ResultCards({ response, list, ...props }: ResultCardsProps) {
  const tabStop = useSignal(0);
  return (
    <ol ref={list} class="cards" data-testid="results">
      {response.results.map((hit, index) => (
        <li key={`${hit.page} ${hit.document}`}>
          <Card
            hit={hit}
            searchId={response.search_id}
            isTabStop={tabStop.value === index}
            onFocus={() => {
              tabStop.value = index;
            }}
            {...props}
          />
        </li>
      ))}
    </ol>
  );
}

interface CardProps extends Omit<ResultCardsProps, "response" | "list"> {
  hit: Pt.SearchHit;
  searchId: string | null;
  isTabStop: boolean;
  onFocus: () => void;
}

function Card({ store, hit, searchId, isTabStop, preview, onFocus, ...props }: CardProps) {
  const { document, page, rank, snippet } = hit;
  const isCited = useComputed(() => cites(store.state.value, document, page)).value;
  const isOpen = useComputed(() => samePlace(store.page.value, hit)).value;
  const info = store.data.documents[document];
  const [width, height] = info?.pages[page - 1] ?? [3, 4];
  // The address has a token, and the next token is no reason to load the image again.
  const address = useMemo(
    () =>
      info && !arePagesClosed(store.data) ? props.imageUrl(info.sha256, page, THUMBNAIL_DPI) : null,
    [],
  );
  const position = info
    ? t("page {page} of {number}", { page, number: grouped(info.n_pages) })
    : t("page {page}", { page });
  const name = `${document}, ${position}`;
  return (
    <button
      type="button"
      class="card tile"
      data-testid="result"
      title={name}
      data-document={document}
      data-page={page}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isOpen ? "true" : undefined}
      onClick={(event) => {
        preview.hide();
        props.onOpen({ document, page, search_id: searchId, via: "result" }, event.timeStamp);
      }}
      onFocus={({ currentTarget }) => {
        onFocus();
        if (address && currentTarget.matches(":focus-visible"))
          preview.show(currentTarget, address, width / height);
      }}
      onBlur={() => preview.hide()}
      onPointerEnter={({ currentTarget, pointerType }) => {
        if (address && pointerType !== "touch")
          preview.showSoon(currentTarget, address, width / height);
      }}
      onPointerLeave={() => preview.hide()}
    >
      <span class="card-image" aria-hidden="true">
        <span
          class={width > height ? "paper wide" : "paper"}
          style={`aspect-ratio: ${width} / ${height}`}
        >
          {address ? <PatientImage src={address} /> : null}
        </span>
        {rank ? <span class="card-rank">{rank}</span> : null}
      </span>
      <span class="card-meta" aria-hidden="true">
        <span class="card-name wrap">{document}</span>
        <span class="card-page caption">{position}</span>
        {snippet ? (
          <span class="card-snippet caption">
            {snippet.map(([text, isMatch]) => (isMatch ? <mark>{text}</mark> : text))}
          </span>
        ) : null}
        {isCited ? (
          <span class="card-cited line small">
            <Icon name="cited" />
            {t("Cited")}
          </span>
        ) : null}
      </span>
      <span class="unseen">
        {[
          rank ? t("Result {rank}: {page}", { rank, page: name }) : name,
          isCited && t("cited"),
          isOpen && t("open"),
        ]
          .filter(Boolean)
          .join(", ")}
      </span>
    </button>
  );
}
