/** Two texts with their differences marked, for the eye and for screen readers. */

import { h } from "./dom.js";
import { diffWords } from "./text_diff.js";

const SHOWN_KINDS = { both: ["removed", "added"], before: ["removed"], after: ["added"] };

/**
 * @param {string} before
 * @param {string} after
 * @param {"both"|"before"|"after"} [shown] whose words
 * @returns {Node[]} text, <del> and <ins>
 */
export function diffNodes(before, after, shown = "both") {
  return diffWords(before, after)
    .filter(({ kind }) => kind === "same" || SHOWN_KINDS[shown].includes(kind))
    .map(({ kind, text }) => {
      if (kind === "same") return document.createTextNode(text);
      return h(kind === "removed" ? "del" : "ins", { text });
    });
}
