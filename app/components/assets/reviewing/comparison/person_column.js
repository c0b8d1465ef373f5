/** The head of a person's column, and what is known of how the work was done. */

import { h, plural } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { placeWords, samePlace } from "../../shared/places.js";
import { dateTime, duration } from "../formatting.js";
import { lineSwatch } from "../person_styles.js";

/** @type {Record<string, string>} */
const FATES = { skipped: "Skipped", open: "Returned, not resubmitted" };

/**
 * @param {Pt.Side} side
 * @param {number} number from 1; the key that takes this side
 * @param {{ look: Pt.ReviewView["look"], editable: boolean, takeAll: () => void }} options
 * @returns {Node[]}
 */
export function personHead(side, number, { look, editable, takeAll }) {
  const handed = side.status === "submitted";
  return [
    h(
      "span",
      { class: "person-name inline strong" },
      handed
        ? h("span", { class: "person-number", text: String(number), "aria-hidden": "true" })
        : null,
      handed ? lineSwatch(look(side.attempt)) : null,
      h("span", { class: "ellipsis", text: side.name, title: side.name }),
    ),
    handed
      ? h("button", {
          class: "button small",
          text: "Take all",
          disabled: !editable,
          title: `Take ${side.name}’s work in all parts (Shift+${number})`,
          "data-focus": `all-${side.attempt}`,
          on: { click: takeAll },
        })
      : h("span", {
          class: "fate",
          text: side.returned ? FATES.open : (FATES[side.status] ?? side.status),
        }),
  ];
}

/** Time taken, with what is meant by it. @param {Pt.Side} side */
export function timeCell(side) {
  return h(
    "span",
    { title: `Submitted ${dateTime(side.handed_at)}` },
    h("span", { class: "number", text: duration(side.active_ms) }),
    " active, ",
    h("span", { class: "number", text: duration(side.wall_ms) }),
    " in all",
  );
}

/** Flag, note and reason for skipping: whatever there is. @param {Pt.Side} side */
export function remarksCell(side) {
  const said = [
    side.skip_reason ? ["Skipped", side.skip_reason] : null,
    side.flag ? ["Flag", side.flag] : null,
    side.note ? ["Note", side.note] : null,
  ].filter((one) => one !== null);
  if (!said.length) return h("span", { class: "quiet", text: "—" });
  return h(
    "dl",
    { class: "remarks pairs" },
    ...said.map(([what, text]) => h("div", {}, h("dt", { text: what }), h("dd", { text }))),
  );
}

/**
 * The searches, each with its hits; ranks of the pages that were cited in the end.
 * @param {Pt.Side} side
 * @param {boolean} open
 * @param {(open: boolean) => void} onToggle
 */
export function searchesCell(side, open, onToggle) {
  if (!side.searches.length) return h("span", { class: "quiet", text: "none" });
  const items = side.searches.map((search) => {
    const cited = search.results
      .map(([document, page], i) => ({ document, page, rank: i + 1 }))
      .filter((hit) => side.citations.some((place) => samePlace(place, hit)));
    return h(
      "li",
      {},
      h("code", { text: search.query }),
      h("span", {
        class: "quiet",
        text: search.refusal
          ? ` refused: ${search.refusal}`
          : ` ${plural(search.total_hits ?? search.results.length, "hit")}`,
      }),
      ...cited.map((hit) =>
        h("span", {
          class: "hit-cited pill",
          "data-tone": "good",
          title: placeWords(hit),
          text: `cited: result ${hit.rank}`,
        }),
      ),
    );
  });
  const details = h(
    "details",
    { open, on: { toggle: () => onToggle(details.open) } },
    h("summary", {
      text: plural(side.searches.length, "search", "searches"),
      "data-focus": `searches-${side.attempt}`,
    }),
    h("ol", { class: "searches stack" }, ...items),
  );
  return details;
}

/**
 * Links to the replay, and the thread of comments.
 * @param {Pt.Side} side
 * @param {{ replay: string, comments: () => void }} given
 */
export function moreCell(side, { replay, comments }) {
  const n = side.comments.length;
  return h(
    "div",
    { class: "wrapping" },
    h(
      "a",
      { class: "button small", href: replay, target: "_blank", rel: "noopener" },
      icon("history"),
      "Replay",
    ),
    h("button", {
      class: "button small",
      testid: "comments",
      "data-focus": `comments-${side.attempt}`,
      text: n ? plural(n, "comment") : "Comment",
      on: { click: comments },
    }),
  );
}
