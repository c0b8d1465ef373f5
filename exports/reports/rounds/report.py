"""The report on rounds of texts and tables: tasks by round and state, and the work by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.rounds import (
    ROUND_STAGES,
    RoundStage,
    RoundWork,
    round_works,
)
from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reading.attempts import CountedAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reports.model import Column, Report, RowValues, Section, Table
from pagetrail.storage.people.system_roles import SYSTEM

_MS_PER_MINUTE = 60_000
_ROUND = Column("round", "Round", "text")
_STAGES: dict[RoundStage, Column] = {
    "untouched": Column(
        "untouched",
        "Untouched",
        "count",
        "With the annotator, nothing changed, decided or flagged in this round.",
    ),
    "changed": Column(
        "changed",
        "Changed, not submitted",
        "count",
        "With the annotator, who has changed or flagged something, or decided a patch.",
    ),
    "waiting": Column(
        "waiting",
        "Waiting for a model",
        "count",
        "Submitted with a changed text, an accepted patch or a flag: a model's answer begins the "
        "next round.",
    ),
    "accepted": Column(
        "accepted",
        "Accepted",
        "count",
        "Submitted without a changed text, an accepted patch or a flag: done in this round.",
    ),
    "skipped": Column("skipped", "Skipped", "count", "Skipped by the annotator."),
}
_PATCHES = (
    Column("given", "Patches", "count", "Proposed by models."),
    Column("accepted_patches", "Accepted patches", "count"),
    Column("rejected_patches", "Rejected", "count"),
    Column("stale_patches", "Stale", "count", "Typed over, or overlapped by an accepted patch."),
    Column("undecided_patches", "Undecided", "count"),
    Column("accepted_share", "Accepted, of all", "share", "Of the patches of the round."),
)
_CHARACTERS = (
    Column("added_chars", "Inserted", "count", "Characters typed or pasted."),
    Column("removed_chars", "Removed", "count", "Characters deleted by edits."),
    Column("edited_chars", "Characters edited", "count", "Inserted and removed."),
)
_EDITS = Column("edits", "Edits", "count", "Events that edited a text or a table.")
_CELLS = (
    Column("flags", "Flags", "count", "Of cells and whole tables, at the end of the round."),
    Column(
        "changed_cells",
        "Cells changed",
        "count",
        "By people: cells with another text, header mark or span at the end of the round than at "
        "its beginning, and new ones.",
    ),
    Column("deleted_lines", "Lines deleted", "count", "Rows and columns, by people."),
    Column("model_cells", "Changed by the model", "count", "Cells, since the round before."),
    Column("confirmed", "Confirmed", "count", "Of the cells that the model changed."),
    Column("corrected", "Corrected", "count", "Given another text, deleted, merged or split."),
    Column("flagged_again", "Flagged again", "count", "Of the cells that the model changed."),
    Column("unconfirmed", "Not confirmed", "count", "Of the cells that the model changed."),
    Column("confirmed_share", "Confirmed, of all", "share", "Of the cells that the model changed."),
)
_WORKS = TypeAdapter(list[list[RoundWork]])
_SUMS = [e.name for e in fields(RoundWork) if e.name not in ("number", "model", "stage")]


@dataclass
class RoundTotals:
    """The work of all attempts that have reached a round.

    Attributes:
        attempts: tasks, of each annotator.
        sums: of the numbers of ``RoundWork``.
    """

    attempts: int = 0
    done: int = 0
    models: set[str] = field(default_factory=set)
    sums: Counter[str] = field(default_factory=Counter)

    def add(self, work: RoundWork) -> None:
        """Count the work of one attempt."""
        self.attempts += 1
        self.done += work.stage == "accepted"
        if work.model is not None:
            self.models.add(work.model)
        for name in _SUMS:
            self.sums[name] += getattr(work, name)


def rounds(source: Source) -> Report:
    """Attempts by round and state, and what people did in each round; all submissions count."""
    works = _works(source)
    unopened = source.campaign.attempts - source.campaign.opened
    stages = Counter((work[-1].number, work[-1].stage) for work in works)
    if unopened:
        stages[1, "untouched"] += unopened
    totals: dict[int, RoundTotals] = {}
    for attempt_works in works:
        for work in attempt_works:
            totals.setdefault(work.number, RoundTotals()).add(work)
    by_stage = Counter[RoundStage]()
    for (_, stage), attempts in stages.items():
        by_stage[stage] += attempts
    protocol = source.campaign.protocol
    return Report(
        kind="rounds",
        title=lazy_gettext("Rounds of {name}", name=source.campaign.name),
        campaign=source.campaign.name,
        protocol=protocol.name,
        facts={
            lazy_gettext("Tasks"): source.campaign.tasks,
            lazy_gettext("Attempts"): sum(by_stage.values()),
            lazy_gettext("Waiting for a model"): by_stage["waiting"],
            lazy_gettext("Accepted"): by_stage["accepted"],
        },
        choices={lazy_gettext("Idle cap of active time, s"): 60},
        sections=[
            Section(
                "Rounds",
                [_stages_table(stages), _work_table(totals, protocol)] if stages else [],
                [_status_note(source, by_stage, max(totals, default=1))],
            )
        ],
        identified=source.identify,
    )


def _works(source: Source) -> list[list[RoundWork]]:
    """The rounds of each person's attempt at each task."""
    computation = TaskComputation("rounds", _WORKS, _compute)
    return [
        attempt_works
        for heads, results in task_results(source, computation)
        for head, attempt_works in zip(heads, results, strict=True)
        if head.role != SYSTEM and attempt_works
    ]


