import { signal } from "@preact/signals";
import { t } from "../../shared/messages";
import { Stage } from "../../shared/page/page_stage";
import { type PageSource, StageImage } from "../../shared/page/stage_image";
import { samePlace } from "../../shared/places";
import { AnnotatorBoxes } from "./annotator_boxes";
import type { PageLayer } from "./page_layers";

const CLICK_PX = 4;

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
  /** the page whose image, or why there is none, is on the sheet */
  readonly shown = signal<Pt.Place | null>(null);
  private readonly stage = new Stage({ onView: () => this.image.load() });
  private readonly image: StageImage;
  private readonly boxes: AnnotatorBoxes;
  private props: ReviewedPageProps | null = null;

  constructor(
    imageUrl: (sha: string, page: number, dpi: number) => string,
    private readonly onTake: (attempt: string, box: Pt.ReviewedBox) => void,
  ) {
    this.image = new StageImage(this.stage, {
      imageUrl,
      onPainted: (page) => {
        this.painted.value = page;
        if (page !== null) this.noteShown();
      },
      onFailed: () => this.noteShown(),
      failure: t("The image of the page is not available now. Open the page again."),
    });
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
    this.image.turn(null);
    this.stage.destroy();
  }

  private turn({ place, source, nearby }: ReviewedPageProps) {
    this.stage.setNotice(place && !source ? t("This page is not in the collection.") : null);
    this.shown.value = null;
    this.image.turn(source);
    if (!source) {
      this.noteShown();
      return;
    }
    this.image.load();
    for (const page of nearby) this.image.fetchAhead(page);
  }

  private noteShown() {
    this.shown.value = this.props?.place ?? null;
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
