import type { Ref } from "preact";
import { useImperativeHandle, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { t, tn } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { samePlace } from "../../shared/places";
import { gradeField } from "../fields/page_marks";
import { isCompact } from "../panel_visibility";
import { Filmstrip } from "./Filmstrip";
import { NoResults } from "./NoResults";
import { Preview } from "./Preview";
import { PreviewState } from "./preview_state";
import { ResultCards } from "./ResultCards";
import "./Results.css";

export interface ResultsHandle {
  /** Move the focus among the results; returns whether there is anything to move to. */
  move: (step: 1 | -1) => boolean;
  /** results of the search that can be opened by number */
  count: number;
  /** Open a result of the search, counted from 1; returns whether there is one. */
  open: (number: number, stamp: number) => boolean;
}

export interface ResultsProps {
  store: Pt.Store;
  handle: Ref<ResultsHandle>;
  imageUrl: (sha: string, page: number, dpi: number) => string;
  onOpen: (page: Pt.OpenPage, stamp: number) => void;
  onSearch: (query: string) => void;
  /** the results are needed in full */
  onReveal: () => void;
}

/** The results of a search, also of one that is replayed, or the pages that the task gives. */
export function Results({ store, handle, imageUrl, onOpen, onSearch, onReveal }: ResultsProps) {
  const list = useRef<HTMLOListElement>(null);
  const preview = useMemo(() => new PreviewState(), []);
  const results = store.results.value;
  const replayed = store.replayed.value;
  const given = store.given_pages.value;
  const attempt = store.attempt.value;
  const hits = results && !results.refusal && !replayed ? results : null;
  const pages = hits ? null : (replayed?.pages ?? given);
  const isHidden = hits ? false : !pages?.length && !replayed;
  const isAlone = pages && !replayed && isOnlyPage(pages, store);
  useImperativeHandle(handle, () => ({
    move(step) {
      if (isHidden || isAlone || !list.current?.childElementCount) return false;
      if (hits) onReveal();
      moveFocus(list.current, step);
      return true;
    },
    count: hits?.results.length ?? 0,
    open(number, stamp) {
      const hit = hits?.results[number - 1];
      if (!hits || !hit) return false;
      const { document, page } = hit;
      onOpen({ document, page, search_id: hits.search_id, via: "result" }, stamp);
      return true;
    },
  }));
  useLayoutEffect(() => () => preview.hide(), [hits]);
  return (
    <section
      class={sectionClass(store)}
      aria-label={t("Search results")}
      hidden={isHidden || Boolean(isAlone)}
    >
      <div class="results-head line">
        <span class="results-heading heading strong" data-testid="results-heading" role="status">
          {hits ? hitsText(hits) : (replayed?.said ?? givenText(given))}
        </span>
      </div>
      <div class="results-body">
        {hits && !hits.results.length ? <NoResults response={hits} onSearch={onSearch} /> : null}
        {hits?.results.length ? (
          <ResultCards
            key={`${attempt} ${hits.search_id}`}
            store={store}
            response={hits}
            list={list}
            preview={preview}
            imageUrl={imageUrl}
            onOpen={onOpen}
          />
        ) : null}
        {pages ? (
          <Filmstrip
            key={attempt}
            store={store}
            pages={pages}
            list={list}
            imageUrl={imageUrl}
            onOpen={onOpen}
          />
        ) : null}
      </div>
      <Preview state={preview} />
    </section>
  );
}

function sectionClass(store: Pt.Store) {
  const classes = ["results"];
  if (store.replayed.value) classes.push("replayed");
  if (store.searching.value) classes.push("stale");
  if (isCompact(store.tracked)) classes.push("compact");
  return classes.join(" ");
}

function hitsText({ results, total_hits: total }: Pt.ShownSearch) {
  const count = results.length;
  if (!count) return t("No page matches");
  const hits = total ?? count;
  return hits > count
    ? t("Best {count} of {number} matching pages", { count, number: grouped(hits) })
    : tn("{number} matching page", "{number} matching pages", hits);
}

const givenText = (given: Pt.Place[] | null) =>
  given?.length
    ? tn("{number} page for this task", "{number} pages for this task", given.length)
    : "";

/** Whether the task gives one page, which is open and has no grade: a strip of it says nothing. */
function isOnlyPage(pages: Pt.Place[], store: Pt.Store) {
  return (
    pages.length === 1 && !gradeField(store.protocol.value) && samePlace(store.page.value, pages[0])
  );
}

/** Focus the card before or after the one that has the focus. */
function moveFocus(list: HTMLOListElement, step: 1 | -1) {
  const cards = [...list.children].map((item) => item.firstElementChild as HTMLElement);
  const focused = cards.findIndex((card) => card.matches(":focus"));
  const from = focused >= 0 ? focused : step > 0 ? -1 : cards.length;
  cards[Math.min(cards.length - 1, Math.max(0, from + step))].focus();
}
