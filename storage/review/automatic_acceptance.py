"""Accepting tasks that meet the campaign's rule, without a reviewer.

Which tasks need a reviewer is decided in ``annotation.review.status``.
"""

from __future__ import annotations

import hashlib
import json
import time

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import ConflictError, Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.review.dataset_contradictions import has_answers
from pagetrail.annotation.review.merging import draft_state, merge
from pagetrail.storage.campaigns.counting_tasks import EXCLUDED
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import Campaign, ReviewTask, Task
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.review.gold_streams import GoldStreams, decision_sources, require_complete
from pagetrail.storage.review.projection import refresh, refresh_tasks
from pagetrail.storage.review.submissions import page_sizes
from pagetrail.storage.review.task_rows import (
    accepted_submissions,
    awaits_submissions,
    stored_difference,
)


class AutomaticAcceptance:
    """Updates the review status of tasks and makes gold of those that meet the rule."""

    def __init__(self, streams: GoldStreams) -> None:
        self._streams = streams
        self._engine = streams.engine

    def settle(self, campaign_id: int, *, budget_s: float | None = None) -> int:
        """Update changed tasks and accept those that meet the rule; returns how many it accepted.

        Event ids are derived from the sources, so accepting a task twice changes nothing.

        Args:
            budget_s: time limit in seconds; the rest is left for the next call. None: no limit.
        """
        deadline = None if budget_s is None else time.monotonic() + budget_s
        refresh(
            self._engine, campaign_id, budget_s=budget_s, compute_rows=self._streams.compute_rows
        )
        agreed = select(ReviewTask.task_id).where(
            ReviewTask.campaign_id == campaign_id,
            ReviewTask.status == "agreed",
            ~ReviewTask.stale,
            ReviewTask.task_id.not_in(EXCLUDED),
        )
        changeable = select(Campaign.status != ARCHIVED).where(Campaign.id == campaign_id)
        with self._engine.connect() as connection:
            if not connection.execute(changeable).scalar():
                return 0
            # Tasks that reviewers hold come last: they are refused, and would use up every budget.
            order = agreed.order_by(ReviewTask.held_at.nulls_first(), ReviewTask.task_id)
            ids = connection.execute(order).scalars().all()
        accepted = 0
        for task_id in ids:
            if deadline is not None and time.monotonic() > deadline:
                break
            accepted += self._accept(task_id)
        return accepted

    def settle_task(self, task_id: int) -> bool:
        """``settle`` for one task that was just submitted; True if it became gold.

        Nothing is written while somebody still has to submit it; the next ``settle`` finds it.

        Raises:
            NotFoundError: no such task.
        """
        task_work = self._streams.task_work(task_id)
        if task_work.task.archived or awaits_submissions(task_work):
            return False
        refresh_tasks(self._engine, [task_id], self._streams.compute_rows)
        return self._agrees(task_id) and self._accept(task_id)

    def _accept(self, task_id: int) -> bool:
        task_work = self._streams.task_work(task_id)
        with self._engine.connect() as connection:
            difference = stored_difference(connection, task_id)
            if difference is None:
                return False
            rule, sources = task_work.task.protocol.review, task_work.sources()
            agree = accepted_submissions(task_work, difference)
            merged = merge(agree, {}, rule, page_sizes(connection), sources)
        gold = self._streams.gold(task_id)
        review = self._streams.log.state(gold.attempt_id).review or Review()
        digest = hashlib.sha256(json.dumps(sorted(sources.items())).encode()).hexdigest()[:32]
        decided = ev.Adjudicated(
            version=review.version + 1,
            reason=f"{len(agree)} of {len(sources)} agree." if len(agree) < len(sources) else "",
            sources=decision_sources(task_work),
            automatic=True,
            # What contradicts the dataset is not accepted automatically.
            dataset_answers="kept" if has_answers(task_work.task.dataset()) else None,
        )
        commands = [
            Command(f"/rule-{digest}/merged", merged),
            Command(f"/rule-{digest}", decided),
        ]

        def require_still_agreed(state: AttemptState) -> None:
            self._streams.require_unchanged_work(task_id, sources)
            if not self._agrees(task_id):
                raise ConflictError(gettext("This task has been changed."), code="outdated")
            if self._streams.holder(state) is not None:
                raise ConflictError(gettext("A reviewer is at this task."), code="taken")
            if self._streams.task_work(task_id).task.protocol.review != rule:
                raise ConflictError(
                    gettext("The campaign’s rule has been changed."), code="outdated"
                )
            require_complete(task_work.task.form(draft_state(merged)))

        try:
            outcome = self._streams.record(gold, GOLD_USER, commands, require_still_agreed)
        except ConflictError:
            return False  # the change has marked the task, so the next call tries again
        except Refusal:
            return False  # incomplete: left to a reviewer
        return not any(receipt.repeated for receipt in outcome.receipts)

    def _agrees(self, task_id: int) -> bool:
        """Whether the current submissions meet the rule, as far as they have been compared.

        Those of an excluded task do not.
        """
        with self._engine.connect() as connection:
            row = connection.execute(
                select(ReviewTask.status, ReviewTask.stale, Task.excluded)
                .join(Task, Task.id == ReviewTask.task_id)
                .where(ReviewTask.task_id == task_id)
            ).one()
        return row.status == "agreed" and not row.stale and row.excluded is None
