/** Typing and sending a reply to the comments; it is kept in this browser until it is sent. */

import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import type { Attempt } from "../state/attempt";
import { clean, strip } from "../state/attempt_state";
import { loadDraft, saveDraft } from "../sync/browser_storage";

const DRAFT = "comment";

export class CommentCommands {
  constructor(private readonly attempt: Attempt) {}

  /** Another attempt is on screen. */
  attach() {
    this.show(loadDraft(this.attempt.id, DRAFT)?.text ?? "");
  }

  type(text: string) {
    this.keep(this.attempt.id, clean(text));
    this.show(text);
  }

  /** @returns whether the reply was taken */
  send() {
    const { id, store } = this.attempt;
    const typed = store.data.reply.text;
    const text = clean(typed);
    if (!strip(text)) {
      this.show(typed, sentence("blank"));
      return false;
    }
    const result = this.attempt.record("commented", { text });
    if (result === null) {
      this.show(typed, t("No comments can be made on this task any more."));
      return false;
    }
    this.keep(id, "");
    this.show("");
    result.then(({ refusal }) => refusal && this.refuse(id, text, refusal.message));
    return true;
  }

  /** A refused reply is there again, to be sent another way or copied. */
  private refuse(id: string, text: string, message: string) {
    if (!loadDraft(id, DRAFT)) this.keep(id, text);
    const { store } = this.attempt;
    if (id === this.attempt.id) this.show(store.data.reply.text || text, message);
  }

  private show(text: string, error = "") {
    this.attempt.store.set({ reply: { text, error } });
  }

  private keep(id: string, text: string) {
    saveDraft(id, DRAFT, text ? { text, base: "", seq: 0 } : null);
  }
}
