"""Reads and writes gold streams: the attempts in which reviewers make a task's gold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import aliased

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.recorder import Command, Recorded, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.clock import SystemClock, parse_iso
from pagetrail.annotation.comparison.differences import TaskDifference
from pagetrail.annotation.errors import ConflictError, Refusal, StorageError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.review import Pick, compare, merge
from pagetrail.annotation.sentences import sentence
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow, attempt, attempt_in
from pagetrail.storage.attempts.system_attempts import ensure_gold_attempt
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, EventRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.drafts import TaskDrafts, task_drafts
from pagetrail.storage.review.hidden_names import HiddenNames, hidden_names
from pagetrail.storage.review.projection import ComputeRows, refresh_tasks
from pagetrail.storage.review.submissions import NO_SIZE, TaskWork, load_task_work, page_sizes
from pagetrail.storage.review.task_rows import stored_difference, without_comparison
from pagetrail.storage.review.unfinished_work import UnfinishedWork, unfinished_work
from pagetrail.storage.review.work_versions import work_versions

Guard = Callable[[AttemptState], None]
LEASE = timedelta(minutes=30)
"""How long a task stays with a reviewer who does nothing more with it."""
_log = logging.getLogger(__name__)


def require_complete(form: Form) -> None:
    """Refuse gold that is missing something which the protocol asks of annotators.

    Raises:
        Refusal: names what is missing.
    """
    missing = gold_missing(form)
    if missing:
        raise Refusal(" ".join(missing.values()), code="incomplete", field=next(iter(missing)))


def decision_sources(task_work: TaskWork) -> tuple[ev.Source, ...]:
    """The submitted and skipped attempts that a decision on a task is based on."""
    return tuple(
        ev.Source(attempt=attempt.attempt, annotator=attempt.name, seq=attempt.submission_seq or 0)
        for attempt in task_work.attempts
        if attempt.is_done
    )


class GoldStreams:
    """The gold streams of one workspace. Everything in review reads and writes them here."""

    def __init__(
        self,
        workspace: Workspace,
        recorder: Recorder,
        clock: Clock | None = None,
        compute_rows: ComputeRows | None = None,
    ) -> None:
        """``compute_rows`` compares a task's submissions; None does so in the calling thread."""
        self.engine = workspace.engine
        self.log = SqlEventLog(workspace.engine)
        self.clock = clock or SystemClock()
        self.compute_rows = compute_rows
        self._recorder = recorder

    def task_work(self, task_id: int) -> TaskWork:
        """The task with all work on it.

        Raises:
            NotFoundError: no such task.
        """
        with self.engine.connect() as connection:
            return load_task_work(connection, task_id)

    def difference(self, task_work: TaskWork) -> TaskDifference:
        """How far the submissions differ; compared only if they changed since the last time."""
        submissions = task_work.submissions()
        if len(submissions) < 2:
            return compare(
                submissions, task_work.task.protocol.review, lambda _document, _page: NO_SIZE
            )
        with self.engine.connect() as connection:
            stored = stored_difference(connection, task_work.task.id)
        if stored is None:
            refresh_tasks(self.engine, [task_work.task.id], self.compute_rows)
            with self.engine.connect() as connection:
                stored = stored_difference(connection, task_work.task.id)
        return stored or without_comparison("Not compared yet: somebody is changing it")

    def hidden_names(self, task_id: int) -> HiddenNames:
        """The labels that reviewers of a task read instead of its annotators' names."""
        with self.engine.connect() as connection:
            return hidden_names(connection, [task_id]).get(task_id, HiddenNames())

    def unfinished(self, task_work: TaskWork) -> UnfinishedWork:
        """The annotators who still have to submit a task."""
        with self.engine.connect() as connection:
            return unfinished_work(connection, task_work)

    def gold_row(self, attempt_id: str) -> AttemptRow:
        """A gold stream by its id."""
        return attempt(self.engine, attempt_id)

    def gold(self, task_id: int) -> AttemptRow:
        """The task's gold stream, created on first use.

        Raises:
            NotFoundError: no such task.
        """
        with write_transaction(self.engine) as connection:
            work_versions(connection, task_id)
            return attempt_in(connection, ensure_gold_attempt(connection, task_id, self.clock))

    def with_status_of_checked_campaign(self, gold: AttemptRow) -> AttemptRow:
        """A hidden check's gold stream with the status of the campaign it checks; others as is."""
        copied_campaign = aliased(Campaign)
        with self.engine.connect() as connection:
            status = connection.execute(
                select(Campaign.status)
                .join(copied_campaign, copied_campaign.checks_of == Campaign.id)
                .where(copied_campaign.id == gold.campaign_id)
            ).scalar_one_or_none()
        return gold if status is None else replace(gold, campaign_status=status)

    def holder(self, state: AttemptState) -> str | None:
        """Who holds a gold stream in this state; None once the time is over."""
        review = state.review
        if review is None or review.holder is None or state.updated_at is None:
            return None
        idle = self.clock.now() - parse_iso(state.updated_at)
        return review.holder if idle < LEASE else None

    def merged_draft(self, task_id: int, picks: Mapping[str, Pick]) -> ev.GoldMerged:
        """The draft that these picks make of the submitted work; nothing is stored.

        Raises:
            NotFoundError: no such task.
            Refusal: a pick that cannot be.
        """
        with self.engine.connect() as connection:
            task_work = load_task_work(connection, task_id)
            return merge(
                task_work.submissions(),
                picks,
                task_work.task.protocol.review,
                page_sizes(connection),
                task_work.sources(),
                task_work.task.dataset(),
                task_drafts(connection, task_work).takeable(),
            )

    def drafts(self, task_work: TaskWork) -> TaskDrafts:
        """The models' drafts of a task."""
        with self.engine.connect() as connection:
            return task_drafts(connection, task_work)

    def has_event(self, gold: AttemptRow, event_id: str) -> bool:
        """True if the request was carried out before: only its reply was lost."""
        with self.engine.connect() as connection:
            rows = connection.execute(
                select(EventRow.id).where(
                    EventRow.attempt_id == gold.attempt_id, EventRow.client_event_id == event_id
                )
            )
            return rows.one_or_none() is not None

    def require_unchanged_work(self, task_id: int, sources: Mapping[str, int]) -> None:
        """Refuse if the submitted work is not the one that these sources name.

        Raises:
            ConflictError: says who has changed what.
        """
        with self.engine.connect() as connection:
            versions = work_versions(connection, task_id)
        current = versions.sources()
        if current == dict(sources):
            return
        hidden = self.hidden_names(task_id)
        names = {version.attempt: hidden.label(version.name) for version in versions.attempts}
        changes = []
        for attempt_id in sorted({*current, *sources}, key=lambda id_: names.get(id_, "")):
            name = names.get(attempt_id, "Somebody")
            if attempt_id not in sources:
                changes.append(sentence("has_submitted", name=name))
            elif attempt_id not in current:
                changes.append(sentence("has_reopened", name=name))
            elif current[attempt_id] != sources[attempt_id]:
                changes.append(sentence("has_resubmitted", name=name))
        raise ConflictError(
            gettext(
                "{changes}. Nothing was decided; look at it again.", changes="; ".join(changes)
            ),
            code="outdated",
        )

    def record(
        self,
        row: AttemptRow,
        actor: str,
        commands: Sequence[Command],
        guard: Guard | None = None,
    ) -> Recorded:
        """Record commands in a gold stream or an attempt, then update the task's review row.

        Raises:
            Refusal: the first command that was refused.
        """
        row.require_changeable()
        context = replace(row.context(), actor=actor)
        outcome = self._recorder.record(context, commands, guard, exclusive=True)
        for refusal in outcome.refusals.values():
            raise refusal
        try:
            refresh_tasks(self.engine, [row.task_id], self.compute_rows)
        except StorageError as error:
            # The event is stored and the task is marked stale: the next reader computes the row.
            _log.warning(
                "the status of task %s is left for the next reader: %s", row.task_id, error
            )
        return outcome
