/** What is known of the task under review, and the draft that the reviewer's choices make of it. */

import { submitted } from "./comparison/comparison_rows.js";
import { rowSources } from "./decision/row_selections.js";
import { boxSources, choiceOf } from "./decision/selections.js";
import { EMPTY, hasStored } from "./decision/stored_draft.js";

export class ReviewedTask {
  /** @type {Pt.ReviewData} */
  data;
  /** @type {Pt.Selections} */
  picks = {};
  /** Which draft is shown: what the picks make, or the "stored" one. */
  basis = "picks";
  /** @type {{ draft: Pt.ReviewState, choices: Pt.Choice[] } | null} what the server makes of the picks */
  previewed = null;

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

  /** @returns {Pt.ReviewState} */
  get draft() {
    return this.storedGold?.draft ?? this.previewed?.draft ?? this.data.draft ?? EMPTY;
  }

  get choices() {
    return this.storedGold?.choices ?? this.previewed?.choices ?? this.data.choices;
  }

  /** The parts that a tie leaves open in the draft that is shown. @returns {string[]} */
  get tied() {
    if (this.decided || this.storedGold?.edited) return []; // the editor has decided
    const { choices } = this.storedGold ?? this.previewed ?? this.data;
    return choices.filter(({ tied }) => tied).map(({ part }) => part);
  }

  /** The pages that the retention rule leaves to the reviewer: part and a sentence. */
  get openPages() {
    if (this.decided || this.storedGold?.edited) return {};
    return this.draft.open_pages ?? {};
  }

  /** What the draft that is shown is missing to be gold: part or field and a sentence. */
  get missing() {
    return this.decided ? {} : (this.draft.missing ?? {});
  }

  /** @returns {[string, string][]} attempt and id of each box in the draft */
  get chosenBoxes() {
    const { boxes } = this.picks;
    if (this.basis === "picks" && !this.decided && boxes?.how === "pick") return boxes.boxes ?? [];
    return boxSources(this.draft.boxes, submitted(this.data));
  }

  /** What applies to a part now. @param {string} part */
  choiceOf(part) {
    const picked = this.basis === "picks" && !this.decided ? this.picks : {};
    return choiceOf(picked, this.choices, part);
  }

  /**
   * Whose rows of a table are in the draft.
   * @param {string} part
   * @returns {import("./decision/row_selections.js").RowEntry[]}
   */
  chosenRows(part) {
    const choice = this.choiceOf(part);
    if (choice?.how === "pick" && choice.rows) return choice.rows;
    const rows = this.draft.rows.filter(({ field }) => field === part);
    return rowSources(rows, submitted(this.data), choice?.side);
  }
}
