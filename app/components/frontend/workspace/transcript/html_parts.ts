/**
 * HTML in Markdown, as far as transcriptions use it: tables and marks of words. Tags become
 * elements of a fixed list without attributes but spans of cells; all other tags stay text.
 */

import { type ComponentChildren, createElement } from "preact";

const MARKS = ["b", "strong", "i", "em", "u", "ins", "s", "del", "strike", "sub", "sup", "mark"];
const BLOCKS = ["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td", "p", "ul", "ol"];
const TAGS = new Set([...MARKS, ...BLOCKS, "li", "code", "br"]);
const ROWS_OF: Record<string, string[]> = {
  td: ["td", "th"],
  th: ["td", "th"],
  tr: ["tr", "td", "th"],
  tbody: ["thead", "tbody", "tfoot", "tr", "td", "th"],
  tfoot: ["thead", "tbody", "tfoot", "tr", "td", "th"],
  li: ["li"],
  p: ["p"],
};
/** Children of these are elements; white space between them is nothing. */
const STRUCTURE = new Set(["table", "thead", "tbody", "tfoot", "tr", "ul", "ol"]);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)\/?>/giy;
const MAX_SPAN = 1000;
export const MAX_DEPTH = 48;

export interface Tag {
  name: string;
  isEnd: boolean;
  attributes: Record<string, number>;
}

/** The tag at a position of a text, if it is one of the list, and its length. */
export function tagAt(text: string, position: number): { tag: Tag; length: number } | null {
  TAG.lastIndex = position;
  const match = TAG.exec(text);
  const name = match?.[2].toLowerCase() ?? "";
  if (!match || !TAGS.has(name)) return null;
  const isCell = name === "td" || name === "th";
  const attributes = isCell && !match[1] ? spans(match[3]) : {};
  return { tag: { name, isEnd: match[1] !== "", attributes }, length: match[0].length };
}

function spans(text: string) {
  const matches = text.matchAll(/\b(colspan|rowspan)\s*=\s*["']?(\d{1,4})/gi);
  return Object.fromEntries(
    [...matches].map(([, name, number]) => [
      name.toLowerCase() === "colspan" ? "colSpan" : "rowSpan",
      Math.min(Math.max(Number(number), 1), MAX_SPAN),
    ]),
  );
}

/** A tag, or what is shown between tags. */
export type Part = Tag | { shown: ComponentChildren; isBlank: boolean };

interface OpenElement {
  name: string;
  attributes: Record<string, number>;
  children: ComponentChildren[];
}

/** Nests parts by their tags. An end without a beginning is left out; what is open at the end is closed. */
export function nested(parts: Part[]): ComponentChildren[] {
  const root: OpenElement = { name: "", attributes: {}, children: [] };
  const open = [root];
  const close = () => {
    const { name, attributes, children } = open.pop() as OpenElement;
    const tag = name === "strike" ? "s" : name;
    open[open.length - 1].children.push(createElement(tag, attributes, children));
  };
  for (const part of parts) {
    const parent = open[open.length - 1];
    if ("shown" in part) {
      if (!part.isBlank || !STRUCTURE.has(parent.name)) parent.children.push(part.shown);
    } else if (part.name === "br") parent.children.push(createElement("br", null));
    else if (part.isEnd) {
      const depth = open.findLastIndex(({ name }) => name === part.name);
      while (depth > 0 && open.length > depth) close();
    } else {
      while (ROWS_OF[part.name]?.includes(open[open.length - 1].name)) close();
      if (open.length < MAX_DEPTH)
        open.push({ name: part.name, attributes: part.attributes, children: [] });
    }
  }
  while (open.length > 1) close();
  return root.children;
}
