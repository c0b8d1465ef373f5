/** Edits of a text as events record them, and as the editor makes them. */

import { ChangeSet, type Text } from "@codemirror/state";
import { Positions } from "../../shared/code_points";
import { diffWords } from "../../shared/text_diff";

/** Positions in UTF-16 units. */
export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** As events record them, positions in code points of the text before. */
export interface Edit {
  at: number;
  removed: string;
  inserted: string;
}

/** The edits of typing since a text was stored. */
export function editsOf(changes: ChangeSet, before: Text): Edit[] {
  const edits: Edit[] = [];
  const positions = new Positions(before.toString());
  changes.iterChanges((from, to, _fromAfter, _toAfter, inserted) => {
    const edit = {
      at: positions.toPoint(from),
      removed: before.sliceString(from, to),
      inserted: inserted.toString(),
    };
    if (edit.removed !== edit.inserted) edits.push(edit);
  });
  return edits;
}

/** The changes that make one text another, as few characters as words allow. */
export function changesBetween(before: string, after: string): Change[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  // No half of a pair of surrogates.
  if (head > 0 && isLead(before, head - 1)) head -= 1;
  if (tail > 0 && isLead(before, before.length - tail - 1)) tail -= 1;
  const changes: Change[] = [];
  let at = head;
  for (const { kind, text } of diffWords(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  )) {
    const last = changes.at(-1);
    if (kind === "added") {
      if (last?.to === at) last.insert += text;
      else changes.push({ from: at, to: at, insert: text });
    } else {
      if (kind === "removed") {
        if (last?.to === at) last.to += text.length;
        else changes.push({ from: at, to: at + text.length, insert: "" });
      }
      at += text.length;
    }
  }
  return changes;
}

const isLead = (text: string, at: number) => /[\ud800-\udbff]/.test(text[at] ?? "");

/**
 * One's own changes of a text, moved onto the text that others have made of it meanwhile. What both
 * removed is gone; what was typed is kept.
 * @returns the text with the changes of both
 */
export function merged(before: string, own: string, theirs: string): string {
  const ownChanges = ChangeSet.of(changesBetween(before, own), before.length, "\n");
  const otherChanges = ChangeSet.of(changesBetween(before, theirs), before.length, "\n");
  let text = "";
  let at = 0;
  ownChanges.map(otherChanges).iterChanges((from, to, _fromAfter, _toAfter, inserted) => {
    text += theirs.slice(at, from) + inserted.toString();
    at = to;
  });
  return text + theirs.slice(at);
}