def _compute(attempts: Sequence[CountedAttempt]) -> list[list[RoundWork]]:
    return [round_works(attempt.whole.events) for attempt in attempts]


def _status_note(source: Source, by_stage: Counter[RoundStage], last_round: int) -> str:
    """What has to be done next, or that the campaign has ended."""
    with_people = by_stage["untouched"] + by_stage["changed"]
    if not by_stage.total():
        return lazy_gettext("Nobody has opened a task yet.")
    if by_stage["waiting"]:
        has_text = source.campaign.protocol.transcript.enabled
        return lazy_ngettext(
            "{number:,} task waits for a model: write it with “pagetrail export --format {format}” "
            "and import the model’s answer with “pagetrail {command}”.",
            "{number:,} tasks wait for a model: write them with “pagetrail export --format "
            "{format}” and import the model’s answers with “pagetrail {command}”.",
            by_stage["waiting"],
            format="transcripts" if has_text else "table-fixes",
            command="import-patches" if has_text else "import-tables",
        )
    if with_people:
        return lazy_ngettext(
            "No task waits for a model. {number:,} task is with its annotator.",
            "No task waits for a model. {number:,} tasks are with their annotators.",
            with_people,
        )
    if by_stage.total() < source.campaign.tasks * source.campaign.protocol.overlap:
        return lazy_gettext("All tasks that were assigned are accepted or skipped.")
    return lazy_gettext(
        "Every task is accepted or skipped: the campaign has ended in round {round}.",
        round=last_round,
    )


def _stages_table(stages: Counter[tuple[int, RoundStage]]) -> Table:
    numbers = sorted({number for number, _ in stages})

    def row(label: str, selected: Sequence[int]) -> RowValues:
        counts: dict[str, int] = {
            stage: sum(stages[number, stage] for number in selected) for stage in ROUND_STAGES
        }
        return {"round": label, "pages": sum(counts.values()), **counts}

    rows = [row(str(number), [number]) for number in numbers]
    return Table.from_rows(
        key="rounds-pages",
        title="Attempts by round and state",
        question="Where is each attempt now?",
        columns=[
            _ROUND,
            Column(
                "pages",
                "Attempts",
                "count",
                "Attempts that are in this round: one per task and annotator.",
            ),
            *(_STAGES[stage] for stage in ROUND_STAGES),
        ],
        rows=[*rows, {**row(lazy_gettext("All"), numbers), "row_kind": "pooled"}],
    )


def _work_table(totals: dict[int, RoundTotals], protocol: Protocol) -> Table:
    has_text, has_tables = protocol.transcript.enabled, protocol.tables.enabled
    notes: list[str] = [lazy_gettext("Undone edits are counted, too.")]
    if has_text:
        notes.append(lazy_gettext("Characters of accepted patches are not counted as edited."))
    return Table.from_rows(
        key="rounds-work",
        title="Work by round",
        question="What did people do in each round, and how long did it take?",
        columns=[
            _ROUND,
            Column("models", "Model", "text", "Wrote the text, the patches or the tables."),
            Column(
                "pages",
                "n",
                "count",
                "Attempts that have reached the round: one per task and annotator.",
            ),
            Column("done", "Accepted", "count", "Attempts done in this round."),
            *(_PATCHES if has_text else ()),
            *(_CELLS if has_tables else ()),
            _EDITS,
            *(_CHARACTERS if has_text else ()),
            Column("active_min", "Active time, min", "number", "Gaps count up to 60 s."),
            Column("min_per_page", "Minutes per attempt", "number"),
        ],
        rows=[_work_row(str(number), totals[number]) for number in sorted(totals)],
        notes=notes,
        unit_column="pages",
    )


def _work_row(label: str, total: RoundTotals) -> RowValues:
    sums = total.sums
    minutes = sums["active_ms"] / _MS_PER_MINUTE
    given, model_cells = sums["given"], sums["model_cells"]
    return {
        **sums,
        "round": label,
        "models": ", ".join(sorted(total.models)),
        "pages": total.attempts,
        "done": total.done,
        "accepted_patches": sums["accepted"],
        "rejected_patches": sums["rejected"],
        "stale_patches": sums["stale"],
        "undecided_patches": sums["undecided"],
        "accepted_share": sums["accepted"] / given if given else None,
        "confirmed_share": sums["confirmed"] / model_cells if model_cells else None,
        "edited_chars": sums["added_chars"] + sums["removed_chars"],
        "active_min": minutes,
        "min_per_page": minutes / total.attempts if total.attempts else None,
    }
