/** What is known of the task under review, and the draft that the reviewer's choices make of it. */

import { submitted } from "./comparison/comparison_rows";
import type { RowEntry } from "./decision/row_selections";
import { rowSources } from "./decision/row_selections";
import { boxSources, choiceOf } from "./decision/selections";
import { hasStored } from "./decision/stored_draft";

export class ReviewedTask {
  data!: Pt.ReviewData;
  picks: Pt.Selections = {};
  /** Which draft is shown: what the picks make, or the "stored" one. */
  basis = "picks";
  /** what the server makes of the picks */
  previewed: Pt.DraftPreview | null = null;

  get task() {
    return this.data.task.id;
  }

  /** Whether there is gold that nobody has reopened. */
  get decided() {
    const { gold } = this.data;
    return gold !== null && gold.version > 0 && !gold.reopened;
  }

  /** Whether somebody else has the task. */
  get readOnly() {
    return this.data.holder !== null && this.data.holder !== this.data.me;
  }

  get editable() {
    return !this.decided && !this.readOnly && submitted(this.data).length > 0;
  }

  get hasStored() {
    return hasStored(this.data);
  }

  /** The gold whose draft is shown; null while the picks make it. */
  get storedGold() {
    return this.decided || this.basis === "stored" ? this.data.gold : null;
  }

  get draft(): Pt.ReviewedDraft {
    return this.storedGold?.draft ?? this.previewed?.draft ?? this.data.draft;
  }

  get choices() {
    return this.storedGold?.choices ?? this.previewed?.choices ?? this.data.choices;
  }

  /** The parts that a tie leaves open in the draft that is shown. */
  get tied(): string[] {
    if (this.decided || this.storedGold?.edited) return []; // the editor has decided
    const { choices } = this.storedGold ?? this.previewed ?? this.data;
    return choices.filter(({ tied }) => tied).map(({ part }) => part);
  }

  /** The pages that the retention rule leaves to the reviewer: part and a sentence. */
  get openPages() {
    if (this.decided || this.storedGold?.edited) return {};
    return this.draft.open_pages;
  }

  /** What the draft that is shown is missing to be gold: part or field and a sentence. */
  get missing() {
    return this.decided ? {} : this.draft.missing;
  }

  /** @returns attempt and id of each box in the draft */
  get chosenBoxes(): [string, string][] {
    const { boxes } = this.picks;
    if (this.basis === "picks" && !this.decided && boxes?.how === "pick") return boxes.boxes ?? [];
    return boxSources(this.draft.boxes, submitted(this.data));
  }

  /** What applies to a part now. */
  choiceOf(part: string) {
    const picked = this.basis === "picks" && !this.decided ? this.picks : {};
    return choiceOf(picked, this.choices, part);
  }

  /** Whose rows of a table are in the draft. */
  chosenRows(part: string): RowEntry[] {
    const choice = this.choiceOf(part);
    if (choice?.how === "pick" && choice.rows) return choice.rows;
    const rows = this.draft.rows.filter(({ field }) => field === part);
    return rowSources(rows, submitted(this.data), choice?.side);
  }
}
