/** What is known of the gold: version, who, when, why, of whose work, how, and all that happened. */

import { fill, h } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { sinceGold } from "../comparison/comparison_rows.js";
import { dateTime, wayWords } from "../formatting.js";

/**
 * One line about the gold; null where there is none.
 * @param {any} gold
 */
export function goldLine(gold) {
  if (!gold?.version) return null;
  const who = gold.automatic
    ? gold.checked
      ? `accepted automatically, confirmed by ${gold.decided_by}`
      : "accepted by the campaign’s rule"
    : `decided by ${gold.decided_by}`;
  const why = gold.reason ? `: “${gold.reason}”` : "";
  const now = gold.reopened ? " It was reopened and stays current until it is decided again." : "";
  return `Gold, version ${gold.version}, ${who} on ${dateTime(gold.decided_at)}${why}.${now}`;
}

export class GoldPanel {
  constructor() {
    this.open = false;
    this.element = h("section", { class: "gold-panel", testid: "gold", "aria-label": "Gold" });
  }

  /** @param {Pt.ReviewData} data the task under review */
  update(data) {
    const { gold } = data;
    const line = goldLine(gold);
    this.element.hidden = line === null;
    if (line === null) return;
    const names = new Map(data.sides.map(({ attempt, name }) => [attempt, name]));
    for (const source of gold.sources)
      if (!names.has(source.attempt)) names.set(source.attempt, source.annotator);
    const since = sinceGold(data);
    const details = h(
      "details",
      {
        open: this.open,
        on: {
          toggle: () => {
            this.open = details.open;
          },
        },
      },
      h(
        "summary",
        { testid: "gold-line" },
        icon("check"),
        h(
          "span",
          {},
          line,
          since.length
            ? h("strong", {
                class: "since",
                testid: "since",
                text: ` Since then: ${since.join(" ")}`,
              })
            : null,
        ),
      ),
      h(
        "div",
        { class: "gold-details medium" },
        h(
          "section",
          {},
          h("h3", { text: "Rests on" }),
          h(
            "ul",
            {},
            ...gold.sources.map((/** @type {any} */ source) =>
              h(
                "li",
                {},
                `${source.annotator}, as submitted with event ${source.seq} `,
                h("code", { class: "quiet", text: source.attempt }),
              ),
            ),
          ),
        ),
        h(
          "section",
          {},
          h("h3", { text: "Put together" }),
          h(
            "ul",
            {},
            ...gold.choices.map(
              (/** @type {{ part: string, how: string, side: Pt.Side }} */ { part, how, side }) =>
                h("li", {
                  text: `${partLabel(data, part)}: ${how === "side" ? `as ${names.get(/** @type {any} */ (side)) ?? side} gave it` : wayWords(how).toLowerCase()}`,
                }),
            ),
          ),
        ),
        h(
          "section",
          {},
          h("h3", { text: "What happened" }),
          h(
            "ol",
            { testid: "gold-log" },
            ...gold.log.map(
              (
                /** @type {{ seq: number, at: any, by: number, text: string }} */ {
                  seq,
                  at,
                  by,
                  text,
                },
              ) =>
                h(
                  "li",
                  {},
                  h("span", { class: "quiet number", text: `${seq} · ${dateTime(at)} · ` }),
                  `${by}: ${text}`,
                ),
            ),
          ),
        ),
      ),
    );
    fill(this.element, details);
  }
}

/**
 * @param {Pt.ReviewData} data
 * @param {string} part
 */
function partLabel(data, part) {
  const spec = data.protocol.fields.find(({ name }) => name === part);
  return spec?.label ?? data.parts.find((found) => found.part === part)?.label ?? part;
}
