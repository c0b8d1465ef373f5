/** A text box that saves itself: draft at each key, event after a pause, nothing lost on reload. */

import { clean } from "../state/attempt_state.js";
import { loadDraft, saveDraft } from "../sync/browser_storage.js";

const DEBOUNCE_MS = 800;

export class TextField {
  /**
   * @param {HTMLInputElement | HTMLTextAreaElement} element
   * @param {string} field
   * @param {Record<string, any>} host commit(text), seq(), onTyping(); of a cell also check(text), say(wrong)
   */
  constructor(element, field, host) {
    this.element = element;
    this.field = field;
    /** @type {any} */
    this.host = host;
    /** @type {any} */
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
   * @param {string} attempt
   * @param {string} text as stored
   * @param {boolean} restore whether a draft of this browser may be restored
   * @param {number} seq the last event stored
   * @returns {string|null} a draft that lost against newer work, to be offered
   */
  attach(attempt, text, restore, seq) {
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

  /** Put text in as if typed, and save it. @param {string} text */
  use(text) {
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

  /** The server has stored this text: the draft has done its work. @param {string} text */
  acknowledged(text) {
    if (!this.dirty && text === this.stored) saveDraft(this.attempt, this.field, null);
  }

  /** The state changed elsewhere. @param {string} text */
  sync(text) {
    if (this.dirty || text === this.stored) return;
    this.stored = text;
    if (this.element.value === text) return;
    const { selectionStart, selectionEnd } = this.element;
    this.element.value = text;
    if (this.element.matches(":focus"))
      this.element.setSelectionRange(selectionStart, selectionEnd);
  }
}
