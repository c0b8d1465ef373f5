"""Submitted attempts as tasks of the preset ``trajectory``: their steps, for people to judge.

``tasks.jsonl`` has one row per attempt of a person or a system, ``<task>#1``, ``#2``, …, numbered
like predictions, so that numbers do not reveal who made an attempt. ``prediction.system`` names
them for the judgements; annotators' browsers do not get it. With ``Source.undecided`` there are the
answers that the rule leaves undecided and a random share of those that it decided, each with the
sample that it was drawn in; their tasks also suit the preset ``judge``, so those without steps are
kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pagetrail.annotation.tasks.blind_judging import blind_keys
from pagetrail.annotation.tasks.drawn_task import FIELD
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.formats.judging_record import judging_record
from pagetrail.exports.reading.attempts import submitted_works
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.judging.undecided_answers import DrawnAnswers, draw_answers
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "tasks.jsonl"


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write a task for each submitted attempt that took steps."""
    tally = WrittenFiles(counts={"tasks": 0, "steps": 0})
    with JsonLines(folder / FILE) as lines:
        for row in trajectory_tasks(source, tally):
            lines.write(row)
            tally.count("steps", len(row["steps"]))
        tally.rows[FILE] = lines.rows
    tally.counts["tasks"] = lines.rows
    return tally


FORMAT = Format(
    name="trajectory-tasks",
    summary="submitted attempts as tasks, for people to judge step by step; --undecided for the "
    "answers that people should judge",
    purpose="submitted attempts as tasks for people who [judge "
    "trajectories](protocols.md#judging-trajectories)",
    applies_to="attempts with steps",
    write=write,
    options=frozenset({"undecided"}),
)


def trajectory_tasks(source: Source, tally: WrittenFiles) -> Iterator[dict[str, Any]]:
    """The rows of the file, in the order of the campaign."""
    drawn = draw_answers(source) if source.undecided else None
    for task, group in groupby(
        submitted_works(source, tally), key=lambda attempt: attempt.head.task
    ):
        rows = {}
        for attempt in group:
            if drawn is not None and (task, attempt.name) not in drawn.keys:
                tally.leave_out("attempt", "decided", attempt.head.id)
                continue
            row = judging_record(source, attempt)
            if drawn is not None or (row["steps"] and row["candidates"]):
                rows[attempt.name] = row
            else:
                tally.leave_out("attempt", "nothing_to_judge", attempt.head.id)
        keys = _keys(task, rows, source, drawn)
        for name in sorted(rows, key=lambda name: keys[name]):
            sample = {} if drawn is None else {FIELD: drawn.task(keys[name]).model_dump()}
            yield {"id": keys[name], **rows[name], **sample}


def _keys(
    task: str, rows: dict[str, dict[str, Any]], source: Source, drawn: DrawnAnswers | None
) -> dict[str, str]:
    """Who answered → id of the task in which the answer is judged."""
    if drawn is None:
        return blind_keys(task, rows, source.database.secret())
    return {name: drawn.keys[task, name] for name in rows}
