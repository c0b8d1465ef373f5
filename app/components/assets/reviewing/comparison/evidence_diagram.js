/** The evidence as a diagram: circles for up to three people, a matrix of combinations for more. */

import { h, svg } from "../../shared/dom.js";
import { placeWords, samePlace } from "../formatting.js";
import { combinations, venn } from "./evidence_sets.js";

const SHOWN = 3;

/**
 * @param {any} options
 * @returns {Element}
 */
export function setDiagram(options) {
  return inCircles(options) ? circles(options) : matrix(options);
}

/**
 * Whether circles have room: where three of them overlap there is space for one picture.
 * @param {any} reviewData
 */
function inCircles({ evidence, sides }) {
  if (sides.length < 3) return true;
  const groups = combinations(
    evidence,
    sides.map((/** @type {{ attempt: string }} */ { attempt }) => attempt),
  );
  return (
    sides.length === 3 &&
    groups.every(({ members, pages }) => members.length === 1 || pages.length === 1)
  );
}

/**
 * @param {any} kept
 * @param {Pt.Place} page
 */
const inGold = (kept, page) => kept.some((/** @type {any} */ other) => samePlace(other, page));

/**
 * @param {Pt.Place[]} pages
 * @param {{ thumb: any, kept: any }} given
 * @param {string} slot
 */
function pictures(pages, { thumb, kept }, slot) {
  const shown = pages.slice(0, SHOWN).map((page) => {
    const node = thumb(page, slot);
    node.classList.toggle("in-gold", inGold(kept, page));
    return node;
  });
  const more = pages.length - shown.length;
  if (more > 0) {
    const names = pages.slice(SHOWN).map(placeWords).join("\n");
    shown.push(h("span", { class: "more", text: `+${more}`, title: names }));
  }
  return shown;
}

/** @param {any} options */
function circles(options) {
  const { evidence, sides, look } = options;
  const { circles: rings, regions } = venn(
    evidence,
    sides.map((/** @type {{ attempt: string }} */ { attempt }) => attempt),
  );
  const drawing = svg(
    "svg",
    {
      class: "venn-rings",
      viewBox: "0 0 100 60",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    ...rings.map((ring, i) => {
      const { line, dash } = look(sides[i].attempt);
      return svg("circle", {
        ...ring,
        stroke: line,
        fill: line,
        "stroke-dasharray": dash,
        class: "ring",
      });
    }),
  );
  const names = sides.map((/** @type {{ name: string }} */ { name }, /** @type {number} */ i) => {
    const x = sides.length === 1 ? 50 : [9, 91, 74][i];
    const y = i === 2 ? 90 : 8;
    const side = sides.length === 1 ? "middle" : ["start", "end", "start"][i];
    return h("span", {
      class: `venn-name nowrap ${side}`,
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
        ...pictures(pages, options, `venn-${key}`),
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

/** @param {any} options */
function matrix(options) {
  const { evidence, sides, look } = options;
  const groups = combinations(
    evidence,
    sides.map((/** @type {{ attempt: string }} */ { attempt }) => attempt),
  );
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
  const people = sides.map(
    (/** @type {{ name: string, attempt: string }} */ { name, attempt }, /** @type {number} */ i) =>
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
      h("td", { class: "upset-pages" }, ...pictures(pages, options, `upset-${key}`)),
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
