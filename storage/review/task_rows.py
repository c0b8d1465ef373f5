"""Computes the review projection's rows of one task from a snapshot of the database.

Nothing here writes: comparing submissions can take long, and nobody's save may wait for it.
``storage.review.projection`` stores the rows if the submissions are still those compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.attempts.completeness import decided_gold_missing, gold_missing
from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.differences import PartDifference, TaskDifference
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import PageSizeOf
from pagetrail.annotation.ratings.tables import Ratings
from pagetrail.annotation.review import compare, merge, sampled_for_check, status_of
from pagetrail.annotation.review.dataset_contradictions import (
    can_be_contradicted,
    contradicts_dataset,
    needs_reviewer,
)
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import tied_parts
from pagetrail.annotation.review.status import Status, TaskWorkSummary, agreeing_attempts
from pagetrail.annotation.timing.bulk import AttemptTime, attempt_time
from pagetrail.storage.database.statuses import SUBMITTED_OR_SKIPPED
from pagetrail.storage.database.tables import AttemptSummary, EventRow, ReviewTask
from pagetrail.storage.people.people_by_id import People
from pagetrail.storage.review.submissions import (
    StartedAttempt,
    TaskWork,
    load_task_work,
    page_sizes,
)
from pagetrail.storage.review.work_versions import WorkVersions, work_versions

NOT_COMPARED = "comparison"
"""The only part of a task whose submissions took too long to compare: a reviewer decides."""

_EVENT_TIMES = (
    select(
        EventRow.attempt_id, EventRow.seq, EventRow.type, EventRow.elapsed_ms, EventRow.server_ts
    )
    .where(EventRow.attempt_id.in_(bindparam("attempts", expanding=True)))
    .order_by(EventRow.attempt_id, EventRow.seq)
)
_STORED = select(AttemptSummary.attempt_id, AttemptSummary.submission_seq).where(
    AttemptSummary.task_id == bindparam("task")
)

_DIFFERENCE = select(ReviewTask.stale, ReviewTask.score, ReviewTask.parts).where(
    ReviewTask.task_id == bindparam("task")
)


@dataclass(frozen=True)
class TaskRows:
    """The rows of one task, and the versions that they were computed from.

    Attributes:
        review: columns of ``review_task`` without the ids.
        summaries: rows of ``attempt_summary`` that are new or replace a stored one.
        outdated: reopened attempts, whose stored summary is deleted.
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
        not_compared: why the submissions are not compared; None compares them.
        all_summaries: include summaries that are stored and current.

    Raises:
        NotFoundError: no such task.
    """
    versions = work_versions(connection, task_id)
    task_work = load_task_work(connection, task_id)
    submissions = task_work.submissions()
    if not_compared is None:
        task = task_work.task
        difference = compare(
            submissions,
            task.protocol.review,
            page_sizes(connection),
            task.answer_variants(),
            task.language(),
        )
    else:
        difference = without_comparison(not_compared)
    stored = {} if all_summaries else _stored_summaries(connection, task_id)
    done = {attempt.attempt: attempt for attempt in task_work.attempts if attempt.is_done}
    changed = [
        attempt for id_, attempt in done.items() if stored.get(id_) != attempt.submission_seq
    ]
    return TaskRows(
        task_id=task_id,
        campaign_id=task_work.task.campaign_id,
        versions=versions,
        review=_review_row(connection, task_work, difference),
        summaries=tuple(_summaries(connection, task_work, changed)),
        outdated=tuple(id_ for id_ in stored if id_ not in done),
    )


def without_comparison(reason: str) -> TaskDifference:
    """The difference of a task that is not compared: the largest, with the reason as its part."""
    unknown = PartDifference(NOT_COMPARED, reason, 1.0, agreed=False)
    return TaskDifference(1.0, agreed=False, parts=(unknown,))


def stored_difference(connection: Connection, task_id: int) -> TaskDifference | None:
    """The stored difference between a task's submissions; None if they have changed since."""
    row = connection.execute(_DIFFERENCE, {"task": task_id}).one_or_none()
    if row is None or row.stale:
        return None
    parts = []
    for part in json.loads(row.parts):
        pages = tuple((document, page) for document, page in part.pop("places"))
        pairs = tuple((a, b) for a, b in part.pop("apart", ()))
        parts.append(PartDifference(**part, places=pages, apart=pairs))
    return TaskDifference(row.score, all(part.agreed for part in parts), tuple(parts))


