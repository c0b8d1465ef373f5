"""MADQA dataset JSONL: the tasks with their gold, in the schema that ``import-tasks`` reads.

A task has gold when it has accepted answers, evidence, gold of a pilot, or is stated to be
unanswerable. Fields without a value are left away; fields that the schema does not know are kept,
but for a prediction that is judged blind, whose system only ``judgements`` names.

Evidence on page 0, which an import leaves out of the task, is written as the dataset had it:
MADQA's evaluator counts it, and so does ``metrics --convention madqa``.

The folder is what MADQA's ``evaluate.py --dataset`` takes: its card makes the file the split
``dev``, which that program reads by default.

By the gold decided in review, the tasks that have any, with that gold in place of the tasks' own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagetrail.annotation.tasks.task import document_of_page_zero, pages_zero, read_task
from pagetrail.exports.formats.export_format import Format, GoldRule
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
            lines.write(_as_madqa_states_it(gold_record(record)))
            written.count("rows")
        written.rows[FILE] = lines.rows
    save_card(folder, written, {"default": FILE}, "dev", _CARD_TEXT)
    return written


FORMAT = Format(
    name="gold",
    summary="tasks with their answers and evidence",
    purpose="tasks with answers and evidence, for `import-tasks`",
    applies_to="tasks with gold",
    write=write,
    gold=GoldRule(
        replaces_work=True,
        effect="tasks with their decided answers, all variants of them, pages, fields and boxes; "
        "what the protocol does not ask for stays as it came",
    ),
    has_submissions=False,
)


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


def _as_madqa_states_it(record: dict[str, Any]) -> dict[str, Any]:
    """The record with its evidence on page 0 after the rest, instead of in a field of its own."""
    restored = pages_zero(record)
    if not restored:
        return record
    unnamed = [ref for ref in record["evidence_left_out"] if document_of_page_zero(ref) is None]
    others = {name: value for name, value in record.items() if name != "evidence_left_out"}
    evidence = [*record.get("evidence", []), *restored]
    return {**others, "evidence": evidence} | ({"evidence_left_out": unnamed} if unnamed else {})
