/** What stands in the cells of the comparison: what somebody gave, with what differs marked. */

import { h, plural } from "../../shared/dom.js";
import {
  boxWords,
  fieldValue,
  NOTHING,
  outcomeWords,
  partWords,
  rowWords,
  samePlace,
  valueWords,
} from "../formatting.js";
import { verifying } from "./comparison_rows.js";
import { isOdd, markedList, markedText, norm } from "./text_differences.js";

/**
 * Runs of text; what differs is marked by colour and by a line.
 * @param {any} runs
 */
export function runNodes(runs) {
  return runs.map(
    (/** @type {{ text: string, differs: any, gap: any }} */ { text, differs, gap }) =>
      gap
        ? h("mark", { class: "differs gap", text: "…", title: "Others have more here" })
        : differs
          ? h("mark", { class: "differs", text })
          : document.createTextNode(text),
  );
}

/**
 * @param {string} text
 * @param {any} differs
 */
function marked(text, differs) {
  if (text === NOTHING) return h("span", { class: differs ? "quiet differs" : "quiet", text });
  return differs ? h("mark", { class: "differs", text }) : h("span", { text });
}

/**
 * Whether most of the others have another value; false without others.
 * @param {any} value
 * @param {any} [others]
 */
export function stands(value, others = []) {
  return isOdd(others.filter((/** @type {any} */ other) => other !== value).length, others.length);
}

/**
 * @param {any} strings
 * @param {any} others
 */
function list(strings, others) {
  if (!strings.length) return h("p", { class: "quiet", text: NOTHING });
  const runs = others
    ? markedList(strings, others)
    : strings.map((/** @type {string} */ text) => [{ text, differs: false }]);
  return h(
    "ul",
    { class: "strings stack" },
    ...runs.map((/** @type {any} */ one) => h("li", {}, ...runNodes(one))),
  );
}

/**
 * The cell of a part.
 * @param {import("./comparison_rows.js").Row} row
 * @param {any} state a side, or the draft
 * @param {any} others the other sides; null marks nothing
 * @returns {Node}
 */
export function partCell(row, state, others) {
  const { kind, part, spec } = row;
  const words = partWords(row, state);
  if (kind === "answer")
    return list(
      state.answer,
      others?.map((/** @type {Pt.Side} */ side) => side.answer),
    );
  if (kind === "question") {
    const texts = others?.map((/** @type {Pt.Side} */ side) => side.question_text ?? "") ?? [];
    return h("p", {}, ...runNodes(markedText(state.question_text ?? NOTHING, texts)));
  }
  if (kind === "records") {
    const lines = (/** @type {Pt.Side} */ side) =>
      side.rows.filter(({ field }) => field === part).map((one) => rowWords(spec, one));
    return list(lines(state), others?.map(lines));
  }
  if (kind === "outcome") {
    return marked(
      outcomeWords(state.outcome),
      stands(
        state.outcome,
        others?.map((/** @type {Pt.Side} */ side) => side.outcome),
      ),
    );
  }
  if (kind === "evidence") return h("span", { text: plural(state.citations.length, "page") });
  if (kind === "field") {
    const other = (/** @type {Pt.Side} */ side) => valueWords(spec, fieldValue(side, part));
    if (spec.kind === "text" && words !== NOTHING) {
      return h(
        "p",
        {},
        ...runNodes(markedText(words, row.score === null ? [] : (others?.map(other) ?? []))),
      );
    }
    return marked(words, row.score !== null && stands(words, others?.map(other)));
  }
  if (kind === "pageField") return h("span", { class: "quiet", text: counted(spec, part, state) });
  if (kind === "content" || kind === "order") return h("span", { class: "quiet", text: "" });
  if (kind === "boxField") return h("p", { text: words });
  return marked(boxWords(state.boxes), false);
}

