"""The pages that a brief for a new question is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pagetrail.annotation.document_names import composed

MAX_DOCUMENTS = 8
"""Places that are offered; a brief about more is about a collection."""


def brief_places(record: dict[str, Any], names: Iterable[str]) -> list[tuple[str, int]]:
    """(document, page) to open from a brief: its candidates, else the documents that it names.

    A document that is named opens at its first page.

    Args:
        names: of the documents of the collection.
    """
    pages = [(str(ref["document"]), int(ref["page"])) for ref in record.get("candidates") or ()]
    if not pages:
        text = f"{record.get('question', '')}\n{record.get('summary') or ''}"
        text = composed(text)
        forms = ((composed(name), name) for name in names)
        named_documents = sorted((text.index(form), name) for form, name in forms if form in text)
        pages = [(name, 1) for _, name in named_documents]
    return list(dict.fromkeys(pages))[:MAX_DOCUMENTS]
