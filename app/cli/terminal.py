"""Terminal output: messages on standard error, tables and JSON on standard output."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 160

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters by which a file's text could control the terminal or that it cannot print."""


def visible(text: str) -> str:
    """The text with control characters and lone surrogates as escapes."""
    return _HIDDEN.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def print_message(message: str, *, style: str = "") -> None:
    """Print a sentence on standard error; square brackets in it are not markup."""
    Console(stderr=True).print(Text(visible(message), style=style), highlight=False, soft_wrap=True)


def show_json(value: Any) -> None:
    """Print a JSON value on standard output."""
    json.dump(value, sys.stdout, indent=2)
    sys.stdout.write("\n")


def show_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    stderr: bool = False,
) -> None:
    """Print a table; columns of numbers are aligned to the right."""
    cells = [list(row) for row in rows]
    table = Table(title=Text(title) if title else None, title_justify="left")
    for index, name in enumerate(columns):
        numeric = bool(cells) and all(isinstance(row[index], int) for row in cells)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(f"{c:,}" if isinstance(c, int) else visible(str(c))) for c in row))
    console = Console(stderr=stderr)
    if not console.is_terminal:
        # Into a file or a pipe there is no window whose width would have to be kept.
        console = Console(stderr=stderr, width=WIDTH)
    console.print(table)
