"""A task's gold stream and the work that it rests on, as everything in review uses them."""

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
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.review import Pick, compare, merge
from pagetrail.annotation.sentences import sentence
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow, attempt, attempt_in
from pagetrail.storage.attempts.system_attempts import ensure_gold_attempt
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, EventRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.hidden_names import HiddenNames, hidden_names
from pagetrail.storage.review.projection import RowsOf, refresh_tasks
from pagetrail.storage.review.submissions import NO_SIZE, TaskWork, page_sizes, task_work
from pagetrail.storage.review.task_rows import stored_difference, without_comparison
from pagetrail.storage.review.unfinished_work import Unfinished, unfinished
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


def decision_sources(work: TaskWork) -> tuple[ev.Source, ...]:
    """What a decision on a task rests on: everything that is submitted or skipped."""
    return tuple(
        ev.Source(attempt=w.attempt, annotator=w.name, seq=w.handed_seq or 0)
        for w in work.people
        if w.handed_in
    )


class ReviewStreams:
    """Gold streams over one workspace: reading them, and the one way of writing to them."""

    def __init__(
        self,
        workspace: Workspace,
        recorder: Recorder,
        clock: Clock | None = None,
        rows_of: RowsOf | None = None,
    ) -> None:
        """``rows_of`` compares a task's work; None does it in the calling thread."""
        self._workspace = workspace
        self._engine = workspace.engine
        self._recorder = recorder
        self._clock = clock or SystemClock()
        self._log = SqlEventLog(workspace.engine)
        self._rows_of = rows_of

    def work(self, task_id: int) -> TaskWork:
        """The task with all work on it.

        Raises:
            NotFoundError: no such task.
        """
        with self._engine.connect() as connection:
            return task_work(connection, task_id)

    def difference(self, work: TaskWork) -> TaskDifference:
        """How far the work on a task differs; compared now only where it has changed."""
        submissions = work.sides()
        if len(submissions) < 2:
            return compare(submissions, work.task.protocol.review, lambda _document, _page: NO_SIZE)
        with self._engine.connect() as connection:
            stored = stored_difference(connection, work.task.id)
        if stored is None:
            refresh_tasks(self._engine, [work.task.id], self._rows_of)
            with self._engine.connect() as connection:
                stored = stored_difference(connection, work.task.id)
        return stored or without_comparison("Not compared yet: somebody is changing it")

    def hidden_names(self, task_id: int) -> HiddenNames:
        """What its reviewers read instead of the names of a task's annotators."""
        with self._engine.connect() as connection:
            return hidden_names(connection, [task_id]).get(task_id, HiddenNames())

    def unfinished(self, work: TaskWork) -> Unfinished:
        """Who is still at work on a task."""
        with self._engine.connect() as connection:
            return unfinished(connection, work)

    def gold_row(self, attempt_id: str) -> AttemptRow:
        """A gold stream by its id."""
        return attempt(self._engine, attempt_id)

    def gold(self, task_id: int) -> AttemptRow:
        """The task's gold stream, created on first use.

        Raises:
            NotFoundError: no such task.
        """
        with write_transaction(self._engine) as connection:
            work_versions(connection, task_id)
            return attempt_in(connection, ensure_gold_attempt(connection, task_id, self._clock))

    def changeable_check(self, gold: AttemptRow) -> AttemptRow:
        """The gold stream of a hidden check as changeable as the campaign that it checks; any
        other as it is."""
        home = aliased(Campaign)
        with self._engine.connect() as connection:
            status = connection.execute(
                select(Campaign.status)
                .join(home, home.checks_of == Campaign.id)
                .where(home.id == gold.campaign_id)
            ).scalar_one_or_none()
        return gold if status is None else replace(gold, campaign_status=status)

    def holder(self, state: AttemptState) -> str | None:
        """Who holds a gold stream in this state; None once the time is over."""
        review = state.review
        if review is None or review.holder is None or state.updated_at is None:
            return None
        idle = self._clock.now() - parse_iso(state.updated_at)
        return review.holder if idle < LEASE else None

    def merged_draft(self, task_id: int, picks: Mapping[str, Pick]) -> ev.GoldMerged:
        """The draft that these picks make of the submitted work; nothing is stored.

        Raises:
            NotFoundError: no such task.
            Refusal: a pick that cannot be.
        """
        with self._engine.connect() as connection:
            work = task_work(connection, task_id)
            return merge(
                work.sides(),
                picks,
                work.task.protocol.review,
                page_sizes(connection),
                work.sources(),
                work.task.dataset(),
            )

    def _stored(self, gold: AttemptRow, event_id: str) -> bool:
        """Whether a request was carried out already, and only its answer was lost."""
        with self._engine.connect() as connection:
            found = connection.execute(
                select(EventRow.id).where(
                    EventRow.attempt_id == gold.attempt_id, EventRow.client_event_id == event_id
                )
            )
            return found.one_or_none() is not None

    def _same_work(self, task_id: int, seen: Mapping[str, int]) -> None:
        """Everything that was seen must be as it was.

        Raises:
            ConflictError: names who has done what since.
        """
        with self._engine.connect() as connection:
            versions = work_versions(connection, task_id)
        now = versions.sources()
        if now == dict(seen):
            return
        hidden = self.hidden_names(task_id)
        names = {version.attempt: hidden.shown(version.name) for version in versions.attempts}
        said = []
        for attempt_id in sorted({*now, *seen}, key=lambda id_: names.get(id_, "")):
            name = names.get(attempt_id, "Somebody")
            if attempt_id not in seen:
                said.append(sentence("has_submitted", name=name))
            elif attempt_id not in now:
                said.append(sentence("has_reopened", name=name))
            elif now[attempt_id] != seen[attempt_id]:
                said.append(sentence("has_resubmitted", name=name))
        raise ConflictError(
            f"{'; '.join(said)}. Nothing was decided; look at it again.", code="outdated"
        )

    def _record(
        self,
        row: AttemptRow,
        actor: str,
        commands: Sequence[Command],
        guard: Guard | None = None,
    ) -> Recorded:
        row.require_changeable()
        context = replace(row.context(), actor=actor)
        outcome = self._recorder.record(context, commands, guard, alone=True)
        for refusal in outcome.refusals.values():
            raise refusal
        try:
            refresh_tasks(self._engine, [row.task_id], self._rows_of)
        except StorageError as error:
            # It is stored, and the task marked: whoever looks next computes the rest.
            _log.warning(
                "the status of task %s is left for the next reader: %s", row.task_id, error
            )
        return outcome