/**
 * "2 × Fully relevant, 1 × Irrelevant".
 * @param {Pt.FieldSpec} spec
 * @param {string} part
 * @param {any} state
 */
function counted(spec, part, state) {
  const given = state.fields.filter(
    (/** @type {{ field: string, box: Pt.ReviewBox }} */ { field, box }) =>
      field === part && box === null,
  );
  const counts = new Map();
  for (const { value } of given) {
    const words = valueWords(spec, value);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, n]) => `${n} × ${words}`).join(", ") || NOTHING;
}

/**
 * Chosen boxes that are not in the draft: their pages may have none, as they are graded in it.
 * @param {import("./comparison_rows.js").Row} row
 * @param {any} view picks, draft, busy
 * @returns {Element|null}
 */
export function leftOut({ kind }, { picks, draft, busy }) {
  if (kind !== "boxes" || busy || picks.boxes?.how !== "pick") return null;
  const n = picks.boxes.boxes.length - draft.boxes.length;
  if (n <= 0) return null;
  const text = `${plural(n, "chosen box", "chosen boxes")} left out: as the page is graded in this draft, it has none.`;
  return h("p", { class: "caption left-out", text });
}

/**
 * What somebody has on a page, for a row of pages.
 * @param {Pt.ComparisonRow} row
 * @param {Pt.Place} place
 * @param {any} state
 */
export function pageWordsOf(row, place, state) {
  if (row.kind === "evidence")
    return state.citations.some((/** @type {number} */ page) => samePlace(page, place))
      ? "cited"
      : "";
  if (row.kind === "pageField") return valueWords(row.spec, fieldValue(state, row.part, place));
  return boxWords(state.boxes.filter((/** @type {Pt.ReviewBox} */ box) => samePlace(box, place)));
}

/**
 * A person's version of an element: label, what is otherwise, and its text with the differences.
 * @param {Pt.ReviewBox} box
 * @param {any[]} versions
 * @param {any} words
 */
export function versionNodes(box, versions, words) {
  const rivals = versions.filter((other) => other && other !== box);
  const others = rivals.map((other) => other.content ?? "");
  const [label, ...rest] = words;
  return [
    stands(
      box.label,
      rivals.map((other) => other.label),
    )
      ? h("mark", { class: "differs", text: label })
      : h("span", { text: label }),
    ...rest.map((/** @type {string} */ word) => h("mark", { class: "differs", text: word })),
    box.content && others.some((other) => norm(other) !== norm(box.content ?? ""))
      ? h(
          "span",
          { class: "content" },
          ...runNodes(
            markedList(
              [box.content],
              others.map((other) => [other]),
            )[0],
          ),
        )
      : null,
  ];
}

/**
 * The heading of the boxes' agreement on a page: "IoU 0.62, Dice 0.77".
 * @param {Pt.ReviewData} data
 * @param {Pt.Place} place
 */
export function zoneWords(data, place) {
  const zone = data.zones.find((other) => samePlace(other, place));
  if (!zone || zone.iou === null || verifying(data)) return "";
  return `IoU ${zone.iou.toFixed(2)}, Dice ${zone.dice?.toFixed(2)}`;
}

/**
 * Why a page is in the draft's evidence, or not.
 * @param {Pt.ReviewData} data
 * @param {{document: string, page: number}} place
 * @param {any[]} kept the draft's evidence
 */
export function whyWords(data, place, kept) {
  const rule = data.evidence.find((page) => samePlace(page, place));
  const here = kept.find((page) => samePlace(page, place));
  if (!rule) return here ? "added by the reviewer" : "";
  if (here) {
    if (rule.kept) return rule.why;
    return here.reviewer ? `kept: ${people(rule.annotators)} and the reviewer` : rule.why;
  }
  return rule.kept ? `${people(rule.annotators)}, left out by the reviewer` : rule.why;
}

/** @param {number} n */
const people = (n) => (n === 1 ? "one annotator" : `${n} annotators`);
