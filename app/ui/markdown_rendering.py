"""Shows a campaign's Markdown in Streamlit exactly as the task screen does.

Streamlit's Markdown supports more: coloured text, formulas, external images. What is plain text on
the task screen is escaped here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_nodes import MarkdownElement, Node, markdown_nodes

_INLINE = {"strong": "**", "em": "*", "s": "~~"}
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset({"p", "ul", "ol", "pre", "blockquote", "table", "hr", *_HEADINGS})


def streamlit_markdown(text: str, *, below_level: int = 0) -> str:
    """Markdown for ``st.markdown`` that shows what annotators see.

    Args:
        below_level: of the heading that the text is under; its own begin at the next one.
    """
    return _blocks([_lowered(node, below_level) for node in markdown_nodes(text)])


def _lowered(node: Node, levels: int) -> Node:
    if isinstance(node, str) or node["tag"] not in _HEADINGS:
        return node
    level = min(6, len(_HEADINGS[node["tag"]]) + levels)
    return {**node, "tag": f"h{level}"}


def _blocks(nodes: Sequence[Node]) -> str:
    parts: list[str] = []
    run: list[Node] = []
    for node in nodes:
        if isinstance(node, str) or node["tag"] not in _BLOCKS:
            run.append(node)
            continue
        if run:
            parts.append(_inline(run))
            run = []
        parts.append(_block(node))
    if run:
        parts.append(_inline(run))
    return "\n\n".join(filter(None, parts))


def _block(node: MarkdownElement) -> str:
    tag, children = node["tag"], node["children"]
    if tag in _HEADINGS:
        return f"{_HEADINGS[tag]} {_inline(children)}"
    if tag == "hr":
        return "***"
    if tag == "pre":
        return _fenced("".join(map(str, children)))
    if tag == "blockquote":
        return _prefixed(_blocks(children), "> ", "> ")
    if tag in ("ul", "ol"):
        items = [child for child in children if not isinstance(child, str)]
        marks = ["- " if tag == "ul" else f"{number}. " for number in range(1, len(items) + 1)]
        return "\n".join(
            _prefixed(_blocks(item["children"]) or "\u200b", mark, " " * len(mark))
            for mark, item in zip(marks, items, strict=True)
        )
    if tag == "table":
        return _table_html(children)
    return _inline(children)


def _inline(nodes: Sequence[Node]) -> str:
    return "".join(map(_span, nodes)).strip()


def _span(node: Node) -> str:
    if isinstance(node, str):
        # On one line, keeping the space next to its neighbours.
        before = " " if node[:1].isspace() else ""
        after = " " if node[-1:].isspace() and node.strip() else ""
        return f"{before}{literal(node)}{after}"
    tag, children = node["tag"], node["children"]
    if tag == "code":
        return _code("".join(map(str, children)))
    if tag == "br":
        return "\\\n"
    inner = _inline(children)
    if tag == "a" and node.get("href"):
        href = re.sub(r"[<>\\\s]", lambda match: f"%{ord(match[0]):02X}", node["href"])
        return f"[{inner}](<{href}>)"
    mark = _INLINE.get(tag, "") if inner else ""
    return f"{mark}{inner}{mark}"


def _table_html(parts: Sequence[Node]) -> str:
    rows = [row for part in parts if not isinstance(part, str) for row in _children(part)]
    cells = [
        [
            _inline(_children(cell)).replace("\\\n", " ")
            for cell in _children(row)
            if not isinstance(cell, str)
        ]
        for row in rows
        if not isinstance(row, str)
    ]
    if not cells:
        return ""
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|---" * len(cells[0]) + "|", *lines[1:]])


def _code(text: str) -> str:
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{fence} {' '.join(text.split())} {fence}"


def _fenced(text: str) -> str:
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    end = "" if text.endswith("\n") else "\n"
    return f"{fence}text\n{text}{end}{fence}"


def _prefixed(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join([first + lines[0], *((rest + line).rstrip() for line in lines[1:])])


def _children(node: Node) -> Sequence[Node]:
    return [] if isinstance(node, str) else node["children"]
