"""A run against its campaign: is the task there, and do the pages exist?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.name_suggestions import DocumentNames

_MAX_NAMED = 3
_MAX_SUGGESTIONS = 50


class RunChecker:
    """What a campaign knows: its tasks, and the pages of its collection."""

    def __init__(self, campaign: str, keys: Sequence[str], documents: Mapping[str, int]) -> None:
        self._campaign = campaign
        self._keys = frozenset(keys)
        self._names = DocumentNames(documents)
        self._suggested = 0

    def check_task(self, task: str) -> None:
        """Raise ValueError unless the campaign has the task."""
        if task not in self._keys:
            raise ValueError(
                f"campaign {self._campaign} has no task {task!r}{self._suggestion(task)}. Import "
                "the questions that the run answers first, or correct the id"
            )

    def _suggestion(self, task: str) -> str:
        # Comparing with every id of a large campaign is slow.
        if self._suggested >= _MAX_SUGGESTIONS:
            return ""
        self._suggested += 1
        close = get_close_matches(task, self._keys, 1, 0.8)
        return f"; did you mean {close[0]!r}?" if close else ""

    def notes(self, record: RunRecord, now: datetime) -> Iterator[str]:
        """What is odd about a run that is imported as it is."""
        cited = [self._names.page_problem(name, page) for name, page in record.citations]
        yield from _listed_once("cites a page that does not exist, which counts as wrong", cited)
        returned = {
            (hit.file, hit.page)
            for step in record.steps
            if isinstance(step.payload, ev.Searched)
            for hit in step.payload.results
        }
        found = [self._names.page_problem(name, page) for name, page in sorted(returned)]
        yield from _listed_once("a search returned a page that does not exist here", found)
        if record.failed is not None:
            yield f"the run ended in an error: {printable(record.failed)}"
        moments = [record.started, record.finished, *(step.at for step in record.steps)]
        if any(moment is not None and moment > now for moment in moments):
            yield "its times are in the future"

    def question_note(self, record: RunRecord, task: Mapping[str, Any]) -> Iterator[str]:
        """Whether the run was asked something else under the task's id."""
        asked = str(task.get("question", ""))
        if record.question is not None and record.question.split() != asked.split():
            yield (
                f"the question reads differently in the campaign: {printable(asked[:100])!r}, in "
                f"the run: {printable(record.question[:100])!r}"
            )


def _listed_once(what: str, problems: Sequence[str | None]) -> Iterator[str]:
    found = list(dict.fromkeys(problem for problem in problems if problem is not None))
    if found:
        more = f"; and {len(found) - _MAX_NAMED:,} more" if len(found) > _MAX_NAMED else ""
        yield f"{what}: {'; '.join(found[:_MAX_NAMED])}{more}"
