/** The page that one attempt has before its eyes, with the boxes that are on it then. */

import { h, setAttr, setText } from "../shared/dom";
import { lookOf } from "../shared/label_styles";
import { localised } from "../shared/notation";
import { BoxLayer } from "../shared/page/box_layer";
import type { PageImages } from "../shared/page/page_images";
import { Stage } from "../shared/page/page_stage";
import { pageWords } from "./formatting";
import type { Track } from "./script_state";

const SETTLE_MS = 90;
const verdictOf = (box: any) => box.verdict;

export class Pane {
  track: Track;
  images: PageImages;
  stage: Stage;
  layer: BoxLayer;
  look: (label: string) => any;
  name: HTMLSpanElement;
  number: HTMLSpanElement;
  title: HTMLSpanElement;
  why: HTMLSpanElement;
  fit: HTMLButtonElement;
  element: HTMLElement;
  page: any;
  wanted: any;
  timer: number | undefined;

  dpi: any;

  constructor(track: Track, images: PageImages) {
    this.track = track;
    this.images = images;
    this.stage = new Stage({ onView: () => this.picture() });
    this.stage.setView({ fit: "page" });
    this.layer = new BoxLayer(this.stage);
    this.stage.onLayout = () => this.layer.layout();
    this.look = (label: string) => lookOf(track.data.labels, label);
    this.name = h("span", { class: "ellipsis" });
    this.number = h("span", {});
    this.title = h("span", { class: "pane-title", testid: "replay-page" }, this.name, this.number);
    this.why = h("span", { class: "pane-why caption", testid: "replay-why" });
    this.fit = h("button", {
      type: "button",
      class: "button small quiet-button",
      text: "Page width",
      on: { click: () => this.toggleFit() },
    });
    this.element = h(
      "section",
      { class: "replay-pane column", "aria-label": "Page" },
      h("div", { class: "pane-head line" }, this.title, this.why, this.fit),
      this.stage.element,
    );
    this.page = null;
    this.turn(null, false);
  }

  toggleFit() {
    const fit = this.stage.view.fit === "width" ? "page" : "width";
    this.stage.setView({ fit });
    this.fit.textContent = fit === "width" ? "Whole page" : "Page width";
  }

  /**
   * Show a page and its boxes.
   * @param hurried whether many pages go by: images then wait until it settles
   */
  show(place: { page: number; label: string; note: string } | null, seq: number, hurried: boolean) {
    if (place?.page !== this.page?.page) this.turn(place, hurried);
    setText(this.why, localised(place?.label ?? ""));
    setAttr(this.why, "title", place?.label ? place.note : null);
    this.page = place;
    const boxes = place && this.stage.size ? this.track.boxes(place.page, seq) : [];
    this.layer.update({
      boxes,
      selected: null,
      hidden: false,
      readOnly: true,
      look: this.look,
      verdict: verdictOf,
      seed: this.track.data.seed,
    });
  }

  turn(place: any, hurried: boolean) {
    clearTimeout(this.timer);
    const page = place && this.track.pages[place.page];
    this.wanted = null;
    setText(this.name, page?.document ?? "");
    setText(this.number, page ? `, page ${page.number}` : "");
    setAttr(this.title, "title", page ? pageWords(page) : null);
    this.fit.hidden = !page?.size;
    setAttr(this.element, "data-page", page ? page.number : null);
    setAttr(this.element, "data-document", page ? page.document : null);
    setAttr(this.element, "data-painted", null);
    this.dpi = 0;
    if (!page?.size || !page.sha) {
      this.stage.clear();
      this.stage.setNotice(page ? "This page is not in the collection." : "No page is open yet.");
      return;
    }
    this.stage.setNotice(null);
    this.stage.setPage(page.size);
    this.wanted = page;
    if (hurried) this.timer = setTimeout(() => this.picture(), SETTLE_MS);
    this.picture(hurried);
  }

  resolution() {
    const needed = this.stage.scale * 72 * (window.devicePixelRatio || 1);
    return [40, 75, 150].find((dpi) => dpi >= 0.92 * needed) ?? 220;
  }

  /** Bring the image of the page onto the sheet, or a sharper one. */
  picture(onlyIfThere = false) {
    const page = this.wanted;
    if (!page) return;
    const dpi = this.resolution();
    if (dpi <= this.dpi) return;
    const ready = this.images.ready(page.sha, page.number, dpi);
    if (!ready && onlyIfThere) return;
    this.dpi = dpi;
    const paint = (image: any) => {
      if (this.wanted !== page || this.dpi !== dpi) return;
      this.stage.setImage(image);
      setAttr(this.element, "data-painted", page.number);
    };
    if (ready) {
      paint(ready);
      return;
    }
    this.images.load(page.sha, page.number, dpi).then(paint, () => {
      if (this.wanted === page) this.stage.setNotice("The page image could not be loaded. Reload.");
    });
  }

  /** Fetch a page that is to come. */
  ahead(index: number) {
    const page = this.track.pages[index];
    if (!page?.sha || !page.size) return;
    this.images.load(page.sha, page.number, this.resolution(), "low").catch(() => {});
  }

  destroy() {
    clearTimeout(this.timer);
    this.stage.destroy();
  }
}
