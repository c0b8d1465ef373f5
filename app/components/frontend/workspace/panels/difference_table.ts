/** The differences that came with a task that was sent back. */

import { h } from "../../shared/dom";

/** What differs: the part, what the annotator submitted, and what the reviewer chose to show. */
export function differenceTable(differences: Pt.Difference[]) {
  const shown = differences.some(({ other }) => other);
  const cell = (text: string) => h("td", {}, h("div", { class: "talk-value", text: text || "–" }));
  return h(
    "table",
    { class: "talk-differences bordered medium", testid: "differences" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["What differs", "Yours", ...(shown ? ["For comparison"] : [])].map((text) =>
          h("th", { scope: "col", text }),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      ...differences.map(({ label, yours, other }) =>
        h(
          "tr",
          { testid: "difference" },
          h("th", { scope: "row", text: label }),
          cell(yours),
          shown ? cell(other) : null,
        ),
      ),
    ),
  );
}
