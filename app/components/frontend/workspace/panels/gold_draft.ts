/**
 * The gold draft of a task under review on the workspace screen: what it says of itself, and the
 * way back. The draft belongs to whoever holds the task; when that is another, nothing is taken.
 */

import { h, plural, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import type { Workspace } from "../workspace";

const WAIT_MS = 6000;
const NAMES: [RegExp, string][] = [
  [/^citation_/, "citation"],
  [/^answer_/, "answer"],
  [/^question_/, "question"],
  [/^field_/, "field"],
  [/^row_/, "row"],
  [/^(box_|undone|redone)/, "box change"],
];

/** "2 citations, 1 box change": events in the words of the screen. */
function changeWords(events: Array<{ type: string }>): string {
  const counts = new Map();
  for (const { type } of events) {
    const word = NAMES.find(([pattern]) => pattern.test(type))?.[1] ?? "other change";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => plural(count, word)).join(", ");
}

export class GoldMode {
  screen: Workspace;
  note: HTMLParagraphElement;
  back: HTMLAnchorElement;
  element: HTMLElement;

  constructor(screen: Workspace) {
    this.screen = screen;
    this.note = h("p", { class: "gold-note strong", role: "status", testid: "gold-note" });
    this.back = h("a", {
      class: "button small",
      testid: "gold-back",
      text: "Back to review",
      on: { click: (event) => this.leave(event) },
    });
    this.element = h(
      "section",
      {
        class: "gold-bar line notice",
        testid: "gold-bar",
        "aria-label": "Gold draft",
        hidden: true,
      },
      icon("pencil"),
      h(
        "p",
        { class: "gold-text wrap" },
        h("strong", { text: "Gold draft of a task under review, not your own work. " }),
        "It becomes gold when you decide.",
      ),
      this.back,
      this.note,
    );
    // Kept by the browser as it was when it was left: what it shows may be another's by now.
    window.addEventListener("pageshow", (event) => {
      if (event.persisted && screen.attempt.left) window.location.reload();
    });
  }

  /** Show the store's values. */
  update({ review, connection, lost, pending }: Pt.WorkspaceData) {
    const { screen } = this;
    this.element.hidden = !review;
    screen.element.classList.toggle("reviewing", Boolean(review));
    if (!review) return;
    this.back.href = review.back;
    const stopped = connection.kind === "stopped";
    const notes = [];
    if (lost?.length) {
      notes.push(
        `Not taken over from your last visit, because the draft was changed meanwhile: ${changeWords(lost)}.`,
      );
    }
    if (stopped && pending) {
      notes.push(
        `Not saved: ${changeWords(screen.attempt.outbox.unsaved)}. Kept in this browser, and brought in when you take ` +
          "the task again, unless the draft is another by then.",
      );
    }
    setText(this.note, notes.join(" "));
    this.note.hidden = !notes.length;
  }

  /** Go back to the task under review once everything is stored. */
  async leave(event: any = null) {
    event?.preventDefault();
    const { screen } = this;
    const { attempt } = screen;
    const { review } = screen.store.data;
    screen.flush();
    if (
      !attempt.outbox.stopped &&
      !(await attempt.outbox.flush(WAIT_MS)) &&
      !attempt.outbox.stopped
    ) {
      screen.toast("Not everything is saved yet. Wait for the connection, then go back.");
      return;
    }
    attempt.left = true;
    window.location.assign(review?.back ?? "/");
  }
}
