/** The comments on a task: what it was sent back with, and a reply. */

import { errorLine } from "../../shared/buttons";
import { fill, h, plural, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { dayWords, sameDay, timeOfDay } from "../../shared/notation";
import { sentence } from "../../shared/sentences";
import { clean, isAsked, strip } from "../state/attempt_state";
import { loadDraft, saveDraft } from "../sync/browser_storage";
import { differenceTable } from "./difference_table";

const DRAFT = "comment";

/**
 * When something was, in the reader's own time: "14:02" today, else "3 Mar, 14:02".
 * @param at ISO; null is this moment
 */
function whenWords(at: string | null, now: Date = new Date()) {
  if (at === null) return "just now";
  const date = new Date(at);
  const time = timeOfDay(date, false);
  return sameDay(date, now) ? time : `${dayWords(date, now)}, ${time}`;
}

export class Comments {
  actions: { send: (text: string) => Promise<any> | null };
  attempt: any;
  open: boolean;
  title: HTMLSpanElement;
  mark: HTMLSpanElement;
  fold: HTMLSpanElement;
  count: HTMLSpanElement;
  toggle: HTMLButtonElement;
  list: HTMLOListElement;
  input: HTMLTextAreaElement;
  button: HTMLButtonElement;
  error: HTMLParagraphElement;
  form: HTMLFormElement;
  body: HTMLDivElement;
  said: HTMLParagraphElement;
  element: HTMLElement;
  returned: boolean | undefined;
  head: (Pt.AttemptState | Pt.Comment[] | { name: string })[] | null | undefined;

  heard: any;

  comments: any;

  /** @param actions null when it is not taken */
  constructor(actions: { send: (text: string) => Promise<any> | null }) {
    this.actions = actions;
    this.attempt = null;
    this.open = false;
    this.title = h("span", { class: "talk-title wrap", testid: "talk-title" });
    this.mark = h("span", { class: "icon-slot" });
    this.fold = h("span", { class: "icon-slot" });
    this.count = h("span", { class: "talk-count quiet medium fill", testid: "talk-count" });
    this.toggle = h(
      "button",
      {
        class: "talk-head line bare",
        testid: "talk-toggle",
        "aria-controls": "pt-talk",
        on: { click: () => this.setOpen(!this.open) },
      },
      this.mark,
      this.title,
      this.count,
      this.fold,
    );
    this.list = h("ol", { class: "talk-list stack", testid: "talk-list" });
    this.input = h("textarea", {
      id: "pt-reply",
      rows: "1",
      maxlength: "20000",
      testid: "reply",
      placeholder: "Reply",
      "aria-describedby": "pt-reply-error",
      on: { input: () => this.typed(), keydown: (event) => this.key(event) },
    });
    this.button = h("button", {
      type: "submit",
      class: "button small",
      testid: "reply-send",
      text: "Send reply",
      title: "Send the reply (Ctrl+Enter)",
    });
    this.error = errorLine("reply-error", { id: "pt-reply-error" });
    // Ctrl+Enter is the reply's while one is typed, not the task's.
    this.form = h(
      "form",
      { class: "talk-form", "data-keys": "Enter", on: { submit: (event) => this.send(event) } },
      h("label", { class: "unseen", for: "pt-reply", text: "Reply" }),
      this.input,
      this.button,
    );
    this.body = h(
      "div",
      {
        class: "talk-body stack inset-focus",
        id: "pt-talk",
        tabindex: "0",
        role: "group",
        "aria-label": "Comments on this task",
      },
      this.list,
      this.form,
      this.error,
    );
    this.said = h("p", { class: "unseen", role: "status", testid: "talk-said" });
    this.element = h(
      "section",
      { class: "talk stack framed", testid: "talk", "aria-label": "Comments", hidden: true },
      h("h2", {}, this.toggle),
      this.body,
      this.said,
    );
  }

  /** Show the store's values. */
  update(data: Pt.WorkspaceData) {
    const { attempt, state, user, archived } = data;
    const { comments } = state;
    const other = attempt !== this.attempt;
    const newly = !other && state.returned && !this.returned;
    this.element.hidden = !comments.length;
    this.form.hidden = Boolean(archived);
    this.returned = state.returned;
    if (other) this.attach(attempt);
    if (other || newly) this.setOpen(state.returned || isAsked(state, user));
    if (other || comments !== this.comments) this.show(comments, user);
    this.comments = comments;
    this.head = [comments, user, state];
    this.showHead(...(this.head as [any, any, any]));
  }

  attach(attempt: string) {
    this.attempt = attempt;
    this.head = null;
    this.heard = null;
    this.input.value = loadDraft(attempt, DRAFT)?.text ?? "";
    setText(this.error, "");
    setText(this.said, "");
  }

  showHead(
    comments: Pt.Comment[],
    user: { name: string },
    { returned, status }: { returned: any; status: string },
  ) {
    const back = comments.findLast((entry) => entry.returns);
    const open = returned && status !== "submitted" && status !== "skipped";
    this.element.classList.toggle("returned", open);
    const kind = open ? "undo" : "comment";
    if (this.mark.dataset.kind !== kind) {
      this.mark.dataset.kind = kind;
      fill(this.mark, icon(kind));
    }
    setText(
      this.title,
      open && back ? `Sent back by ${name(back, user)}, ${whenWords(back.at)}` : "Comments",
    );
    const last = comments.at(-1);
    const number = open ? plural(comments.length, "comment") : String(comments.length);
    const words = open && comments.length === 1 ? "" : number;
    const from = last && last !== back && !this.open ? `, last by ${name(last, user)}` : "";
    setText(this.count, `${words}${words && from}`);
  }

  show(comments: Pt.Comment[], user: { name: string }) {
    fill(this.list, ...comments.map((entry) => this.entry(entry, user)));
    this.list.classList.toggle("alone", comments.length === 1);
    this.body.scrollTop = this.body.scrollHeight;
    const last = comments.at(-1);
    const key = last ? `${comments.length}|${last.at}` : "";
    if (last && key !== this.heard && name(last, user) !== "You") {
      const what = last.returns ? "sent this task back" : "commented";
      setText(this.said, `${last.by} ${what}: ${last.text}`);
    }
    this.heard = key;
  }

  entry(entry: any, user: { name: string }) {
    const { returns, text, differences, at } = entry;
    return h(
      "li",
      {
        class: "talk-entry stack",
        testid: "comment",
        "data-own": String(name(entry, user) === "You"),
      },
      h(
        "p",
        { class: "talk-meta caption" },
        h("strong", { text: name(entry, user) }),
        ` ${returns ? "sent the task back · " : ""}${whenWords(at)}`,
      ),
      h("p", { class: "talk-text pre", text }),
      differences.length ? differenceTable(differences) : null,
    );
  }

  setOpen(open: boolean) {
    this.open = open;
    this.body.hidden = !open;
    setAttr(this.toggle, "aria-expanded", String(open));
    fill(this.fold, icon(open ? "up" : "down"));
    if (this.head) this.showHead(...(this.head as [any, any, any]));
    if (open) this.body.scrollTop = this.body.scrollHeight;
  }

  typed() {
    const text = clean(this.input.value);
    saveDraft(this.attempt, DRAFT, text ? { text, base: "", seq: 0 } : null);
    setText(this.error, "");
  }

  key(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.send(event);
  }

  send(event: any) {
    event.preventDefault();
    const text = clean(this.input.value);
    if (!strip(text)) {
      setText(this.error, sentence("blank"));
      this.input.focus();
      return;
    }
    const { attempt } = this;
    const result = this.actions.send(text);
    if (result === null) {
      setText(this.error, "No comments can be made on this task any more.");
      return;
    }
    this.input.value = "";
    saveDraft(attempt, DRAFT, null);
    result.then(({ refusal }) => refusal && this.refused(attempt, text, refusal.message));
  }

  /** What was not taken is there again, to be sent another way or copied. */
  refused(attempt: string, text: string, message: string) {
    if (!loadDraft(attempt, DRAFT)) saveDraft(attempt, DRAFT, { text, base: "", seq: 0 });
    if (attempt !== this.attempt) return;
    if (!this.input.value) this.input.value = text;
    setText(this.error, message);
  }
}

function name({ by }: Pt.Comment, user: { name: string }) {
  return by === null || by === user.name ? "You" : by;
}
