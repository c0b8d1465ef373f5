"""What the projection of review says of one task, computed from a snapshot of the database.

Nothing here writes: comparing people's work can take long, and nobody's save may wait for it.
``storage.review.projection`` stores the rows where the work is still the one that was compared.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.differences import PartDifference, TaskDifference
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.ratings.tables import Ratings
from pagetrail.annotation.review import compare, drawn_for_check, merge, status_of
from pagetrail.annotation.review.dataset_contradictions import (
    can_be_contradicted,
    contradicts_dataset,
)
from pagetrail.annotation.review.majority import agreeing
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import tied_parts
from pagetrail.annotation.review.status import People, Status
from pagetrail.annotation.timing.bulk import Spent, spent
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import AttemptSummary, EventRow, ReviewTask
from pagetrail.storage.review.submissions import TaskWork, Worked, page_sizes, task_work
from pagetrail.storage.review.work_versions import WorkVersions, work_versions

NOT_COMPARED = "comparison"
"""The part of a task whose work took too long to compare: a reviewer decides."""

_MOMENTS = (
    select(
        EventRow.attempt_id, EventRow.seq, EventRow.type, EventRow.elapsed_ms, EventRow.server_ts
    )
    .where(EventRow.attempt_id.in_(bindparam("attempts", expanding=True)))
    .order_by(EventRow.attempt_id, EventRow.seq)
)
_STORED = select(AttemptSummary.attempt_id, AttemptSummary.handed_seq).where(
    AttemptSummary.task_id == bindparam("task")
)

_DIFFERENCE = select(ReviewTask.stale, ReviewTask.score, ReviewTask.parts).where(
    ReviewTask.task_id == bindparam("task")
)


@dataclass(frozen=True)
class TaskRows:
    """The rows of one task, and the work that they were computed from.

    Attributes:
        review: columns of ``review_task`` but for the ids.
        summaries: rows of ``attempt_summary`` that are new or replace a stored one.
        outdated: attempts whose stored summary is to go, since they are open again.
    """

    task_id: int
    campaign_id: int
    versions: WorkVersions
    review: dict[str, Any]
    summaries: tuple[dict[str, Any], ...]
    outdated: tuple[str, ...]


def task_rows(
    connection: Connection,
    task_id: int,
    *,
    not_compared: str | None = None,
    all_summaries: bool = False,
) -> TaskRows:
    """The rows of a task, read in the connection's transaction.

    Args:
        not_compared: why the work is not compared; None compares it.
        all_summaries: also those that are stored as they should be.

    Raises:
        NotFoundError: no such task.
    """
    versions = work_versions(connection, task_id)
    work = task_work(connection, task_id)
    submissions = work.sides()
    if not_compared is None:
        rule, accepted = work.task.protocol.review, work.task.accepted()
        language = work.task.language()
        difference = compare(submissions, rule, page_sizes(connection), accepted, language)
    else:
        difference = without_comparison(not_compared)
    stored = {} if all_summaries else _stored_summaries(connection, task_id)
    handed = {w.attempt: w for w in work.people if w.handed_in}
    new = [w for id_, w in handed.items() if stored.get(id_) != w.handed_seq]
    return TaskRows(
        task_id=task_id,
        campaign_id=work.task.campaign_id,
        versions=versions,
        review=_review_row(work, difference, page_sizes(connection)),
        summaries=tuple(_summaries(connection, work, new)),
        outdated=tuple(id_ for id_ in stored if id_ not in handed),
    )


def without_comparison(why: str) -> TaskDifference:
    """The difference of a task whose work is not compared: wholly different, and why."""
    unknown = PartDifference(NOT_COMPARED, why, 1.0, agreed=False)
    return TaskDifference(1.0, agreed=False, parts=(unknown,))


def stored_difference(connection: Connection, task_id: int) -> TaskDifference | None:
    """How far the work on a task differs, as stored; None where it has changed since."""
    row = connection.execute(_DIFFERENCE, {"task": task_id}).one_or_none()
    if row is None or row.stale:
        return None
    parts = []
    for part in json.loads(row.parts):
        places = tuple((document, page) for document, page in part.pop("places"))
        apart = tuple((a, b) for a, b in part.pop("apart", ()))
        parts.append(PartDifference(**part, places=places, apart=apart))
    return TaskDifference(row.score, all(part.agreed for part in parts), tuple(parts))


def _stored_summaries(connection: Connection, task_id: int) -> dict[str, int]:
    """Attempt → its last submission as summed up: nothing after that changes a summary."""
    rows = connection.execute(_STORED, {"task": task_id})
    return {row.attempt_id: row.handed_seq for row in rows}


def _review_row(work: TaskWork, difference: TaskDifference, size_of: PageSizeOf) -> dict[str, Any]:
    task = work.task
    people = people_of(work)
    review = work.gold.state.review if work.gold is not None else None
    rule = task.protocol.review
    drawn = drawn_for_check(task.seed, task.key, rule.check_share)
    return {
        "stale": False,
        "status": task_status(work, difference, size_of),
        "score": difference.score,
        "n_handed": people.handed,
        "flagged": people.flagged,
        "drawn": drawn,
        "gold_version": review.version if review else 0,
        "decided_by": review.decided_by if review else None,
        "decided_at": review.decided_at if review else None,
        "automatic": bool(review and review.automatic),
        "holder": review.holder if review else None,
        "held_at": work.gold.state.updated_at if work.gold and review and review.holder else None,
        "parts": json.dumps([_stored_part(part) for part in difference.parts], ensure_ascii=False),
        "sources": json.dumps(people.sources),
        "contradicts_dataset": agree_against_dataset(work, difference, size_of),
        "handled": json.dumps([w.attempt for w in work.people if work.is_handled(w)]),
    }


def _stored_part(part: PartDifference) -> dict[str, Any]:
    """Without what is empty and rows of older workspaces do not have."""
    return {
        key: value
        for key, value in asdict(part).items()
        if value or key not in ("apart", "variants")
    }


def task_status(work: TaskWork, difference: TaskDifference, size_of: PageSizeOf) -> Status:
    """The review status of a task."""
    task, rule = work.task, work.task.protocol.review
    review = work.gold.state.review if work.gold is not None else None
    gold_state = None
    if work.gold is not None and review is not None and review.decided:
        gold_state = work.gold.state

    def complete() -> bool:
        if gold_state is not None:
            assert work.gold is not None
            return not decided_gold_missing(work.gold_form(gold_state))
        merged = merge(accepted_work(work, difference), {}, rule, size_of, work.sources())
        tied = tied_parts(merged.choices, task.protocol)
        return not tied and not gold_missing(task.form(draft_state(merged)))

    def contradicts() -> bool:
        if gold_state is not None:
            return contradicts_dataset(Submission(task.form(gold_state)), task.dataset())
        return _contradict(work, accepted_work(work, difference), size_of)

    drawn = drawn_for_check(task.seed, task.key, rule.check_share)
    people = people_of(work)
    return status_of(people, difference, rule, review, drawn, complete, contradicts)


def agree_against_dataset(work: TaskWork, difference: TaskDifference, size_of: PageSizeOf) -> bool:
    """Whether everybody who submitted the task agrees, and that contradicts the dataset.

    Where the campaign takes one person's work without comparing it, that person agrees.
    """
    sides = work.sides()
    unanimous = difference.agreed or (len(sides) == 1 and accepted_work(work, difference) == sides)
    return unanimous and _contradict(work, sides, size_of)


def _contradict(work: TaskWork, submissions: Sequence[Submission], size_of: PageSizeOf) -> bool:
    """Whether the gold of these submissions would contradict the dataset."""
    dataset = work.task.dataset()
    if not submissions or dataset is None or not can_be_contradicted(dataset):
        return False
    merged = merge(submissions, {}, work.task.protocol.review, size_of, work.sources())
    return contradicts_dataset(Submission(work.task.form(draft_state(merged))), dataset)


def accepted_work(work: TaskWork, difference: TaskDifference) -> list[Submission]:
    """The submissions that become gold without a reviewer; none where somebody has to decide."""
    people, sides = people_of(work), work.sides()
    rule = work.task.protocol.review
    agree = agreeing(people.attempts, difference, rule, people.submitted + people.skips)
    return [side for side in sides if side.attempt in agree]


def people_of(work: TaskWork) -> People:
    """The people's work, counted. Of a closed campaign nobody waits for more.

    A task that was skipped waits for somebody else who was assigned it in place of them.
    """
    task = work.task
    handed = [w for w in work.people if w.handed_in]
    submitted = sum(w.state.status == "submitted" for w in handed)
    overlap = task.protocol.overlap
    chosen = len(work.assigned | {w.user_id for w in handed})
    expected = max(overlap, min(overlap + len(handed) - submitted, chosen))
    skips = sum(w.state.status == "skipped" and not work.is_handled(w) for w in handed)
    replaced = task.protocol.review.skipped == "next" and submitted >= overlap
    return People(
        expected=expected if task.open else 0,
        handed=len(handed),
        submitted=submitted,
        returned=sum(w.state.returned for w in work.people),
        flagged=any(w.state.flag is not None and not work.is_handled(w) for w in work.people),
        sources=work.sources(),
        attempts=tuple(side.attempt for side in work.sides()),
        skips=0 if replaced else skips,
        overlap=overlap,
    )


def awaited(work: TaskWork) -> bool:
    """Whether anybody still has to submit the task, for the first time or again."""
    people = people_of(work)
    return people.returned > 0 or people.handed < max(1, people.expected)


def _summaries(
    connection: Connection, work: TaskWork, attempts: Sequence[Worked]
) -> list[dict[str, Any]]:
    if not attempts:
        return []
    ratings = Ratings(work.task.protocol)
    submitted = {side.attempt: side for side in work.sides()}
    times = _times(connection, [w.attempt for w in attempts])
    return [
        {
            "attempt_id": w.attempt,
            "task_id": work.task.id,
            "user_id": w.user_id,
            "campaign_id": work.task.campaign_id,
            "handed_seq": w.handed_seq,
            "last_seq": w.state.last_seq,
            "status": w.state.status,
            "outcome": w.state.outcome,
            "handed_at": times[w.attempt].at[w.handed_seq or 0],
            "wall_ms": times[w.attempt].spent.wall_ms,
            "active_ms": times[w.attempt].spent.active_ms,
            "n_searches": len(own_searches(w.state.searches)),
            "first_query_hit": first_query_hit(work.task.record, w),
            "ratings": json.dumps(
                ratings.read(submitted[w.attempt]) if w.attempt in submitted else [],
                ensure_ascii=False,
            ),
        }
        for w in attempts
    ]


@dataclass(frozen=True)
class _Times:
    """The time of one attempt, and when each of its submissions was stored."""

    spent: Spent
    at: dict[int, str]


def _times(connection: Connection, attempts: Sequence[str]) -> dict[str, _Times]:
    """Of attempts with events. Kinds and moments alone: validating payloads takes far longer."""
    found = {}
    rows = connection.execute(_MOMENTS, {"attempts": list(attempts)})
    for attempt, group in groupby(rows, key=lambda row: row[0]):
        events = list(group)
        found[attempt] = _Times(
            spent=spent((event.type, event.elapsed_ms) for event in events),
            at={e.seq: e.server_ts for e in events if e.type in SUBMITTED_OR_SKIPPED},
        )
    return found


def first_query_hit(record: dict[str, Any], attempt: Worked) -> bool | None:
    """Whether the first query that was run returned a gold page; None without query or gold."""
    gold = {(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []}
    first = next((s for s in attempt.state.searches if s.refusal is None), None)
    if not gold or first is None:
        return None
    return any(tuple(page) in gold for page in first.results)
