/** A text box that saves itself: draft at each key, event after a pause, nothing lost on reload. */

import { clean } from "../state/attempt_state";
import { loadDraft, saveDraft } from "../sync/browser_storage";

const DEBOUNCE_MS = 800;

export interface TextFieldHost {
  /** records the text */
  commit: (text: string) => void;
  /** the last event known */
  seq: () => number;
  /** Something was typed, or was handed over. */
  onTyping: () => void;
  /** The box holds another text. */
  onText: (text: string) => void;
  /** why a text cannot be stored, or "" */
  check: (text: string) => string;
}

export class TextField {
  attempt = "";
  stored = "";
  private timer = 0;

  /** @param field the name of its draft */
  constructor(
    readonly element: HTMLInputElement | HTMLTextAreaElement,
    public field: string,
    private readonly host: TextFieldHost,
  ) {
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

  /** Whether what was typed cannot be stored as it is. */
  get isInvalid() {
    return this.text !== this.stored && this.host.check(this.text) !== "";
  }

  private put(text: string) {
    this.element.value = text;
    this.host.onText(this.text);
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
    this.put(text);
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
    this.host.onText(text);
    this.host.onTyping();
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Hand typed text to the outbox now; what cannot be stored stays a draft. */
  flush() {
    if (!this.dirty) return;
    this.cancel();
    const { text } = this;
    if (text === this.stored) {
      saveDraft(this.attempt, this.field, null);
    } else if (!this.host.check(text)) {
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
    this.put(text);
    if (this.element.matches(":focus"))
      this.element.setSelectionRange(selectionStart, selectionEnd);
  }
}
