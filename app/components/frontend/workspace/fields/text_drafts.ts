/** The text boxes on screen, by the names under which drafts are kept. */

import { loadDraft, saveDraft } from "../sync/browser_storage";
import { TextField } from "./text_field";

/** The text that an event stores, with its name, or null. */
export function storedText(
  event: Pt.EventOf<Pt.EventPayloads>,
): { name: string; text: string } | null {
  switch (event.type) {
    case "answer_edited":
      return { name: "answer", text: event.payload.text };
    case "note_edited":
      return { name: "note", text: event.payload.text };
    case "scratchpad_edited":
      return { name: "scratchpad", text: event.payload.text };
    case "question_edited":
      return { name: "question", text: event.payload.text };
    case "box_content_edited":
      return { name: `content:${event.payload.box}`, text: event.payload.content };
    case "field_set": {
      const { field, value } = event.payload;
      return typeof value === "string"
        ? { name: fieldText(field, event.payload), text: value }
        : null;
    }
    default:
      return null;
  }
}

/** The name of a text field's text for a target. */
export function fieldText(
  field: string,
  { document = null, page = null, box = null }: Partial<Pt.Target>,
) {
  return ["field", field, ...(box ? [box] : [document, page])].filter((p) => p !== null).join(":");
}

/** Something typed that is handed over after a while, or when asked to. */
export interface Unsaved {
  readonly attempt: string;
  readonly dirty: boolean;
  flush(): void;
}

interface TextsHost {
  /** the last event known */
  seq: () => number;
  /** the attempt on screen */
  attempt: () => string;
  onTyping: () => void;
}

export class Texts {
  private readonly entries = new Set<Unsaved>();

  constructor(readonly host: TextsHost) {}

  /**
   * Make a text box save itself.
   * @param commit records the text
   * @param onText the box holds another text
   * @param check why a text cannot be stored, or ""
   */
  add(
    element: HTMLInputElement | HTMLTextAreaElement,
    name: string,
    commit: (text: string) => void,
    onText: (text: string) => void = () => {},
    check: (text: string) => string = () => "",
  ): TextField {
    const { seq, onTyping } = this.host;
    const field = new TextField(element, name, { commit, seq, onTyping, onText, check });
    this.entries.add(field);
    return field;
  }

  /** Take in what is no text box, so that it is handed over with them. */
  include(entry: Unsaved) {
    this.entries.add(entry);
  }

  /** Something was taken off the screen; another attempt's text stays a draft. */
  remove(entry: Unsaved) {
    this.entries.delete(entry);
    if (entry.attempt === this.host.attempt()) entry.flush();
    else if (entry instanceof TextField) entry.cancel();
  }

  /** Whether something typed has not been handed to the outbox. */
  get dirty() {
    return [...this.entries].some((entry) => entry.dirty);
  }

  /** Hand over now what is typed. */
  flush() {
    for (const entry of this.entries) entry.flush();
  }

  private get fields() {
    return [...this.entries].filter((entry) => entry instanceof TextField);
  }

  /** The text box of that name, if it is on screen. */
  get(name: string) {
    return this.fields.find((field) => field.field === name) ?? null;
  }

  /** The text box of an element, if it saves itself. */
  of(element: Element) {
    return this.fields.find((field) => field.element === element) ?? null;
  }

  /** Whether some text cannot be stored as it is; its box gets the focus. */
  focusInvalid() {
    const invalid = this.fields.find((field) => field.isInvalid);
    invalid?.element.focus();
    return invalid !== undefined;
  }

  /** The server has stored a text: its draft has done its work. */
  acknowledged(attempt: string, name: string, text: string) {
    const field = this.get(name);
    if (field && field.attempt === attempt) field.acknowledged(text);
    else if (loadDraft(attempt, name)?.text === text) saveDraft(attempt, name, null);
  }
}
