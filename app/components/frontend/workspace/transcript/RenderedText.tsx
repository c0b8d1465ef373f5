/**
 * Markdown shown as elements. Text becomes text nodes only; links and images show their address
 * and lead nowhere.
 */

import type { SyntaxNode } from "@lezer/common";
import { type ComponentChildren, createElement } from "preact";
import { useMemo } from "preact/hooks";
import { MarkedText, type TextMark } from "../../shared/components/marked_text";
import { t } from "../../shared/messages";
import { MAX_DEPTH, nested, type Part, tagAt } from "./html_parts";
import { markdown } from "./markdown_parser";

export interface RenderedTextProps {
  text: string;
  marks: TextMark[];
}

export function RenderedText({ text, marks }: RenderedTextProps) {
  return useMemo(() => <>{renderMarkdown(text, marks)}</>, [text, marks]);
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};
const INLINE: Record<string, string> = {
  Emphasis: "em",
  StrongEmphasis: "strong",
  Strikethrough: "del",
  Subscript: "sub",
  Superscript: "sup",
};
/** Punctuation of Markdown, which is not shown. */
const HIDDEN =
  /^(HeaderMark|QuoteMark|ListMark|LinkMark|EmphasisMark|CodeMark|CodeInfo|LinkTitle|LinkLabel|URL|(Strikethrough|Subscript|Superscript)Mark|TaskMarker)$/;

export function renderMarkdown(text: string, marks: TextMark[]): ComponentChildren[] {
  const writer = new Renderer(text, new MarkedText(text, marks));
  const blocks = writer.blocks(markdown.parse(text).topNode, 0);
  const rest = writer.rest();
  return rest.length ? [...blocks, <p>{rest}</p>] : blocks;
}

class Renderer {
  constructor(
    private readonly text: string,
    private readonly marked: MarkedText,
  ) {}

  rest() {
    return this.marked.rest();
  }

  blocks(parent: SyntaxNode, depth: number): ComponentChildren[] {
    return childrenOf(parent).flatMap((node) =>
      HIDDEN.test(node.name) ? [] : [this.block(node, depth)],
    );
  }

  private block(node: SyntaxNode, depth: number): ComponentChildren {
    const { name, from, to } = node;
    const place = { key: from, "data-from": from, dir: "auto" as const };
    if (depth > MAX_DEPTH) return <p {...place}>{this.marked.piece(from, to)}</p>;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
    if (level) return createElement(`h${level}`, place, this.heading(node, depth));
    switch (name) {
      case "Paragraph":
        return <p {...place}>{this.inline(node, from, to, depth)}</p>;
      case "Blockquote":
        return <blockquote {...place}>{this.blocks(node, depth + 1)}</blockquote>;
      case "BulletList":
        return <ul {...place}>{this.blocks(node, depth + 1)}</ul>;
      case "OrderedList":
        return (
          <ol {...place} start={Number.parseInt(this.text.slice(from, from + 9), 10) || 0}>
            {this.blocks(node, depth + 1)}
          </ol>
        );
      case "ListItem":
        return <li {...place}>{this.blocks(node, depth + 1)}</li>;
      case "Task":
        return <p {...place}>{this.task(node, depth)}</p>;
      case "Table":
        return this.table(node, place, depth);
      case "HorizontalRule":
        return <hr {...place} />;
      case "FencedCode":
      case "CodeBlock":
        return (
          <pre {...place}>
            {childrenOf(node)
              .filter((child) => child.name === "CodeText")
              .map((child) => this.marked.piece(child.from, child.to))}
          </pre>
        );
      case "HTMLBlock":
        return (
          <div {...place} class="html-block">
            {nested(this.htmlParts(from, to))}
          </div>
        );
      default:
        return <p {...place}>{this.marked.piece(from, to)}</p>;
    }
  }

  private heading(node: SyntaxNode, depth: number) {
    const marks = childrenOf(node).filter(({ name }) => name === "HeaderMark");
    const isFirst = marks[0]?.from === node.from;
    const from = isFirst ? marks[0].to : node.from;
    const last = marks.at(-1);
    const to = last && last.from > from ? last.from : node.to;
    const lead = /^[ \t]*/.exec(this.text.slice(from, to))?.[0].length ?? 0;
    return this.inline(node, from + lead, to, depth);
  }

  private task(node: SyntaxNode, depth: number) {
    const marker = childrenOf(node)[0];
    const isDone = /x/i.test(this.text.slice(marker.from, marker.to));
    return [isDone ? "☑" : "☐", ...this.inline(node, marker.to, node.to, depth)];
  }

