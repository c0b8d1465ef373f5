/** Outlining words and blocks of a page by keys, for a box around them. */

import { t } from "../../shared/messages";
import type { Stage } from "../../shared/page/page_stage";
import { boundingRect } from "../../shared/page/rectangles";
import type { PageWords } from "../viewer/page_words";
import type { TextSelection, WordRange } from "../viewer/text_selection";
import { blocksOf, joined } from "../viewer/word_text";

export type OutlineStep =
  | "nextBlock"
  | "previousBlock"
  | "moreBlocks"
  | "fewerBlocks"
  | "nextWord"
  | "previousWord"
  | "moreWords"
  | "fewerWords";

const MAX_SPOKEN = 200;

/**
 * What is outlined after a step; at the ends of the page the same as before.
 * @param range numbers of the first and the last outlined word; null for none
 * @param blocks such numbers of each block, in reading order
 * @param start the word from which the first step goes
 */
export function stepped(
  range: WordRange | null,
  step: OutlineStep,
  blocks: WordRange[],
  start: number,
): WordRange {
  const lastWord = blocks[blocks.length - 1][1];
  const blockOf = (word: number) => blocks.findIndex(([, last]) => word <= last);
  const block = (number: number) => blocks[Math.min(Math.max(number, 0), blocks.length - 1)];
  const word = (number: number): WordRange => {
    const nearest = Math.min(Math.max(number, 0), lastWord);
    return [nearest, nearest];
  };
  if (!range) return /Word/.test(step) ? word(start) : block(blockOf(start));
  const [first, last] = range;
  const isWord = first === last;
  switch (step) {
    case "nextBlock":
      return block(blockOf(last) + 1);
    case "previousBlock":
      return block(blockOf(first) - 1);
    case "moreBlocks":
      return [first, block(blockOf(Math.min(last + 1, lastWord)))[1]];
    case "fewerBlocks": {
      const [begin] = block(blockOf(last));
      return begin > first ? [first, begin - 1] : range;
    }
    case "nextWord":
      return word(isWord ? first + 1 : first);
    case "previousWord":
      return word(isWord ? first - 1 : last);
    case "moreWords":
      return [first, Math.min(last + 1, lastWord)];
    case "fewerWords":
      return [first, Math.max(last - 1, first)];
  }
}

interface OutlineHost {
  stage: Stage;
  text: TextSelection;
  words: PageWords;
  /** the open page */
  page: () => Pt.OpenPage | null;
}

export class TextOutline {
  /** what keys asked for while the page's words were on their way */
  private waiting: (() => void)[] = [];
  /** the word after the last box that was put around an outline */
  private resumeAt: number | null = null;

  constructor(private readonly host: OutlineHost) {}

  /** Another page is open. */
  reset() {
    this.waiting = [];
    this.resumeAt = null;
  }

  /** Outline other words. */
  step(step: OutlineStep) {
    this.whenLoaded((words) => this.show(step, words));
  }

  /** Do something after the steps before it, with the words that they outline. */
  afterSteps(run: () => void) {
    if (this.waiting.length) this.waiting.push(run);
    else run();
  }

  /** A box is around the outline: the next one begins behind it. */
  leave() {
    const { text } = this.host;
    if (text.range) this.resumeAt = text.range[1] + 1;
    text.clear();
  }

  private whenLoaded(run: (words: Pt.Word[]) => void) {
    const { words, page } = this.host;
    const place = page();
    if (!place) return;
    const known = words.known(place);
    if (known) {
      run(known);
      return;
    }
    const { waiting } = this;
    waiting.push(() => run(words.known(place) ?? []));
    if (waiting.length > 1) return;
    void words.load(place).then(() => {
      if (waiting !== this.waiting) return;
      this.waiting = [];
      for (const next of waiting) next();
    });
  }

  private show(step: OutlineStep, words: Pt.Word[]) {
    const { stage, text } = this.host;
    if (!words.length) {
      stage.showHint(t("No text to outline. Enter puts a box into the middle of what is in view."));
      return;
    }
    const resumeAt = Math.min(this.resumeAt ?? this.firstInView(words), words.length - 1);
    const range = stepped(text.range, step, blocksOf(words), resumeAt);
    text.select(words, range);
    stage.reveal(boundingRect(text.rects));
    const spoken = joined(words.slice(range[0], range[1] + 1)).replaceAll("\n", " ");
    stage.announce(
      spoken.length > MAX_SPOKEN
        ? t("Outlined: {text}…", { text: spoken.slice(0, MAX_SPOKEN).trimEnd() })
        : t("Outlined: {text}", { text: spoken }),
    );
  }

  private firstInView(words: Pt.Word[]) {
    const { stage } = this.host;
    const pane = stage.pane.getBoundingClientRect();
    const isInView = ([x0, y0, x1, y1]: Pt.Word) => {
      const { x, y } = stage.toClientPoint((x0 + x1) / 2, (y0 + y1) / 2);
      return x >= pane.left && x <= pane.right && y >= pane.top && y <= pane.bottom;
    };
    return Math.max(words.findIndex(isInView), 0);
  }
}
