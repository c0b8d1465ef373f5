/** Small images of pages that open them; each is loaded once. */

import { h } from "../../shared/dom";
import { loadPatiently } from "../../shared/page/patient_image";
import { placeWords, samePlace } from "../../shared/places";

const DPI = 40;

export class Shots {
  images: Map<any, any>;

  constructor() {
    this.images = new Map();
  }

  clear() {
    this.images.clear();
  }

  /** @param slot where it is: one image cannot be in two places */
  make(
    place: { document: string; page: number },
    slot: string,
    { data, page, imageUrl }: Pt.ReviewView,
    open: (place: Pt.Place) => void,
  ): HTMLButtonElement {
    const key = `${slot}/${place.document}/${place.page}`;
    const info = data.documents[place.document];
    const [width, height] = info?.pages[place.page - 1] ?? [3, 4];
    if (!this.images.has(key) && info) {
      const image = h("img", { alt: "", decoding: "async", draggable: "false", loading: "lazy" });
      loadPatiently(image, imageUrl(info.sha256, place.page, DPI));
      this.images.set(key, image);
    }
    return h(
      "button",
      {
        class: "shot bare inline",
        testid: "shot",
        "data-focus": `shot-${key}`,
        "data-document": place.document,
        "data-page": place.page,
        "aria-current": samePlace(page, place) ? "true" : null,
        "aria-label": `Open ${placeWords(place)}`,
        title: placeWords(place),
        on: {
          click: (event) => {
            event.stopPropagation();
            open(place);
          },
        },
      },
      h(
        "span",
        { class: "shot-paper paper", style: `aspect-ratio: ${width} / ${height}` },
        this.images.get(key) ?? null,
      ),
      h("span", { class: "shot-number nowrap", text: `p. ${place.page}` }),
    );
  }
}
