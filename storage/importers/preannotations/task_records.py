"""Makes task records from pre-annotated elements and table rows: one per page or per document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any

from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.annotation.sentences import shortened
from pagetrail.annotation.tasks.task import MAX_ID, clean_control
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.preannotations.checks import Grouping, bad_element
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import BadElement, PreannotationFile

_MAX_NAME_SHOWN = 120


def elements_to_tasks(
    elements: Iterable[Element],
    empty_pages: Iterable[tuple[str, int]] = (),
    *,
    grouping: Grouping = "page",
) -> list[dict[str, Any]]:
    """Task records by document and page, each with its elements in reading order.

    Elements without a position in the reading order come last, from top to bottom and left to
    right. A task's id is the document's name, followed by ``#p`` and the page number.
    """
    grouped: dict[tuple[str, int], list[Element]] = defaultdict(list)
    pages: dict[tuple[str, int], set[int]] = defaultdict(set)
    for element in elements:
        grouped[element.document, element.page if grouping == "page" else 0].append(element)
    for document, page in [*empty_pages, *((e.document, e.page) for e in chain(*grouped.values()))]:
        pages[document, page if grouping == "page" else 0].add(page)
    return [_elements_task(*key, pages[key], grouped[key]) for key in sorted(pages)]


def in_reading_order(elements: Iterable[Element]) -> list[Element]:
    """Sorted by page, then by reading order."""
    return sorted(elements, key=_reading_position)


def _reading_position(element: Element) -> tuple[Any, ...]:
    left, top, *_ = element.rect
    return element.page, element.order is None, element.order or 0, top, left


def _elements_task(
    document: str, page: int, pages: Iterable[int], elements: list[Element]
) -> dict[str, Any]:
    return _empty_task(document, page, "the elements of ") | {
        "candidates": [{"document": document, "page": number} for number in sorted(pages)],
        "elements": [element.model_dump(mode="json") for element in in_reading_order(elements)],
    }


def _empty_task(document: str, page: int, subject: str = "") -> dict[str, Any]:
    """A task on a page, or for page 0 on a document, without candidates or elements."""
    name = printable(document)
    shown_name = shortened(name, _MAX_NAME_SHOWN)
    return {
        "id": _task_id(document, f"#p{page}" if page else ""),
        "question": f"Check {subject}{f'page {page} of {shown_name}' if page else shown_name}.",
        "candidates": [],
    }


def _task_id(document: str, ending: str) -> str:
    name = clean_control(printable(document))[0]
    if len(name) + len(ending) > MAX_ID:
        # Two long names may have the same beginning.
        digest = sha256(document.encode()).hexdigest()[:12]
        name = f"{name[: MAX_ID - len(ending) - len(digest) - 1]}…{digest}"
    return name + ending


def seed_key(protocol: Protocol, columns: frozenset[str]) -> str | None:
    """Key in a task record that fills a table with these columns; None without such a table."""
    for spec in protocol.scoped("task"):
        if spec.seed and columns <= {column.name for column in spec.columns}:
            return spec.seed
    return None


def add_table_rows(
    records: list[dict[str, Any]],
    files: Sequence[PreannotationFile],
    protocol: Protocol,
    finder: PageFinder,
    grouping: Grouping,
) -> tuple[int, list[BadElement]]:
    """Add rows that the protocol has a table for to the tasks of their pages.

    New tasks are added to ``records``, which stays sorted by document and page. Rows that are used
    are removed from the counts of what their file leaves out.

    Returns:
        The number of rows added, and the rows that cannot be used.
    """
    tasks = {_task_key(record, grouping): record for record in records}
    bad_rows: list[BadElement] = []
    used_ids: set[tuple[str, int, str, str]] = set()
    count = 0
    for file in files:
        for row in file.rows:
            seed = seed_key(protocol, row.columns)
            if seed is None:
                continue
            if row.left_out_as is not None:
                file.left_out -= Counter({row.left_out_as: 1})
            try:
                if row.origin.problem is not None:
                    raise ValueError(row.origin.problem)
                cells = {name: clean_control(cell)[0] for name, cell in row.cells.items() if cell}
                if not cells:
                    raise ValueError("holds no text")
                info, page = finder.find(row.origin)
                key = (info.name, page if grouping == "page" else 0)
                row_id = str(row.origin.id or "")
                if row_id and (*key, seed, row_id) in used_ids:
                    raise ValueError(f"id: {row_id!r} is used already")
            except ValueError as error:
                bad_rows.append(bad_element(file.path, row.origin, reason_of(error)))
                continue
            used_ids.add((*key, seed, row_id))
            task = tasks.setdefault(key, _empty_task(*key))
            page_reference = {"document": info.name, "page": page}
            if page_reference not in task["candidates"]:
                candidates = [*task["candidates"], page_reference]
                task["candidates"] = sorted(candidates, key=lambda candidate: candidate["page"])
            task.setdefault(seed, []).append(({"id": row_id} if row_id else {}) | cells)
            count += 1
    records[:] = [tasks[key] for key in sorted(tasks)]
    return count, bad_rows


def _task_key(record: dict[str, Any], grouping: Grouping) -> tuple[str, int]:
    first = record["candidates"][0]
    return first["document"], first["page"] if grouping == "page" else 0
