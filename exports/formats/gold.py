"""MADQA dataset JSONL: the tasks with their gold, in the schema that ``import-tasks`` reads.

A task has gold when it has accepted answers, evidence, gold of a pilot, or is stated to be
unanswerable. Fields without a value are omitted. Fields that the schema does not know are kept,
except predictions that are judged blind, whose system only ``judgements`` names.

Evidence on page 0, which an import leaves out of the task, is written as the dataset had it:
MADQA's evaluator counts it, and so does ``metrics --convention madqa``.

The folder is what MADQA's ``evaluate.py --dataset`` takes: its card makes the file the split
``dev``, which that program reads by default.

A question that models answered without documents has ``needs_documents``: false if any of them was
right.

Corrected gold is that after checks of suspect gold, without dropped tasks; original gold is that
before. Adjudicated gold replaces the tasks' own; tasks without a decision are left out. Where
models' drafts were decided on, ``drafts`` has what became of them, as in ``adjudicated``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pagetrail.annotation.tasks.task import document_of_page_zero, pages_zero, read_task
from pagetrail.exports.formats.export_format import Format, GoldRule
from pagetrail.exports.gold.adjudicated_gold import GOLD_DROPPED, decided_works
from pagetrail.exports.gold.gold_checks import (
    dropped_tasks,
    gold_choice,
    records_by_gold,
)
from pagetrail.exports.gold.without_documents import need_fields, needs_documents
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.dataset_card import save_card
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "gold.jsonl"
_CARD_TEXT = "Questions with accepted answers and evidence, in the schema of MADQA."


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the records of all tasks that have gold."""
    tally = WrittenFiles(counts={"rows": 0})
    needs = needs_documents(source)
    with JsonLines(folder / FILE) as lines:
        for record in (
            _adjudicated_gold(source, tally) if source.adjudicated else _task_gold(source, tally)
        ):
            need = need_fields(needs, str(record["id"]))
            lines.write(_as_madqa_states_it(gold_record(record)) | need)
            tally.count("rows")
        tally.rows[FILE] = lines.rows
    save_card(folder, tally, {"default": FILE}, "dev", _CARD_TEXT)
    return tally


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
        follows_checks=True,
    ),
    has_submissions=False,
)


def _task_gold(source: Source, tally: WrittenFiles) -> Iterator[dict[str, Any]]:
    choice = gold_choice(source)
    record_of = records_by_gold(source, choice)
    dropped = dropped_tasks(source, choice)
    if source.checked_gold is not None:
        tally.choices["gold"] = source.checked_gold
    for task in source.tasks():
        record = record_of(task.key, task.record)
        if has_gold(record):
            yield record
        else:
            is_dropped = task.key in dropped
            tally.leave_out("task", GOLD_DROPPED if is_dropped else "no_gold", task.key)


def _adjudicated_gold(source: Source, tally: WrittenFiles) -> Iterator[dict[str, Any]]:
    for attempt in decided_works(source, tally):
        yield attempt.head.record


def has_gold(record: Mapping[str, Any]) -> bool:
    """Whether anything is known about the answer in a task's record."""
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
    """The record with evidence on page 0 at the end of its evidence, not in a separate field."""
    restored = pages_zero(record)
    if not restored:
        return record
    unnamed = [ref for ref in record["evidence_left_out"] if document_of_page_zero(ref) is None]
    fields = {name: value for name, value in record.items() if name != "evidence_left_out"}
    evidence = [*record.get("evidence", []), *restored]
    return {**fields, "evidence": evidence} | ({"evidence_left_out": unnamed} if unnamed else {})
