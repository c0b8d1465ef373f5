"""Tasks out of pre-annotated elements: one per page, or one per document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.tasks.task import MAX_ID, clean_control
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.preannotations.checks import Per

_SHOWN_NAME = 120


def elements_to_tasks(elements: Iterable[Element], *, per: Per = "page") -> list[dict[str, Any]]:
    """Task records, by document and page, each with its elements in reading order.

    The reading order is the model's own; elements without one come last, from top to bottom and
    left to right. A task's id is the document's name, with ``#p`` and the number of the page.
    """
    grouped: dict[tuple[str, int], list[Element]] = defaultdict(list)
    for element in elements:
        grouped[element.document, element.page if per == "page" else 0].append(element)
    return [_task(document, page, grouped[document, page]) for document, page in sorted(grouped)]


def in_order(elements: Iterable[Element]) -> list[Element]:
    """By page, then in reading order."""
    return sorted(elements, key=_place)


def _place(element: Element) -> tuple[Any, ...]:
    left, top, *_ = element.rect
    return element.page, element.order is None, element.order or 0, top, left


def _task(document: str, page: int, elements: list[Element]) -> dict[str, Any]:
    pages = sorted({element.page for element in elements})
    return empty_task(document, page, "the elements of ") | {
        "candidates": [{"document": document, "page": number} for number in pages],
        "elements": [element.model_dump(mode="json") for element in in_order(elements)],
    }


def empty_task(document: str, page: int, what: str = "") -> dict[str, Any]:
    """A task about a page, or with page 0 about a document, to which nothing is given yet."""
    name = printable(document)
    shown = name if len(name) <= _SHOWN_NAME else name[:_SHOWN_NAME] + "…"
    return {
        "id": _id(document, f"#p{page}" if page else ""),
        "question": f"Check {what}{f'page {page} of {shown}' if page else shown}.",
        "candidates": [],
    }


def _id(document: str, ending: str) -> str:
    name = clean_control(printable(document))[0]
    if len(name) + len(ending) > MAX_ID:
        # Two long names may begin alike.
        mark = sha256(document.encode()).hexdigest()[:12]
        name = f"{name[: MAX_ID - len(ending) - len(mark) - 1]}…{mark}"
    return name + ending
