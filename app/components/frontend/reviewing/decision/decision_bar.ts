/** Below everything: the reason, and what can be done with the task. */

import { read, write } from "../../shared/browser_store";
import { button, errorLine } from "../../shared/buttons";
import { fill, h, setText } from "../../shared/dom";
import { mixedWords } from "./mixed_evidence";
import { isUnfinished } from "./pending_work";
import { SaidOfDecision } from "./said_of_decision";
import { mayReturn } from "./sending_back";

const ACCEPT = "Make this draft gold (Ctrl+Enter)";
const KEPT = 8;
const STORE = "review-reasons";

const lower = (text: string) => text[0].toLowerCase() + text.slice(1);

/** The last reasons given in this browser, the newest first. */
function lastReasons(): string[] {
  const stored = read(window.localStorage, STORE);
  return Array.isArray(stored)
    ? stored.filter((one) => typeof one === "string").slice(0, KEPT)
    : [];
}

/** Remember a reason. */
export function rememberReason(reason: string) {
  if (!reason.trim()) return;
  const others = lastReasons().filter((one) => one !== reason);
  write(window.localStorage, STORE, [reason, ...others].slice(0, KEPT));
}

export class DecisionBar {
  reasons: HTMLDataListElement;
  reason: HTMLInputElement;
  sendBack: HTMLButtonElement;
  edit: HTMLButtonElement;
  accept: HTMLButtonElement;
  confirm: HTMLButtonElement;
  takeUp: HTMLButtonElement;
  undo: HTMLButtonElement;
  next: HTMLButtonElement;
  details: SaidOfDecision;
  waiting: HTMLParagraphElement;
  mixed: HTMLParagraphElement;
  error: HTMLParagraphElement;
  element: HTMLElement;

  /**
   * @param actions accept(), confirm(), edit(), sendBack(), undo(), takeUp(),
   * next()
   */
  constructor(actions: Pt.Actions) {
    this.reasons = h("datalist", { id: "pt-review-reasons" });
    this.reason = h("input", {
      type: "text",
      class: "reason fill",
      maxlength: "2000",
      list: "pt-review-reasons",
      testid: "reason",
      "aria-label": "Reason",
      autocomplete: "off",
    });
    const action: (
      text: string,
      testid: string,
      title: string,
      act: string,
      kind?: string,
    ) => HTMLButtonElement = (text, testid, title, act, kind = "button") =>
      button(text, () => actions[act](), { testid, title, class: kind });
    const main = "button primary";
    const back = "Send back to an annotator, with a comment (b)";
    this.sendBack = action("Send back…", "send-back", back, "sendBack");
    const keep = "Keep the draft and go on with it in the workspace (e)";
    this.edit = action("Edit in the workspace", "edit", keep, "edit");
    this.accept = action("Accept", "accept", ACCEPT, "accept", main);
    this.confirm = action("Confirm", "confirm", "Leave it as it is (Ctrl+Enter)", "confirm", main);
    this.takeUp = action("Reopen", "take-up", "Change the gold; a reason is needed", "takeUp");
    this.undo = action("Undo", "undo", "Undo your decision (Ctrl+Z)", "undo");
    this.next = action("Next task", "next-task", "Next in the queue (Ctrl+→)", "next", main);
    this.details = new SaidOfDecision();
    this.waiting = h("p", { class: "before-deciding", role: "status", testid: "still-at-it" });
    this.mixed = h("p", { class: "before-deciding", role: "status", testid: "mixed-evidence" });
    this.error = errorLine("decision-error");
    const label = h("label", { class: "quiet", text: "Reason", "aria-hidden": "true" });
    this.element = h(
      "footer",
      { class: "decision line" },
      h("div", { class: "reason-field line" }, label, this.reason, this.reasons),
      this.details.element,
      this.waiting,
      this.mixed,
      this.error,
      this.sendBack,
      this.edit,
      this.undo,
      this.takeUp,
      this.accept,
      this.confirm,
      this.next,
    );
    this.suggest();
  }

  suggest() {
    fill(this.reasons, ...lastReasons().map((value) => h("option", { value })));
  }

  update(view: Pt.ReviewView) {
    const { data, decided, readOnly, acting, basis, warned } = view;
    this.details.update(view);
    const submitted = data.sides.some(({ status }) => status === "submitted");
    const checking = data.status === "check";
    this.reason.disabled = readOnly;
    this.reason.placeholder = decided
      ? checking
        ? "Reason to confirm or to reopen"
        : "Reason to reopen"
      : "Reason (r)";
    this.sendBack.disabled = acting || readOnly || !data.sides.some(mayReturn);
    this.edit.hidden = decided;
    this.edit.disabled = acting || readOnly || !submitted;
    this.accept.hidden = decided;
    this.accept.disabled = acting || readOnly || (!submitted && basis !== "stored");
    const unfinished = isUnfinished(data);
    const { unfinished: pending } = data;
    setText(
      this.waiting,
      unfinished && !decided
        ? `${pending.sentence}${warned ? ` Press Ctrl+Enter again to ${lower(pending.decide)}.` : ""}`
        : "",
    );
    if (!view.busy) setText(this.mixed, decided ? "" : mixedWords(data, view.draft.mixed));
    setText(
      this.accept,
      unfinished ? pending.decide : basis === "stored" ? "Accept the draft" : "Accept",
    );
    this.accept.title = unfinished
      ? "Make this draft gold without waiting (Ctrl+Enter, twice)"
      : ACCEPT;
    this.accept.classList.toggle("primary", !unfinished);
    this.confirm.hidden = !(decided && checking);
    this.confirm.disabled = acting || readOnly;
    this.undo.hidden = !decided || !data.gold?.undoable;
    this.undo.disabled = acting;
    this.takeUp.hidden = !decided;
    this.takeUp.disabled = acting || readOnly;
    const again = data.status === "changed" || data.status === "incomplete";
    this.takeUp.classList.toggle("primary", again);
    this.next.classList.toggle("primary", !again);
    this.next.hidden = !decided || checking;
    this.next.disabled = !data.queue.next;
  }

  say(message: string) {
    setText(this.error, message);
  }
}
