"""Reads a model's scores of pages in task rows (``page_scores``), and gives tasks their pages.

Without a cut in the protocol, a row lists the pages to be graded as its candidates. Scores are
stored apart from the tasks' records.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.tasks.page_scores import (
    PAGE_SCORES,
    ScoredPage,
    TaskPageScores,
    select_pages,
)
from pagetrail.annotation.tasks.task import TaskRecord, read_task
from pagetrail.storage.importers.files.rows import ParsedTask
from pagetrail.storage.importers.preannotations.pages import PageFinder, first_repeated

MAX_SCORED = 100_000
"""Scored pages per task."""

Refused = tuple[int, str, str]
"""Line, task id and reason of a row that cannot be used."""


class _PageScore(BaseModel):
    """A scored page, given by document and page or by an id."""

    model_config = ConfigDict(extra="forbid")
    document: StrictStr | None = None
    page: Any = None
    id: StrictStr | None = Field(default=None, max_length=1_000)
    score: Annotated[float, Field(allow_inf_nan=False)]


class _PageScores(BaseModel):
    page_scores: list[_PageScore] = Field(min_length=1, max_length=MAX_SCORED)


def with_page_scores(
    finder: PageFinder, rows: list[ParsedTask], protocol: Protocol, seed: int
) -> tuple[list[ParsedTask], list[Refused], list[str], dict[str, TaskPageScores]]:
    """Tasks with the pages to be graded as candidates, rows that cannot be used, notes, scores."""
    if not any(_scores_of(task) is not None for _, task in rows):
        return rows, [], [], {}
    if protocol.pages != "given":
        n = sum(_scores_of(task) is not None for _, task in rows)
        note = f"Tasks whose page scores are left out, since their pages are not given: {n:,}."
        return [(raw, _without_scores(task)) for raw, task in rows], [], [note], {}
    scored: dict[str, list[ScoredPage]] = {}
    refused: dict[int, Refused] = {}
    for raw, task in rows:
        if _scores_of(task) is not None:
            try:
                scored[task.id] = _scored_pages(finder, task, protocol.prefilter.cut)
            except ValidationError as error:
                refused[raw.line] = (raw.line, task.id, describe(error))
            except ValueError as error:
                refused[raw.line] = (raw.line, task.id, str(error))
    selected = select_pages(scored, protocol.prefilter.sample_rate, seed)
    kept_rows = [
        (raw, _with_candidates(task, selected.get(task.id)))
        for raw, task in rows
        if raw.line not in refused
    ]
    return kept_rows, list(refused.values()), [], selected


def _scores_of(task: TaskRecord) -> Any:
    return (task.model_extra or {}).get(PAGE_SCORES)


def _without_scores(task: TaskRecord) -> TaskRecord:
    record = task.to_json()
    record.pop(PAGE_SCORES, None)
    return read_task(record)


def _scored_pages(finder: PageFinder, task: TaskRecord, cut: float | None) -> list[ScoredPage]:
    entries = _PageScores.model_validate({PAGE_SCORES: _scores_of(task)}).page_scores
    pages = [
        finder.find_judged(f"{PAGE_SCORES}[{index}]", entry.document, entry.page, entry.id)
        for index, entry in enumerate(entries)
    ]
    keys = [(info.name, number) for info, number in pages]
    repeated = first_repeated(keys)
    if repeated is not None:
        name, number = repeated
        raise ValueError(f"{PAGE_SCORES}: page {number} of {name} occurs twice")
    candidates = {ref.key for ref in task.candidates or ()}
    if cut is None:
        if not candidates:
            raise ValueError(
                "candidates: list the pages to be graded, or set prefilter.cut, from which on "
                "pages are graded"
            )
        unscored = sorted(candidates - set(keys))
        if unscored:
            name, number = unscored[0]
            raise ValueError(f"{PAGE_SCORES}: page {number} of {name} is a candidate without score")
    elif candidates:
        raise ValueError(
            f"candidates, {PAGE_SCORES}: prefilter.cut says which pages are graded; leave one out"
        )
    scored = []
    for key, entry in zip(keys, entries, strict=True):
        is_above = key in candidates if cut is None else entry.score >= cut
        scored.append(ScoredPage(*key, entry.score, "above" if is_above else "below"))
    if not any(page.selection == "above" for page in scored):
        highest = max(page.score for page in scored)
        raise ValueError(
            f"{PAGE_SCORES}: no page reaches prefilter.cut = {cut:g}; the highest score is "
            f"{highest:g}"
        )
    return scored


def _with_candidates(task: TaskRecord, scores: TaskPageScores | None) -> TaskRecord:
    """The task with its graded pages in the order of the documents, which tells no score."""
    if scores is None:
        return task
    record = _without_scores(task).to_json()
    record["candidates"] = [
        {"document": page.document, "page": page.page} for page in scores.pages if page.is_graded
    ]
    return read_task(record)
