/** Page images, decoded ahead of their turn so that showing one costs a paint and nothing else. */

import { t } from "../messages";

const LIMIT = 14;

interface ImageEntry {
  image: HTMLImageElement;
  promise: Promise<HTMLImageElement>;
  done: boolean;
  /** fetched ahead of its turn */
  ahead: boolean;
}

export class PageImages {
  urlFor: (sha: string, page: number, dpi: number) => string;
  entries: Map<string, ImageEntry>;

  constructor(urlFor: (sha: string, page: number, dpi: number) => string) {
    this.urlFor = urlFor;
    this.entries = new Map();
  }

  /** A decoded image, or null. */
  ready(sha: string, page: number, dpi: number) {
    const entry = this.entries.get(`${sha}/${page}/${dpi}`);
    return entry?.done ? entry.image : null;
  }

  /**
   * Fetch and decode an image.
   * @returns rejects when the image is not available now
   */
  load(
    sha: string,
    page: number,
    dpi: number,
    priority: "high" | "low" = "high",
  ): Promise<HTMLImageElement> {
    const key = `${sha}/${page}/${dpi}`;
    const known = this.entries.get(key);
    // What was fetched ahead and is wanted now goes before what others have fetched ahead.
    if (known && (known.done || !known.ahead || priority === "low")) {
      this.entries.delete(key);
      this.entries.set(key, known); // the most recently used last
      return known.promise;
    }
    const image = new Image();
    image.decoding = "sync";
    image.fetchPriority = priority;
    image.draggable = false;
    image.alt = t("Page {page}", { page });
    const url = this.urlFor(sha, page, dpi);
    const ahead = priority === "low";
    const decoded = () => {
      image.src = url;
      return image.decode();
    };
    const promise = (ahead ? fetchAhead(url).then(decoded) : decoded()).then(
      () => {
        entry.done = true;
        return image;
      },
      (error) => {
        if (this.entries.get(key) === entry) this.entries.delete(key);
        throw error;
      },
    );
    const entry: ImageEntry = { image, promise, done: false, ahead };
    this.entries.set(key, entry);
    this.trim();
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

  trim() {
    for (const key of this.entries.keys()) {
      if (this.entries.size <= LIMIT) return;
      this.entries.delete(key);
    }
  }
}

/** Have an image in the browser's cache; a server that has more to do refuses it. */
async function fetchAhead(url: string) {
  const reply = await fetch(url, { priority: "low", headers: { "X-Pagetrail-Ahead": "1" } });
  if (!reply.ok) throw new Error(`not fetched ahead: ${reply.status}`);
  await reply.blob();
}

const channel = new MessageChannel();
const afterFrame: ((now: number) => void)[] = [];
channel.port1.onmessage = () => {
  for (const callback of afterFrame.splice(0)) callback(performance.now());
};

/**
 * Call back once the present DOM has been painted: a frame's callback runs before its paint, a
 * message posted from there after it.
 */
export function afterPaint(callback: (now: number) => void) {
  requestAnimationFrame(() => {
    afterFrame.push(callback);
    channel.port2.postMessage(null);
  });
}
