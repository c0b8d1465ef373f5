import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { Hosted } from "../../shared/components/Hosted";
import { MiddleCut } from "../../shared/components/MiddleCut";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import { placeWords } from "../../shared/places";
import { BesidePage, type PageSources } from "./beside_page";

export interface PageBesideProps {
  store: Pt.Store;
  sources: PageSources;
  onSwap: (stamp: number) => void;
  onClose: () => void;
}

/** A second page beside the open one, of the same document or another. */
export function PageBeside({ store, sources, ...actions }: PageBesideProps) {
  const page = useMemo(() => new BesidePage(sources), []); // its zoom is kept while it is away
  useEffect(() => () => page.destroy(), []);
  const place = store.beside.value;
  return place ? <Beside place={place} page={page} {...actions} /> : null;
}

interface BesideProps extends Pick<PageBesideProps, "onSwap" | "onClose"> {
  place: Pt.Place;
  page: BesidePage;
}

function Beside({ place, page, onSwap, onClose }: BesideProps) {
  useLayoutEffect(() => {
    void page.show(place);
    return () => page.close();
  }, [place]);
  return (
    <section class="beside column" aria-label={t("Page beside")} data-testid="beside">
      <div class="beside-bar line">
        <MiddleCut
          class="document-name quiet medium"
          testid="beside-name"
          text={placeWords(place)}
        />
        <IconButton
          icon="swap"
          label={withKey(t("Swap the two pages"), "swapBeside")}
          testid="beside-swap"
          onClick={(event) => onSwap(event.timeStamp)}
        />
        <IconButton
          icon="close"
          label={withKey(t("Put the page away"), "beside")}
          testid="beside-close"
          onClick={() => onClose()}
        />
      </div>
      <Hosted element={page.element} />
    </section>
  );
}
