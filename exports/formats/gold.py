"""MADQA dataset JSONL: the tasks with their gold, in the schema that ``import-tasks`` reads.

A task has gold when it has accepted answers, evidence, gold of a pilot, or is stated to be
unanswerable. Fields without a value are left away; fields that the schema does not know are kept,
but for a prediction that is judged blind, whose system only ``judgements`` names.

The folder is what MADQA's ``evaluate.py --dataset`` takes: its card makes the file the split
``dev``, which that program reads by default.

By the gold decided in review, the tasks that have any, with that gold in place of the tasks' own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.gold.adjudicated_gold import decided_works
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.dataset_card import save_card
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.storage.snapshot.rows import TaskRow

FILE = "gold.jsonl"
_CARD_TEXT = "Questions with accepted answers and evidence, in the schema of MADQA."


def write(source: Source, folder: Path) -> Written:
    """Write the records of all tasks that have gold."""
    written = Written(counts={"rows": 0})
    with JsonLines(folder / FILE) as lines:
        for record in _decided(source, written) if source.adjudicated else _own(source, written):
            lines.write(gold_record(record))
            written.count("rows")
        written.rows[FILE] = lines.rows
    save_card(folder, written, {"default": FILE}, "dev", _CARD_TEXT)
    return written


def _own(source: Source, written: Written) -> Iterator[dict[str, Any]]:
    for task in source.tasks():
        if has_gold(task):
            yield task.record
        else:
            written.leave_out("task", "no_gold", task.key)


def _decided(source: Source, written: Written) -> Iterator[dict[str, Any]]:
    for work in decided_works(source, written):
        yield work.head.record


def has_gold(task: TaskRow) -> bool:
    """Whether anything is known about the task's answer."""
    record = task.record
    return any(record.get(name) for name in ("answer_variants", "evidence", "gold", "unanswerable"))


def gold_record(stored: dict[str, Any]) -> dict[str, Any]:
    """The record in the order of the schema, then unknown fields."""
    record = read_task(stored).to_json()
    return {
        name: value
        for name, value in record.items()
        if (value is not None and name != "prediction") or name == "answer_variants"
    }
