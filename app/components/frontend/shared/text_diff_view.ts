/** Two texts with their differences marked, for the eye and for screen readers. */

import { h } from "./dom";
import { diffWords } from "./text_diff";

const SHOWN_KINDS = { both: ["removed", "added"], before: ["removed"], after: ["added"] };

/**
 * @param shown whose words
 * @returns text, <del> and <ins>
 */
export function diffNodes(
  before: string,
  after: string,
  shown: "both" | "before" | "after" = "both",
): Node[] {
  return diffWords(before, after)
    .filter(({ kind }) => kind === "same" || SHOWN_KINDS[shown].includes(kind))
    .map(({ kind, text }) => {
      if (kind === "same") return document.createTextNode(text);
      return h(kind === "removed" ? "del" : "ins", { text });
    });
}
