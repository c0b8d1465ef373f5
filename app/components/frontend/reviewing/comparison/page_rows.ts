/** The rows below a part: its pages, and on a page a model's elements. */

import { foldButton } from "../../shared/buttons";
import { h, plural } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { includesPlace, samePlace } from "../../shared/places";
import { chosenAt } from "../decision/selections";
import { pageRule, pageWordsOf, stands, versionNodes, zoneWords } from "./cells";
import { elementsOf, firstOf, submitted, verifying, versionWords } from "./comparison_rows";

const AGREED_SHOWN = 2;

export type PageElement = ReturnType<typeof elementsOf>[number];

/** A row for each page of a part; where several agree they are folded. */
export function pageRows(matrix: Pt.Matrix, row: Pt.ComparisonRow) {
  const { data } = matrix.view;
  if (row.kind === "boxes" && row.pages.length === 1 && verifying(data)) return []; // its elements say it all
  const differing = row.pages.filter(({ differs }) => differs);
  const agreed = row.pages.length - differing.length;
  const key = `pages-${row.part}`;
  const folds = agreed > AGREED_SHOWN && differing.length > 0;
  const shown = !folds || matrix.isOpen(key) ? row.pages : differing;
  const found = shown.map((place) => pageRow(matrix, row, place));
  if (folds) found.push(foldRow(matrix, key, `${plural(agreed, "page")} alike`));
  return found;
}

export function foldRow(matrix: Pt.Matrix, key: string, text: string) {
  const open = matrix.isOpen(key);
  const button = foldButton(text, { open, focus: key }, () => {
    matrix.open.set(key, !open);
    matrix.update(matrix.view);
  });
  return h("tr", { class: "sub" }, h("td", { colspan: matrix.width }, button));
}

function pageRow(
  matrix: Pt.Matrix,
  row: Pt.ComparisonRow,
  place: Pt.ComparisonRow["pages"][number],
) {
  const { data, page } = matrix.view;
  const note = row.kind === "boxes" ? zoneWords(data, place) : "";
  const name = matrix.names?.get(place.document) ?? "";
  const label = h(
    "div",
    { class: "line" },
    matrix.shot(place, `row-${row.part}`),
    h(
      "span",
      { class: "column" },
      name ? h("span", { class: "ellipsis", text: name, title: place.document }) : null,
      h("span", { class: "caption ellipsis", text: note }),
    ),
  );
  const cells = data.sides.map((participant, i) =>
    h(
      "td",
      {},
      participant.status === "submitted" ? given(matrix, row, place, participant, i) : null,
    ),
  );
  const open = samePlace(page, place) ? " open" : "";
  return h(
    "tr",
    {
      class: `sub${open}`,
      testid: "page-row",
      "data-document": place.document,
      "data-page": place.page,
    },
    h("th", { scope: "row", class: "part-col" }, label),
    ...cells,
    goldCell(matrix, row, place),
  );
}

function given(
  matrix: Pt.Matrix,
  row: Pt.ComparisonRow,
  place: Pt.Place,
  participant: Pt.Participant,
  i: number,
) {
  const { data, editable, picks } = matrix.view;
  const words = pageWordsOf(row, place, participant);
  if (row.kind === "evidence") {
    return words
      ? h("span", { class: "cited inline" }, icon("check"), words)
      : h("span", { class: "quiet", text: "not cited" });
  }
  if (row.kind === "boxes") return h("span", { text: words });
  const others = submitted(data).filter((other) => other !== participant);
  const values = others.map((other) => pageWordsOf(row, place, other));
  const differs = values.some((other) => other !== words);
  return h("button", {
    class: stands(words, values) ? "value toggle differs" : "value toggle",
    text: words,
    "aria-pressed": String(chosenAt(picks, row.part, place) === participant.attempt),
    disabled: !editable || !differs,
    title: differs ? `Take ${participant.name}’s on this page` : null,
    "aria-label": `Page ${place.page}, ${participant.name}: ${words}`,
    testid: "take-page",
    "data-focus": `at-${row.part}-${place.document}-${place.page}-${i}`,
    on: {
      click: (event) => {
        event.stopPropagation();
        matrix.actions.at(row.part, place, participant.attempt);
      },
    },
  });
}

