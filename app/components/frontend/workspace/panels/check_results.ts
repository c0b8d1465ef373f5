/** The live checks of a written question: what each found, with the evidence for it. */

import { errorLine } from "../../shared/buttons";
import { fill, h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";

const TITLES: Record<string, string> = {
  giveaway: "Self-contained",
  extractive: "Answer on the cited pages",
  agentic: "Search effort",
  overlap: "Low word overlap",
  duplicate: "Not asked before",
  minimality: "Minimal evidence",
};
const STATUS: Record<string, any> = {
  ok: { icon: "check", word: "fine" },
  warning: { icon: "warning", word: "look at this" },
  blocking: { icon: "warning", word: "must be solved" },
  skipped: { icon: "circle", word: "waiting" },
};

/**
 * A text cut at character offsets as Python counts them, by code points.
 * @param spans half-open, ascending
 */
export function cut(
  text: string,
  spans: Array<[number, number]>,
): Array<{ text: string; marked: boolean }> {
  const points = [...text];
  const parts = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start > at) parts.push({ text: points.slice(at, start).join(""), marked: false });
    if (end > Math.max(at, start))
      parts.push({ text: points.slice(Math.max(at, start), end).join(""), marked: true });
    at = Math.max(at, end);
  }
  if (at < points.length) parts.push({ text: points.slice(at).join(""), marked: false });
  return parts;
}

/** "2 of 9 questions on several pages (22 %; target 20 %)" */
export function hopSentence({ written, multi_hop: several, target }: Pt.QuestionCounts) {
  const percent = (share: any) => `${Math.round(100 * share)} %`;
  const wanted = target === null ? "" : `target ${percent(target)}`;
  if (!written) return wanted ? `No question submitted yet; ${wanted} on several pages` : "";
  const share = [percent(several / written), wanted].filter(Boolean).join("; ");
  return `${several} of ${written} ${written === 1 ? "question" : "questions"} on several pages (${share})`;
}

export class ChecksPanel {
  actions: Pt.Actions;
  rows: Map<any, any>;
  status: HTMLSpanElement;
  button: HTMLButtonElement;
  error: HTMLParagraphElement;
  list: HTMLUListElement;
  hint: HTMLParagraphElement;
  hops: HTMLParagraphElement;
  element: HTMLElement;
  slow: boolean | undefined;
  failed: boolean | undefined;

  /** @param actions run(), stop(), runQuery(query), openPage({document, page}) */
  constructor(actions: Pt.Actions) {
    this.actions = actions;
    this.rows = new Map();
    this.status = h("span", {
      class: "count quiet number",
      role: "status",
      testid: "checks-status",
    });
    this.button = h("button", {
      class: "button small",
      testid: "run-checks",
      text: "Run checks",
      on: { click: () => (this.slow ? actions.stop() : actions.run()) },
    });
    this.error = errorLine("field-error", { "data-field": "checks" });
    this.list = h("ul", { class: "check-list stack" });
    this.hint = h("p", {
      class: "empty-line caption",
      text: "They run by themselves a moment after you stop typing; you can go on meanwhile.",
    });
    this.hops = h("p", { class: "hop-line caption", testid: "multi-hop" });
    this.element = h(
      "section",
      { class: "checks stack", testid: "checks", "aria-label": "Checks" },
      h(
        "div",
        { class: "elements-head line" },
        h("h2", { text: "Checks" }),
        this.status,
        this.button,
      ),
      this.error,
      this.hint,
      this.list,
      this.hops,
    );
  }

