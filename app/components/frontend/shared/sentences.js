/** Sentences and words that the server owns; a screen gets them with its data. */

/** @type {Record<string, string>} */
let table = {};

/**
 * Take the server's sentences; called before a screen is made.
 * @param {Record<string, string>} sentences with {names} for what varies
 */
export function useSentences(sentences) {
  table = sentences;
}

/**
 * The sentence of that name with its values filled in; the name itself where there is none.
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function sentence(name, values = {}) {
  return (table[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}
