/** The rows below a part: its pages, and on a page a model's elements. */

import { h, plural } from "../../shared/dom.js";
import { icon } from "../../shared/icons.js";
import { chosenAt } from "../decision/selections.js";
import { samePlace } from "../formatting.js";
import { pageWordsOf, stands, versionNodes, zoneWords } from "./cells.js";
import { elementsOf, submitted, verifying, versionWords } from "./comparison_rows.js";

const AGREED_SHOWN = 2;

/**
 * A row for each page of a part; where several agree they are folded.
 * @param {import("./comparison_table.js").Matrix} matrix
 * @param {import("./comparison_rows.js").Row} row
 * @returns {Element[]}
 */
export function pageRows(matrix, row) {
  const { data } = matrix.view;
  if (row.kind === "boxes" && row.pages.length === 1 && verifying(data)) return []; // its elements say it all
  const differing = row.pages.filter(({ differs }) => differs);
  const agreed = row.pages.filter(({ differs }) => !differs);
  const key = `pages-${row.part}`;
  const folds = agreed.length > AGREED_SHOWN && differing.length > 0;
  const open = !folds || matrix.isOpen(key);
  const shown = open ? row.pages : differing;
  const found = shown.map((place) => pageRow(matrix, row, place));
  if (folds) found.push(foldRow(matrix, key, open, `${plural(agreed.length, "page")} alike`));
  return found;
}

/**
 * @param {Pt.Matrix} matrix
 * @param {string} key
 * @param {boolean} open
 * @param {any} words
 */
function foldRow(matrix, key, open, words) {
  const toggle = () => {
    matrix.open.set(key, !open);
    matrix.update(matrix.view);
  };
  const button = h(
    "button",
    {
      type: "button",
      class: "fold line bare",
      "aria-expanded": String(open),
      "data-focus": key,
      on: { click: toggle },
    },
    icon(open ? "up" : "down"),
    h("span", { text: words }),
  );
  return h("tr", { class: "sub" }, h("td", { colspan: matrix.width }, button));
}

/**
 * @param {Pt.Matrix} matrix
 * @param {Pt.ComparisonRow} row
 * @param {any} place
 */
function pageRow(matrix, row, place) {
  const { data, page } = matrix.view;
  const open = samePlace(page, place);
  const said = row.kind === "boxes" ? zoneWords(data, place) : "";
  const name = matrix.names?.get(place.document) ?? "";
  const label = h(
    "th",
    { scope: "row", class: "part-col" },
    h(
      "div",
      { class: "line" },
      matrix.shot(place, `row-${row.part}`),
      h(
        "span",
        { class: "column" },
        name ? h("span", { class: "ellipsis", text: name, title: place.document }) : null,
        h("span", { class: "caption ellipsis", text: said }),
      ),
    ),
  );
  const cells = data.sides.map((/** @type {Pt.Side} */ side, /** @type {number} */ i) =>
    side.status === "submitted" ? sideCell(matrix, row, place, side, i) : h("td", {}),
  );
  return h(
    "tr",
    {
      class: `sub${open ? " open" : ""}`,
      testid: "page-row",
      "data-document": place.document,
      "data-page": place.page,
    },
    label,
    ...cells,
    goldCell(matrix, row, place),
  );
}

/**
 * @param {Pt.Matrix} matrix
 * @param {Pt.ComparisonRow} row
 * @param {any} place
 * @param {Pt.Side} side
 * @param {number} i
 */
function sideCell(matrix, row, place, side, i) {
  const { data, editable, picks } = matrix.view;
  const words = pageWordsOf(row, place, side);
  if (row.kind === "evidence") {
    return h(
      "td",
      {},
      words
        ? h("span", { class: "cited inline" }, icon("check"), words)
        : h("span", { class: "quiet", text: "not cited" }),
    );
  }
  if (row.kind === "boxes") return h("td", {}, h("span", { text: words }));
  const others = submitted(data).filter((other) => other !== side);
  const values = others.map((other) => pageWordsOf(row, place, other));
  const differs = values.some((other) => other !== words);
  const chosen = chosenAt(picks, row.part, place) === side.attempt;
  return h(
    "td",
    {},
    h(
      "button",
      {
        type: "button",
        class: stands(words, values) ? "value toggle differs" : "value toggle",
        "aria-pressed": String(chosen),
        disabled: !editable || !differs,
        title: differs ? `Take ${side.name}’s on this page` : null,
        "aria-label": `Page ${place.page}, ${side.name}: ${words}`,
        testid: "take-page",
        "data-focus": `at-${row.part}-${place.document}-${place.page}-${i}`,
        on: {
          click: (event) => {
            event.stopPropagation();
            matrix.actions.at(row.part, place, side.attempt);
          },
        },
      },
      words,
    ),
  );
}

