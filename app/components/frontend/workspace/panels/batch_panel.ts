/** The batch panel: progress and tasks, citations, search history, clock, guidelines, keys. */

import { fill, h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { samePlace } from "../../shared/places";
import type { Commands } from "../commands";
import { duration } from "../sync/working_time";
import { citationRow, searchRow, taskDot } from "./batch_rows";

const SOON_MS = 60000;

export class Sidebar {
  actions: Commands;
  seen: Record<string, any>;
  home: HTMLAnchorElement;
  title: HTMLHeadingElement;
  count: HTMLSpanElement;
  fillBar: HTMLSpanElement;
  bar: HTMLDivElement;
  tasks: any;
  finish: HTMLButtonElement;
  citationCount: HTMLSpanElement;
  citations: HTMLUListElement;
  citationBlock: HTMLElement;
  historyCount: HTMLSpanElement;
  history: HTMLUListElement;
  historyBlock: HTMLElement;
  time: HTMLSpanElement;
  pauseLabel: HTMLSpanElement;
  pauseButton: HTMLButtonElement;
  clock: HTMLDivElement;
  limit: HTMLParagraphElement;
  element: HTMLElement;

  /**
   * @param actions goTo(attempt), openCitation(citation, stamp), removeCitation(citation), focusWork(),
   * rerun(search), pause(), guidelines(), help(), finish()
   */
  constructor(actions: Pt.Commands) {
    this.actions = actions;
    this.seen = {};
    this.home = h(
      "a",
      { class: "home inline medium", testid: "home", title: "My batches" },
      icon("home"),
      "My batches",
    );
    this.title = h("h1", { class: "batch-name", testid: "batch-name" });
    this.count = h("span", { class: "batch-count quiet number", testid: "batch-count" });
    this.fillBar = h("span", { class: "bar-fill" });
    this.bar = h(
      "div",
      {
        class: "bar",
        role: "progressbar",
        "aria-label": "Tasks done",
        "aria-valuemin": "0",
        testid: "progress",
      },
      this.fillBar,
    );
    this.tasks = h("ol", { class: "dots" });
    this.finish = h("button", {
      class: "button block",
      testid: "finish",
      text: "All tasks done: finish the batch",
      on: { click: () => actions.finish() },
    });
    this.citationCount = h("span", { class: "count quiet number" });
    this.citations = h("ul", { testid: "citations" });
    this.citationBlock = block("Citations", this.citationCount, this.citations);
    this.historyCount = h("span", { class: "count quiet number" });
    this.history = h("ul", { testid: "history" });
    this.historyBlock = block("Searches", this.historyCount, this.history);
    this.time = h("span", { class: "time number", testid: "clock" });
    this.pauseLabel = h("span", { text: "Pause" });
    this.pauseButton = h(
      "button",
      {
        class: "button small",
        testid: "pause",
        title: "Pause the clock (p)",
        on: { click: () => actions.pause() },
      },
      icon("pause"),
      this.pauseLabel,
    );
    this.clock = h("div", { class: "clock line" }, icon("clock"), this.time, this.pauseButton);
    this.limit = h("p", { class: "limit quiet number medium", testid: "time-left", hidden: true });
    const tool: (
      testid: string,
      name: string,
      text: string,
      key: string,
      run: () => void,
    ) => HTMLElement = (testid, name, text, key, click) => {
      const props = { class: "button quiet-button", testid, title: `${text} (${key})` };
      return h("button", { ...props, on: { click } }, icon(name), text);
    };
    this.element = h(
      "aside",
      { class: "left scrolls column", "aria-label": "Batch" },
      h(
        "div",
        { class: "batch stack" },
        this.home,
        h("div", { class: "batch-line spread" }, this.title, this.count),
        this.bar,
        h("nav", { "aria-label": "Tasks of the batch" }, this.tasks),
        this.finish,
      ),
      h("div", { class: "left-scroll scrolls stack" }, this.citationBlock, this.historyBlock),
      h(
        "div",
        { class: "left-foot" },
        this.clock,
        this.limit,
        h(
          "div",
          { class: "tools" },
          tool("guidelines", "book", "Guidelines", "i", () => actions.guidelines()),
          tool("help", "help", "Keys", "?", () => actions.help()),
        ),
      ),
    );
  }

  /** Show the store's values; parts that did not change are left alone. */
  update(data: Pt.WorkspaceData) {
    const { batch, state, protocol, documents, attempt, page } = data;
    const changed = (key: string, ...values: any[]) => {
      const before = this.seen[key];
      this.seen[key] = values;
      return !before || values.some((value, i) => value !== before[i]);
    };
    setAttr(this.home, "href", data.home || "/");
    if (changed("batch", batch, attempt, data.loading, data.review)) {
      this.showBatch(batch, attempt, data.loading);
      if (data.review) this.showDraft(data);
    }
    this.citationBlock.hidden = !protocol.evidence.enabled;
    const readOnly = state.closed || state.status === "submitted" || state.status === "skipped";
    if (changed("citations", state.citations, documents, readOnly, page?.document, page?.page)) {
      this.showCitations(state.citations, data, readOnly);
    }
    this.historyBlock.hidden = !protocol.search.enabled;
    if (changed("history", state.searches, readOnly)) this.showHistory(state.searches, readOnly);
    this.clock.hidden = !protocol.clock.visible && !protocol.clock.pause;
    this.time.hidden = !protocol.clock.visible;
    this.pauseButton.hidden = !protocol.clock.pause;
    this.pauseButton.disabled = readOnly;
  }

  showBatch(batch: Pt.ShownBatch, attempt: string, loading: any) {
    const hidden = batch.size === null;
    const done = batch.tasks.filter((task) =>
      ["submitted", "skipped"].includes(task.status),
    ).length;
    setText(this.title, batch.code_name);
    for (const part of [this.count, this.bar, this.tasks]) part.hidden = hidden;
    setText(this.count, hidden ? "" : `${batch.position} of ${batch.size}`);
    setAttr(this.bar, "aria-valuemax", batch.size ?? 0);
    setAttr(this.bar, "aria-valuenow", done);
    setAttr(this.bar, "aria-valuetext", `${done} of ${batch.size} done`);
    setAttr(this.bar, "title", `${done} of ${batch.size} done`);
    this.fillBar.style.width = `${(100 * done) / Math.max(1, batch.size ?? 0)}%`;
    this.finish.hidden = done < batch.tasks.length || batch.closed;
    const hadFocus = this.tasks.querySelector(":focus")?.dataset.attempt;
    fill(
      this.tasks,
      ...batch.tasks.map((task) =>
        taskDot(task, {
          current: task.attempt === attempt,
          loading: task.attempt === loading,
          open: () => this.actions.goTo(task.attempt),
        }),
      ),
    );
    if (hadFocus) this.tasks.querySelector(`[data-attempt="${CSS.escape(hadFocus)}"]`)?.focus();
  }

  /** A gold draft belongs to no batch. */
  showDraft({ campaign }: Pt.WorkspaceData) {
    setText(this.title, "Gold draft");
    setText(this.count, campaign.name);
  }

  showCitations(
    citations: Pt.Citation[],
    { documents, page, protocol }: Pt.WorkspaceData,
    readOnly: boolean,
  ) {
    setText(this.citationCount, citations.length ? String(citations.length) : "");
    if (!citations.length) {
      const text = protocol.evidence.required
        ? "Cite each page that your answer rests on."
        : "Pages that you cite appear here.";
      this.refill(this.citations, [h("li", { class: "empty-line caption", text })]);
      return;
    }
    this.refill(
      this.citations,
      citations.map((citation) =>
        citationRow(citation, {
          pages: documents[citation.document]?.n_pages,
          current: samePlace(page, citation),
          open: (stamp) => this.actions.openCitation(citation, stamp),
          remove: readOnly ? null : () => this.actions.removeCitation(citation),
        }),
      ),
    );
  }

  /** Fill a list again; the focus stays at its place in the list, or goes back to the work. */
  refill(list: HTMLElement, rows: HTMLElement[]) {
    const part = list.querySelector(":focus")?.getAttribute("data-testid");
    const at = [...list.children].findIndex((row) => row.matches(":focus-within"));
    fill(list, ...rows);
    if (!part) return;
    const to = rows[Math.min(at, rows.length - 1)].querySelector(`[data-testid="${part}"]:enabled`);
    if (to) (to as HTMLElement).focus();
    else this.actions.focusWork();
  }

  /** Each search once: a look back at one is no entry. */
  showHistory(all: any, readOnly: boolean) {
    const searches = all.filter((search: Pt.Search) => !search.looks_back_at);
    setText(this.historyCount, searches.length ? String(searches.length) : "");
    if (!searches.length) {
      fill(
        this.history,
        h("li", {
          class: "empty-line caption",
          text: "Your searches appear here; click one to run it again.",
        }),
      );
      return;
    }
    this.refill(
      this.history,
      [...searches]
        .reverse()
        .map((search) => searchRow(search, readOnly, () => this.actions.rerun(search))),
    );
  }

  /** Show the working time, and what is left of a time limit. */
  tick(clock: any, limit: any, readOnly: boolean) {
    this.limit.hidden = limit.left === null || readOnly;
    if (limit.left !== null) {
      setText(
        this.limit,
        limit.over ? "The time is over." : `${duration(limit.left + 999)} left for this task`,
      );
      this.limit.classList.toggle("soon", limit.left < SOON_MS);
    }
    setText(this.time, duration(clock.value));
    this.clock.classList.toggle("idle", clock.idle || !clock.running);
    setAttr(
      this.time,
      "title",
      clock.idle ? "Working time; it stops while nothing happens" : "Working time on this task",
    );
  }
}

function block(title: string, count: HTMLSpanElement, list: HTMLElement) {
  return h("section", { class: "block", "aria-label": title }, h("h2", {}, title, count), list);
}
