/**
 * The page viewer: which page is open, how it was reached, images fetched ahead, the moment a page
 * was really painted. Turning happens here, in the client; the server only learns of it.
 */

import { h } from "../../shared/dom.js";
import { dpiFor } from "../../shared/page_geometry.js";
import { afterPaint, PageImages } from "../../shared/page_images.js";
import { Stage } from "../../shared/page_stage.js";
import { includesPlace, samePlace } from "../../shared/places.js";
import { Thumbnails } from "./thumbnails.js";
import { createViewBar } from "./toolbar.js";
import { reportTurn } from "./turn_times.js";

const RETRY_MS = [1000, 2000, 4000, 8000];
const BACK = new Set(["first", "previous"]);

export class Viewer {
  /**
   * @param {any} host pageUrl(sha, page, dpi), documentInfo(name), onPainted(target),
   *   onView(view), onCite(target), onRail(open), onRead(), onOpen(target), highlights(target)
   */
  constructor(host) {
    this.host = host;
    this.target = null;
    this.info = null;
    this.token = 0;
    this.allowed = null;
    this.model = { cited: false, readOnly: false, evidence: true, rail: true, reading: false };
    this.images = new PageImages(host.pageUrl);
    this.stage = new Stage({ onView: (view, byHand) => this.viewChanged(view, byHand) });
    this.thumbnails = new Thumbnails({
      url: (sha, page) => host.pageUrl(sha, page, 40),
      open: (page, stamp) => this.goTo({ ...this.target, page }, "thumbnail", stamp),
    });
    this.bar = createViewBar({
      turn: (/** @type {string} */ via, /** @type {number} */ stamp) => this.turn(via, stamp),
      jump: (/** @type {number} */ page, /** @type {number} */ stamp) => this.jump(page, stamp),
      zoomStep: (/** @type {any} */ direction) => this.target && this.stage.zoomStep(direction),
      zoomTo: (/** @type {number} */ zoom) => this.target && this.stage.zoomTo(zoom),
      fit: (/** @type {any} */ fit) => this.fit(fit),
      rotate: () => this.rotate(),
      cite: () => this.target && host.onCite(this.target),
      toggleRail: () => host.onRail(!this.model.rail),
      toggleReading: () => host.onRead(),
    });
    this.empty = h("div", { class: "empty", testid: "viewer-empty" });
    this.bars = h("div", {}, this.bar.element);
    this.element = h(
      "section",
      { class: "viewer column", "aria-label": "Viewer" },
      this.bars,
      h("div", { class: "viewer-body" }, this.thumbnails.element, this.stage.element, this.empty),
    );
    this.update({});
  }

  /** @param {any} change of what the bar shows */
  update(change) {
    Object.assign(this.model, change);
    const position = this.position();
    this.bar.update({
      ...this.model,
      page: this.target,
      total: this.info?.n_pages ?? 0,
      canBack: position > 0,
      canForward: position >= 0 && position < this.count() - 1,
      view: this.stage.view,
    });
    this.empty.hidden = Boolean(this.target);
    this.stage.element.hidden = !this.target;
    this.thumbnails.element.hidden = !this.target || !this.model.rail || this.model.reading;
  }

  /** @param {Pt.Place[] | null} pages that turning is limited to, in this order; null for all */
  setAllowed(pages) {
    this.allowed = pages;
  }

  /** @param {Pt.Place} place */
  mayOpen({ document, page }) {
    return !this.allowed || includesPlace(this.allowed, { document, page });
  }

  position() {
    if (!this.target) return -1;
    if (!this.allowed) return this.target.page - 1;
    return this.allowed.findIndex((place) => samePlace(place, this.target));
  }

  /** @param {number} index */
  pageAt(index) {
    return this.allowed ? this.allowed[index] : { ...this.target, page: index + 1 };
  }

  count() {
    return this.allowed ? this.allowed.length : (this.info?.n_pages ?? 0);
  }

  /**
   * Turn: first, previous, next, last. Each call counts, however fast they come.
   * @param {string} via
   * @param {number} stamp
   */
  turn(via, stamp) {
    if (!this.target) return;
    const here = this.position();
    const to = /** @type {any} */ (
      { first: 0, previous: here - 1, next: here + 1, last: this.count() - 1 }[via]
    );
    if (to < 0 || to >= this.count() || to === here) return;
    this.goTo({ ...this.target, ...this.pageAt(to) }, via, stamp);
  }

  /**
   * Go to a page of the open document by number; false when there is none.
   * @param {number} page
   * @param {number} stamp
   */
  jump(page, stamp) {
    if (!this.target || !(page >= 1 && page <= this.info.n_pages)) return false;
    if (!this.mayOpen({ ...this.target, page })) return false;
    if (page !== this.target.page) this.goTo({ ...this.target, page }, "jump", stamp);
    return true;
  }

