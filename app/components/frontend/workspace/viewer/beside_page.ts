/** The page beside the open one, to look at, not to work on; an island. */

import { t } from "../../shared/messages";
import { PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { placeWords } from "../../shared/places";

export interface PageSources {
  pageUrl: (sha: string, page: number, dpi: number) => string;
  documentInfo: (name: string) => Pt.ShownDocument | Promise<Pt.ShownDocument>;
}

export class BesidePage {
  private readonly stage = new Stage({ onView: () => void this.paint() });
  // Images of its own: one that is in both panes cannot be one element.
  private readonly images: PageImages;
  private place: Pt.Place | null = null;
  private info: Pt.ShownDocument | null = null;

  constructor(private readonly sources: PageSources) {
    this.images = new PageImages(sources.pageUrl);
    this.stage.pane.dataset.testid = "beside-pane";
    delete this.stage.hintText.dataset.testid;
  }

  get element() {
    return this.stage.element;
  }

  async show(place: Pt.Place) {
    this.place = place;
    const info = await this.sources.documentInfo(place.document);
    if (place !== this.place) return;
    this.info = info;
    this.stage.setPage(info.pages[place.page - 1] ?? [612, 792]);
    this.stage.pane.setAttribute("aria-label", t("Beside: {place}", { place: placeWords(place) }));
    void this.paint();
  }

  /** It is off the screen. */
  close() {
    this.place = null;
    this.info = null;
  }

  destroy() {
    this.close();
    this.stage.destroy();
  }

  /** The image that suits the zoom. */
  private async paint() {
    const { place, stage, info } = this;
    if (!place || !info) return;
    const resolution = stage.resolutionFor(stage.pageSize);
    const image = await this.images.load(info.sha256, place.page, resolution).catch(() => null);
    if (place !== this.place) return;
    if (image) stage.setImage(image);
    stage.setNotice(image ? null : t("Page image not available."));
  }
}
