import { labelTitle, lookOf } from "../shared/label_styles";
import { t } from "../shared/messages";
import { BoxLayer } from "../shared/page/box_layer";
import { Stage } from "../shared/page/page_stage";
import { type PageSource, StageImage } from "../shared/page/stage_image";
import type { ShownBox, Track } from "./script_state";

const SETTLE_MS = 90;

/** One attempt's page as an image with boxes over it; an island. */
export class ReplayedPage {
  private readonly look = (label: string | null) => lookOf(this.track.data.labels, label);
  private readonly stage = new Stage({ onView: () => this.image.load() });
  private readonly image: StageImage;
  private readonly layer: BoxLayer<ShownBox>;
  private index: number | null | undefined;
  private timer: number | undefined;

  constructor(
    private readonly track: Track,
    imageUrl: (sha: string, page: number, dpi: number) => string,
    onPainted: (page: number | null) => void,
  ) {
    const failure = t("The page image could not be loaded. Reload.");
    this.image = new StageImage(this.stage, { imageUrl, onPainted, failure });
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
      titleOf: (label) => labelTitle(this.track.data.labels, label),
      seed: this.track.data.seed,
    });
    const ahead = hurried ? null : this.sourceOf(this.track.nextPage(seq));
    if (ahead) this.image.fetchAhead(ahead);
  }

  destroy() {
    clearTimeout(this.timer);
    this.image.turn(null);
    this.stage.destroy();
  }

  private turn(index: number | null, hurried: boolean) {
    clearTimeout(this.timer);
    this.index = index;
    const source = this.sourceOf(index);
    this.image.turn(source);
    if (!source) {
      this.stage.setNotice(
        index === null ? t("No page is open yet.") : t("This page is not in the collection."),
      );
      return;
    }
    this.stage.setNotice(null);
    if (hurried) this.timer = setTimeout(() => this.image.load(), SETTLE_MS);
    this.image.load(hurried);
  }

  private sourceOf(index: number | null): PageSource | null {
    const page = index === null ? null : this.track.pages[index];
    return page?.size && page.sha ? { sha: page.sha, number: page.number, size: page.size } : null;
  }
}