  /**
   * Open a page.
   * @param {any} target
   * @param {string} via how it was reached
   * @param {number} [stamp] when the click happened, on performance.now()'s clock
   */
  async goTo(target, via, stamp = performance.now()) {
    this.token += 1;
    const { token } = this;
    let info = this.host.documentInfo(target.document);
    if (info instanceof Promise) {
      info = await info.catch(() => null);
      if (token !== this.token) return;
      if (!info) {
        this.stage.setNotice(`${target.document} cannot be opened now.`);
        return;
      }
    }
    clearTimeout(this.retryTimer);
    const page = Math.min(Math.max(1, target.page), info.n_pages);
    const sameDocument = this.info === info;
    this.info = info;
    this.target = { search_id: null, ...target, page, via };
    this.painted = false;
    this.refusedDpi = 0;
    this.stage.pane.setAttribute("aria-busy", "true");
    this.stage.setNotice(null);
    this.stage.element.hidden = false;
    this.stage.setPage(info.pages[page - 1] ?? [612, 792]);
    this.show(token, stamp, 0);
    this.host.onOpen(this.target);
    if (!sameDocument || this.allowed) this.thumbnails.setDocument(info, this.allowedHere());
    this.thumbnails.setCurrent(page);
    this.stage.pane.setAttribute("aria-label", `Page ${page} of ${target.document}`);
    this.update({});
  }

  allowedHere() {
    const here = this.allowed?.filter(({ document }) => document === this.target.document);
    return here?.map(({ page }) => page) ?? null;
  }

  get dpi() {
    return dpiFor(this.stage.view.zoom, window.devicePixelRatio || 1);
  }

  /** @param {number} token @param {number} stamp @param {number} attempt */
  show(token, stamp, attempt) {
    const { sha256 } = this.info;
    const { page } = this.target;
    const { dpi } = this;
    const ready = this.images.ready(sha256, page, dpi);
    if (ready) {
      this.paint(ready, token, stamp);
      return;
    }
    const rough = this.images.ready(sha256, page, dpi === 220 ? 150 : 220);
    if (rough) this.paint(rough, token, stamp);
    this.images.load(sha256, page, dpi).then(
      (image) => {
        if (token === this.token) this.paint(image, token, stamp);
      },
      async () => {
        const refusal = await this.images.refusal(sha256, page, dpi);
        if (token !== this.token) return;
        if (!this.painted) {
          this.stage.setNotice(refusal ?? "Page image not available. Retrying…");
        }
        if (refusal) {
          this.refusedDpi = dpi;
          return;
        }
        const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
        this.retryTimer = setTimeout(() => {
          if (token === this.token) this.show(token, stamp, attempt + 1);
        }, wait);
      },
    );
  }

  /** @param {any} image @param {number} token @param {number} stamp */
  paint(image, token, stamp) {
    this.stage.setNotice(null);
    this.stage.setImage(image);
    if (this.painted) return;
    this.painted = true;
    const { target } = this;
    afterPaint((now) => {
      if (token !== this.token) return;
      reportTurn(target, stamp, now);
      this.host.onPainted(target);
      this.stage.pane.setAttribute("aria-busy", "false");
      this.showHighlights(token);
      this.prefetch(token);
    });
  }

  /** @param {number} token */
  async showHighlights(token) {
    const boxes = await this.host.highlights(this.target);
    if (token === this.token) this.stage.setHighlights(boxes);
  }

  /** Fetch the neighbours, those in the direction of travel first. @param {number} token */
  async prefetch(token) {
    const here = this.position();
    const ahead = BACK.has(this.target.via) ? [-1, -2, 1, 2] : [1, -1, 2, -2];
    for (const step of ahead) {
      const index = here + step;
      if (index < 0 || index >= this.count()) continue;
      const to = this.pageAt(index);
      const info = this.host.documentInfo(to.document);
      if (info instanceof Promise) continue;
      // One behind the other: a turn made meanwhile must not queue behind four images.
      await this.images.load(info.sha256, to.page, this.dpi, "low").catch(() => null);
      if (token !== this.token) return;
    }
  }

  /** @type {(view: any, byHand: boolean) => void} */
  viewChanged(view, byHand) {
    if (
      this.target &&
      (this.painted || this.refusedDpi) &&
      this.refusedDpi !== this.dpi &&
      !this.images.ready(this.info.sha256, this.target.page, this.dpi)
    ) {
      this.show(this.token, performance.now(), 0);
    }
    this.update({});
    if (byHand) this.host.onView(view);
  }

  /** @param {any} view a stored one, to restore without recording it */
  restoreView(view) {
    this.stage.setView({ ...view }, { byHand: false });
  }

  /** @param {any} fit */
  fit(fit) {
    if (this.target) this.stage.setView({ fit });
  }

  rotate() {
    if (this.target) this.stage.setView({ rotation: (this.stage.view.rotation + 90) % 360 });
  }

  /** The connection is back: try a missing image at once. */
  retry() {
    if (this.target && !this.painted) {
      clearTimeout(this.retryTimer);
      this.show(this.token, performance.now(), 0);
    }
    this.thumbnails.render();
  }

  /** No page open. */
  close() {
    this.token += 1;
    clearTimeout(this.retryTimer);
    this.target = null;
    this.info = null;
    this.stage.clear();
    this.stage.setNotice(null);
    this.update({});
  }

  destroy() {
    clearTimeout(this.retryTimer);
    this.stage.destroy();
    this.thumbnails.destroy();
  }
}
