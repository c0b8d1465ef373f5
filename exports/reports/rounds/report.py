"""The report on rounds of transcriptions: pages by round and state, and the work of each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.transcript_rounds import (
    PAGE_STAGES,
    STAGE_LABELS,
    PageStage,
    RoundWork,
    round_works,
)
from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.exports.reading.attempts import CountedAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reports.model import Column, Report, RowValues, Section, Table
from pagetrail.storage.people.system_roles import SYSTEM

_MS_PER_MINUTE = 60_000
_STAGE_HELP: dict[PageStage, str] = {
    "untouched": lazy_gettext("With the annotator, nothing changed or decided in this round."),
    "changed": lazy_gettext("With the annotator, who has changed the text or decided a patch."),
    "waiting": lazy_gettext("Submitted with a change: a model's answer begins the next round."),
    "accepted": lazy_gettext("Submitted without a change: done in this round."),
    "skipped": lazy_gettext("Skipped by the annotator."),
}
_ROUND = Column("round", "Round", "text")
_PATCH_COLUMNS = (
    Column("given", "Patches", "count", "Proposed by models."),
    Column("accepted_patches", "Accepted", "count"),
    Column("rejected_patches", "Rejected", "count"),
    Column("stale_patches", "Stale", "count", "Typed over, or overlapped by an accepted patch."),
    Column("undecided_patches", "Undecided", "count"),
    Column("accepted_share", "Accepted, of all", "share", "Of the patches of the round."),
)
_WORK = TypeAdapter(list[list[RoundWork]])


@dataclass
class RoundTotals:
    """The work of all pages that have reached a round.

    Attributes:
        pages: attempts.
    """

    pages: int = 0
    done: int = 0
    given: int = 0
    accepted: int = 0
    rejected: int = 0
    stale: int = 0
    undecided: int = 0
    edits: int = 0
    added_chars: int = 0
    removed_chars: int = 0
    active_ms: int = 0
    models: set[str] = field(default_factory=set)

    def add(self, work: RoundWork) -> None:
        """Count one page's work."""
        self.pages += 1
        self.done += work.stage == "accepted"
        for name in ("given", "accepted", "rejected", "stale", "undecided", "edits"):
            setattr(self, name, getattr(self, name) + getattr(work, name))
        self.added_chars += work.added_chars
        self.removed_chars += work.removed_chars
        self.active_ms += work.active_ms
        if work.model is not None:
            self.models.add(work.model)


def rounds(source: Source) -> Report:
    """Pages by round and state, and what people did in each round; all submissions count."""
    works = _works(source)
    unopened = source.campaign.attempts - source.campaign.opened
    stages = Counter((work[-1].number, work[-1].stage) for work in works)
    if unopened:
        stages[1, "untouched"] += unopened
    totals: dict[int, RoundTotals] = {}
    for page_works in works:
        for work in page_works:
            totals.setdefault(work.number, RoundTotals()).add(work)
    by_stage = Counter[PageStage]()
    for (_, stage), pages in stages.items():
        by_stage[stage] += pages
    return Report(
        kind="rounds",
        title=lazy_gettext("Rounds of {name}", name=source.campaign.name),
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={
            lazy_gettext("Tasks"): source.campaign.tasks,
            lazy_gettext("Pages in work or done"): sum(by_stage.values()),
            lazy_gettext("Waiting for a model"): by_stage["waiting"],
            lazy_gettext("Accepted without an edit"): by_stage["accepted"],
        },
        choices={lazy_gettext("Idle cap of active time, s"): 60},
        sections=[
            Section(
                "Rounds",
                [_stages_table(stages), _work_table(totals)] if stages else [],
                [_status_note(source, by_stage, max(totals, default=1))],
            )
        ],
        identified=source.identify,
    )


def _works(source: Source) -> list[list[RoundWork]]:
    """The rounds of each person's attempt at each task."""
    computation = TaskComputation("rounds", _WORK, _compute)
    return [
        page_works
        for heads, results in task_results(source, computation)
        for head, page_works in zip(heads, results, strict=True)
        if head.role != SYSTEM and page_works
    ]


