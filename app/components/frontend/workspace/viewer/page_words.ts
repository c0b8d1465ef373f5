/** The words of pages with their places, fetched when a tool first wants them, and kept. */

import { ApiError } from "../../shared/api";

const KEPT = 24;
const NONE: Pt.Word[] = [];

interface PageEntry {
  words: Pt.Word[] | null;
  promise: Promise<Pt.Word[]>;
}

export class PageWords {
  fetchWords: (place: { document: string; page: number }) => Promise<{ words: Pt.Word[] }>;
  pages: Map<string, PageEntry>;

  constructor(
    fetchWords: (place: { document: string; page: number }) => Promise<{ words: Pt.Word[] }>,
  ) {
    this.fetchWords = fetchWords;
    this.pages = new Map();
  }

  /**
   * The words of a page in reading order, [x0, y0, x1, y1, text] in points.
   * @returns empty where there are none, or where they is not available now
   */
  load(place: Pt.Place): Promise<Pt.Word[]> {
    const key = `${place.page}/${place.document}`;
    const known = this.pages.get(key);
    if (known) {
      this.pages.delete(key);
      this.pages.set(key, known);
      return known.promise;
    }
    const promise = this.fetchWords(place).then(
      ({ words }) => {
        entry.words = words;
        return words;
      },
      (error) => {
        this.pages.delete(key); // an aid: boxes can be drawn without it, and it is asked for again
        if (error instanceof ApiError) return NONE;
        throw error;
      },
    );
    const entry: PageEntry = { words: null, promise };
    this.pages.set(key, entry);
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= KEPT) break;
      this.pages.delete(oldest);
    }
    return entry.promise;
  }

  /** The words of a page, or null while they are not here. */
  known(place: Pt.Place) {
    return this.pages.get(`${place.page}/${place.document}`)?.words ?? null;
  }
}