def _stored_summaries(connection: Connection, task_id: int) -> dict[str, int]:
    """Attempt → the submission that its summary is of; later events do not change a summary."""
    rows = connection.execute(_STORED, {"task": task_id})
    return {row.attempt_id: row.submission_seq for row in rows}


def _review_row(
    connection: Connection, task_work: TaskWork, difference: TaskDifference
) -> dict[str, Any]:
    people, size_of = People(connection), page_sizes(connection)
    task, gold = task_work.task, task_work.gold
    summary = work_summary(task_work)
    review = gold.state.review if gold is not None else None
    return {
        "stale": False,
        "status": task_status(task_work, difference, size_of),
        "score": difference.score,
        "n_submissions": summary.n_finished,
        "flagged": summary.flagged,
        "drawn": sampled_for_check(task.seed, task.key, task.protocol.review.check_share),
        "gold_version": review.version if review else 0,
        "decided_by_id": people.id(review.decided_by) if review and review.decided_by else None,
        "decided_at": review.decided_at if review else None,
        "automatic": bool(review and review.automatic),
        "holder_id": people.id(review.holder) if review and review.holder else None,
        "held_at": gold.state.updated_at if gold and review and review.holder else None,
        "parts": json.dumps([_stored_part(part) for part in difference.parts], ensure_ascii=False),
        "sources": json.dumps(summary.sources),
        "contradicts_dataset": agree_against_dataset(task_work, difference, size_of),
        "handled": json.dumps(
            [attempt.attempt for attempt in task_work.attempts if task_work.is_handled(attempt)]
        ),
    }


def _stored_part(part: PartDifference) -> dict[str, Any]:
    """The part as JSON, without empty values that most parts have."""
    return {
        key: value
        for key, value in asdict(part).items()
        if value or key not in ("apart", "variants")
    }


def task_status(task_work: TaskWork, difference: TaskDifference, size_of: PageSizeOf) -> Status:
    """The review status of a task."""
    task, rule = task_work.task, task_work.task.protocol.review
    gold = task_work.gold
    review = gold.state.review if gold is not None else None
    gold_state = gold.state if gold is not None and review is not None and review.decided else None

    def is_complete() -> bool:
        if gold_state is not None:
            return not decided_gold_missing(task_work.gold_form(gold_state))
        merged = merge(
            accepted_submissions(task_work, difference), {}, rule, size_of, task_work.sources()
        )
        tied = tied_parts(merged.choices, task.protocol)
        return not tied and not gold_missing(task.form(draft_state(merged)))

    def may_contradict() -> bool:
        if gold_state is not None:
            return needs_reviewer(Submission(task.form(gold_state)), task.dataset())
        submissions = accepted_submissions(task_work, difference)
        return _is_gold_unlike_dataset(task_work, submissions, size_of, needs_reviewer)

    is_sampled = sampled_for_check(task.seed, task.key, rule.check_share)
    summary = work_summary(task_work)
    return status_of(summary, difference, rule, review, is_sampled, is_complete, may_contradict)


def agree_against_dataset(
    task_work: TaskWork, difference: TaskDifference, size_of: PageSizeOf
) -> bool:
    """Whether all submissions agree and contradict the dataset.

    A single submission agrees where the campaign accepts it without a comparison.
    """
    submissions = task_work.submissions()
    is_unanimous = difference.agreed or (
        len(submissions) == 1 and accepted_submissions(task_work, difference) == submissions
    )
    return is_unanimous and _is_gold_unlike_dataset(
        task_work, submissions, size_of, contradicts_dataset
    )


def _is_gold_unlike_dataset(
    task_work: TaskWork,
    submissions: Sequence[Submission],
    size_of: PageSizeOf,
    is_unlike: Callable[[Submission, GoldSubmission | None], bool],
) -> bool:
    """Whether the gold of these submissions would be unlike the dataset, by ``is_unlike``."""
    dataset = task_work.task.dataset()
    if not submissions or dataset is None or not can_be_contradicted(dataset):
        return False
    merged = merge(submissions, {}, task_work.task.protocol.review, size_of, task_work.sources())
    return is_unlike(Submission(task_work.task.form(draft_state(merged))), dataset)


