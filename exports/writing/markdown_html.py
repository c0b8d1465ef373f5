"""Markdown as an HTML page that runs nothing and loads nothing.

Raw HTML in the text is text, but for tables, which are read into grids and rebuilt, and tags
of formatting without attributes. Images are their descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from pagetrail.annotation.tables.parsing import parse_html_tables

MAX_MARKS = 20_000
"""Marks of Markdown in a text; with more, parsing takes seconds, and the text stays as it is."""

_MARKS = re.compile(r"[\[\]*_~&`<]")
_FORMATTING = re.compile(r"</?(?:b|i|u|s|del|ins|mark|sup|sub|br)\s*/?>", re.IGNORECASE)
_TABLE = re.compile(r"\s*<table\b", re.IGNORECASE)
_PAGE = """\
<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
table {{ border-collapse: collapse }}
th, td {{ border: 1px solid; padding: 2px 6px }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def html_page(title: str, body: str) -> str:
    """A whole page; ``body`` is HTML of this module or of a grid."""
    return _PAGE.format(title=escape(title), body=body.strip())


def markdown_html(markdown: str) -> str:
    """A text in Markdown as HTML."""
    if sum(1 for _ in _MARKS.finditer(markdown)) > MAX_MARKS:
        return f"<pre>{escape(markdown)}</pre>"
    return str(_MARKDOWN.render(markdown))


def _html_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    content = tokens[index].content
    if not _TABLE.match(content):
        return f"<p>{escape(content.strip())}</p>\n"
    return "\n".join(table.grid.to_html() for table in parse_html_tables(content)) + "\n"


def _html_inline(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    content = tokens[index].content
    return content.lower() if _FORMATTING.fullmatch(content) else escape(content)


def _image(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: Any
) -> str:
    return escape(tokens[index].content)


_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_MARKDOWN.add_render_rule("html_block", _html_block)
_MARKDOWN.add_render_rule("html_inline", _html_inline)
_MARKDOWN.add_render_rule("image", _image)
