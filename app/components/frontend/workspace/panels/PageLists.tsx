import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { t } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { includesPlace, samePlace } from "../../shared/places";
import { isReadOnly } from "../state/attempt_state";
import { allowedPages } from "../viewer/allowed_pages";
import type { BatchPanelProps } from "./BatchPanel";

const pageKey = ({ document, page }: Pt.Place) => `${page} ${document}`;

type CitationsProps = Pick<
  BatchPanelProps,
  "store" | "onOpenCitation" | "onRemoveCitation" | "onFocusLost"
>;

export function Citations({
  store,
  onOpenCitation,
  onRemoveCitation,
  onFocusLost,
}: CitationsProps) {
  const citations = useComputed(() => store.state.value.citations).value;
  const hint = store.protocol.value.evidence.required
    ? t("Cite each page that your answer rests on.")
    : t("Pages that you cite appear here.");
  return (
    <section class="block" aria-label={t("Citations")}>
      <ListHead title={t("Citations")} count={citations.length} />
      <PageList
        store={store}
        places={citations}
        testid="citations"
        rowTestid="citation"
        hint={hint}
        removeLabel={t("Remove this citation")}
        removeWords={(place) => t("Remove citation: {document}, {words}", place)}
        onOpen={onOpenCitation}
        onRemove={onRemoveCitation}
        onFocusLost={onFocusLost}
      />
    </section>
  );
}

type BookmarksProps = Pick<
  BatchPanelProps,
  "store" | "onOpenBookmark" | "onRemoveBookmark" | "onFocusLost"
>;

/** Pages bookmarked in this or another task of the batch, where the campaign allows it. */
export function Bookmarks({
  store,
  onOpenBookmark,
  onRemoveBookmark,
  onFocusLost,
}: BookmarksProps) {
  const bookmarks = useComputed(() => store.state.value.bookmarks).value;
  const allowed = useComputed(() => allowedPages(store.tracked)).value;
  if (!store.protocol.value.aids.bookmarks || store.review.value) return null;
  return (
    <section class="block" aria-label={t("Bookmarks")}>
      <ListHead title={t("Bookmarks")} count={bookmarks.length} />
      <PageList
        store={store}
        places={bookmarks}
        testid="bookmarks"
        rowTestid="bookmark-row"
        hint={t("Pages that you bookmark are here in all tasks of this batch.")}
        removeLabel={t("Remove this bookmark")}
        removeWords={(place) => t("Remove bookmark: {document}, {words}", place)}
        isClosed={(place) => allowed !== null && !includesPlace(allowed, place)}
        onOpen={onOpenBookmark}
        onRemove={onRemoveBookmark}
        onFocusLost={onFocusLost}
      />
    </section>
  );
}

interface PageListProps<Listed extends Pt.Place> {
  store: Pt.Store;
  places: readonly Listed[];
  testid: string;
  rowTestid: string;
  /** instead of an empty list */
  hint: string;
  removeLabel: string;
  /** the label with the page's name */
  removeWords: (place: { document: string; words: string }) => string;
  /** Whether the page cannot be opened in this task. */
  isClosed?: (place: Listed) => boolean;
  onOpen: (place: Listed, stamp: number) => void;
  onRemove: (place: Listed) => void;
  onFocusLost: () => void;
}

/** Pages that open by a click and can be removed; the focus then goes to a neighbour. */
function PageList<Listed extends Pt.Place>({ store, places, ...props }: PageListProps<Listed>) {
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const documents = store.documents.value;
  const open = store.page.value;
  const removeButtons = useRef(new Map<string, HTMLButtonElement>());
  const remove = (place: Listed) => {
    const index = places.indexOf(place);
    const neighbour = places[index + 1] ?? places[index - 1];
    props.onRemove(place);
    const button = neighbour && removeButtons.current.get(pageKey(neighbour));
    if (button) button.focus();
    else props.onFocusLost();
  };
  return (
    <ul data-testid={props.testid}>
      {places.length ? null : <li class="empty-line caption">{props.hint}</li>}
      {places.map((place) => (
        <PageRow
          key={pageKey(place)}
          place={place}
          testid={props.rowTestid}
          pageCount={documents[place.document]?.n_pages}
          isCurrent={samePlace(open, place)}
          isClosed={props.isClosed?.(place) ?? false}
          removeLabel={props.removeLabel}
          removeWords={props.removeWords}
          removeRef={(button) => {
            if (button) removeButtons.current.set(pageKey(place), button);
            else removeButtons.current.delete(pageKey(place));
          }}
          onOpen={(stamp) => props.onOpen(place, stamp)}
          onRemove={readOnly ? null : () => remove(place)}
        />
      ))}
    </ul>
  );
}

export function ListHead({ title, count }: { title: string; count: number }) {
  return (
    <h2>
      {title}
      <span class="count quiet number">{count || ""}</span>
    </h2>
  );
}

interface PageRowProps extends Pick<PageListProps<Pt.Place>, "removeLabel" | "removeWords"> {
  place: Pt.Place;
  testid: string;
  /** of the document, once known */
  pageCount: number | undefined;
  isCurrent: boolean;
  isClosed: boolean;
  removeRef: (button: HTMLButtonElement | null) => void;
  onOpen: (stamp: number) => void;
  onRemove: (() => void) | null;
}

function PageRow({ place, testid, pageCount, isCurrent, removeRef, ...props }: PageRowProps) {
  const { document, page } = place;
  const words = pageCount
    ? t("page {page} of {number}", { page, number: grouped(pageCount) })
    : t("page {page}", { page });
  return (
    <li class="row" data-testid={testid} data-document={document} data-page={page}>
      <button
        type="button"
        class="row-main bare column"
        data-testid={`${testid}-open`}
        title={
          props.isClosed
            ? t("{document}, {words}: not a page of this task", { document, words })
            : `${document}, ${words}`
        }
        disabled={props.isClosed}
        aria-current={isCurrent ? "true" : undefined}
        onClick={(event) => props.onOpen(event.timeStamp)}
      >
        <span class="row-title wrap medium">{document}</span>
        <span class="row-note caption number">{words}</span>
      </button>
      {props.onRemove ? (
        <IconButton
          ref={removeRef}
          icon="close"
          class="icon-button small"
          label={props.removeLabel}
          aria-label={props.removeWords({ document, words })}
          testid={`${testid}-remove`}
          onClick={props.onRemove}
        />
      ) : null}
    </li>
  );
}