  private table(node: SyntaxNode, place: object, depth: number) {
    const rows = childrenOf(node).filter(({ name }) => name !== "TableDelimiter");
    const row = (line: SyntaxNode, tag: "th" | "td") => (
      <tr key={line.from} data-from={line.from}>
        {this.cells(line).map((cell, i) =>
          createElement(
            tag,
            { key: i, dir: "auto" },
            cell ? this.inline(cell, cell.from, cell.to, depth) : [],
          ),
        )}
      </tr>
    );
    return (
      <table {...place}>
        <thead>
          {rows.filter(({ name }) => name === "TableHeader").map((line) => row(line, "th"))}
        </thead>
        <tbody>
          {rows.filter(({ name }) => name === "TableRow").map((line) => row(line, "td"))}
        </tbody>
      </table>
    );
  }

  /** The cells of a row; null for an empty one, which the parser leaves out. */
  private cells(row: SyntaxNode) {
    const cells: (SyntaxNode | null)[] = [];
    let isEmpty = false; // nothing has come since the delimiter before
    for (const child of childrenOf(row)) {
      if (child.name === "TableCell") {
        cells.push(child);
        isEmpty = false;
      } else {
        if (isEmpty) cells.push(null);
        isEmpty = true;
      }
    }
    return cells;
  }

  private inline(node: SyntaxNode, from: number, to: number, depth: number): ComponentChildren[] {
    return nested(this.inlineParts(node, from, to, depth));
  }

  private inlineParts(node: SyntaxNode, from: number, to: number, depth: number): Part[] {
    const parts: Part[] = [];
    let at = from;
    const textUpTo = (end: number) => {
      if (end > at) parts.push(this.shown(at, end));
      at = Math.max(at, end);
    };
    for (const child of childrenOf(node)) {
      if (child.from < from || child.to > to) continue;
      textUpTo(child.from);
      if (child.name === "HTMLTag") {
        const tag = tagAt(this.text, child.from);
        parts.push(tag ? tag.tag : this.shown(child.from, child.to));
      } else if (!HIDDEN.test(child.name))
        parts.push({ shown: this.inlineNode(child, depth + 1), isBlank: false });
      at = child.to;
    }
    textUpTo(to);
    return parts;
  }

  private shown(from: number, to: number): Part {
    const isBlank = !this.text.slice(from, to).trim();
    return { shown: this.marked.piece(from, to), isBlank };
  }

  private inlineNode(node: SyntaxNode, depth: number): ComponentChildren {
    const { name, from, to } = node;
    if (depth > MAX_DEPTH) return this.marked.piece(from, to);
    const tag = INLINE[name];
    if (tag) return createElement(tag, null, this.inline(node, from, to, depth));
    switch (name) {
      case "Escape":
        return this.marked.piece(from + 1, to);
      case "Entity":
        return this.marked.piece(from, to, decoded(this.text.slice(from, to)));
      case "HardBreak":
        return <br />;
      case "InlineCode": {
        const [begin, end] = childrenOf(node);
        return <code>{this.marked.piece(begin.to, end?.from ?? to)}</code>;
      }
      case "Link":
      case "Image":
        return this.link(node, depth);
      case "Autolink":
        return this.marked.piece(from + 1, to - 1);
      default:
        return this.marked.piece(from, to);
    }
  }

  private link(node: SyntaxNode, depth: number) {
    const children = childrenOf(node);
    const [begin, end] = children.filter(({ name }) => name === "LinkMark");
    const url = children.find(({ name }) => name === "URL");
    const address = url ? this.text.slice(url.from, url.to) : "";
    const label = this.inline(node, begin.to, end?.from ?? node.to, depth);
    return (
      <span class="shown-link">
        {node.name === "Image" ? <span class="quiet">{t("Image:")} </span> : null}
        {label}
        {address ? <span class="quiet"> ({address})</span> : null}
      </span>
    );
  }

  private htmlParts(from: number, to: number): Part[] {
    const parts: Part[] = [];
    let at = from;
    for (let i = this.text.indexOf("<", from); i >= 0 && i < to; i = this.text.indexOf("<", i)) {
      const match = tagAt(this.text, i);
      if (match && i + match.length <= to) {
        if (i > at) parts.push(this.htmlText(at, i));
        parts.push(match.tag);
        i += match.length;
        at = i;
      } else i += 1;
    }
    if (to > at) parts.push(this.htmlText(at, to));
    return parts;
  }

  private htmlText(from: number, to: number): Part {
    const text = this.text.slice(from, to);
    const shown = this.marked.piece(from, to, text.replace(/&#?\w{1,8};/g, decoded));
    return { shown, isBlank: !text.trim() };
  }
}

function childrenOf(node: SyntaxNode) {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

/** What an entity stands for; unknown ones stay as they are. */
function decoded(entity: string) {
  const name = entity.slice(1, -1);
  const number = /^#x([0-9a-f]+)$/i.exec(name)?.[1];
  const code = number ? Number.parseInt(number, 16) : Number(/^#(\d+)$/.exec(name)?.[1] ?? 0);
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  return ENTITIES[name] ?? entity;
}
