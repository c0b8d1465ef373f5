/** What the batch panel lists: its tasks, the citations, the searches. */

import { iconButton } from "../../shared/buttons";
import { h, plural } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { grouped } from "../../shared/notation";

const STATUS = {
  returned: "sent back",
  new: "not started",
  open: "in progress",
  submitted: "submitted",
  skipped: "skipped",
};

/** The button of a task. */
export function taskDot(
  task: Pt.ShownBatchTask,
  { current, loading, open }: { current: boolean; loading: boolean; open: () => void },
) {
  const { attempt, status, position, question, flagged, asked, returned, locked } = task;
  const words = STATUS[returned ? "returned" : status];
  const more = `${flagged ? ", flagged" : ""}${asked ? ", with a comment" : ""}`;
  const label = `Task ${position}, ${words}${more}${question && `: ${question}`}`;
  const mark = returned ? "undo" : asked ? "comment" : null;
  const dot = h(
    "button",
    {
      class: `dot number ${status}${returned ? " returned" : ""}${loading ? " loading" : ""}`,
      testid: "task-dot",
      title: label,
      "aria-label": label,
      "aria-current": current ? "true" : null,
      "data-attempt": attempt,
      "data-status": status,
      disabled: locked && !current,
      on: { click: open },
    },
    h("span", { text: String(position) }),
    flagged ? h("span", { class: "dot-flag" }, icon("flag")) : null,
    mark && h("span", { class: "dot-talk" }, icon(mark)),
  );
  return h("li", {}, dot);
}

/**
 * A cited page, to open or to remove.
 * @param given `pages` of the document
 */
export function citationRow(
  { document, page }: Pt.Place,
  {
    pages,
    current,
    open,
    remove,
  }: {
    pages: number | undefined;
    current: boolean;
    open: (stamp: number) => void;
    remove: (() => void) | null;
  },
) {
  const where = `page ${page}${pages ? ` of ${grouped(pages)}` : ""}`;
  const main = h(
    "button",
    {
      class: "row-main bare column",
      testid: "citation-open",
      title: `${document}, ${where}`,
      "aria-current": current ? "true" : null,
      on: { click: (event) => open(event.timeStamp) },
    },
    h("span", { class: "row-title wrap medium", text: document }),
    h("span", { class: "row-note caption number", text: where }),
  );
  const bin =
    remove &&
    iconButton("close", "Remove this citation", remove, {
      class: "icon-button small",
      testid: "citation-remove",
      "aria-label": `Remove citation: ${document}, ${where}`,
    });
  const props = { "data-document": document, "data-page": page };
  return h("li", { class: "row", testid: "citation", ...props }, main, bin);
}

/** A search, to run again. */
export function searchRow(search: Pt.Search, readOnly: boolean, rerun: () => void) {
  const { query, refusal, total_hits: hits, results } = search;
  const note = refusal ? "not run" : plural(hits ?? results.length, "page");
  const button = h(
    "button",
    {
      class: "row-main history-item bare line spread fill",
      testid: "history-item",
      disabled: readOnly,
      title: refusal ?? `Run again: ${query}`,
      on: { click: rerun },
    },
    h("span", { class: "row-title ellipsis medium", text: query }),
    h("span", { class: "row-note caption number", text: note }),
  );
  return h("li", { class: "row" }, button);
}
