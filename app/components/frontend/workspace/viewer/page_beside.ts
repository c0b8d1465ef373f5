/** A second page beside the open one, of the same document or another: to look at, not to work on. */

import { iconButton } from "../../shared/buttons";
import { h, setText } from "../../shared/dom";
import { t } from "../../shared/messages";
import { dpiFor } from "../../shared/page/page_geometry";
import { PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { placeWords } from "../../shared/places";
import type { Workspace } from "../workspace";

export class PageBeside {
  screen: Workspace;
  place: Pt.Place | null;
  stage: Stage | null;
  images: PageImages;
  name: HTMLSpanElement;
  element: HTMLElement;
  info: any;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.place = null;
    this.stage = null;
    // Images of its own: one that is in both panes cannot be one element.
    this.images = new PageImages((sha, page, dpi) => screen.attempt.api.pageUrl(sha, page, dpi));
    this.name = h("span", { class: "document-name quiet ellipsis medium", testid: "beside-name" });
    this.element = h(
      "section",
      { class: "beside column", "aria-label": t("Page beside"), testid: "beside", hidden: true },
      h(
        "div",
        { class: "beside-bar line" },
        this.name,
        iconButton(
          "swap",
          t("Swap the two pages (Shift+D)"),
          (event) => this.swap(event.timeStamp),
          { testid: "beside-swap" },
        ),
        iconButton("close", t("Put the page away (d)"), () => this.toggle(), {
          testid: "beside-close",
        }),
      ),
    );
    screen.viewer.stage.element.after(this.element);
    screen.commands.register("beside", () => this.toggle());
    screen.commands.register("swapBeside", (event) => this.swap(event.timeStamp));
    screen.store.watch(["attempt"], () => this.put(null));
  }

  /** Keep the open page beside, or put away what is there. */
  toggle() {
    const { page } = this.screen.store.data;
    if (!page && !this.place) return false;
    const place = this.place || !page ? null : { document: page.document, page: page.page };
    this.put(place);
    this.record(place);
    return true;
  }

  /** The page beside is opened, and the open one is beside. */
  swap(stamp: number) {
    const { page } = this.screen.store.data;
    const other = this.place;
    if (!page || !other) return false;
    const place = { document: page.document, page: page.page };
    this.put(place);
    this.record(place);
    this.screen.viewer.goTo(other, "beside", stamp);
    return true;
  }

  record(place: Pt.Place | null) {
    this.screen.attempt.record("page_beside", place ?? { document: null, page: null });
    if (!place) this.screen.viewer.focusPage();
  }

  /** Show a page, or nothing. */
  async put(place: Pt.Place | null) {
    this.place = place;
    this.element.hidden = !place;
    this.screen.store.set({ beside: Boolean(place) });
    if (!place) return;
    setText(this.name, placeWords(place));
    const info = await this.screen.attempt.documentInfo(place.document);
    if (place !== this.place) return;
    this.info = info;
    const stage = this.prepare();
    stage.setPage(info.pages[place.page - 1] ?? [612, 792]);
    stage.pane.setAttribute("aria-label", t("Beside: {place}", { place: placeWords(place) }));
    this.paint();
  }

  prepare() {
    if (this.stage) return this.stage;
    this.stage = new Stage({ onView: () => this.paint() });
    this.stage.pane.dataset.testid = "beside-pane";
    delete this.stage.hintText.dataset.testid;
    this.element.append(this.stage.element);
    return this.stage;
  }

  /** The image that suits the zoom. */
  async paint() {
    const { place, stage, info } = this;
    if (!place || !stage || !info) return;
    const dpi = dpiFor(stage.view.zoom, window.devicePixelRatio || 1);
    const image = await this.images.load(info.sha256, place.page, dpi).catch(() => null);
    if (place !== this.place) return;
    if (image) stage.setImage(image);
    stage.setNotice(image ? null : t("Page image not available."));
  }
}