def accepted_submissions(task_work: TaskWork, difference: TaskDifference) -> list[Submission]:
    """The submissions that become gold without a reviewer; empty if a reviewer must decide."""
    summary = work_summary(task_work)
    rule = task_work.task.protocol.review
    agreeing = agreeing_attempts(
        summary.attempts, difference, rule, summary.n_submitted + summary.n_skipped
    )
    return [work for work in task_work.submissions() if work.attempt in agreeing]


def work_summary(task_work: TaskWork) -> TaskWorkSummary:
    """The state of a task's attempts. A closed campaign expects no more of them.

    A skipped task waits for another annotator if one was assigned instead.
    """
    task = task_work.task
    done = [attempt for attempt in task_work.attempts if attempt.is_done]
    submitted = sum(attempt.state.status == "submitted" for attempt in done)
    overlap = task.protocol.overlap
    n_annotators = len(task_work.assigned | {attempt.user_id for attempt in done})
    expected = max(overlap, min(overlap + len(done) - submitted, n_annotators))
    skips = sum(
        attempt.state.status == "skipped" and not task_work.is_handled(attempt) for attempt in done
    )
    is_replaced = task.protocol.review.skipped == "next" and submitted >= overlap
    return TaskWorkSummary(
        overlap=overlap,
        n_expected=expected if task.open else 0,
        n_finished=len(done),
        n_submitted=submitted,
        n_returned=sum(attempt.state.returned for attempt in task_work.attempts),
        n_skipped=0 if is_replaced else skips,
        flagged=any(
            attempt.state.flag is not None and not task_work.is_handled(attempt)
            for attempt in task_work.attempts
        ),
        attempts=tuple(submission.attempt for submission in task_work.submissions()),
        sources=task_work.sources(),
    )


def awaits_submissions(task_work: TaskWork) -> bool:
    """Whether anybody still has to submit the task, for the first time or again."""
    summary = work_summary(task_work)
    return summary.n_returned > 0 or summary.n_finished < max(1, summary.n_expected)


def _summaries(
    connection: Connection, task_work: TaskWork, attempts: Sequence[StartedAttempt]
) -> list[dict[str, Any]]:
    if not attempts:
        return []
    ratings = Ratings(task_work.task.protocol)
    submissions = {submission.attempt: submission for submission in task_work.submissions()}
    times = _times(connection, [attempt.attempt for attempt in attempts])
    return [
        {
            "attempt_id": attempt.attempt,
            "task_id": task_work.task.id,
            "user_id": attempt.user_id,
            "campaign_id": task_work.task.campaign_id,
            "submission_seq": attempt.submission_seq,
            "last_seq": attempt.state.last_seq,
            "status": attempt.state.status,
            "outcome": attempt.state.outcome,
            "submitted_at": times[attempt.attempt].at[attempt.submission_seq or 0],
            "wall_ms": times[attempt.attempt].spent.wall_ms,
            "active_ms": times[attempt.attempt].spent.active_ms,
            "n_searches": len(own_searches(attempt.state.searches)),
            "first_query_hit": first_query_hit(task_work.task.record, attempt),
            "ratings": json.dumps(
                ratings.read(submissions[attempt.attempt])
                if attempt.attempt in submissions
                else [],
                ensure_ascii=False,
            ),
        }
        for attempt in attempts
    ]


@dataclass(frozen=True)
class _Times:
    """The time of one attempt, and when each of its submissions was stored."""

    spent: AttemptTime
    at: dict[int, str]


def _times(connection: Connection, attempts: Sequence[str]) -> dict[str, _Times]:
    """Of attempts with events. Kinds and moments alone: validating payloads takes far longer."""
    found = {}
    rows = connection.execute(_EVENT_TIMES, {"attempts": list(attempts)})
    for attempt, group in groupby(rows, key=lambda row: row[0]):
        events = list(group)
        found[attempt] = _Times(
            spent=attempt_time((event.type, event.elapsed_ms) for event in events),
            at={e.seq: e.server_ts for e in events if e.type in SUBMITTED_OR_SKIPPED},
        )
    return found


def first_query_hit(record: dict[str, Any], attempt: StartedAttempt) -> bool | None:
    """Whether the first query that was run returned a gold page; None without query or gold."""
    gold = {(str(p["document"]), int(p["page"])) for p in record.get("evidence") or []}
    first = next((s for s in attempt.state.searches if s.refusal is None), None)
    if not gold or first is None:
        return None
    return any(tuple(page) in gold for page in first.results)
