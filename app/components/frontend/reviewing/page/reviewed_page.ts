import { signal } from "@preact/signals";
import { t } from "../../shared/messages";
import { PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { samePlace } from "../../shared/places";
import { AnnotatorBoxes } from "./annotator_boxes";
import type { PageLayer } from "./page_layers";

const CLICK_PX = 4;
const RESOLUTIONS_DPI = [40, 75, 150];
const SHARPEST_DPI = 220;
const SHARP_ENOUGH = 0.92;

/** Where the image of a page comes from. */
export interface PageSource {
  sha: string;
  number: number;
  size: Pt.Size;
}

export interface ReviewedPageProps {
  place: Pt.Place | null;
  /** null where the collection does not have the page */
  source: PageSource | null;
  /** the pages before and after, fetched ahead */
  nearby: PageSource[];
  /** from below to above */
  layers: PageLayer[];
  /** id of a box */
  standsOut: string | null;
  /** A click on a box takes it or leaves it. */
  canTake: boolean;
}

/** The image of the open page with everybody's boxes over it; an island. */
export class ReviewedPage {
  /** the page whose image is on the sheet */
  readonly painted = signal<number | null>(null);
  private readonly images: PageImages;
  private readonly stage: Stage;
  private readonly boxes: AnnotatorBoxes;
  private props: ReviewedPageProps | null = null;
  /** resolution of the image that is on the sheet or was asked for */
  private dpi = 0;

  constructor(
    imageUrl: (sha: string, page: number, dpi: number) => string,
    private readonly onTake: (attempt: string, box: Pt.ReviewedBox) => void,
  ) {
    this.images = new PageImages(imageUrl);
    this.stage = new Stage({ onView: () => this.loadImage() });
    this.stage.setView({ fit: "width" });
    this.boxes = new AnnotatorBoxes(this.stage);
    this.stage.onLayout = () => this.boxes.layout();
    this.stage.onPress = (event) => this.press(event);
  }

  get element() {
    return this.stage.element;
  }

  update(props: ReviewedPageProps) {
    const before = this.props;
    this.props = props;
    const isSame =
      samePlace(before?.place, props.place) && before?.source?.sha === props.source?.sha;
    if (!before || !isSame) this.turn(props);
    this.boxes.update(props.layers, props.standsOut);
  }

  zoomStep(direction: 1 | -1) {
    this.stage.zoomStep(direction);
  }

  /** Show the whole page, or its width. */
  toggleFit() {
    this.stage.setView({ fit: this.stage.view.fit === "width" ? "page" : "width" });
  }

  /** Scroll to a box. */
  reveal(box: Pt.ReviewedBox) {
    this.stage.reveal(box.rect);
  }

  destroy() {
    this.props = null;
    this.stage.destroy();
  }

  private turn({ place, source, nearby }: ReviewedPageProps) {
    this.dpi = 0;
    this.painted.value = null;
    this.stage.setNotice(place && !source ? t("This page is not in the collection.") : null);
    if (!source) {
      this.stage.clear();
      return;
    }
    this.stage.setPage(source.size);
    this.loadImage();
    for (const { sha, number } of nearby)
      this.images.load(sha, number, this.resolution(), "low").catch(() => {});
  }

  private resolution() {
    const needed = this.stage.scale * 72 * (window.devicePixelRatio || 1);
    return RESOLUTIONS_DPI.find((dpi) => dpi >= SHARP_ENOUGH * needed) ?? SHARPEST_DPI;
  }

  /** Bring the image of the page onto the sheet, or a sharper one. */
  private loadImage() {
    const source = this.props?.source;
    if (!source) return;
    const { sha, number } = source;
    const dpi = this.resolution();
    if (dpi <= this.dpi) return;
    this.dpi = dpi;
    const isShown = () =>
      this.props?.source?.sha === sha && this.props.source.number === number && this.dpi === dpi;
    this.images.load(sha, number, dpi).then(
      (image) => {
        if (!isShown()) return;
        this.stage.setImage(image);
        this.painted.value = number;
      },
      () => {
        if (isShown())
          this.stage.setNotice(
            t("The image of the page is not available now. Open the page again."),
          );
      },
    );
  }

  /** A click on a box takes it or leaves it; dragging pans, also over boxes. */
  private press(event: PointerEvent) {
    if (event.button !== 0 || !this.stage.size || !this.props?.canTake) return false;
    const hit = this.boxes.at(this.stage.toPagePoint(event.clientX, event.clientY));
    if (!hit) return false;
    const { pane } = this.stage;
    const onRelease = (up: PointerEvent) => {
      pane.removeEventListener("pointerup", onRelease);
      pane.removeEventListener("pointercancel", onRelease);
      const moved = Math.hypot(up.clientX - event.clientX, up.clientY - event.clientY);
      if (up.type === "pointerup" && moved < CLICK_PX) this.onTake(hit.attempt, hit.box);
    };
    pane.addEventListener("pointerup", onRelease);
    pane.addEventListener("pointercancel", onRelease);
    return false;
  }
}
