/** Sentences and words that the server owns; a screen gets them with its data. */

import { insertValues, type Values } from "./messages";

let table: Record<string, string> = {};

/**
 * Take the server's sentences; called before a screen is made.
 * @param sentences with {names} for what varies
 */
export function useSentences(sentences: Record<string, string>) {
  table = sentences;
}

/** The sentence of that name with its values filled in; the name itself where there is none. */
export function sentence(name: string, values: Values = {}) {
  return insertValues(table[name] ?? name, values);
}