function goldCell(matrix: Pt.Matrix, row: Pt.ComparisonRow, place: Pt.Place) {
  const { draft, editable, busy } = matrix.view;
  const props = { class: "gold-col", "aria-busy": String(busy) };
  const rule = pageRule(draft, row.part, place);
  const why = matrix.why(row.part, place);
  if (row.kind !== "evidence" || rule?.status === "open" || typeof rule?.reviewer === "boolean") {
    const words = row.kind === "evidence" ? "" : pageWordsOf(row, place, draft);
    return h(
      "td",
      props,
      h(
        "div",
        { class: "stack" },
        words ? h("span", { text: words }) : null,
        why
          ? h("span", { class: rule?.status === "open" ? "strong" : "caption", text: why })
          : null,
        rule ? verdicts(matrix, row, place, rule) : null,
      ),
    );
  }
  const box = h("input", {
    type: "checkbox",
    checked: includesPlace(draft.citations ?? [], place),
    disabled: !editable || !row.ways.length,
    testid: "keep-page",
    "data-focus": `keep-${place.document}-${place.page}`,
    on: {
      change: () =>
        rule
          ? matrix.actions.rule(row.part, place, box.checked ? "pages" : "rejected")
          : matrix.actions.cite(place),
    },
  });
  return h("td", props, h("label", { class: "keep inline" }, box, h("span", { text: why })));
}

/** Marking or rejecting a page that the retention rule leaves open, or that was decided so. */
function verdicts(matrix: Pt.Matrix, row: Pt.ComparisonRow, place: Pt.Place, rule: Pt.PageRule) {
  const { editable } = matrix.view;
  if (rule.status !== "open" && rule.reviewer === null) return null;
  const toggle: (verdict: Pt.PageVerdict, text: string, on: boolean) => Element = (
    verdict,
    text,
    on,
  ) =>
    h("button", {
      class: "toggle",
      text,
      "aria-pressed": String(on),
      "aria-label": `${text} page ${place.page} of ${place.document}`,
      disabled: !editable,
      testid: verdict === "pages" ? "mark-page" : "reject-page",
      "data-focus": `${verdict}-${row.part}-${place.document}-${place.page}`,
      on: {
        click: (event) => {
          event.stopPropagation();
          matrix.actions.rule(row.part, place, verdict);
        },
      },
    });
  return h(
    "div",
    { class: "wrapping" },
    rule.graded ? null : toggle("pages", "Mark", rule.reviewer === true),
    toggle("rejected", "Reject", rule.reviewer === false),
  );
}

/**
 * The elements on the pages of a part, where a model's elements are verified; those that all have
 * alike are folded.
 */
export function elementRows(matrix: Pt.Matrix, row: Pt.ComparisonRow) {
  const { data } = matrix.view;
  if (!verifying(data)) return [];
  return row.pages.flatMap((place) => {
    const elements = elementsOf(data, place);
    const agreed = elements.filter(({ differs }) => !differs);
    const key = `elements-${place.document}-${place.page}`;
    const text = `${plural(agreed.length, "element")} alike on page ${place.page}`;
    return [
      ...elements.filter(({ differs }) => differs).map((element) => elementRow(matrix, element)),
      ...(agreed.length ? [foldRow(matrix, key, text)] : []),
      ...(matrix.isOpen(key) ? agreed.map((element) => elementRow(matrix, element)) : []),
    ];
  });
}

function elementRow(matrix: Pt.Matrix, element: PageElement) {
  const { data, draft, editable, chosenBoxes } = matrix.view;
  const { versions, differs } = element;
  const first = firstOf(versions);
  const kept = draft.boxes.find(
    ({ id }) => id === element.id || versions.some((box, i) => box && id === `g${i}-${box.id}`),
  );
  let place = -1;
  const cells = data.sides.map((participant) => {
    if (participant.status !== "submitted") return h("td", {});
    place += 1;
    const box = versions[place];
    if (!box)
      return h("td", {}, h("span", { class: "quiet", text: element.model ? "deleted" : "—" }));
    const chosen = chosenBoxes.some(
      ([attempt, id]) => attempt === participant.attempt && id === box.id,
    );
    const props = {
      class: differs ? "value version differs toggle" : "value version toggle",
      "aria-pressed": String(chosen),
      disabled: !editable,
      title: `Take ${participant.name}’s version, or leave it out`,
      testid: "take-box",
      "data-focus": `box-${participant.attempt}-${box.id}`,
      on: { click: () => matrix.actions.box(participant.attempt, box) },
    };
    const nodes = versionNodes(box, versions, versionWords(box, element));
    return h("td", {}, h("button", props, ...nodes));
  });
  const name = h("button", {
    class: "element-name bare",
    "data-focus": `element-${first.id}`,
    text: [first.label ?? "Element", first.order].filter((part) => part !== null).join(" "),
    title: `Show it on page ${first.page}`,
    on: { click: () => matrix.actions.show(first) },
  });
  const gold = kept
    ? h("span", { text: kept.label ?? "kept" })
    : h("span", { class: "quiet", text: "left out" });
  return h(
    "tr",
    { class: "sub", testid: "element-row" },
    h("th", { scope: "row", class: "part-col" }, name),
    ...cells,
    h("td", { class: "gold-col" }, gold),
  );
}
