"""Markdown as a tree of plain nodes: the browser builds elements from it, never HTML from data."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NotRequired

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from typing_extensions import TypedDict


class MarkdownElement(TypedDict):
    """An element with a tag of a closed list; only links have an address."""

    tag: str
    href: NotRequired[str]
    children: list[str | MarkdownElement]


Node = str | MarkdownElement

_TAGS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "a"}
    | {"blockquote", "table", "thead", "tbody", "tr", "th", "td", "hr", "br", "s"}
)
MAX_CELLS = 10_000
MAX_MARKS = 20_000
"""Every task screen parses the guidelines. A 2,400-character table with empty rows took 3 s, and
100,000 brackets 8 s; within these limits nothing takes a second."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_WITHOUT_TABLES = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
_MARKS = re.compile(r"[\[\]*_~&`]")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")


@lru_cache(32)
def markdown_nodes(text: str) -> list[Node]:
    """The document's nodes: text, or elements.

    Raw HTML in the text stays text. A link keeps its address only when it is http(s) or mailto.
    Tables of more than ``MAX_CELLS`` cells stay text, and so does all with more than ``MAX_MARKS``
    marks. Callers share the list and must not change it.
    """
    if sum(1 for _ in _MARKS.finditer(text)) > MAX_MARKS:
        return [{"tag": "pre", "children": [text]}]
    parser = _WITHOUT_TABLES if _cells_at_most(text) > MAX_CELLS else _MARKDOWN
    return _children(SyntaxTreeNode(parser.parse(text)))


def _cells_at_most(text: str) -> int:
    """Upper bound of table cells; a blank line ends a table, and rows are as wide as its header."""
    cells = 0
    for block in _BLANK_LINES.split(text):
        lines = block.split("\n")
        separators = max(line.count("|") for line in lines)
        cells += (separators + 1) * len(lines) if separators else 0
    return cells


def _children(node: SyntaxTreeNode) -> list[Node]:
    return [built for child in node.children for built in _build(child)]


def _build(node: SyntaxTreeNode) -> list[Node]:
    if node.type in ("text", "html_inline", "html_block"):
        return [node.content]
    if node.type == "softbreak":
        return [" "]
    if node.type in ("code_block", "fence"):
        return [{"tag": "pre", "children": [node.content]}]
    if node.type == "code_inline":
        return [{"tag": "code", "children": [node.content]}]
    if node.type == "image":
        return [node.content]
    if node.tag not in _TAGS:
        return _children(node)
    built: MarkdownElement = {"tag": node.tag, "children": _children(node)}
    href = str(node.attrs.get("href", ""))
    if node.tag == "a" and href.startswith(("https://", "http://", "mailto:")):
        built["href"] = href
    return [built]