def _compute(attempts: Sequence[CountedAttempt]) -> list[list[RoundWork]]:
    return [round_works(attempt.whole.events) for attempt in attempts]


def _status_note(source: Source, by_stage: Counter[PageStage], last_round: int) -> str:
    """What has to be done next, or that the campaign has ended."""
    with_people = by_stage["untouched"] + by_stage["changed"]
    waiting = by_stage["waiting"]
    if not by_stage.total():
        return lazy_gettext("Nobody has opened a page yet.")
    if waiting:
        return lazy_ngettext(
            "{number:,} page waits for a model: write the texts with `export --format "
            "transcripts`, and bring its answers with `import-patches`.",
            "{number:,} pages wait for a model: write the texts with `export --format "
            "transcripts`, and bring its answers with `import-patches`.",
            waiting,
        )
    if with_people:
        return lazy_ngettext(
            "No page waits for a model. {number:,} page is with its annotator.",
            "No page waits for a model. {number:,} pages are with their annotators.",
            with_people,
        )
    if by_stage.total() < source.campaign.tasks:
        return lazy_gettext("All pages that were assigned are accepted or skipped.")
    return lazy_gettext(
        "Every page is accepted or skipped: the campaign has ended in round {round}.",
        round=last_round,
    )


def _stages_table(stages: Counter[tuple[int, PageStage]]) -> Table:
    numbers = sorted({number for number, _ in stages})

    def row(label: str, selected: Sequence[int]) -> RowValues:
        counts: dict[str, int] = {
            stage: sum(stages[number, stage] for number in selected) for stage in PAGE_STAGES
        }
        return {"round": label, "pages": sum(counts.values()), **counts}

    rows = [row(str(number), [number]) for number in numbers]
    return Table.from_rows(
        key="rounds-pages",
        title="Pages by round and state",
        question="Where is each page now?",
        columns=[
            _ROUND,
            Column("pages", "Pages", "count", "Pages that are in this round, of each annotator."),
            *(
                Column(stage, STAGE_LABELS[stage], "count", _STAGE_HELP[stage])
                for stage in PAGE_STAGES
            ),
        ],
        rows=[*rows, {**row(lazy_gettext("All"), numbers), "row_kind": "pooled"}],
    )


def _work_table(totals: dict[int, RoundTotals]) -> Table:
    return Table.from_rows(
        key="rounds-work",
        title="Work by round",
        question="What did people do in each round, and how long did it take?",
        columns=[
            _ROUND,
            Column("models", "Model", "text", "Wrote the text or the patches."),
            Column("pages", "n", "count", "Pages that have reached the round, of each annotator."),
            Column("done", "Accepted without an edit", "count", "Pages done in this round."),
            *_PATCH_COLUMNS,
            Column("edits", "Edits", "count", "Events that edited a text; typing is grouped."),
            Column("added_chars", "Inserted", "count", "Characters typed or pasted."),
            Column("removed_chars", "Removed", "count", "Characters deleted by edits."),
            Column("edited_chars", "Characters edited", "count", "Inserted and removed."),
            Column("active_min", "Active time, min", "number", "Gaps count up to 60 s."),
            Column("min_per_page", "Minutes per page", "number"),
        ],
        rows=[_work_row(str(number), totals[number]) for number in sorted(totals)],
        notes=["Characters of accepted patches are not counted as edited; undone edits are."],
        unit_column="pages",
    )


def _work_row(label: str, total: RoundTotals) -> RowValues:
    minutes = total.active_ms / _MS_PER_MINUTE
    return {
        "round": label,
        "models": ", ".join(sorted(total.models)),
        "pages": total.pages,
        "done": total.done,
        "given": total.given,
        "accepted_patches": total.accepted,
        "rejected_patches": total.rejected,
        "stale_patches": total.stale,
        "undecided_patches": total.undecided,
        "accepted_share": total.accepted / total.given if total.given else None,
        "edits": total.edits,
        "added_chars": total.added_chars,
        "removed_chars": total.removed_chars,
        "edited_chars": total.added_chars + total.removed_chars,
        "active_min": minutes,
        "min_per_page": minutes / total.pages if total.pages else None,
    }
