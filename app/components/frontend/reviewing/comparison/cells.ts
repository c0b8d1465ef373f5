/** The cells of the comparison: what somebody submitted, with differences marked. */

import { h, plural } from "../../shared/dom";
import { includesPlace, samePlace } from "../../shared/places";
import {
  boxWords,
  fieldValue,
  NOTHING,
  outcomeWords,
  partWords,
  rowWords,
  valueWords,
} from "../formatting";
import { otherVersions, verifying } from "./comparison_rows";
import { isOdd, markedList, markedText, norm } from "./text_differences";

/** Runs of text; what differs is marked by colour and by a line. */
export function runNodes(runs: Pt.Run[]) {
  return runs.map(({ text, differs, gap }) =>
    gap
      ? h("mark", { class: "differs gap", text: "…", title: "Others have more here" })
      : differs
        ? h("mark", { class: "differs", text })
        : document.createTextNode(text),
  );
}

function marked(text: string, differs: boolean) {
  if (text === NOTHING) return h("span", { class: differs ? "quiet differs" : "quiet", text });
  return differs ? h("mark", { class: "differs", text }) : h("span", { text });
}

/** Whether most of the others have another value; false without others. */
export function stands(value: string | null, others: (string | null)[] = []) {
  return isOdd(others.filter((other) => other !== value).length, others.length);
}

export function list(strings: string[], others: string[][] | undefined) {
  if (!strings.length) return h("p", { class: "quiet", text: NOTHING });
  const runs = others
    ? markedList(strings, others)
    : strings.map((text) => [{ text, differs: false }]);
  return h("ul", { class: "strings stack" }, ...runs.map((one) => h("li", {}, ...runNodes(one))));
}

/**
 * The cell of a part.
 * @param state a participant, or the draft
 * @param others the other participants; null marks nothing
 */
export function partCell(
  row: Pt.ComparisonRow,
  state: Pt.ReviewedContent,
  others: Pt.Participant[] | null,
): Node {
  const { kind, part, spec } = row;
  const words = partWords(row, state);
  if (kind === "answer")
    return list(
      state.answer,
      others?.map((participant) => participant.answer),
    );
  if (kind === "question") {
    const texts = others?.map((participant) => participant.question_text ?? "") ?? [];
    return h("p", {}, ...runNodes(markedText(state.question_text ?? NOTHING, texts)));
  }
  if (kind === "records" && spec?.scope !== "box") {
    const n = state.rows.filter(({ field }) => field === part).length;
    return n ? h("span", { text: plural(n, "row") }) : h("span", { class: "quiet", text: NOTHING });
  }
  if (kind === "records") {
    const lines = (participant: Pt.ReviewedContent) =>
      participant.rows.filter(({ field }) => field === part).map((one) => rowWords(spec, one));
    return list(lines(state), others?.map(lines));
  }
  if (kind === "outcome") {
    return marked(
      outcomeWords(state.outcome),
      stands(
        state.outcome,
        others?.map((participant) => participant.outcome),
      ),
    );
  }
  if (kind === "evidence") return h("span", { text: plural(state.citations.length, "page") });
  if (kind === "field") {
    const other = (participant: Pt.ReviewedContent) =>
      valueWords(spec, fieldValue(participant, part));
    if (spec?.kind === "text" && words !== NOTHING) {
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

/** "2 × Fully relevant, 1 × Irrelevant". */
function counted(spec: Pt.FieldSpec | undefined, part: string, state: Pt.ReviewedContent) {
  const given = state.fields.filter(({ field, box }) => field === part && box === null);
  const counts = new Map();
  for (const { value } of given) {
    const words = valueWords(spec, value);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, n]) => `${n} × ${words}`).join(", ") || NOTHING;
}

/** Chosen boxes that are not in the draft: their pages may have none, as they are graded in it. */
export function leftOut(
  { kind }: Pt.ComparisonRow,
  { picks, draft, busy }: Pt.ReviewView,
): Element | null {
  if (kind !== "boxes" || busy || picks.boxes?.how !== "pick") return null;
  const n = (picks.boxes.boxes?.length ?? 0) - draft.boxes.length;
  if (n <= 0) return null;
  const text = `${plural(n, "chosen box", "chosen boxes")} left out: as the page is graded in this draft, it has none.`;
  return h("p", { class: "caption left-out", text });
}

/** What somebody has on a page, for a row of pages. */
export function pageWordsOf(row: Pt.ComparisonRow, place: Pt.Place, state: Pt.ReviewedContent) {
  if (row.kind === "evidence") return includesPlace(state.citations, place) ? "cited" : "";
  if (row.kind === "pageField") return valueWords(row.spec, fieldValue(state, row.part, place));
  return boxWords(state.boxes.filter((box) => samePlace(box, place)));
}

/**
 * A person's version of an element: label, what is otherwise, and its text with the differences.
 */
export function versionNodes(
  box: Pt.ReviewedBox,
  versions: (Pt.ReviewedBox | null)[],
  words: string[],
) {
  const rivals = otherVersions(box, versions);
  const others = rivals.map((other) => other.content ?? "");
  const [label, ...rest] = words;
  return [
    stands(
      box.label,
      rivals.map((other) => other.label),
    )
      ? h("mark", { class: "differs", text: label })
      : h("span", { text: label }),
    ...rest.map((word) => h("mark", { class: "differs", text: word })),
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

/** The heading of the boxes' agreement on a page: "IoU 0.62, Dice 0.77". */
export function zoneWords(data: Pt.ReviewData, place: Pt.Place) {
  const zone = data.zones.find((other) => samePlace(other, place));
  if (!zone || zone.iou === null || verifying(data)) return "";
  return `IoU ${zone.iou.toFixed(2)}, Dice ${zone.dice?.toFixed(2)}`;
}

/** What the retention rule did on a page of a part; undefined where the part does not follow it. */
export function pageRule(draft: Pt.ReviewedDraft, part: string, place: Pt.Place) {
  return draft.page_rules?.find((rule) => rule.part === part && samePlace(rule, place));
}

/**
 * Why a page is in the draft's evidence, or not, where the reviewer departed from the rule.
 * @param kept the draft's evidence
 */
export function whyWords(
  data: Pt.ReviewData,
  place: Pt.Place,
  kept: Pt.ReviewedContent["evidence"],
) {
  const marked = data.evidence.find((page) => samePlace(page, place));
  const here = kept.some((page) => samePlace(page, place));
  if (!marked) return here ? "added by the reviewer" : "";
  const people = marked.annotators === 1 ? "one annotator" : `${marked.annotators} annotators`;
  return here ? `kept: ${people} and the reviewer` : `${people}, left out by the reviewer`;
}
