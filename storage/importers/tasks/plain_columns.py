"""Reads rows written in a spreadsheet: without ids, and with pages in columns instead of JSON."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.tasks.task import MAX_REFS

PAGE_COLUMNS = {
    "evidence": ("evidence_document", "evidence_page"),
    "candidates": ("candidate_document", "candidate_page"),
}
"""Field → its columns for document and pages."""

_PAGES = re.compile(r"([0-9]{1,8})(?:\.0+)?(?:\s*[-–]\s*([0-9]{1,8}))?")
"""A page or range; pandas writes ``1.0`` where other rows of the column are empty."""


def with_id(data: dict[str, Any]) -> dict[str, Any]:
    """The row with an id derived from its content.

    Equal rows have the same id, so duplicate rows and repeated imports are noticed.
    """
    content = json.dumps(data, sort_keys=True).encode()
    return {**data, "id": f"q-{sha256(content).hexdigest()[:10]}"}


def collect_references(data: dict[str, Any]) -> dict[str, Any]:
    """The row with lists of references in place of the columns for documents and pages.

    Pages are numbers and ranges: ``3``, ``3; 5``, ``3-7``.

    Raises:
        ValueError: only one column of a pair is filled, the pages cannot be read, or the row also
            has the list.
    """
    changed = dict(data)
    for field, (document_column, page_column) in PAGE_COLUMNS.items():
        document, pages = changed.pop(document_column, None), changed.pop(page_column, None)
        if document in (None, "") and pages in (None, ""):
            continue
        if document in (None, "") or pages in (None, ""):
            empty = document_column if document in (None, "") else page_column
            raise ValueError(f"{empty}: is empty; a page needs both document and number")
        if data.get(field):
            raise ValueError(f"{field}: is given twice, as a list and in {document_column}")
        changed[field] = [
            {"document": str(document).strip(), "page": page}
            for page in _page_numbers(page_column, pages)
        ]
    return changed


def _page_numbers(column: str, pages: Any) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[;,]", str(pages)):
        match = _PAGES.fullmatch(part.strip())
        if match is None:
            raise ValueError(
                f"{column}: must be pages such as 3, 3; 5 or 3-7, not {short_value(pages)}"
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if not 0 <= last - first < MAX_REFS:
            raise ValueError(f"{column}: {part.strip()} is not a range of pages")
        numbers += range(first, last + 1)
    return numbers
