/** A second page beside the open one, of the same document or another: to look at, not to work on. */

import { iconButton } from "../../shared/buttons.js";
import { h, setText } from "../../shared/dom.js";
import { dpiFor } from "../../shared/page/page_geometry.js";
import { PageImages } from "../../shared/page/page_images.js";
import { Stage } from "../../shared/page/page_stage.js";
import { placeWords } from "../../shared/places.js";

export class PageBeside {
  /** @param {import("../workspace.js").Workspace} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Pt.Place | null} */
    this.place = null;
    /** @type {Stage | null} */
    this.stage = null;
    // Images of its own: one that is in both panes cannot be one element.
    this.images = new PageImages((sha, page, dpi) => screen.attempt.api.pageUrl(sha, page, dpi));
    this.name = h("span", { class: "document-name quiet ellipsis medium", testid: "beside-name" });
    this.element = h(
      "section",
      { class: "beside column", "aria-label": "Page beside", testid: "beside", hidden: true },
      h(
        "div",
        { class: "beside-bar line" },
        this.name,
        iconButton("swap", "Swap the two pages (Shift+D)", (event) => this.swap(event.timeStamp), {
          testid: "beside-swap",
        }),
        iconButton("close", "Put the page away (d)", () => this.toggle(), {
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
    const place = this.place ? null : { document: page.document, page: page.page };
    this.put(place);
    this.record(place);
    return true;
  }

  /** The page beside is opened, and the open one is beside. @param {number} stamp */
  swap(stamp) {
    const { page } = this.screen.store.data;
    const other = this.place;
    if (!page || !other) return false;
    const place = { document: page.document, page: page.page };
    this.put(place);
    this.record(place);
    this.screen.viewer.goTo(other, "beside", stamp);
    return true;
  }

  /** @param {Pt.Place | null} place */
  record(place) {
    this.screen.attempt.record("page_beside", place ?? { document: null, page: null });
    if (!place) this.screen.viewer.focusPage();
  }

  /** Show a page, or nothing. @param {Pt.Place | null} place */
  async put(place) {
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
    stage.pane.setAttribute("aria-label", `Beside: ${placeWords(place)}`);
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
    stage.setNotice(image ? null : "Page image not available.");
  }
}
