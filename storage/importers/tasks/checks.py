"""What is wrong with a task in this workspace and campaign, beyond its own schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import PageRef, TaskRecord, clean_control, is_page_zero
from pagetrail.storage.importers.files.name_suggestions import DocumentNames
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.tasks.protocol_requirements import (
    gold_refs,
    protocol_problem,
    protocol_remarks,
)


class TaskChecker:
    """Checks tasks one after another against documents, protocol and the tasks before them.

    Args:
        documents: name → number of pages.
        existing: ids that the campaign has already.
    """

    def __init__(
        self, documents: Mapping[str, int], protocol: Protocol, existing: set[str], campaign: str
    ) -> None:
        self._protocol = protocol
        self._existing = existing
        self._campaign = campaign
        self._lines: dict[str, int] = {}
        self._names = DocumentNames(documents)

    def problem(self, line: int, task: TaskRecord, *, named: bool = True) -> str | None:
        """Why the task cannot be imported; None when it can. Its id counts as used either way.

        Args:
            named: whether the row has an id of its own.
        """
        if task.id in self._lines:
            if not named:
                return f"this row is the same as line {self._lines[task.id]}"
            return f"the id {task.id!r} is used in line {self._lines[task.id]} already"
        self._lines[task.id] = line
        if task.id in self._existing:
            if not named:
                return f"campaign {self._campaign} has this row already"
            return f"campaign {self._campaign} has a task {task.id!r} already"
        for where, ref in (*_refs("evidence", task), *_refs("candidates", task), *gold_refs(task)):
            wrong = self._names.page_problem(ref.document, ref.page)
            if wrong:
                return f"{where}: {wrong}"
        if self._protocol.pages == "given" and not task.candidates:
            return "candidates: this protocol shows given pages, and the task names none"
        if self._protocol.pages == "gold" and not task.evidence:
            return "evidence: this protocol shows the evidence pages, and the task names none"
        return protocol_problem(self._protocol, task)


def _refs(field: str, task: TaskRecord) -> list[tuple[str, PageRef]]:
    return [(f"{field}[{place}]", ref) for place, ref in enumerate(getattr(task, field) or ())]


def remarks(rows: list[tuple[RawRow, TaskRecord]], protocol: Protocol) -> list[str]:
    """What a person should know about tasks that are imported all the same."""
    found = [
        (
            "a control character in the question, which was left out",
            sum(clean_control(str(raw.data["question"]))[1] > 0 for raw, _ in rows),
        ),
        (
            "a flat list of answers, read as one answer with several parts",
            sum(_is_flat(raw) for raw, _ in rows),
        ),
        (
            "gold answers but no evidence pages",
            sum(bool(t.answer_variants and not t.evidence) for _, t in rows),
        ),
    ]
    if not protocol.answer.unanswerable:
        found.append(
            (
                "the mark unanswerable, but the campaign does not let annotators say so "
                "(the setting answer.unanswerable = true does)",
                sum(bool(t.unanswerable) for _, t in rows),
            )
        )
    return [
        *(f"Tasks with {what}: {count:,}." for what, count in found if count),
        *protocol_remarks(protocol, [task for _, task in rows]),
    ]


def without_page_zero(data: dict[str, Any]) -> dict[str, Any]:
    """The row without evidence on page 0, which public datasets use for "no page was noted".

    Such a reference names no page at all, so the task can be worked on without it; what was left
    out stays with the record as ``evidence_left_out``. A page past the end is another matter: it
    may mean another edition of the document, and is refused.
    """
    field = "evidence" if "evidence" in data else "answer_locations"
    places = data.get(field)
    if not isinstance(places, list):
        return data
    empty = [
        place for place in places if isinstance(place, dict) and is_page_zero(place.get("page"))
    ]
    if not empty:
        return data
    kept = [place for place in places if place not in empty]
    before = data.get("evidence_left_out")
    left_out = [*(before if isinstance(before, list) else ()), *empty]
    return {**data, field: kept, "evidence_left_out": left_out}


def names_pages(task: TaskRecord) -> bool:
    """Whether the task refers to any page."""
    return bool(task.evidence or task.candidates)


def _is_flat(raw: RawRow) -> bool:
    answers = raw.data.get("answer_variants") or raw.data.get("answers")
    return (
        isinstance(answers, list)
        and len(answers) > 1
        and not any(isinstance(item, list) for item in answers)
    )
