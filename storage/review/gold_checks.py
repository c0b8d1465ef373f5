"""Decisions on suspect gold: confirm it, correct it as a new version, or drop its task.

Each is an event of the task's gold stream and names the event of that stream that its supervisor
saw last. If another window, or another supervisor, has decided meanwhile, it is refused.
"""

from __future__ import annotations

from sqlalchemy import Engine, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorded
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.errors import ConflictError, NotFoundError, Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.dataset_contradictions import can_be_contradicted
from pagetrail.annotation.review.gold_correction import GoldCorrection, corrected_draft
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.review.decision_guards import require_complete_gold
from pagetrail.storage.review.gold_streams import GoldStreams, Guard, decision_sources
from pagetrail.storage.review.submissions import TaskWork


class GoldChecks:
    """Decisions on the gold of tasks. Callers have checked that the actor may review."""

    def __init__(self, streams: GoldStreams) -> None:
        self.streams = streams

    def confirm(self, task_id: int, actor: str, gold_seq: int, event_id: str) -> Recorded:
        """The gold is right.

        Args:
            gold_seq: last event of the gold stream that the supervisor saw; 0 without one.

        Raises:
            ConflictError: the gold has changed since, or another reviewer holds the task.
        """
        return self._check(task_id, actor, "confirmed", "", gold_seq, event_id)

    def drop(self, task_id: int, actor: str, reason: str, gold_seq: int, event_id: str) -> Recorded:
        """Leave the task out of results.

        Raises:
            ConflictError: as ``confirm``.
            Refusal: no reason.
        """
        return self._check(task_id, actor, "dropped", reason, gold_seq, event_id)

    def correct(
        self,
        task_id: int,
        actor: str,
        correction: GoldCorrection,
        reason: str,
        gold_seq: int,
        event_id: str,
    ) -> Recorded:
        """Make the correction the next version of the gold.

        Raises:
            ConflictError: as ``confirm``.
            Refusal: the correction is empty, or a part that annotators must fill in is missing.
        """
        gold = self.streams.gold(task_id)
        if self.streams.has_event(gold, event_id):
            return Recorded(state=self.streams.log.state(gold.attempt_id))
        task_work = self.streams.task_work(task_id)
        state = self.streams.log.state(gold.attempt_id)
        review = state.review or Review()
        merged = self.streams.merged_draft(task_id, {}) if task_work.submissions() else None
        sources = decision_sources(task_work)
        draft = corrected_draft(self._current(gold, task_work, state), correction, sources, merged)
        version = review.version + 1
        reopened = ev.GoldReopened(reason=reason or gettext("Suspect gold is corrected."))
        commands = [
            *([Command(f"{event_id}/reopened", reopened)] if review.decided else []),
            Command(f"{event_id}/merged", draft),
            Command(
                f"{event_id}/decided",
                ev.Adjudicated(version=version, reason=reason, sources=sources),
            ),
            Command(event_id, ev.GoldChecked(decision="corrected", version=version, reason=reason)),
        ]
        guard = require_complete_gold(task_work.task, draft, _guard(self.streams, actor, gold_seq))
        return self._record_once(gold, actor, commands, guard)

    def adopt_reviewed(self, task_id: int, actor: str, gold_seq: int, event_id: str) -> Recorded:
        """Correct the imported gold with the version that was decided in review.

        Raises:
            ConflictError: as ``confirm``.
            Refusal: nothing is decided.
        """
        gold = self.streams.gold(task_id)
        review = self.streams.log.state(gold.attempt_id).review or Review()
        if not review.decided:
            raise Refusal(gettext("Nothing is decided in review."), code="not_decided")
        checked = ev.GoldChecked(decision="corrected", version=review.version)
        return self._record(gold, actor, checked, gold_seq, event_id)

    def _check(
        self,
        task_id: int,
        actor: str,
        decision: ev.CheckDecision,
        reason: str,
        gold_seq: int,
        event_id: str,
    ) -> Recorded:
        gold = self.streams.gold(task_id)
        has_dataset_gold = _has_dataset_gold(self.streams.task_work(task_id))
        review = self.streams.log.state(gold.attempt_id).review or Review()
        version = 0 if has_dataset_gold else review.version
        checked = ev.GoldChecked(decision=decision, version=version, reason=reason)
        return self._record(gold, actor, checked, gold_seq, event_id)

    def _record(
        self, gold: AttemptRow, actor: str, checked: ev.GoldChecked, gold_seq: int, event_id: str
    ) -> Recorded:
        if self.streams.has_event(gold, event_id):
            return Recorded(state=self.streams.log.state(gold.attempt_id))
        guard = _guard(self.streams, actor, gold_seq)
        return self._record_once(gold, actor, [Command(event_id, checked)], guard)

    def _record_once(
        self, gold: AttemptRow, actor: str, commands: list[Command], guard: Guard
    ) -> Recorded:
        """Record the commands; a second click may arrive after the first one was stored."""

        def check(state: AttemptState) -> None:
            if not self.streams.has_event(gold, commands[-1].client_event_id):
                guard(state)

        return self.streams.record(gold, actor, commands, check)

    def _current(self, gold: AttemptRow, task_work: TaskWork, state: AttemptState) -> Submission:
        """The gold that results use before the correction."""
        review, dataset = state.review or Review(), task_work.task.dataset()
        events = list(self.streams.log.events(gold.attempt_id))
        corrections = {
            event.payload.version
            for event in events
            if isinstance(event.payload, ev.GoldChecked) and event.payload.decision == "corrected"
        }
        is_corrected = review.version in corrections
        if dataset is not None and can_be_contradicted(dataset) and not is_corrected:
            return dataset
        if review.decided_seq is None:
            raise Refusal(gettext("This task has no gold to correct."), code="no_gold")
        decided = fold(event for event in events if event.seq <= review.decided_seq)
        return Submission(task_work.gold_form(decided))


def task_id_of(engine: Engine, campaign: str, task: str) -> int:
    """The id of a campaign's task.

    Raises:
        NotFoundError: there is none of that key.
    """
    with engine.connect() as connection:
        found = connection.execute(
            select(Task.id)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == campaign, Task.key == task)
        ).scalar_one_or_none()
    if found is None:
        raise NotFoundError(gettext("There is no such task in this workspace."))
    return int(found)


def _guard(streams: GoldStreams, actor: str, gold_seq: int) -> Guard:
    def check(state: AttemptState) -> None:
        holder = streams.holder(state)
        if holder not in (None, actor):
            raise ConflictError(
                gettext("{holder} has taken this task over.", holder=holder), code="taken"
            )
        if state.last_seq != gold_seq:
            raise ConflictError(
                gettext("This task was changed in another window meanwhile. Look at it again."),
                code="outdated",
            )

    return check


def _has_dataset_gold(task_work: TaskWork) -> bool:
    dataset = task_work.task.dataset()
    return dataset is not None and can_be_contradicted(dataset)
