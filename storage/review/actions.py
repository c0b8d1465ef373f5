"""Supervisors' actions on a task: take it, merge work into gold, decide, reopen gold, send work
back, comment on it.

A decision is based on what its reviewer saw: it names each attempt and the event that submitted it,
and is refused, saying what has changed, if that is out of date. The check and the decision are one
transaction, so work submitted at the same moment comes either before it, and is seen, or after it,
and makes the task ``changed``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorded
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.clock import parse_iso
from pagetrail.annotation.errors import ConflictError, NotFoundError, Refusal
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.selections import stored_pick
from pagetrail.annotation.sentences import plural_form
from pagetrail.storage.attempts.queries import AttemptRow, attempt
from pagetrail.storage.review.automatic_acceptance import ReviewSettling
from pagetrail.storage.review.decision_guards import (
    as_asked,
    as_shown,
    complete,
    something,
    untied,
)
from pagetrail.storage.review.gold_streams import Guard, decision_sources
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.unfinished_work import reason_without


@dataclass(frozen=True)
class Seen:
    """The state that a reviewer's decision is based on.

    Attributes:
        sources: attempt → the event that submitted it, of all that were shown.
        gold_seq: last event of the gold stream that was shown; 0 before there is any.
        pending: names of those shown as still working on it, or their labels where names are
            hidden; None skips this check.
    """

    sources: Mapping[str, int]
    gold_seq: int
    pending: Collection[str] | None = None


@dataclass(frozen=True)
class Said:
    """What a reviewer says of a decision besides its reason: kinds of error, and how sure."""

    errors: tuple[str, ...] = ()
    confidence: ev.Confidence | None = None


class Reviews(ReviewSettling):
    """Review actions in one workspace. Callers have checked that the actor may review."""

    def take(self, task_id: int, actor: str, event_id: str, *, over: bool = False) -> Recorded:
        """Take the task to review it; its current holder keeps it.

        Raises:
            ConflictError: somebody else holds it, and ``over`` is not set to take it from them.
        """
        gold = self.gold(task_id)

        def free(state: AttemptState) -> None:
            holder = self.holder(state)
            if holder not in (None, actor) and not over:
                since = state.review.held_at if state.review else None
                minutes = (self._clock.now() - parse_iso(since or "")) // timedelta(minutes=1)
                ago = "just now" if minutes < 1 else f"{minutes} min ago"
                raise ConflictError(
                    f"{holder} took this task {ago} and is still at it.", code="taken"
                )

        state = self._log.state(gold.attempt_id)
        if self.holder(state) == actor:
            return Recorded(state=state)
        other = self.holder(state)
        taken = ev.ReviewTaken(over=other if over and other != actor else None)
        return self._record(gold, actor, [Command(event_id, taken)], free)

    def release(self, task_id: int, actor: str, event_id: str) -> Recorded:
        """Release the task for others to take; does nothing if it is not held."""
        gold = self.gold(task_id)
        if self.holder(self._log.state(gold.attempt_id)) != actor:
            return Recorded(state=self._log.state(gold.attempt_id))
        return self._record(gold, actor, [Command(event_id, ev.ReviewReleased())])

    def put_together(
        self, task_id: int, actor: str, picks: Mapping[str, Pick], seen: Seen, event_id: str
    ) -> Recorded:
        """Rebuild the draft from the submitted work; it is not gold yet.

        Raises:
            ConflictError: somebody else holds the task, or what was seen has changed.
            Refusal: a pick that cannot be, or the task is decided.
        """
        gold = self.gold(task_id)
        if self._stored(gold, event_id):
            return Recorded(state=self._log.state(gold.attempt_id))
        merged = self.merged_draft(task_id, picks)
        guard = self._guard(task_id, actor, replace(seen, pending=None))
        guard = self._unless_stored(gold, event_id, guard)
        return self._record(gold, actor, [Command(event_id, merged)], guard)

    def decide(
        self,
        task_id: int,
        actor: str,
        picks: Mapping[str, Pick] | None,
        reason: str,
        seen: Seen,
        event_id: str,
        said: Said | None = None,
        shown: ev.GoldMerged | None = None,
    ) -> Recorded:
        """Make gold, from picked parts of the submitted work or from the current draft.

        People who have the task and have not submitted it are named before the reason.

        Args:
            picks: None takes the draft, with any edits made in the workspace.
            said: what else the reviewer says of it, as far as the campaign asks for it.
            shown: what the picks made when the reviewer looked; None accepts what they make now.

        Raises:
            ConflictError: somebody else holds the task, what was seen or shown has changed, or
                somebody is at work on the task who was not seen to be.
            Refusal: a pick that cannot be, an empty draft, a part left open by a tie, something
                missing that annotators have to give, a reason that is too long, or the task is
                decided.
        """
        gold = self.gold(task_id)
        state = self._log.state(gold.attempt_id)
        if self._stored(gold, event_id):
            return Recorded(state=state)
        review = state.review or Review()
        commands = []
        work = self.work(task_id)
        guard = self._guard(task_id, actor, seen)
        if picks is not None:
            merged = self.merged_draft(task_id, picks)
            commands.append(Command(f"{event_id}/merged", merged))
            guard = untied(merged.choices, work.task.protocol, something(merged, guard))
            guard = complete(work.task, merged, guard)
            if shown is not None:
                guard = as_shown(merged, shown, guard)
        else:
            choices = self._undecided(gold, work, review)
            guard = untied(choices, work.task.protocol, guard)
        if picks is None:
            guard = complete(work.task, None, guard)
        said = said or Said()
        guard = as_asked(work.task.protocol.review, said.errors, said.confidence, guard)
        decided = ev.Adjudicated(
            errors=said.errors,
            confidence=said.confidence,
            version=review.version + 1,
            reason=reason_without(
                self.unfinished(work).people, reason, self.hidden_names(task_id).in_text
            ),
            sources=decision_sources(work),
            # With picks it is not a confirmation and is refused: gold must be reopened first.
            checked=picks is None and review.decided and review.automatic,
        )
        commands.append(Command(event_id, decided))
        return self._record(gold, actor, commands, self._unless_stored(gold, event_id, guard))

    def confirm(self, task_id: int, actor: str, reason: str, seen: Seen, event_id: str) -> Recorded:
        """Confirm a task that was accepted automatically and drawn for checking."""
        return self.decide(task_id, actor, None, reason, seen, event_id)

    def undo(self, task_id: int, actor: str, decision: int, event_id: str) -> Recorded:
        """Undo one's own last decision; the gold is what it was before, and the draft stays.

        Args:
            decision: its event in the gold stream.

        Raises:
            Refusal: it is not the last decision, or somebody else's.
        """
        gold = self.gold(task_id)
        if self._stored(gold, event_id):
            return Recorded(state=self._log.state(gold.attempt_id))
        earlier = (e for e in self._log.events(gold.attempt_id) if e.seq < decision)
        before = (fold(earlier).review or Review()).decision
        undone = ev.DecisionUndone(decision=max(1, decision), before=before)
        return self._record(gold, actor, [Command(event_id, undone)])

    def handle(
        self, task_id: int, actor: str, attempt_id: str, event_id: str, *, handled: bool = True
    ) -> Recorded:
        """Mark what an annotator flagged or skipped as handled, or as not handled after all.

        Raises:
            NotFoundError: no such attempt at this task.
            Refusal: it is neither flagged nor skipped.
        """
        gold = self.changeable_check(self.gold(task_id))
        worked = next((w for w in self.work(task_id).people if w.attempt == attempt_id), None)
        if worked is None:
            raise NotFoundError("This is not an annotator's work on this task.")
        raised = worked.state.flag is not None or worked.state.status == "skipped"
        if not raised or worked.raised_seq is None:
            raise Refusal("This task is neither flagged nor skipped.", code="no_problem")
        marked = ev.ProblemHandled(attempt=attempt_id, seq=worked.raised_seq, handled=handled)
        return self._record(gold, actor, [Command(event_id, marked)])

    def take_up(self, task_id: int, actor: str, reason: str, event_id: str) -> Recorded:
        """Reopen gold; the current version stays valid until there is a new one.

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
        """Send a submitted attempt back; its batch is reopened for the annotator.

        Raises:
            NotFoundError: no such attempt.
            Refusal: not submitted, no comment, or a pilot task whose gold was shown.
        """
        row = attempt(self._engine, attempt_id)
        back = ev.Returned(comment=comment, differences=differences)
        return self._record(row, actor, [Command(_of_review(event_id), back)])

    def comment(self, attempt_id: str, actor: str, text: str, event_id: str) -> Recorded:
        """Comment on an attempt, for its annotator.

        Raises:
            NotFoundError: no such attempt.
            Refusal: the comment is empty.
        """
        row = attempt(self._engine, attempt_id)
        return self._record(row, actor, [Command(_of_review(event_id), ev.Commented(text=text))])

    def _undecided(self, gold: AttemptRow, work: TaskWork, review: Review) -> list[ev.Choice]:
        """The choices of the stored draft, with what they leave to the reviewer now.

        Whoever edited the draft in the workspace has decided its ties, but of the pages of the
        retention rule only those that they edited. The rule is applied again: drafts of older
        versions dropped disputed pages.
        """
        events = self._log.events(gold.attempt_id)
        edits = [e.payload for e in events if e.seq > (review.merged_seq or 0)]
        edited = any(edit.is_edit or isinstance(edit, ev.Submitted) for edit in edits)
        touched = {place for edit in edits if (place := _edited_page(edit)) is not None}
        picks = {c.part: stored_pick(c) for c in review.choices if c.how == "retention"}
        again = self.merged_draft(work.task.id, picks).choices if picks else ()
        open_pages = {choice.part: choice.open_pages for choice in again if choice.part in picks}
        found = []
        for choice in review.choices:
            pages = open_pages.get(choice.part, ())
            left = tuple(p for p in pages if (choice.part, p.document, p.page) not in touched)
            tied = bool(left) or (choice.tied and not edited)
            found.append(choice.model_copy(update={"open_pages": left, "tied": tied}))
        return found

    def _guard(self, task_id: int, actor: str, seen: Seen) -> Guard:
        def check(state: AttemptState) -> None:
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

    def _unless_stored(self, gold: AttemptRow, event_id: str, guard: Guard) -> Guard:
        """Sent again while it was carried out, an act is answered like the first: what blocks it
        is nobody else's work.
        """

        def check(state: AttemptState) -> None:
            if not self._stored(gold, event_id):
                guard(state)

        return check

    def _nobody_else(self, task_id: int, pending: Collection[str]) -> None:
        """Refuse if anybody but those who were shown is working on the task.

        Raises:
            ConflictError: names who is.
        """
        waits_for = self.hidden_names(task_id).in_unfinished(self.unfinished(self.work(task_id)))
        now = [person.name for person in waits_for.people]
        new = [name for name in now if name not in pending]
        if new:
            verb = plural_form(len(new), "is", "are")
            raise ConflictError(
                f"{', '.join(new)} {verb} at work on this task too. Nothing was decided; look at "
                "it again.",
                code="outdated",
            )


def _edited_page(edit: ev.Payload) -> tuple[str, str, int] | None:
    """The part and the page that an edit of a draft decides; None where it is of no page."""
    match edit:
        case ev.CitationAdded() | ev.CitationRemoved():
            return "evidence", edit.document, edit.page
        case ev.FieldSet() if edit.document is not None and edit.page is not None:
            return edit.field, edit.document, edit.page
        case _:
            return None


def _of_review(event_id: str) -> str:
    """Event id of a reviewer's event in an annotator's stream; no browser's id can equal it."""
    return f"review/{event_id}"
