/** Below everything: the reason, and what can be done with the task. */

import { fill, h, setText } from "../../shared/dom.js";
import { isUnfinished } from "./pending_work.js";

const KEPT = 8;
const STORE = "pagetrail:review-reasons";

/** @param {string} text */
const lower = (text) => text[0].toLowerCase() + text.slice(1);

/** The last reasons of this browser, the newest first. */
export function lastReasons() {
  try {
    const stored = JSON.parse(window.localStorage.getItem(STORE) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter((one) => typeof one === "string").slice(0, KEPT)
      : [];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return [];
    throw error;
  }
}

/**
 * Remember a reason.
 * @param {string} reason
 */
export function rememberReason(reason) {
  if (!reason.trim()) return;
  const reasons = [reason, ...lastReasons().filter((one) => one !== reason)].slice(0, KEPT);
  try {
    window.localStorage.setItem(STORE, JSON.stringify(reasons));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // full or forbidden: nothing to suggest then
  }
}

export class DecisionBar {
  /** @param {Pt.Actions} actions accept(), confirm(), edit(), sendBack(), takeUp(), next() */
  constructor(actions) {
    this.actions = actions;
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
    const button = (
      /** @type {string} */ text,
      /** @type {string} */ testid,
      /** @type {string} */ title,
      /** @type {() => any} */ act,
      main = false,
    ) =>
      h("button", {
        type: "button",
        class: main ? "button primary" : "button",
        text,
        testid,
        title,
        on: { click: act },
      });
    this.sendBack = button(
      "Send back…",
      "send-back",
      "Send back to an annotator, with a comment (b)",
      () => actions.sendBack(),
    );
    this.edit = button(
      "Edit in the workspace",
      "edit",
      "Keep the draft and go on with it in the workspace (e)",
      () => actions.edit(),
    );
    this.accept = button(
      "Accept",
      "accept",
      "Make this draft gold (Ctrl+Enter)",
      () => actions.accept(),
      true,
    );
    this.confirm = button(
      "Confirm",
      "confirm",
      "Let it stand as it is (Ctrl+Enter)",
      () => actions.confirm(),
      true,
    );
    this.takeUp = button("Reopen", "take-up", "Change the gold; a reason is needed", () =>
      actions.takeUp(),
    );
    this.next = button(
      "Next task",
      "next-task",
      "Next in the queue (Ctrl+→)",
      () => actions.next(),
      true,
    );
    this.waiting = h("p", { class: "still-at-it", role: "status", testid: "still-at-it" });
    this.error = h("p", { class: "field-error", role: "alert", testid: "decision-error" });
    this.element = h(
      "footer",
      { class: "decision line" },
      h(
        "div",
        { class: "reason-field line" },
        h("label", { class: "quiet", text: "Reason", "aria-hidden": "true" }),
        this.reason,
        this.reasons,
      ),
      this.waiting,
      this.error,
      this.sendBack,
      this.edit,
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

  /** @param {any} view data, decided, readOnly, acting, basis, warned */
  update({ data, decided, readOnly, acting, basis, warned }) {
    const submitted = data.sides.some(
      (/** @type {Pt.ReviewData} */ { status }) => status === "submitted",
    );
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
    setText(
      this.accept,
      unfinished ? pending.decide : basis === "stored" ? "Accept the draft" : "Accept",
    );
    this.accept.title = unfinished
      ? "Make this draft gold without waiting (Ctrl+Enter, twice)"
      : "Make this draft gold (Ctrl+Enter)";
    this.accept.classList.toggle("primary", !unfinished);
    this.confirm.hidden = !(decided && checking);
    this.confirm.disabled = acting || readOnly;
    this.takeUp.hidden = !decided;
    this.takeUp.disabled = acting || readOnly;
    this.takeUp.classList.toggle("primary", data.status === "changed");
    this.next.classList.toggle("primary", data.status !== "changed");
    this.next.hidden = !decided || checking;
    this.next.disabled = !data.queue.next;
  }

  /** @param {string} message */
  say(message) {
    setText(this.error, message);
  }
}

/**
 * Whether somebody's work can be sent back: it is handed in.
 * @param {Pt.Side} side
 */
export function mayReturn(side) {
  return side.status === "submitted" || side.status === "skipped";
}
