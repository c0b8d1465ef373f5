/** What is known of the gold: version, who, when, why, of whose work, how, and all that happened. */

import { fill, h } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { sinceGold } from "../comparison/changes";
import { dateTime, wayWords } from "../formatting";
import { DATASET, sidesOf } from "./selections";

/** One line about the gold; null where there is none. */
function goldLine(gold: Pt.ReviewedGold | null) {
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
  open: boolean;
  element: HTMLElement;

  constructor() {
    this.open = false;
    this.element = h("section", { class: "gold-panel", testid: "gold", "aria-label": "Gold" });
  }

  /** @param data the task under review */
  update(data: Pt.ReviewData) {
    const { gold } = data;
    const line = goldLine(gold);
    this.element.hidden = line === null;
    if (!gold || line === null) return;
    const names = new Map(gold.sources.map(({ attempt, annotator }) => [attempt, annotator]));
    for (const { attempt, name } of data.sides) names.set(attempt, name);
    names.set(DATASET, "the dataset");
    const since = sinceGold(data);
    const news = since.length
      ? h("strong", { class: "since", testid: "since", text: ` Since then: ${since.join(" ")}` })
      : null;
    const left = gold.reopened ? [] : Object.values(gold.draft.missing ?? {});
    const gaps = left.length
      ? h("strong", { class: "since", testid: "gaps", text: ` Incomplete: ${left.join(" ")}` })
      : null;
    const section: (title: string, list: HTMLElement) => HTMLElement = (title, list) =>
      h("section", {}, h("h3", { text: title }), list);
    const sources = gold.sources.map(({ annotator, attempt, seq }) =>
      h(
        "li",
        {},
        `${annotator}, as submitted with event ${seq} `,
        h("code", { class: "quiet", text: attempt }),
      ),
    );
    const choices = gold.choices.map((choice) => {
      const { part, how } = choice;
      const people = sidesOf(choice).map((side) => names.get(side) ?? side);
      const words = people.length
        ? `as submitted by ${people.join(", or by ")}`
        : wayWords(how).toLowerCase();
      return h("li", { text: `${partLabel(data, part)}: ${words}` });
    });
    const log = gold.log.map(({ seq, at, by, text }) => {
      const when = h("span", { class: "quiet number", text: `${seq} · ${dateTime(at)} · ` });
      return h("li", {}, when, `${by}: ${text}`);
    });
    const toggle = () => {
      this.open = details.open;
    };
    const details = h(
      "details",
      { open: this.open, on: { toggle } },
      h("summary", { testid: "gold-line" }, icon("check"), h("span", {}, line, gaps, news)),
      h(
        "div",
        { class: "gold-details medium" },
        section("Sources", h("ul", {}, ...sources)),
        section("Merged from", h("ul", {}, ...choices)),
        section("History", h("ol", { testid: "gold-log" }, ...log)),
      ),
    );
    fill(this.element, details);
  }
}

function partLabel(data: Pt.ReviewData, part: string) {
  const spec = data.protocol.fields.find(({ name }) => name === part);
  return spec?.label ?? data.parts.find((found) => found.part === part)?.label ?? part;
}
