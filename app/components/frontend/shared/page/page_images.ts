/** Images of pages, decoded ahead of their turn so that showing one costs a paint and nothing else. */

import { t } from "../messages";
import type { Resolution } from "./page_geometry";
import { fetchReduced, showBitmap } from "./reduced_images";

/** of the images that the server has drawn before they are asked for */
export const THUMBNAIL_DPI = 40;
const PIXELS_KEPT = 6_000_000; // 24 MB, twice that once they have been shown
const PAGES_KEPT = 6; // the open page, its neighbours and the one before a jump, of whatever size

/** Whether somebody waits for an image, or it is fetched ahead: probably needed, or a neighbour. */
type Need = "now" | "likely" | "neighbour";

interface ImageEntry {
  /** null until it is decoded */
  image: HTMLCanvasElement | null;
  promise: Promise<HTMLCanvasElement>;
  /** stops what is fetched ahead of its turn; null for what is waited for */
  stop: AbortController | null;
}

export class PageImages {
  urlFor: (sha: string, page: number, dpi: number) => string;
  entries: Map<string, ImageEntry>;
  /** to be used again: a browser frees what it has drawn of a canvas when it collects garbage */
  private readonly spare: HTMLCanvasElement[] = [];

  constructor(urlFor: (sha: string, page: number, dpi: number) => string) {
    this.urlFor = urlFor;
    this.entries = new Map();
  }

  /** A decoded image, or null. */
  ready(sha: string, page: number, resolution: Resolution) {
    return this.entries.get(keyOf(sha, page, resolution))?.image ?? null;
  }

  /** A decoded image of the page in any resolution, the one used last; or null. */
  anyReady(sha: string, page: number) {
    let last: HTMLCanvasElement | null = null;
    for (const [key, { image }] of this.entries)
      if (image && key.startsWith(`${sha}/${page}/`)) last = image;
    return last;
  }

  /**
   * Fetch and decode an image.
   * @param need what is fetched ahead is refused by a server that has more to do
   * @param stop stops what is fetched ahead
   * @returns rejects when the image is not available now
   */
  load(
    sha: string,
    page: number,
    resolution: Resolution,
    need: Need = "now",
    stop = new AbortController(),
  ): Promise<HTMLCanvasElement> {
    const key = keyOf(sha, page, resolution);
    const known = this.entries.get(key);
    if (known && (known.image || need !== "now" || !known.stop)) {
      this.entries.delete(key);
      this.entries.set(key, known); // the most recently used last
      return known.promise;
    }
    // What is waited for now goes before what others have fetched ahead, and needs no second answer.
    known?.stop?.abort();
    const request: RequestInit =
      need === "now"
        ? { priority: "high" }
        : { priority: "low", headers: { "X-Pagetrail-Ahead": need }, signal: stop.signal };
    const url = this.urlFor(sha, page, resolution.dpi);
    const promise = fetchReduced(url, request, resolution.pixels).then(
      (bitmap) => {
        const image = this.spare.pop() ?? document.createElement("canvas");
        image.setAttribute("role", "img");
        image.setAttribute("aria-label", t("Page {page}", { page }));
        showBitmap(image, bitmap);
        entry.image = image;
        this.trim();
        return image;
      },
      (error) => {
        if (this.entries.get(key) === entry) this.entries.delete(key);
        throw error;
      },
    );
    const entry: ImageEntry = { image: null, promise, stop: need === "now" ? null : stop };
    this.entries.set(key, entry);
    return promise;
  }

  /** Why the server does not draw this image, as a sentence; null where it is worth another try. */
  async refusal(sha: string, page: number, dpi: number): Promise<string | null> {
    try {
      const reply = await fetch(this.urlFor(sha, page, dpi));
      return reply.status === 422 ? (await reply.json()).error.message : null;
    } catch {
      return null;
    }
  }

  /** Release the images that have not been used for longest. */
  private trim() {
    const images = [...this.entries].flatMap(([key, { image }]) => (image ? { key, image } : []));
    let count = images.length;
    let pixels = images.reduce((sum, { image }) => sum + image.width * image.height, 0);
    for (const { key, image } of images) {
      if (count <= PAGES_KEPT || pixels <= PIXELS_KEPT) return;
      if (image.isConnected) continue;
      count -= 1;
      pixels -= image.width * image.height;
      this.entries.delete(key);
      this.spare.push(image);
    }
  }
}

function keyOf(sha: string, page: number, { dpi, pixels }: Resolution) {
  return `${sha}/${page}/${dpi}/${pixels}`;
}
