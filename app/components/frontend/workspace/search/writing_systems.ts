/** Queries in writing systems that put no spaces between words. */

import { N_ } from "../../shared/messages";

// Kana, Han, Hangul (particles follow the word without a space), Thai, Lao, Khmer, Burmese.
const RUNS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * Whether a word of the query may be part of a longer one for the search, which takes everything
 * between spaces and punctuation as one word. Stars say so already.
 */
export const runsTogether = (query: string) => RUNS.test(query) && !query.includes("*");

export const STARS = N_(
  "Where words follow each other without spaces, put stars around them, such as *売上高*.",
);
