/** The text boxes on screen, by the names under which drafts are kept. */

import { loadDraft, saveDraft } from "../sync/browser_storage";
import { TextField } from "./text_field";

/** The name of the text that an event stores, or null. */
export function textName(type: string, payload: Record<string, any>): string | null {
  switch (type) {
    case "answer_edited":
      return "answer";
    case "note_edited":
      return "note";
    case "question_edited":
      return "question";
    case "box_content_edited":
      return `content:${payload.box}`;
    case "field_set":
      return typeof payload.value === "string" ? fieldText(payload.field, payload) : null;
    default:
      return null;
  }
}

/** The name of a text field's text for a target. */
export function fieldText(field: string, { document = null, page = null, box = null }) {
  return ["field", field, ...(box ? [box] : [document, page])].filter((p) => p !== null).join(":");
}

export class Texts {
  host: { seq: () => number; onTyping: () => void };
  fields: Set<any>;

  constructor(host: { seq: () => number; onTyping: () => void }) {
    this.host = host;
    this.fields = new Set();
  }

  /**
   * Make a text box save itself.
   * @param commit records the text
   */
  add(
    element: HTMLTextAreaElement,
    name: string,
    commit: (text: string) => void,
    onTyping: () => void = () => {},
  ): TextField {
    const field = new TextField(element, name, {
      commit,
      seq: this.host.seq,
      onTyping: () => {
        onTyping();
        this.host.onTyping();
      },
    });
    return this.include(field);
  }

  /** Take in a text box made elsewhere, so that it is handed over with the others. */
  include(field: any): TextField {
    this.fields.add(field);
    return field;
  }

  /** A text box was taken off the screen; what is none of them is left alone. */
  remove(field: any) {
    if (this.fields.delete(field)) field.flush();
  }

  /** Whether typed text has not been handed to the outbox. */
  get dirty() {
    return [...this.fields].some((field) => field.dirty);
  }

  /** Hand typed text over now. */
  flush() {
    for (const field of this.fields) field.flush();
  }

  /** The text box of that name, if it is on screen. */
  get(name: string) {
    return [...this.fields].find((field) => field.field === name) ?? null;
  }

  /** The server has stored a text: its draft has done its work. */
  acknowledged(attempt: string, name: string, text: string) {
    const field = this.get(name);
    if (field && field.attempt === attempt) field.acknowledged(text);
    else if (loadDraft(attempt, name)?.text === text) saveDraft(attempt, name, null);
  }
}
