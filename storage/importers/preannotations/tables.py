"""Rows of tables that people verify: from files into the records of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import reason_of
from pagetrail.annotation.tasks.task import clean_control
from pagetrail.storage.importers.preannotations.checks import Per, bad_element
from pagetrail.storage.importers.preannotations.grouping import empty_task
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import BadElement, PreannotationFile


def seed_for(protocol: Protocol, columns: frozenset[str]) -> str | None:
    """The key of a task's record that fills a table with these columns; None without one."""
    for spec in protocol.scoped("task"):
        if spec.seed and columns <= {column.name for column in spec.columns}:
            return spec.seed
    return None


def add_rows(
    records: list[dict[str, Any]],
    files: Sequence[PreannotationFile],
    protocol: Protocol,
    finder: PageFinder,
    per: Per,
) -> tuple[int, list[BadElement]]:
    """Put the rows that the protocol has a table for into the tasks of their pages.

    Tasks that only have rows are added to ``records``, which stays sorted by document and page.
    What is used is no longer among the things that a file leaves out.

    Returns:
        The number of rows, and those that cannot be used.
    """
    tasks = {_place(record, per): record for record in records}
    bad: list[BadElement] = []
    used: set[tuple[str, int, str, str]] = set()
    n = 0
    for file in files:
        for row in file.rows:
            seed = seed_for(protocol, row.columns)
            if seed is None:
                continue
            if row.counted is not None:
                file.left_out -= Counter({row.counted: 1})
            try:
                if row.at.problem is not None:
                    raise ValueError(row.at.problem)
                cells = {name: clean_control(cell)[0] for name, cell in row.cells.items() if cell}
                if not cells:
                    raise ValueError("holds no text")
                info, page = finder.find(row.at)
                place = (info.name, page if per == "page" else 0)
                name = str(row.at.id or "")
                if name and (*place, seed, name) in used:
                    raise ValueError(f"id: {name!r} is used already")
            except ValueError as error:
                bad.append(bad_element(file.path, row.at, reason_of(error)))
                continue
            used.add((*place, seed, name))
            task = tasks.setdefault(place, empty_task(*place))
            given = {"document": info.name, "page": page}
            if given not in task["candidates"]:
                task["candidates"] = sorted([*task["candidates"], given], key=lambda c: c["page"])
            task.setdefault(seed, []).append(({"id": name} if name else {}) | cells)
            n += 1
    records[:] = [tasks[place] for place in sorted(tasks)]
    return n, bad


def _place(record: dict[str, Any], per: Per) -> tuple[str, int]:
    first = record["candidates"][0]
    return first["document"], first["page"] if per == "page" else 0
