import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { PatientImage } from "../../shared/components/PatientImage";
import { t } from "../../shared/messages";
import { THUMBNAIL_DPI } from "../../shared/page/page_images";
import { placeWords, samePlace } from "../../shared/places";
import type { ReviewStore } from "../store";
import "./PageShot.css";

export type PageImageUrl = (sha: string, page: number, dpi: number) => string;

export interface PageShotProps {
  store: ReviewStore;
  place: Pt.Place;
  isInGold?: boolean;
  imageUrl: PageImageUrl;
  onOpen: (place: Pt.Place) => void;
}

/** A small image of a page that opens it. */
export function PageShot({ store, place, isInGold = false, imageUrl, onOpen }: PageShotProps) {
  const { document, page } = place;
  const number = t("p. {page}", { page });
  const isOpen = useComputed(() => samePlace(store.page.value, place)).value;
  const info = store.review.value.documents[document];
  const [width, height] = info?.pages[page - 1] ?? [3, 4];
  return (
    <Button
      class={isInGold ? "shot bare inline in-gold" : "shot bare inline"}
      testid="shot"
      data-document={document}
      data-page={page}
      aria-current={isOpen ? "true" : undefined}
      aria-label={t("Open {place}", { place: `${document}, ${number}` })}
      title={placeWords(place)}
      onClick={() => onOpen(place)}
    >
      <span class="shot-paper paper" style={{ aspectRatio: `${width} / ${height}` }}>
        {info ? <ShotImage sha={info.sha256} page={page} imageUrl={imageUrl} /> : null}
      </span>
      <span class="shot-number nowrap">{number}</span>
    </Button>
  );
}

function ShotImage({ sha, page, imageUrl }: { sha: string; page: number; imageUrl: PageImageUrl }) {
  // The address has a token that changes; the image does not.
  const address = useMemo(() => imageUrl(sha, page, THUMBNAIL_DPI), [sha, page]);
  return <PatientImage src={address} loading="lazy" />;
}
