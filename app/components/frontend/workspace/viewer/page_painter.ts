/**
 * Paints the open page: the best image there is at once, the right one when it has come, those of
 * likely next pages ahead of their turn, and the moment a page was really painted.
 */

import { t } from "../../shared/messages";
import { afterPaint } from "../../shared/page/after_paint";
import type { Resolution } from "../../shared/page/page_geometry";
import { PageImages } from "../../shared/page/page_images";
import { Stage } from "../../shared/page/page_stage";
import { reportTurn } from "./turn_times";

const NO_SIZE: Pt.Size = [612, 792];
const RETRY_MS = [1000, 2000, 4000, 8000];
/** of a page that is opened in a viewer whose width is not known yet */
const USUAL: Resolution = { dpi: 150, pixels: null };

export interface PainterHost {
  pageUrl: (sha: string, page: number, dpi: number) => string;
  documentInfo: (name: string) => Pt.ShownDocument | Promise<Pt.ShownDocument>;
  highlights: (target: Pt.OpenPage) => Promise<Pt.Rect[]>;
  onPainted: (target: Pt.PaintedPage) => void;
  /** The page has no image, and never will; the sentence that says why is on screen. */
  onRefused: (target: Pt.PaintedPage) => void;
  /** Zoom, fit or rotation has changed. */
  onView: (view: Pt.View, byHand: boolean) => void;
  /** Pages that may be turned to from the open one, the likeliest first. */
  neighbours: () => Pt.Place[];
}

/** The page that is being painted, and when it was asked for on performance.now()'s clock. */
interface Opened {
  target: Pt.PaintedPage;
  info: Pt.ShownDocument;
  stamp: number;
}

export class PagePainter {
  readonly stage: Stage;
  painted = false;
  private readonly images: PageImages;
  private opened: Opened | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private refusedDpi = 0;
  /** of which the image is being fetched, after which the zoom is looked at again */
  private loading: Opened | null = null;
  /** stops what is fetched in case the first result is opened */
  private ahead: AbortController | null = null;

  constructor(private readonly host: PainterHost) {
    this.images = new PageImages(host.pageUrl);
    this.stage = new Stage({
      onView: (view, byHand) => {
        this.sharpen();
        host.onView(view, byHand);
      },
    });
  }

  open(target: Pt.PaintedPage, info: Pt.ShownDocument, stamp: number) {
    clearTimeout(this.retryTimer);
    this.opened = { target, info, stamp };
    this.painted = false;
    this.refusedDpi = 0;
    this.stage.pane.setAttribute("aria-busy", "true");
    this.stage.setNotice(null);
    this.stage.setPage(sizeOf(info, target.page));
    this.show();
  }

  /** No page is open. */
  close() {
    clearTimeout(this.retryTimer);
    this.ahead?.abort();
    this.opened = null;
    this.stage.clear();
    this.stage.setNotice(null);
  }

  /** The connection is back: try a missing image at once. */
  retry() {
    if (!this.opened || this.painted) return;
    clearTimeout(this.retryTimer);
    this.show();
  }

  /** Fetch the page that is likely to be opened next; the one that was before is not needed. */
  fetchAhead({ document, page }: Pt.Place) {
    this.ahead?.abort();
    const info = this.host.documentInfo(document);
    if (info instanceof Promise) return;
    this.ahead = new AbortController();
    const isKnown = this.stage.pane.clientWidth > 0;
    const resolution = isKnown ? this.resolutionOf(info, page) : USUAL;
    this.images.load(info.sha256, page, resolution, "likely", this.ahead).catch(() => null);
  }

  private resolutionOf(info: Pt.ShownDocument, page: number): Resolution {
    return this.stage.resolutionFor(sizeOf(info, page));
  }

  private show(failures = 0) {
    const { opened } = this;
    if (!opened) return;
    const { sha256 } = opened.info;
    const { page } = opened.target;
    const resolution = this.resolutionOf(opened.info, page);
    const ready = this.images.ready(sha256, page, resolution);
    if (ready) {
      this.paint(ready, opened);
      return;
    }
    if (!this.painted) {
      const rough = this.images.anyReady(sha256, page);
      if (rough) this.paint(rough, opened);
    }
    if (this.loading === opened) return;
    this.loading = opened;
    this.images.load(sha256, page, resolution).then(
      (image) => {
        if (opened !== this.opened) return;
        this.loading = null;
        this.paint(image, opened);
        this.sharpen();
      },
      async () => {
        const refusal = await this.images.refusal(sha256, page, resolution.dpi);
        if (opened !== this.opened) return;
        this.loading = null;
        if (!this.painted) {
          this.stage.setNotice(refusal ?? t("Page image not available. Retrying…"));
        }
        if (refusal) {
          this.refusedDpi = resolution.dpi;
          if (!this.painted) this.host.onRefused(opened.target);
          return;
        }
        const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
        this.retryTimer = setTimeout(() => {
          if (opened === this.opened) this.show(failures + 1);
        }, wait);
      },
    );
  }

  private paint(image: HTMLCanvasElement, opened: Opened) {
    this.stage.setNotice(null);
    this.stage.setImage(image);
    if (this.painted) return;
    this.painted = true;
    afterPaint((now) => {
      if (opened !== this.opened) return;
      const { target, stamp } = opened;
      reportTurn(target, stamp, now);
      this.host.onPainted(target);
      this.stage.pane.setAttribute("aria-busy", "false");
      this.showHighlights(opened);
      this.prefetch(opened);
    });
  }

  private async showHighlights(opened: Opened) {
    const boxes = await this.host.highlights(opened.target);
    if (opened === this.opened) this.stage.setHighlights(boxes);
  }

  /** One behind the other: a turn made meanwhile must not queue behind four images. */
  private async prefetch(opened: Opened) {
    for (const { document, page } of this.host.neighbours()) {
      const info = this.host.documentInfo(document);
      if (info instanceof Promise) continue;
      const resolution = this.resolutionOf(info, page);
      await this.images.load(info.sha256, page, resolution, "neighbour").catch(() => null);
      if (opened !== this.opened) return;
    }
  }

  /** Have an image of the size that the page is shown in now. */
  private sharpen() {
    const { opened } = this;
    if (!opened || !(this.painted || this.refusedDpi)) return;
    const { info, target } = opened;
    const resolution = this.resolutionOf(info, target.page);
    if (this.refusedDpi === resolution.dpi) return;
    const ready = this.images.ready(info.sha256, target.page, resolution);
    if (!ready?.isConnected) this.show();
  }
}

const sizeOf = (info: Pt.ShownDocument, page: number) => info.pages[page - 1] ?? NO_SIZE;
