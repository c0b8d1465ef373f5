/** The head of a person's column, and what is known of how the work was done. */

import { h, plural } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { placeWords, samePlace } from "../../shared/places";
import { dateTime, duration } from "../formatting";
import { lineSwatch } from "../person_styles";

const FATES: Record<string, string> = { skipped: "Skipped", open: "Returned, not resubmitted" };

/** @param number from 1; the key that takes this participant */
export function personHead(
  participant: Pt.Participant,
  number: number,
  {
    look,
    editable,
    takeAll,
  }: { look: Pt.ReviewView["look"]; editable: boolean; takeAll: () => void },
): Node[] {
  const handed = participant.status === "submitted";
  return [
    h(
      "span",
      { class: "person-name inline strong" },
      handed
        ? h("span", { class: "person-number", text: String(number), "aria-hidden": "true" })
        : null,
      handed ? lineSwatch(look(participant.attempt)) : null,
      h("span", { class: "ellipsis", text: participant.name, title: participant.name }),
    ),
    handed
      ? h("button", {
          class: "button small",
          text: "Take all",
          disabled: !editable,
          title: `Take ${participant.name}’s work in all parts (Shift+${number})`,
          "data-focus": `all-${participant.attempt}`,
          on: { click: takeAll },
        })
      : h("span", {
          class: "fate",
          text: participant.returned
            ? FATES.open
            : (FATES[participant.status] ?? participant.status),
        }),
  ];
}

/** Time taken, with what is meant by it. */
export function timeCell(participant: Pt.Participant) {
  return h(
    "span",
    { title: `Submitted ${dateTime(participant.handed_at)}` },
    h("span", { class: "number", text: duration(participant.active_ms) }),
    " active, ",
    h("span", { class: "number", text: duration(participant.wall_ms) }),
    " in all",
  );
}

/** Flag, note and reason for skipping: whatever there is. */
export function remarksCell(participant: Pt.Participant) {
  const said = [
    participant.skip_reason ? ["Skipped", participant.skip_reason] : null,
    participant.submitted_without.length
      ? ["Submitted at the time limit without", participant.submitted_without.join(", ")]
      : null,
    participant.flag ? ["Flag", participant.flag] : null,
    participant.note ? ["Note", participant.note] : null,
  ].filter((one) => one !== null);
  if (!said.length) return h("span", { class: "quiet", text: "—" });
  return h(
    "dl",
    { class: "remarks pairs" },
    ...said.map(([what, text]) => h("div", {}, h("dt", { text: what }), h("dd", { text }))),
  );
}

/** The searches, each with its hits; ranks of the pages that were cited in the end. */
export function searchesCell(
  participant: Pt.Participant,
  open: boolean,
  onToggle: (open: boolean) => void,
) {
  if (!participant.searches.length) return h("span", { class: "quiet", text: "none" });
  const items = participant.searches.map((search) => {
    const cited = search.results
      .map(([document, page], i) => ({ document, page, rank: i + 1 }))
      .filter((hit) => participant.citations.some((place) => samePlace(place, hit)));
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
      text: plural(participant.searches.length, "search", "searches"),
      "data-focus": `searches-${participant.attempt}`,
    }),
    h("ol", { class: "searches stack" }, ...items),
  );
  return details;
}

/** Links to the replay, which names the person, and the thread of comments. */
export function moreCell(
  participant: Pt.Participant,
  { replay, comments }: { replay: string | null; comments: () => void },
) {
  const n = participant.comments.length;
  return h(
    "div",
    { class: "wrapping" },
    replay === null
      ? null
      : h(
          "a",
          { class: "button small", href: replay, target: "_blank", rel: "noopener" },
          icon("history"),
          "Replay",
        ),
    h("button", {
      class: "button small",
      testid: "comments",
      "data-focus": `comments-${participant.attempt}`,
      text: n ? plural(n, "comment") : "Comment",
      on: { click: comments },
    }),
  );
}
