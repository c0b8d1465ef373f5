/**
 * Shows the images of pages: the best there is at once, the right one when it has come, neighbours
 * ahead of their turn, and the moment a page was really painted.
 */

import { t } from "../../shared/messages";
import type { Resolution } from "../../shared/page/page_geometry";
import { afterPaint, PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { includesPlace, samePlace } from "../../shared/places";
import { reportTurn } from "./turn_times";

const NO_SIZE: Pt.Size = [612, 792];
const RETRY_MS = [1000, 2000, 4000, 8000];
const BACK = new Set(["first", "previous"]);

/** What the viewer asks and tells. */
export interface ViewerHost {
  pageUrl: (sha: string, page: number, dpi: number) => string;
  documentInfo: (name: string) => Pt.ShownDocument | Promise<Pt.ShownDocument>;
  highlights: (target: Pt.OpenPage) => Promise<Pt.Rect[]>;
  onOpen: (target: Pt.PaintedPage) => void;
  onPainted: (target: Pt.PaintedPage) => void;
  /** Zoom, fit or rotation was changed by hand. */
  onView: (view: Pt.View) => void;
}

export class PagePainter {
  host: ViewerHost;
  target: Pt.PaintedPage | null;
  info: Pt.ShownDocument | null;
  token: number;
  allowed: Pt.Place[] | null;
  images: PageImages;
  stage: Stage;

  retryTimer: ReturnType<typeof setTimeout> | undefined;
  painted = false;
  refusedDpi = 0;
  /** whether the open page's image is being fetched, after which the zoom is looked at again */
  private loadingToken = 0;

  constructor(host: ViewerHost) {
    this.host = host;
    this.target = null;
    this.info = null;
    this.token = 0;
    this.allowed = null;
    this.images = new PageImages(host.pageUrl);
    this.stage = new Stage({ onView: (view, byHand) => this.viewChanged(view, byHand) });
  }

  /** @param pages that turning is limited to, in this order; null for all */
  setAllowed(pages: Pt.Place[] | null) {
    this.allowed = pages;
  }

  mayOpen({ document, page }: Pt.Place) {
    return !this.allowed || includesPlace(this.allowed, { document, page });
  }

  position() {
    if (!this.target) return -1;
    if (!this.allowed) return this.target.page - 1;
    return this.allowed.findIndex((place) => samePlace(place, this.target));
  }

  /** The page of that index among those that turning goes to. */
  pageAt(index: number): Pt.Place | null {
    if (this.allowed) return this.allowed[index] ?? null;
    return this.target && { document: this.target.document, page: index + 1 };
  }

  count() {
    return this.allowed ? this.allowed.length : (this.info?.n_pages ?? 0);
  }

  private resolutionOf(info: Pt.ShownDocument, page: number): Resolution {
    return this.stage.resolutionFor(info.pages[page - 1] ?? NO_SIZE);
  }

  show(token: number, stamp: number, attempt: number) {
    const { info, target } = this;
    if (!info || !target) return;
    const { sha256 } = info;
    const { page } = target;
    const resolution = this.resolutionOf(info, page);
    const ready = this.images.ready(sha256, page, resolution);
    if (ready) {
      this.paint(ready, token, stamp);
      return;
    }
    if (!this.painted) {
      const rough = this.images.anyReady(sha256, page);
      if (rough) this.paint(rough, token, stamp);
    }
    if (this.loadingToken === token) return;
    this.loadingToken = token;
    this.images.load(sha256, page, resolution).then(
      (image) => {
        if (token !== this.token) return;
        this.loadingToken = 0;
        this.paint(image, token, stamp);
        this.sharpen();
      },
      async () => {
        const refusal = await this.images.refusal(sha256, page, resolution.dpi);
        if (token !== this.token) return;
        this.loadingToken = 0;
        if (!this.painted) {
          this.stage.setNotice(refusal ?? t("Page image not available. Retrying…"));
        }
        if (refusal) {
          this.refusedDpi = resolution.dpi;
          return;
        }
        const wait = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
        this.retryTimer = setTimeout(() => {
          if (token === this.token) this.show(token, stamp, attempt + 1);
        }, wait);
      },
    );
  }

  paint(image: HTMLCanvasElement, token: number, stamp: number) {
    this.stage.setNotice(null);
    this.stage.setImage(image);
    if (this.painted) return;
    this.painted = true;
    const { target } = this;
    afterPaint((now) => {
      if (token !== this.token || !target) return;
      reportTurn(target, stamp, now);
      this.host.onPainted(target);
      this.stage.pane.setAttribute("aria-busy", "false");
      this.showHighlights(target, token);
      this.prefetch(target, token);
    });
  }

  async showHighlights(target: Pt.PaintedPage, token: number) {
    const boxes = await this.host.highlights(target);
    if (token === this.token) this.stage.setHighlights(boxes);
  }

  /** Fetch the neighbours, those in the direction of travel first. */
  async prefetch(target: Pt.PaintedPage, token: number) {
    const here = this.position();
    const ahead = BACK.has(target.via) ? [-1, -2, 1, 2] : [1, -1, 2, -2];
    for (const step of ahead) {
      const index = here + step;
      if (index < 0 || index >= this.count()) continue;
      const to = this.pageAt(index);
      if (!to) continue;
      const info = this.host.documentInfo(to.document);
      if (info instanceof Promise) continue;
      // One behind the other: a turn made meanwhile must not queue behind four images.
      const resolution = this.resolutionOf(info, to.page);
      await this.images.load(info.sha256, to.page, resolution, "low").catch(() => null);
      if (token !== this.token) return;
    }
  }

  /** Have an image of the size that the page is shown in now. */
  private sharpen() {
    const { info, target } = this;
    if (!target || !info || !(this.painted || this.refusedDpi)) return;
    const resolution = this.resolutionOf(info, target.page);
    if (this.refusedDpi === resolution.dpi) return;
    const ready = this.images.ready(info.sha256, target.page, resolution);
    if (!ready?.isConnected) this.show(this.token, performance.now(), 0);
  }

  viewChanged(view: Pt.View, byHand: boolean) {
    this.sharpen();
    if (byHand) this.host.onView(view);
  }

  /** The connection is back: try a missing image at once. */
  retry() {
    if (this.target && !this.painted) {
      clearTimeout(this.retryTimer);
      this.show(this.token, performance.now(), 0);
    }
  }
}
