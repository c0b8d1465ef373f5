/** The image of a page on a stage: as sharp as its zoom needs, no sharper. */

import { PageImages } from "./page_images";
import type { Stage } from "./page_stage";

const RESOLUTIONS_DPI = [40, 75, 150];
const SHARPEST_DPI = 220;
const SHARP_ENOUGH = 0.92;

/** Where the image of a page comes from. */
export interface PageSource {
  sha: string;
  number: number;
  size: Pt.Size;
}

interface StageImageHost {
  imageUrl: (sha: string, page: number, dpi: number) => string;
  /** The image of a page is on the sheet; null while none is. */
  onPainted: (page: number | null) => void;
  /** Its failure is said there instead. */
  onFailed?: () => void;
  /** said over the page */
  failure: string;
}

export class StageImage {
  private readonly images: PageImages;
  private source: PageSource | null = null;
  /** pixels across of the image that is on the sheet or was asked for */
  private width = 0;

  constructor(
    private readonly stage: Stage,
    private readonly host: StageImageHost,
  ) {
    this.images = new PageImages(host.imageUrl);
  }

  /** Show the empty sheet of a page, or nothing. */
  turn(source: PageSource | null) {
    this.source = null;
    this.width = 0;
    this.host.onPainted(null);
    if (source) this.stage.setPage(source.size);
    else this.stage.clear();
    this.source = source;
  }

  /** Bring the image of the page onto the sheet, or a sharper one. */
  load(onlyIfReady = false) {
    const { source, stage } = this;
    if (!source) return;
    const resolution = this.resolutionFor(source);
    const width = resolution.pixels?.[0] ?? (source.size[0] * resolution.dpi) / 72;
    if (width <= this.width) return;
    const ready = this.images.ready(source.sha, source.number, resolution);
    if (!ready && onlyIfReady) return;
    this.width = width;
    const show = (image: HTMLCanvasElement) => {
      if (this.source !== source || this.width !== width) return;
      stage.setImage(image);
      this.host.onPainted(source.number);
    };
    if (ready) show(ready);
    else
      this.images.load(source.sha, source.number, resolution).then(show, () => {
        if (this.source !== source) return;
        stage.setNotice(this.host.failure);
        this.host.onFailed?.();
      });
  }

  fetchAhead(source: PageSource) {
    const resolution = this.resolutionFor(source);
    this.images.load(source.sha, source.number, resolution, "neighbour").catch(() => {});
  }

  private resolutionFor({ size }: PageSource) {
    const needed = this.stage.scale * 72 * (window.devicePixelRatio || 1);
    const dpi = RESOLUTIONS_DPI.find((dpi) => dpi >= SHARP_ENOUGH * needed) ?? SHARPEST_DPI;
    return this.stage.resolutionFor(size, dpi);
  }
}
