/** A text box that saves itself: draft at each key, event after a pause, nothing lost on reload. */

import { clean } from "../state/attempt_state";
import { loadDraft, saveDraft } from "../sync/browser_storage";

const DEBOUNCE_MS = 800;

export class TextField {
  element: HTMLInputElement | HTMLTextAreaElement;
  field: string;
  host: any;
  attempt: any;
  stored: string;
  timer: number;

  /** @param host commit(text), seq(), onTyping(); of a cell also check(text), say(wrong) */
  constructor(
    element: HTMLInputElement | HTMLTextAreaElement,
    field: string,
    host: Record<string, any>,
  ) {
    this.element = element;
    this.field = field;
    this.host = host;
    this.attempt = null;
    this.stored = "";
    this.timer = 0;
    element.addEventListener("input", () => this.typed());
    element.addEventListener("blur", () => this.flush());
  }

  /** Whether typed text has not been handed to the outbox. */
  get dirty() {
    return this.timer !== 0;
  }

  get text() {
    return clean(this.element.value);
  }

  /**
   * Show another attempt's text.
   * @param text as stored
   * @param restore whether a draft of this browser may be restored
   * @param seq the last event stored
   * @returns a draft that lost against newer work, to be offered
   */
  attach(attempt: string, text: string, restore: boolean, seq: number): string | null {
    this.cancel();
    this.attempt = attempt;
    this.stored = text;
    this.element.value = text;
    const draft = loadDraft(attempt, this.field);
    if (!draft || draft.text === text) {
      saveDraft(attempt, this.field, null);
      return null;
    }
    const newer = draft.base === text || seq <= draft.seq;
    if (!restore || !newer) return draft.text;
    this.use(draft.text);
    return null;
  }

  /** Put text in as if typed, and save it. */
  use(text: string) {
    this.element.value = text;
    this.typed();
    this.flush();
  }

  typed() {
    const { text } = this;
    saveDraft(this.attempt, this.field, { text, base: this.stored, seq: this.host.seq() });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), DEBOUNCE_MS);
    this.host.onTyping();
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Hand typed text to the outbox now. */
  flush() {
    if (!this.dirty) return;
    this.cancel();
    const { text } = this;
    if (text === this.stored) {
      saveDraft(this.attempt, this.field, null);
    } else {
      this.stored = text;
      this.host.commit(text);
    }
    this.host.onTyping();
  }

  /** The server has stored this text: the draft has done its work. */
  acknowledged(text: string) {
    if (!this.dirty && text === this.stored) saveDraft(this.attempt, this.field, null);
  }

  /** The state changed elsewhere. */
  sync(text: string) {
    if (this.dirty || text === this.stored) return;
    this.stored = text;
    if (this.element.value === text) return;
    const { selectionStart, selectionEnd } = this.element;
    this.element.value = text;
    if (this.element.matches(":focus"))
      this.element.setSelectionRange(selectionStart, selectionEnd);
  }
}
