import { useRef } from "preact/hooks";
import { Dialog, openDialog } from "../../shared/components/Dialog";
import { digitOf } from "../../shared/keys";
import { t } from "../../shared/messages";
import { placeWords, samePlace } from "../../shared/places";

const KEPT = 10;

/** The places with one more, the last one first and each once. */
export const withRecent = (places: Pt.Place[], { document, page }: Pt.Place) =>
  [{ document, page }, ...places.filter((known) => !samePlace(known, { document, page }))].slice(
    0,
    KEPT,
  );

interface RecentPagesProps {
  places: Pt.Place[];
  /** address of a small image */
  imageUrl: (place: Pt.Place) => string;
  onOpen: (place: Pt.Place) => void;
}

/** Offer the pages that were open last in this task, one key away. */
export function openRecentPages(host: Element, { onOpen, ...props }: RecentPagesProps) {
  return openDialog(host, (close) => (
    <RecentPages
      {...props}
      onClose={() => close()}
      onOpen={(place) => {
        close();
        onOpen(place);
      }}
    />
  ));
}

function RecentPages({
  places,
  imageUrl,
  onOpen,
  onClose,
}: RecentPagesProps & { onClose: () => void }) {
  const first = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={t("Recent pages")}
      testid="recent-dialog"
      wide
      focus={first}
      onClose={onClose}
      onKey={(event) => {
        const place = places[Number(digitOf(event) ?? 0) - 1];
        if (place && !event.ctrlKey && !event.metaKey && !event.altKey) onOpen(place);
      }}
    >
      <div class="recent-pages">
        {places.map((place, index) => (
          <button
            key={`${place.page} ${place.document}`}
            ref={index ? undefined : first}
            type="button"
            class="recent-page"
            data-testid="recent-page"
            onClick={() => onOpen(place)}
          >
            <img alt="" src={imageUrl(place)} />
            <span class="medium wrap">
              <kbd>{index + 1}</kbd> {placeWords(place)}
            </span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
