"""Markdown as a tree of plain nodes: the browser builds elements from it, never HTML from data."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Node = str | dict[str, Any]

_TAGS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "code", "pre", "a"}
    | {"blockquote", "table", "thead", "tbody", "tr", "th", "td", "hr", "br", "s"}
)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def markdown_nodes(text: str) -> list[Node]:
    """The document's nodes: text, or ``{"tag", "href"?, "children"}`` with a tag of a closed list.

    Raw HTML in the text stays text. A link keeps its address only when it is http(s) or mailto.
    """
    return _children(SyntaxTreeNode(_MARKDOWN.parse(text)))


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
    built: dict[str, Any] = {"tag": node.tag, "children": _children(node)}
    href = str(node.attrs.get("href", ""))
    if node.tag == "a" and href.startswith(("https://", "http://", "mailto:")):
        built["href"] = href
    return [built]