/**
 * @param {Pt.Matrix} matrix
 * @param {Pt.ComparisonRow} row
 * @param {any} place
 */
function goldCell(matrix, row, place) {
  const { draft, editable, busy } = matrix.view;
  if (row.kind !== "evidence") {
    return h(
      "td",
      { class: "gold-col", "aria-busy": String(busy) },
      h("span", { text: pageWordsOf(row, place, draft) }),
    );
  }
  const kept = (draft.citations ?? []).some((/** @type {number} */ page) => samePlace(page, place));
  const box = h("input", {
    type: "checkbox",
    checked: kept,
    disabled: !editable || !row.ways.length,
    testid: "keep-page",
    "data-focus": `keep-${place.document}-${place.page}`,
    on: { change: () => matrix.actions.cite(place) },
  });
  return h(
    "td",
    { class: "gold-col", "aria-busy": String(busy) },
    h("label", { class: "keep inline" }, box, h("span", { text: matrix.why(place) })),
  );
}

/**
 * * The elements that differ on the pages of a part, where a model's elements are verified.
 * @param {Pt.Matrix} matrix
 * @param {Pt.ComparisonRow} row
 * @returns {Element[]}
 */
export function elementRows(matrix, row) {
  const { data } = matrix.view;
  if (!verifying(data)) return [];
  const found = [];
  for (const place of row.pages) {
    const elements = elementsOf(data, place);
    const agreed = elements.filter(({ differs }) => !differs);
    found.push(
      ...elements.filter(({ differs }) => differs).map((element) => elementRow(matrix, element)),
    );
    if (!agreed.length) continue;
    const key = `elements-${place.document}-${place.page}`;
    found.push(
      foldRow(
        matrix,
        key,
        matrix.isOpen(key),
        `${plural(agreed.length, "element")} alike on page ${place.page}`,
      ),
    );
    if (matrix.isOpen(key)) found.push(...agreed.map((element) => elementRow(matrix, element)));
  }
  return found;
}

/**
 * @param {Pt.Matrix} matrix
 * @param {any} element
 */
function elementRow(matrix, element) {
  const { data, draft, editable, chosenBoxes } = matrix.view;
  const { versions } = element;
  const first = versions.find(Boolean);
  const kept = draft.boxes.find(
    (/** @type {{ id: string }} */ { id }) =>
      id === element.id ||
      versions.some(
        (/** @type {Pt.ReviewBox} */ box, /** @type {number} */ i) =>
          box && id === `g${i}-${box.id}`,
      ),
  );
  let place = -1;
  const cells = data.sides.map((/** @type {Pt.Side} */ side) => {
    if (side.status !== "submitted") return h("td", {});
    place += 1;
    const box = versions[place];
    if (!box)
      return h("td", {}, h("span", { class: "quiet", text: element.model ? "deleted" : "—" }));
    const chosen = chosenBoxes.some(
      (/** @type {any[]} */ [attempt, id]) => attempt === side.attempt && id === box.id,
    );
    return h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          class: element.differs ? "value version differs toggle" : "value version toggle",
          "aria-pressed": String(chosen),
          disabled: !editable,
          title: `Take ${side.name}’s version, or leave it out`,
          testid: "take-box",
          "data-focus": `box-${side.attempt}-${box.id}`,
          on: { click: () => matrix.actions.box(side.attempt, box) },
        },
        ...versionNodes(box, versions, versionWords(box, versions)),
      ),
    );
  });
  const label = h(
    "th",
    { scope: "row", class: "part-col" },
    h("button", {
      type: "button",
      class: "element-name bare",
      "data-focus": `element-${first.id}`,
      text: [first.label ?? "Element", first.order].filter((part) => part !== null).join(" "),
      title: `Show it on page ${first.page}`,
      on: { click: () => matrix.actions.show(first) },
    }),
  );
  const gold = h(
    "td",
    { class: "gold-col" },
    kept
      ? h("span", { text: kept.label ?? "kept" })
      : h("span", { class: "quiet", text: "left out" }),
  );
  return h("tr", { class: "sub", testid: "element-row" }, label, ...cells, gold);
}
