"""Accepting tasks that meet the campaign's rule, without a reviewer."""

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
from pagetrail.annotation.review.merging import draft_state, merge
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.tables import Campaign, ReviewTask
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.review.gold_streams import ReviewStreams, decision_sources, require_complete
from pagetrail.storage.review.projection import refresh, refresh_tasks
from pagetrail.storage.review.submissions import page_sizes
from pagetrail.storage.review.task_rows import accepted_work, awaited, stored_difference


class ReviewSettling(ReviewStreams):
    """Updating the review status of tasks, and making gold of those that agree."""

    def settle(self, campaign_id: int, *, budget_s: float | None = None) -> int:
        """Update changed tasks and accept those that meet the rule; returns how many were accepted.

        The event's id is derived from its sources, so doing it twice changes nothing.

        Args:
            budget_s: seconds after which the rest is left for the next time; None does all.
        """
        give_up = None if budget_s is None else time.monotonic() + budget_s
        refresh(self._engine, campaign_id, budget_s=budget_s, rows_of=self._rows_of)
        agreed = select(ReviewTask.task_id).where(
            ReviewTask.campaign_id == campaign_id, ReviewTask.status == "agreed", ~ReviewTask.stale
        )
        changeable = select(Campaign.status != ARCHIVED).where(Campaign.id == campaign_id)
        with self._engine.connect() as connection:
            if not connection.execute(changeable).scalar():
                return 0
            # Those that reviewers hold come last: they are refused, and would use up every budget.
            order = agreed.order_by(ReviewTask.held_at.nulls_first(), ReviewTask.task_id)
            ids = connection.execute(order).scalars().all()
        accepted = 0
        for task_id in ids:
            if give_up is not None and time.monotonic() > give_up:
                break
            accepted += self._accept(task_id)
        return accepted

    def settle_task(self, task_id: int) -> bool:
        """As ``settle``, for one task that was just submitted; True if it became gold.

        Nothing is written while somebody still has to submit it: it then stays marked for the
        next ``settle``.

        Raises:
            NotFoundError: no such task.
        """
        work = self.work(task_id)
        if work.task.archived or awaited(work):
            return False
        refresh_tasks(self._engine, [task_id], self._rows_of)
        return self._agrees(task_id) and self._accept(task_id)

    def _accept(self, task_id: int) -> bool:
        work = self.work(task_id)
        with self._engine.connect() as connection:
            difference = stored_difference(connection, task_id)
            if difference is None:
                return False
            rule, sources = work.task.protocol.review, work.sources()
            agree = accepted_work(work, difference)
            merged = merge(agree, {}, rule, page_sizes(connection), sources)
        gold = self.gold(task_id)
        review = self._log.state(gold.attempt_id).review or Review()
        digest = hashlib.sha256(json.dumps(sorted(sources.items())).encode()).hexdigest()[:32]
        decided = ev.Adjudicated(
            version=review.version + 1,
            reason=f"{len(agree)} of {len(sources)} agree." if len(agree) < len(sources) else "",
            sources=decision_sources(work),
            automatic=True,
        )
        commands = [
            Command(f"/rule-{digest}/merged", merged),
            Command(f"/rule-{digest}", decided),
        ]

        def as_seen(state: AttemptState) -> None:
            self._same_work(task_id, sources)
            if not self._agrees(task_id):
                raise ConflictError("This task has been changed.", code="outdated")
            if self.holder(state) is not None:
                raise ConflictError("A reviewer is at this task.", code="taken")
            if self.work(task_id).task.protocol.review != rule:
                raise ConflictError("The campaign’s rule has been changed.", code="outdated")
            require_complete(work.task.form(draft_state(merged)))

        try:
            outcome = self._record(gold, GOLD_USER, commands, as_seen)
        except ConflictError:
            return False  # whoever changed it marked it, and it is looked at again
        except Refusal:
            return False  # incomplete: for a reviewer
        return not any(receipt.repeated for receipt in outcome.receipts)

    def _agrees(self, task_id: int) -> bool:
        """Whether the latest submitted work is known to meet the rule."""
        with self._engine.connect() as connection:
            row = connection.execute(
                select(ReviewTask.status, ReviewTask.stale).where(ReviewTask.task_id == task_id)
            ).one()
        return row.status == "agreed" and not row.stale
