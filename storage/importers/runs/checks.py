"""Checks a run against its campaign: does the task exist, and do the pages?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.storable_text import printable

_MAX_PROBLEMS = 3
_MAX_SUGGESTIONS = 50


class RunChecker:
    """Checks runs against the tasks of a campaign and the pages of its documents."""

    def __init__(self, campaign: str, keys: Sequence[str], documents: DocumentNames) -> None:
        self._campaign = campaign
        self._keys = frozenset(keys)
        self._documents = documents
        self._suggested = 0

    def check_task(self, task: str) -> None:
        """Raise ValueError unless the campaign has the task."""
        if task not in self._keys:
            raise ValueError(
                f"campaign {self._campaign} has no task {task!r}{self._suggestion(task)}. Import "
                "the questions that the run answers first, or correct the id"
            )

    def _suggestion(self, task: str) -> str:
        # Comparing with all ids of a large campaign is slow.
        if self._suggested >= _MAX_SUGGESTIONS:
            return ""
        self._suggested += 1
        close = get_close_matches(task, self._keys, 1, 0.8)
        return f"; did you mean {close[0]!r}?" if close else ""

    def notes(self, record: RunRecord, now: datetime) -> Iterator[str]:
        """Warnings about a run that is imported unchanged."""
        unknown_citations = [self._documents.page_problem(*page) for page in record.citations]
        yield from _describe_problems(
            "cites a page that does not exist, which counts as wrong", unknown_citations
        )
        returned = {
            (hit.file, hit.page)
            for step in record.steps
            if isinstance(step.payload, ev.Searched)
            for hit in step.payload.results
        }
        unknown_pages = [self._documents.page_problem(*page) for page in sorted(returned)]
        yield from _describe_problems(
            "a search returned a page that does not exist here", unknown_pages
        )
        if record.failed is not None:
            yield f"the run ended in an error: {printable(record.failed)}"
        timestamps = [record.started, record.finished, *(step.at for step in record.steps)]
        if any(timestamp is not None and timestamp > now for timestamp in timestamps):
            yield "its times are in the future"

    def question_note(self, record: RunRecord, task: Mapping[str, Any]) -> Iterator[str]:
        """A warning if the run's question differs from the task's."""
        question = str(task.get("question", ""))
        if record.question is not None and record.question.split() != question.split():
            yield (
                f"the question in the campaign is {printable(question[:100])!r}, but in the run it "
                f"is {printable(record.question[:100])!r}"
            )


def _describe_problems(description: str, problems: Sequence[str | None]) -> Iterator[str]:
    distinct = list(dict.fromkeys(problem for problem in problems if problem is not None))
    if distinct:
        yield f"{description}: {join_first(distinct, _MAX_PROBLEMS, '; ')}"
