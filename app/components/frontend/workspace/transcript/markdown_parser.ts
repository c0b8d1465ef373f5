/** Markdown as this screen reads it: CommonMark with tables, strikethrough, sub- and superscript. */

import { GFM, parser, Subscript, Superscript } from "@lezer/markdown";
import type { TextBlock } from "./block_alignment";

export const markdown = parser.configure([GFM, Subscript, Superscript]);

/** Blocks that are broken up: what is in them has a place on the page of its own. */
const CONTAINERS = /^(Document|Blockquote|BulletList|OrderedList|ListItem|Table)$/;
/** Blocks that are broken up by lines. */
const BY_LINE = /^(HTMLBlock|FencedCode|CodeBlock)$/;
const PUNCTUATION = /Mark$|^TableDelimiter$/;

/** The paragraphs, headings, list items and rows of tables of a text, in order. */
export function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  markdown.parse(text).iterate({
    enter: ({ name, from, to }) => {
      if (CONTAINERS.test(name)) return true;
      if (BY_LINE.test(name)) blocks.push(...linesOf(text, from, to));
      else if (!PUNCTUATION.test(name)) blocks.push({ from, to });
      return false;
    },
  });
  return blocks;
}

function linesOf(text: string, from: number, to: number): TextBlock[] {
  let start = from;
  return text
    .slice(from, to)
    .split("\n")
    .map((line) => {
      const block = { from: start, to: start + line.length };
      start = block.to + 1;
      return block;
    })
    .filter((block) => block.to > block.from);
}
