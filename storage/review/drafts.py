"""Models' drafts of a task, as a reviewer may see them, and what a decision makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, func, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.drafts import (
    Draft,
    draft_items,
    draft_submission,
    is_hidden_at_first,
)
from pagetrail.storage.campaigns.gold_drafts import current_drafts, drafts_of_task
from pagetrail.storage.database.tables import EventRow, User
from pagetrail.storage.people.system_roles import GOLD_USER
from pagetrail.storage.review.submissions import TaskWork

_GOLD_USER_ID = select(User.id).where(User.name == GOLD_USER).scalar_subquery()


@dataclass(frozen=True)
class TaskDrafts:
    """The drafts of one task.

    Attributes:
        all: superseded ones too, in the order of their import.
        visibility: whether reviewers see them; ``revealed`` after a decision made without them.
        rejected: keys of drafts that a reviewer rejected as a whole → reason.
    """

    protocol: Protocol
    task_record: Mapping[str, Any]
    all: tuple[Draft, ...]
    visibility: ev.DraftVisibility
    rejected: Mapping[str, str]

    @property
    def is_hidden(self) -> bool:
        """Whether reviewers may not see them yet."""
        return self.visibility == "hidden"

    @property
    def current(self) -> list[Draft]:
        """Each model's last draft, by model."""
        return current_drafts(self.all)

    @cached_property
    def _submissions(self) -> dict[str, GoldSubmission]:
        return {
            draft.key: draft_submission(self.protocol, draft, self.task_record)
            for draft in self.all
        }

    def submission(self, draft: Draft) -> GoldSubmission:
        """A draft in the shape of a submission."""
        return self._submissions[draft.key]

    def takeable(self) -> list[GoldSubmission]:
        """The drafts that gold can be taken from, the current ones first; none while hidden.

        Superseded drafts stay takeable: a stored draft of gold may follow one.
        """
        if self.is_hidden:
            return []
        current = self.current
        superseded = [draft for draft in self.all if draft not in current]
        return [self.submission(draft) for draft in (*current, *superseded)]

    def comparable(self) -> list[GoldSubmission]:
        """The current drafts that texts and tables are merged with; none while hidden."""
        if self.is_hidden:
            return []
        return [self.submission(draft) for draft in self.current if draft.key not in self.rejected]

    def require_not_rejected(self, picks: Mapping[str, Pick]) -> None:
        """Refuse picks that take something from a rejected draft.

        Raises:
            Refusal: names the model.
        """
        for part, pick in picks.items():
            followed = {pick.side, *pick.sides, *(pick.at or {}).values()}
            followed |= {attempt for attempt, _ in pick.boxes}
            for draft in self.all:
                if draft.key in followed & self.rejected.keys():
                    raise Refusal(
                        gettext(
                            "You rejected the draft of {model}. Withdraw the rejection to use it.",
                            model=draft.model,
                        ),
                        code="draft_rejected",
                        field=part,
                    )

    def decisions(
        self,
        gold: Submission,
        choices: Iterable[ev.Choice],
        submissions: Sequence[Submission],
    ) -> tuple[ev.DraftDecision, ...]:
        """What gold made of each current draft, and of superseded ones that it was taken from.

        Args:
            submissions: of the people whose work it was merged of.
        """
        choices = list(choices)
        followed = _followed(choices, gold)
        drafts = [*self.current, *(draft for draft in self.all if draft.key in followed)]
        return tuple(
            ev.DraftDecision(
                draft=draft.key,
                model=draft.model,
                version=draft.version,
                visibility=self.visibility,
                rejected=draft.key in self.rejected,
                items=draft_items(
                    self.submission(draft),
                    gold,
                    choices,
                    submissions,
                    rejected=draft.key in self.rejected,
                ),
            )
            for draft in {draft.key: draft for draft in drafts}.values()
        )[: ev.MAX_DRAFTS]


def _followed(choices: Sequence[ev.Choice], gold: Submission) -> set[str]:
    keys = {key for choice in choices for key in (choice.side, *choice.sides) if key}
    keys |= {page.side for choice in choices for page in choice.page_decisions if page.side}
    return keys


def task_drafts(connection: Connection, task_work: TaskWork) -> TaskDrafts:
    """The drafts of a task, and whether its reviewers may see them."""
    task, review = task_work.task, None
    if task_work.gold is not None:
        review = task_work.gold.state.review
    drafts = drafts_of_task(connection, task.id)
    visibility: ev.DraftVisibility = "shown"
    if drafts and is_hidden_at_first(task.seed, task.key, task.protocol.review.hide_drafts):
        visibility = "revealed" if _was_decided(connection, task_work) else "hidden"
    return TaskDrafts(
        task.protocol,
        task.record,
        tuple(drafts),
        visibility,
        {} if review is None else review.rejected_drafts,
    )


def _was_decided(connection: Connection, task_work: TaskWork) -> bool:
    """Whether a reviewer has ever decided the task, even if the decision was undone."""
    if task_work.gold is None:
        return False
    decisions = (
        select(func.count())
        .select_from(EventRow)
        .where(
            EventRow.attempt_id == task_work.gold.attempt,
            EventRow.type == "adjudicated",
            EventRow.actor_id.is_distinct_from(_GOLD_USER_ID),
        )
    )
    return bool(connection.execute(decisions).scalar_one())
