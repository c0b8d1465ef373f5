"""The pages that a brief for a new question is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

MOST = 8
"""Places that are offered; a brief about more is about a collection."""


def brief_places(record: dict[str, Any], names: Iterable[str]) -> list[tuple[str, int]]:
    """(document, page) to open from a brief: its candidates, else the documents that it names.

    A document that is named opens at its first page.

    Args:
        names: of the documents of the collection.
    """
    given = [(str(ref["document"]), int(ref["page"])) for ref in record.get("candidates") or ()]
    if not given:
        text = f"{record.get('question', '')}\n{record.get('summary') or ''}"
        found = sorted((text.index(name), name) for name in names if name in text)
        given = [(name, 1) for _, name in found]
    return list(dict.fromkeys(given))[:MOST]
