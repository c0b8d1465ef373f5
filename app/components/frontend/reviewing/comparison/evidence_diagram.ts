/** The evidence as a diagram: circles for up to three people, a matrix of combinations for more. */

import { h, svg } from "../../shared/dom";
import { includesPlace, placeWords } from "../../shared/places";
import { combinations, venn } from "./evidence_sets";

const SHOWN = 3;

export type DiagramOptions = {
  evidence: Pt.MarkedPage[];
  participants: Pt.Participant[];
  look: (attempt: string) => Pt.Look;
  kept: Pt.Place[];
  thumb: (place: Pt.Place, slot: string) => HTMLElement;
};

export function setDiagram(options: DiagramOptions): Element {
  return inCircles(options) ? circles(options) : matrix(options);
}

/** Whether circles have room: where three of them overlap there is space for one image. */
function inCircles({ evidence, participants }: DiagramOptions) {
  if (participants.length < 3) return true;
  const groups = combinations(evidence, attemptsOf(participants));
  return (
    participants.length === 3 &&
    groups.every(({ members, pages }) => members.length === 1 || pages.length === 1)
  );
}

const attemptsOf = (participants: Pt.Participant[]) => participants.map(({ attempt }) => attempt);

function images(pages: Pt.Place[], { thumb, kept }: DiagramOptions, slot: string) {
  const shown = pages.slice(0, SHOWN).map((page) => {
    const node = thumb(page, slot);
    node.classList.toggle("in-gold", includesPlace(kept, page));
    return node;
  });
  const more = pages.length - shown.length;
  if (more > 0) {
    const names = pages.slice(SHOWN).map(placeWords).join("\n");
    shown.push(h("span", { class: "more", text: `+${more}`, title: names }));
  }
  return shown;
}

function circles(options: DiagramOptions) {
  const { evidence, participants, look } = options;
  const { circles: rings, regions } = venn(evidence, attemptsOf(participants));
  const drawing = svg(
    "svg",
    {
      class: "venn-rings",
      viewBox: "0 0 100 60",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ...rings.map((ring, i) => {
      const { line, dash } = look(participants[i].attempt);
      return svg("circle", {
        ...ring,
        stroke: line,
        fill: line,
        "stroke-dasharray": dash,
        class: "ring",
      });
    }),
  );
  const names = participants.map(({ name }, i) => {
    const x = participants.length === 1 ? 50 : [1, 99, 74][i];
    const y = i === 2 ? 90 : 8;
    const anchor = participants.length === 1 ? "middle" : ["start", "end", "start"][i];
    return h("span", {
      class: `venn-name nowrap ${anchor}`,
      style: `left: ${x}%; top: ${y}%`,
      text: name,
    });
  });
  const groups = regions
    .filter(({ pages }) => pages.length)
    .map(({ key, x, y, pages }) =>
      h(
        "div",
        {
          class: "venn-region",
          style: `left: ${x}%; top: ${(y / 60) * 100}%`,
          "data-members": key,
        },
        ...images(pages, options, `venn-${key}`),
      ),
    );
  return h(
    "div",
    {
      class: "venn",
      role: "group",
      "aria-label": "Evidence pages by who cited them",
      testid: "venn",
    },
    drawing,
    ...names,
    ...groups,
  );
}

function matrix(options: DiagramOptions) {
  const { evidence, participants, look } = options;
  const groups = combinations(evidence, attemptsOf(participants));
  const most = Math.max(1, ...groups.map(({ pages }) => pages.length));
  const bars = h(
    "tr",
    {},
    h("th", { scope: "row", class: "quiet", text: "Pages" }),
    ...groups.map(({ pages }) =>
      h(
        "td",
        {},
        h("span", {
          class: "upset-fill",
          style: `height: ${Math.round((24 * pages.length) / most)}px`,
        }),
        h("span", { class: "number", text: String(pages.length) }),
      ),
    ),
  );
  const people = participants.map(({ name, attempt }, i) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", text: name }),
      ...groups.map(({ members }) => {
        const member = members.includes(i);
        const dot = h("span", { class: "upset-dot" });
        if (member) dot.style.background = look(attempt).line;
        return h("td", { "aria-label": member ? "cited" : "not cited" }, dot);
      }),
    ),
  );
  const shots = h(
    "tr",
    {},
    h("th", { scope: "row", class: "quiet", text: "Which" }),
    ...groups.map(({ key, pages }) =>
      h("td", { class: "upset-pages" }, ...images(pages, options, `upset-${key}`)),
    ),
  );
  return h(
    "div",
    {
      class: "upset-scroll",
      tabindex: "0",
      role: "group",
      "aria-label": "Evidence pages by who cited them",
    },
    h("table", { class: "upset", testid: "upset" }, h("tbody", {}, bars, ...people, shots)),
  );
}
