/** The text of a drawn or moved box comes from the words under it, where the campaign says so. */

import { getBox } from "../../shared/box_state";
import { rectsEqual } from "../../shared/page/rectangles";
import { clean } from "../state/attempt_state";
import type { PageWords } from "../viewer/page_words";
import { filledText } from "../viewer/word_text";

interface FilledBoxes {
  readonly attempt: Pt.Attempt;
  readonly data: Pt.WorkspaceData;
  readonly words: Pick<PageWords, "known" | "load">;
}

/**
 * Fill a box's text: now, where the page's words are there, else once they are; what somebody
 * wrote stays.
 * @param before where the box was; null for a new one
 */
export function fillBox(tool: FilledBoxes, id: string, before: number[] | null) {
  const { content, fill } = tool.data.protocol.boxes;
  const box = getBox(tool.data.state.boxes, id);
  if (!content || !fill || !box) return;
  const words = tool.words.known(box);
  if (words) write(tool, box, before, words);
  else fillLater(tool, box, before);
}

async function fillLater(tool: FilledBoxes, box: Pt.PageBox, before: number[] | null) {
  const of = tool.attempt.id;
  const words = await tool.words.load({ document: box.document, page: box.page });
  if (tool.attempt.id !== of || !tool.attempt.mayEdit) return;
  const now = getBox(tool.data.state.boxes, box.id);
  if (!now || now.deleted || !rectsEqual(now.rect, box.rect)) return; // it has moved on
  write(tool, now, before, words);
}

/** @param words of its page */
function write(tool: FilledBoxes, box: Pt.PageBox, before: number[] | null, words: Pt.Word[]) {
  const text = filledText(box.content ?? "", box.rect, before, words);
  if (text !== null)
    tool.attempt.record("box_content_edited", { box: box.id, content: clean(text), filled: true });
}
