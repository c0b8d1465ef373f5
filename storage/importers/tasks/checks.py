"""Checks tasks against the documents, the protocol and the other tasks of their campaign."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import PageRef, TaskRecord, clean_control, is_page_zero
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.tasks.protocol_requirements import (
    brief_sources,
    gold_refs,
    protocol_problem,
    protocol_remarks,
)


class TaskChecker:
    """Checks tasks one at a time against documents, protocol and earlier tasks.

    Args:
        existing: ids of the campaign's tasks.
    """

    def __init__(
        self, documents: DocumentNames, protocol: Protocol, existing: set[str], campaign: str
    ) -> None:
        self._protocol = protocol
        self._existing = existing
        self._campaign = campaign
        self._lines: dict[str, int] = {}
        self._stripped: set[str] = set()
        self._documents = documents

    def problem(
        self, line: int, task: TaskRecord, *, has_id: bool = True, is_stripped: bool = False
    ) -> str | None:
        """Why the task cannot be imported, or None; its id counts as used in either case.

        Args:
            has_id: whether the row itself has an id.
            is_stripped: whether the row's id had white space around it.
        """
        if is_stripped:
            self._stripped.add(task.id)
        white_space = "; white space around ids is removed" if task.id in self._stripped else ""
        if task.id in self._lines:
            if not has_id:
                return f"this row is the same as line {self._lines[task.id]}"
            return f"the id {task.id!r} is used in line {self._lines[task.id]} already{white_space}"
        self._lines[task.id] = line
        if task.id in self._existing:
            if not has_id:
                return f"campaign {self._campaign} has this row already"
            return f"campaign {self._campaign} has a task {task.id!r} already{white_space}"
        for location, ref in (
            *_references("evidence", task),
            *_references("candidates", task),
            *gold_refs(task),
        ):
            wrong = self._documents.page_problem(ref.document, ref.page)
            if wrong:
                return f"{location}: {wrong}"
        if self._protocol.pages == "given" and not task.candidates:
            if self._protocol.question.kind == "shown":
                return "candidates: this protocol shows given pages, and the task names none"
            if not brief_sources(self._protocol, task):
                return (
                    "candidates: the task names no pages and has no summary or other text of this "
                    "protocol's material, so there is nothing to write about"
                )
        if self._protocol.pages == "gold" and not task.evidence:
            return "evidence: this protocol shows the evidence pages, and the task names none"
        return protocol_problem(self._protocol, task)


def _references(field: str, task: TaskRecord) -> list[tuple[str, PageRef]]:
    return [(f"{field}[{index}]", ref) for index, ref in enumerate(getattr(task, field) or ())]


def import_remarks(rows: list[tuple[RawRow, TaskRecord]], protocol: Protocol) -> list[str]:
    """Warnings about tasks that are imported nevertheless."""
    counted_remarks = [
        (
            "a control character in the question, which was removed",
            sum(clean_control(str(raw.data.get("question", "")))[1] > 0 for raw, _ in rows),
        ),
        (
            "a flat list of answers, read as one answer with several parts",
            sum(_has_flat_answers(raw) for raw, _ in rows),
        ),
        (
            "gold answers but no evidence pages",
            sum(bool(t.answer_variants and not t.evidence) for _, t in rows),
        ),
    ]
    if not protocol.answer.unanswerable:
        counted_remarks.append(
            (
                "the mark unanswerable, but the campaign does not let annotators say so "
                "(the setting answer.unanswerable = true does)",
                sum(bool(t.unanswerable) for _, t in rows),
            )
        )
    return [
        *(
            f"Tasks with {description}: {count:,}."
            for description, count in counted_remarks
            if count
        ),
        *protocol_remarks(protocol, [task for _, task in rows]),
    ]


def without_page_zero(data: dict[str, Any]) -> dict[str, Any]:
    """The row without evidence on page 0, which public datasets use for "page unknown".

    The task can be done without such a reference, which is kept as ``evidence_left_out``. Pages
    beyond the end of a document are refused instead: they may refer to another edition.
    """
    field = "evidence" if "evidence" in data else "answer_locations"
    references = data.get(field)
    if not isinstance(references, list):
        return data
    empty = [
        reference
        for reference in references
        if isinstance(reference, dict) and is_page_zero(reference.get("page"))
    ]
    if not empty:
        return data
    kept_references = [reference for reference in references if reference not in empty]
    before = data.get("evidence_left_out")
    left_out = [*(before if isinstance(before, list) else ()), *empty]
    return {**data, field: kept_references, "evidence_left_out": left_out}


def names_pages(task: TaskRecord) -> bool:
    """Whether the task has page references."""
    return bool(task.evidence or task.candidates)


def _has_flat_answers(raw: RawRow) -> bool:
    answers = raw.data.get("answer_variants") or raw.data.get("answers")
    return (
        isinstance(answers, list)
        and len(answers) > 1
        and not any(isinstance(item, list) for item in answers)
    )
