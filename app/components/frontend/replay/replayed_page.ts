import { lookOf } from "../shared/label_styles";
import { t } from "../shared/messages";
import { BoxLayer } from "../shared/page/box_layer";
import { PageImages } from "../shared/page/page_images";
import { Stage } from "../shared/page/page_stage";
import type { ScriptPage, ShownBox, Track } from "./script_state";

const SETTLE_MS = 90;
const RESOLUTIONS_DPI = [40, 75, 150];
const SHARPEST_DPI = 220;
const SHARP_ENOUGH = 0.92;

/** One attempt's page as an image with boxes over it; an island. */
export class ReplayedPage {
  private readonly images: PageImages;
  private readonly look = (label: string | null) => lookOf(this.track.data.labels, label);
  private readonly stage: Stage;
  private readonly layer: BoxLayer<ShownBox>;
  private index: number | null | undefined;
  private page: ScriptPage | null = null;
  /** resolution of the image that is on the sheet or was asked for */
  private dpi = 0;
  private timer: number | undefined;

  constructor(
    private readonly track: Track,
    imageUrl: (sha: string, page: number, dpi: number) => string,
    private readonly callbacks: {
      /** An image is on the sheet; undefined while it is not. */
      onPainted: (page: number | undefined) => void;
    },
  ) {
    this.images = new PageImages(imageUrl);
    this.stage = new Stage({ onView: () => this.paint() });
    this.layer = new BoxLayer(this.stage, (box) => box.verdict);
    this.stage.onLayout = () => this.layer.layout();
  }

  get element() {
    return this.stage.element;
  }

  setFit(fit: "page" | "width") {
    this.stage.setView({ fit });
  }

  /**
   * Show a page and its boxes as they are after an event.
   * @param index of the page, null for none
   * @param hurried whether many pages go by: images then wait until it settles
   */
  show(index: number | null, seq: number, hurried: boolean) {
    if (index !== this.index) this.turn(index, hurried);
    this.layer.update({
      boxes: index !== null && this.stage.size ? this.track.boxes(index, seq) : [],
      selected: null,
      hidden: false,
      readOnly: true,
      look: this.look,
      seed: this.track.data.seed,
    });
    if (!hurried) this.fetchAhead(this.track.nextPage(seq));
  }

  destroy() {
    clearTimeout(this.timer);
    this.page = null;
    this.stage.destroy();
  }

  private turn(index: number | null, hurried: boolean) {
    clearTimeout(this.timer);
    this.index = index;
    const page = index === null ? null : this.track.pages[index];
    this.page = null;
    this.dpi = 0;
    this.callbacks.onPainted(undefined);
    if (!page?.size || !page.sha) {
      this.stage.clear();
      this.stage.setNotice(
        page ? t("This page is not in the collection.") : t("No page is open yet."),
      );
      return;
    }
    this.stage.setNotice(null);
    this.stage.setPage(page.size);
    this.page = page;
    if (hurried) this.timer = setTimeout(() => this.paint(), SETTLE_MS);
    this.paint(hurried);
  }

  private resolution() {
    const needed = this.stage.scale * 72 * (window.devicePixelRatio || 1);
    return RESOLUTIONS_DPI.find((dpi) => dpi >= SHARP_ENOUGH * needed) ?? SHARPEST_DPI;
  }

  /** Bring the image of the page onto the sheet, or a sharper one. */
  private paint(onlyIfReady = false) {
    const { page } = this;
    if (!page?.sha) return;
    const dpi = this.resolution();
    if (dpi <= this.dpi) return;
    const ready = this.images.ready(page.sha, page.number, dpi);
    if (!ready && onlyIfReady) return;
    this.dpi = dpi;
    const show = (image: HTMLImageElement) => {
      if (this.page !== page || this.dpi !== dpi) return;
      this.stage.setImage(image);
      this.callbacks.onPainted(page.number);
    };
    if (ready) {
      show(ready);
      return;
    }
    this.images.load(page.sha, page.number, dpi).then(show, () => {
      if (this.page === page)
        this.stage.setNotice(t("The page image could not be loaded. Reload."));
    });
  }

  private fetchAhead(index: number | null) {
    const page = index === null ? null : this.track.pages[index];
    if (!page?.sha || !page.size) return;
    this.images.load(page.sha, page.number, this.resolution(), "low").catch(() => {});
  }
}
