/** Writing the accepted answers in the gold's cell: what is typed becomes a choice after a pause. */

import type { ReviewStore } from "../store";

const PAUSE_MS = 300;

/** The lines of an answer that are not empty, each an item. */
export function linesOf(text: string) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

export class AnswerEditing {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onWrite takes the texts that are not empty
   * @param onClose the editor was open until now
   */
  constructor(
    private readonly store: ReviewStore,
    private readonly onWrite: (texts: string[]) => void,
    private readonly onClose: () => void,
  ) {}

  add() {
    this.store.set({ answers: [...(this.store.data.answers ?? []), ""] });
  }

  /** What was pasted as one answer is several, a line each. */
  split(index: number) {
    const { answers } = this.store.data;
    if (!answers) return;
    this.store.set({ answers: answers.flatMap((text, i) => (i === index ? linesOf(text) : text)) });
    this.write();
  }

  type(index: number, text: string, isComposing: boolean) {
    const { answers } = this.store.data;
    if (!answers) return;
    this.store.set({ answers: answers.with(index, text) });
    clearTimeout(this.timer);
    // While letters are being composed, showing the draft again would end it.
    this.timer = setTimeout(() => this.flush(), isComposing ? 10 * PAUSE_MS : PAUSE_MS);
  }

  /** Choose what was typed and is not chosen yet. */
  flush() {
    if (this.timer !== undefined) this.write();
  }

  private write() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { answers } = this.store.data;
    if (answers) this.onWrite(answers.filter((text) => text.trim()));
  }

  /** Close the editor with what was typed; whether it was open. */
  finish() {
    if (!this.store.data.answers) return false;
    this.flush();
    this.store.set({ answers: null });
    this.onClose();
    return true;
  }
}
