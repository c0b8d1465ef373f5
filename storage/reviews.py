"""What supervisors do with a task: take it, put gold together, decide, take gold up again, send
work back, talk about it.

A decision rests on what its reviewer saw: it names each attempt and the event with which that was
handed in, and is refused, with what has changed, where that is not so any more. The check and the
decision are one transaction, so that whoever hands in at the same moment comes before it, and is
seen, or after it, and makes the task ``changed``.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlalchemy import select

from annotation import events as ev
from annotation.clock import SystemClock, parse_iso
from annotation.errors import ConflictError
from annotation.ports import Clock
from annotation.recorder import Command, Recorded, Recorder
from annotation.response import Response, Review
from annotation.review import Pick, merge
from storage.campaigns import ARCHIVED
from storage.engine import write_transaction
from storage.event_log import SqlEventLog
from storage.queries import AttemptRow, attempt, attempt_in
from storage.review_pending import Unfinished, reason_without, unfinished
from storage.review_rows import awaited, refresh, refresh_tasks
from storage.review_sides import TaskWork, page_sizes, task_work
from storage.roles import GOLD_USER
from storage.systems import ensure_gold_attempt
from storage.tables import ASSIGNMENTS, CAMPAIGNS, EVENTS, REVIEWS
from storage.workspace import Workspace

Guard = Callable[[Response], None]
LEASE = timedelta(minutes=30)
"""How long a task stays with a reviewer who does nothing more with it."""


@dataclass(frozen=True)
class Seen:
    """What a reviewer's decision rests on.

    Attributes:
        sources: attempt → the event with which it was handed in, of all that were shown.
        gold_seq: last event of the gold stream that was shown; 0 before there is any.
        pending: names of those who were shown as still at work on it; None asks for nothing.
    """

    sources: Mapping[str, int]
    gold_seq: int
    pending: Collection[str] | None = None


class Reviews:
    """The acts of review over one workspace. Callers have checked that the actor may review."""

    def __init__(
        self, workspace: Workspace, recorder: Recorder, clock: Clock | None = None
    ) -> None:
        self._workspace = workspace
        self._engine = workspace.engine
        self._recorder = recorder
        self._clock = clock or SystemClock()
        self._log = SqlEventLog(workspace.engine)

    def work(self, task_id: int) -> TaskWork:
        """The task with all work on it.

        Raises:
            NotFoundError: no such task.
        """
        with self._engine.connect() as connection:
            return task_work(connection, task_id)

    def unfinished(self, work: TaskWork) -> Unfinished:
        """Who is still at work on a task."""
        with self._engine.connect() as connection:
            return unfinished(connection, work)

    def gold_row(self, attempt_id: str) -> AttemptRow:
        """A gold stream by its id."""
        return attempt(self._engine, attempt_id)

    def gold(self, task_id: int) -> AttemptRow:
        """The task's gold stream, begun on first use.

        Raises:
            NotFoundError: no such task.
        """
        with write_transaction(self._engine) as connection:
            task_work(connection, task_id)
            return attempt_in(connection, ensure_gold_attempt(connection, task_id, self._clock))

    def holder(self, state: Response) -> str | None:
        """Who holds a gold stream in this state; None once the time is over."""
        review = state.review
        if review is None or review.holder is None or state.updated_at is None:
            return None
        idle = self._clock.now() - parse_iso(state.updated_at)
        return review.holder if idle < LEASE else None

    def take(self, task_id: int, actor: str, event_id: str, *, over: bool = False) -> Recorded:
        """Take the task to review it; who holds it already keeps it.

        Raises:
            ConflictError: somebody else holds it, and ``over`` does not say to take it from them.
        """
        gold = self.gold(task_id)
        held: list[str | None] = []

        def free(state: Response) -> None:
            holder = self.holder(state)
            held.append(holder)
            if holder not in (None, actor) and not over:
                since = state.review.held_at if state.review else None
                minutes = (self._clock.now() - parse_iso(since or "")) // timedelta(minutes=1)
                ago = "just now" if minutes < 1 else f"{minutes} min ago"
                raise ConflictError(
                    f"{holder} took this task {ago} and is still at it.", code="taken"
                )

        state = self._log.response(gold.attempt_id)
        if self.holder(state) == actor:
            return Recorded(response=state)
        other = self.holder(state)
        taken = ev.ReviewTaken(over=other if over and other != actor else None)
        return self._record(gold, actor, [Command(event_id, taken)], free)

    def release(self, task_id: int, actor: str, event_id: str) -> Recorded:
        """Put the task back, for others to take; nothing happens where it is not held."""
        gold = self.gold(task_id)
        if self.holder(self._log.response(gold.attempt_id)) != actor:
            return Recorded(response=self._log.response(gold.attempt_id))
        return self._record(gold, actor, [Command(event_id, ev.ReviewReleased())])

    def put_together(
        self, task_id: int, actor: str, picks: Mapping[str, Pick], seen: Seen, event_id: str
    ) -> Recorded:
        """Make the draft anew from what people gave; it is not gold yet.

        Raises:
            ConflictError: somebody else holds the task, or what was seen has changed.
            Refusal: a pick that cannot be, or the task is decided.
        """
        gold = self.gold(task_id)
        if self._stored(gold, event_id):
            return Recorded(response=self._log.response(gold.attempt_id))
        merged = self._merged(task_id, picks)
        guard = self._guard(task_id, actor, replace(seen, pending=None))
        return self._record(gold, actor, [Command(event_id, merged)], guard)

    def decide(
        self,
        task_id: int,
        actor: str,
        picks: Mapping[str, Pick] | None,
        reason: str,
        seen: Seen,
        event_id: str,
    ) -> Recorded:
        """Make gold: of what people gave as picked, or of the draft as it stands.

        Who has the task and has not handed it in is named before the reason.

        Args:
            picks: None takes the draft, with whatever was edited in the workspace.

        Raises:
            ConflictError: somebody else holds the task, what was seen has changed, or somebody is
                at work on the task who was not seen to be.
            Refusal: a pick that cannot be, an empty draft, a reason that is too long, or the task
                is decided.
        """
        gold = self.gold(task_id)
        state = self._log.response(gold.attempt_id)
        if self._stored(gold, event_id):
            return Recorded(response=state)
        review = state.review or Review()
        commands = []
        if picks is not None:
            commands.append(Command(f"{event_id}/merged", self._merged(task_id, picks)))
        decided = ev.Adjudicated(
            version=review.version + 1,
            reason=reason_without(self.unfinished(self.work(task_id)).people, reason),
            sources=self._sources(task_id),
            # With picks it is no confirmation, and refused: gold has to be taken up first.
            checked=picks is None and review.decided and review.automatic,
        )
        commands.append(Command(event_id, decided))
        return self._record(gold, actor, commands, self._guard(task_id, actor, seen))

    def confirm(self, task_id: int, actor: str, reason: str, seen: Seen, event_id: str) -> Recorded:
        """Let a task that was accepted by the rule, and drawn to be checked, stand as it is."""
        return self.decide(task_id, actor, None, reason, seen, event_id)

    def take_up(self, task_id: int, actor: str, reason: str, event_id: str) -> Recorded:
        """Take gold up again; the version that stood goes on standing until there is another.

        Raises:
            Refusal: there is no gold, or no reason.
        """
        gold = self.gold(task_id)
        return self._record(gold, actor, [Command(event_id, ev.GoldReopened(reason=reason))])

    def send_back(
        self,
        attempt_id: str,
        actor: str,
        comment: str,
        differences: tuple[ev.Difference, ...],
        event_id: str,
    ) -> Recorded:
        """Send a handed-in attempt back; its batch is open to its annotator again.

        Raises:
            NotFoundError: no such attempt.
            Refusal: not handed in, no comment, or a pilot task whose gold was shown.
        """
        row = attempt(self._engine, attempt_id)
        back = ev.Returned(comment=comment, differences=differences)
        outcome = self._record(row, actor, [Command(_of_review(event_id), back)])
        # Sent again after a lost answer, it must not open a batch that was closed since.
        if row.assignment_id is not None and outcome.response.returned:
            with write_transaction(self._engine) as connection:
                # What was taken back stays so: the place may be another person's by now.
                connection.execute(
                    ASSIGNMENTS.update()
                    .where(ASSIGNMENTS.c.id == row.assignment_id, ASSIGNMENTS.c.status == "closed")
                    .values(status="open")
                )
        return outcome

    def comment(self, attempt_id: str, actor: str, text: str, event_id: str) -> Recorded:
        """Say something about an attempt, to its annotator.

        Raises:
            NotFoundError: no such attempt.
            Refusal: nothing was said.
        """
        row = attempt(self._engine, attempt_id)
        return self._record(row, actor, [Command(_of_review(event_id), ev.Commented(text=text))])

    def settle(self, campaign_id: int, *, budget_s: float | None = None) -> int:
        """Work out what has changed, and accept the tasks that meet the rule; returns how many.

        The event's id is made of what it rests on, so that doing it twice changes nothing.

        Args:
            budget_s: seconds after which the rest is left for the next time; None does all.
        """
        give_up = None if budget_s is None else time.monotonic() + budget_s
        refresh(self._engine, campaign_id, budget_s=budget_s)
        agreed = select(REVIEWS.c.task_id).where(
            REVIEWS.c.campaign_id == campaign_id, REVIEWS.c.status == "agreed", ~REVIEWS.c.stale
        )
        changeable = select(CAMPAIGNS.c.status != ARCHIVED).where(CAMPAIGNS.c.id == campaign_id)
        with self._engine.connect() as connection:
            if not connection.execute(changeable).scalar():
                return 0
            ids = connection.execute(agreed.order_by(REVIEWS.c.task_id)).scalars().all()
        accepted = 0
        for task_id in ids:
            if give_up is not None and time.monotonic() > give_up:
                break
            accepted += self._accept(task_id)
        return accepted

    def settle_task(self, task_id: int) -> bool:
        """As ``settle``, for one task that was just handed in; True where it became gold.

        Nothing is written while somebody is still to hand it in: then it stays marked, and the
        next ``settle`` works it out.

        Raises:
            NotFoundError: no such task.
        """
        work = self.work(task_id)
        if work.task.archived or awaited(work):
            return False
        with write_transaction(self._engine) as connection:
            refresh_tasks(connection, [task_id])
        return self._agrees(task_id) and self._accept(task_id)

    def _accept(self, task_id: int) -> bool:
        sources = self.work(task_id).sources()
        merged = self._merged(task_id, {})
        gold = self.gold(task_id)
        review = self._log.response(gold.attempt_id).review or Review()
        digest = hashlib.sha256(json.dumps(sorted(sources.items())).encode()).hexdigest()[:32]
        decided = ev.Adjudicated(version=review.version + 1, sources=merged.sources, automatic=True)
        commands = [
            Command(f"/rule-{digest}/merged", merged),
            Command(f"/rule-{digest}", decided),
        ]

        def as_seen(state: Response) -> None:
            self._same_work(task_id, sources)
            if not self._agrees(task_id):
                raise ConflictError("This task was changed meanwhile.", code="outdated")
            if self.holder(state) is not None:
                raise ConflictError("A reviewer is at this task.", code="taken")

        try:
            outcome = self._record(gold, GOLD_USER, commands, as_seen)
        except ConflictError:
            return False  # whoever changed it marked it, and it is looked at again
        return not any(receipt.repeated for receipt in outcome.receipts)

    def _agrees(self, task_id: int) -> bool:
        """Whether what was handed in last is known to meet the rule."""
        with self._engine.connect() as connection:
            row = connection.execute(
                select(REVIEWS.c.status, REVIEWS.c.stale).where(REVIEWS.c.task_id == task_id)
            ).one()
        return row.status == "agreed" and not row.stale

    def _merged(self, task_id: int, picks: Mapping[str, Pick]) -> ev.GoldMerged:
        with self._engine.connect() as connection:
            work = task_work(connection, task_id)
            return merge(
                work.sides(),
                picks,
                work.task.protocol.review,
                page_sizes(connection),
                work.sources(),
            )

    def _sources(self, task_id: int) -> tuple[ev.Source, ...]:
        work = self.work(task_id)
        return tuple(
            ev.Source(attempt=w.attempt, annotator=w.name, seq=w.handed_seq or 0)
            for w in work.people
            if w.handed_in
        )

    def _stored(self, gold: AttemptRow, event_id: str) -> bool:
        """Whether a request was carried out already, and only its answer was lost."""
        with self._engine.connect() as connection:
            found = connection.execute(
                select(EVENTS.c.id).where(
                    EVENTS.c.attempt_id == gold.attempt_id, EVENTS.c.client_event_id == event_id
                )
            )
            return found.one_or_none() is not None

    def _guard(self, task_id: int, actor: str, seen: Seen) -> Guard:
        def check(state: Response) -> None:
            holder = self.holder(state)
            if holder not in (None, actor):
                raise ConflictError(f"{holder} has taken this task over.", code="taken")
            self._same_work(task_id, seen.sources)
            if seen.pending is not None:
                self._nobody_else(task_id, seen.pending)
            if state.last_seq != seen.gold_seq:
                review = state.review or Review()
                by = f" by {review.decided_by}" if review.decided else ""
                what = f"decided{by}" if review.decided else "changed in another window"
                raise ConflictError(
                    f"This task was {what} meanwhile. Look at it again.", code="outdated"
                )

        return check

    def _same_work(self, task_id: int, seen: Mapping[str, int]) -> None:
        """Everything that was seen must be as it was.

        Raises:
            ConflictError: names who has done what since.
        """
        work = self.work(task_id)
        now = work.sources()
        if now == dict(seen):
            return
        names = {w.attempt: w.name for w in work.people}
        said = []
        for attempt_id in sorted({*now, *seen}, key=lambda id_: names.get(id_, "")):
            name = names.get(attempt_id, "Somebody")
            if attempt_id not in seen:
                said.append(f"{name} has handed this task in")
            elif attempt_id not in now:
                said.append(f"{name} has taken this task up again")
            elif now[attempt_id] != seen[attempt_id]:
                said.append(f"{name} has handed this task in anew")
        raise ConflictError(
            f"{'; '.join(said)}. Nothing was decided; look at it again.", code="outdated"
        )

    def _nobody_else(self, task_id: int, pending: Collection[str]) -> None:
        """Nobody may be at work on the task but those who were seen to be.

        Raises:
            ConflictError: names who is.
        """
        now = [person.name for person in self.unfinished(self.work(task_id)).people]
        new = [name for name in now if name not in pending]
        if new:
            verb = "is" if len(new) == 1 else "are"
            raise ConflictError(
                f"{', '.join(new)} {verb} at work on this task too. Nothing was decided; look at "
                "it again.",
                code="outdated",
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
        outcome = self._recorder.record(context, commands, guard)
        for refusal in outcome.refusals.values():
            raise refusal
        with write_transaction(self._engine) as connection:
            refresh_tasks(connection, [row.task_id])
        return outcome


def _of_review(event_id: str) -> str:
    """A reviewer's event in an annotator's stream: no browser's id there can stand in its way."""
    return f"review/{event_id}"