  /**
   * Show the store's values.
   * @param run `slow`: they may be stopped; `question`:
   * which the findings are about, null when it is another by now
   */
  update(
    { state, protocol, authored }: Pt.WorkspaceData,
    run: {
      running: boolean;
      slow: boolean;
      current: boolean;
      enabled: boolean;
      error: string | null;
      question: string | null;
    },
  ) {
    this.element.hidden = !protocol.question.checks && !authored;
    const findings = state.checks?.findings ?? [];
    this.button.hidden = this.list.hidden = !protocol.question.checks;
    this.hint.hidden = !protocol.question.checks || findings.length > 0;
    this.slow = run.running && run.slow;
    setText(this.button, this.slow ? "Stop checks" : "Run checks");
    this.button.disabled = (run.running && !run.slow) || !run.enabled;
    const words = run.running
      ? "checking…"
      : !findings.length
        ? "not run yet"
        : run.current
          ? "up to date"
          : "changed since";
    setText(this.status, protocol.question.checks ? words : "");
    if (!this.failed) setText(this.error, run.error ?? "");
    this.list.classList.toggle("stale", !run.current && !run.running);
    setAttr(this.list, "aria-busy", run.running ? "true" : null);
    this.place(findings, protocol.question.blocking, run.question);
    setText(this.hops, authored ? hopSentence(authored) : "");
    this.hops.hidden = !this.hops.textContent;
  }

  /** One row a check, rebuilt only when it found something else. */
  place(findings: any, blocking: any, question: any) {
    const names = new Set(findings.map(({ check }: { check: any }) => check));
    for (const [name, row] of this.rows) {
      if (names.has(name)) continue;
      row.element.remove();
      this.rows.delete(name);
    }
    for (const finding of findings) {
      const status =
        finding.status === "warning" && blocking.includes(finding.check)
          ? "blocking"
          : finding.status;
      const spans = question === null ? [] : finding.spans;
      const key = JSON.stringify([finding, status, spans.length ? question : null]);
      let row = this.rows.get(finding.check);
      if (!row) {
        row = {
          element: h("li", {
            class: "check stack medium",
            testid: "check",
            "data-check": finding.check,
          }),
          key: null,
        };
        this.rows.set(finding.check, row);
        this.list.append(row.element);
      }
      if (row.key === key) continue;
      row.key = key;
      row.element.dataset.status = finding.status;
      row.element.classList.toggle("blocking", status === "blocking");
      const { icon: name, word } = STATUS[status];
      fill(
        row.element,
        h(
          "p",
          { class: "check-head line" },
          icon(name),
          h("span", {
            class: "check-title strong fill",
            text: TITLES[finding.check] ?? finding.check,
          }),
          h("span", { class: "check-word nowrap", text: word }),
        ),
        h("p", { class: "check-message", text: finding.message }),
        ...this.evidence(finding, spans, question),
      );
    }
  }

  /** What a finding rests on: places in the question, words, the query, pages, another question. */
  evidence(finding: any, spans: Array<[number, number]>, question: any) {
    const { words, query, pages, other } = finding;
    const found = [];
    if (spans.length) {
      const parts = cut(question, spans).map(({ text, marked }) =>
        marked ? h("mark", { text }) : text,
      );
      found.push(h("p", { class: "check-quote wrap", testid: "check-quote" }, ...parts));
    } else if (words.length) {
      found.push(
        h(
          "p",
          { class: "wrapping" },
          ...words.map((word: string) => h("span", { class: "word-chip pill", text: word })),
        ),
      );
    }
    if (query) {
      const run = h("button", {
        class: "link",
        testid: "check-query",
        title: "Run this search",
        text: query,
        on: { click: () => this.actions.runQuery(query) },
      });
      found.push(h("p", {}, "Search: ", run));
    }
    if (pages.length) {
      const links = pages.map(([document, page]: any[]) =>
        h(
          "li",
          {},
          h("button", {
            class: "link",
            testid: "check-page",
            "data-document": document,
            "data-page": page,
            text: `page ${page} of ${document}`,
            on: { click: (event) => this.actions.openPage({ document, page }, event.timeStamp) },
          }),
        ),
      );
      found.push(h("ul", {}, ...links));
    }
    if (other)
      found.push(
        h("blockquote", { class: "check-quote wrap", testid: "check-other", text: other }),
      );
    return found;
  }

  /** A sentence why the task cannot be submitted. */
  showError(message: string) {
    this.failed = Boolean(message);
    setText(this.error, message);
  }
}
