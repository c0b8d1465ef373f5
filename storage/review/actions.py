"""Review actions on a task: take it, merge submissions into gold, decide, reopen gold, send an
attempt back, comment on it.

A decision names the version that its reviewer saw: each attempt with the event that submitted it.
It is refused if the task has changed since. Check and decision are one transaction: work submitted
at the same time comes either before it and is noticed, or after it and makes the task ``changed``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorded, Recorder
from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.clock import parse_iso
from pagetrail.annotation.errors import ConflictError, NotFoundError, Refusal
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.dataset_contradictions import has_answers
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import stored_pick
from pagetrail.storage.attempts.queries import AttemptRow, attempt
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.automatic_acceptance import AutomaticAcceptance
from pagetrail.storage.review.decision_guards import (
    require_complete_gold,
    require_no_ties,
    require_requested_remarks,
    require_shown_gold,
    require_submissions,
)
from pagetrail.storage.review.gold_streams import GoldStreams, Guard, decision_sources
from pagetrail.storage.review.projection import ComputeRows
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.unfinished_work import reason_naming_unfinished


@dataclass(frozen=True)
class ReviewedVersion:
    """The version of a task that a reviewer's decision is based on.

    Attributes:
        sources: attempt → the event that submitted it, of all shown attempts.
        gold_seq: last event of the gold stream that was shown; 0 without one.
        pending: names, or labels where names are hidden, of those shown as still working on the
            task; None skips this check.
    """

    sources: Mapping[str, int]
    gold_seq: int
    pending: Collection[str] | None = None


@dataclass(frozen=True)
class ReviewerRemarks:
    """A reviewer's remarks on a decision besides its reason.

    Attributes:
        errors: kinds of error in the people's work.
        dataset_answers: whether the answers that the task came with stay accepted.
    """

    errors: tuple[str, ...] = ()
    confidence: ev.Confidence | None = None
    dataset_answers: ev.DatasetAnswers = "kept"


class Reviews:
    """Review actions in one workspace. Callers have checked that the actor may review.

    Attributes:
        streams: reads and writes the gold streams.
        acceptance: accepts tasks without a reviewer.
    """

    def __init__(
        self,
        workspace: Workspace,
        recorder: Recorder,
        clock: Clock | None = None,
        compute_rows: ComputeRows | None = None,
    ) -> None:
        """``compute_rows`` compares a task's submissions; None does so in the calling thread."""
        self.streams = GoldStreams(workspace, recorder, clock, compute_rows)
        self.acceptance = AutomaticAcceptance(self.streams)

    def take(self, task_id: int, actor: str, event_id: str, *, take_over: bool = False) -> Recorded:
        """Take the task to review it; its current holder keeps it.

        Raises:
            ConflictError: somebody else holds it, and ``take_over`` is not set.
        """
        gold = self.streams.gold(task_id)

        def free(state: AttemptState) -> None:
            holder = self.streams.holder(state)
            if holder not in (None, actor) and not take_over:
                held_at = state.review.held_at if state.review else None
                minutes = (self.streams.clock.now() - parse_iso(held_at or "")) // timedelta(
                    minutes=1
                )
                ago = (
                    gettext("just now")
                    if minutes < 1
                    else gettext("{minutes} min ago", minutes=minutes)
                )
                raise ConflictError(
                    gettext(
                        "{holder} took this task {ago} and is still at it.", holder=holder, ago=ago
                    ),
                    code="taken",
                )

        state = self.streams.log.state(gold.attempt_id)
        if self.streams.holder(state) == actor:
            return Recorded(state=state)
        other = self.streams.holder(state)
        review_taken = ev.ReviewTaken(over=other if take_over and other != actor else None)
        return self.streams.record(gold, actor, [Command(event_id, review_taken)], free)

    def release(self, task_id: int, actor: str, event_id: str) -> Recorded:
        """Release the task for others to take; does nothing if it is not held."""
        gold = self.streams.gold(task_id)
        if self.streams.holder(self.streams.log.state(gold.attempt_id)) != actor:
            return Recorded(state=self.streams.log.state(gold.attempt_id))
        return self.streams.record(gold, actor, [Command(event_id, ev.ReviewReleased())])

    def put_together(
        self,
        task_id: int,
        actor: str,
        picks: Mapping[str, Pick],
        version: ReviewedVersion,
        event_id: str,
    ) -> Recorded:
        """Merge the submissions into a new draft; it is not gold yet.

        Raises:
            ConflictError: somebody else holds the task, or the reviewed version has changed.
            Refusal: an impossible pick, or the task is decided.
        """
        gold = self.streams.gold(task_id)
        state = self.streams.log.state(gold.attempt_id)
        if self.streams.has_event(gold, event_id):
            return Recorded(state=state)
        self.streams.drafts(self.streams.task_work(task_id)).require_not_rejected(picks)
        guard = self._guard(task_id, actor, replace(version, pending=None))
        merged = self._merged_draft(task_id, picks, state, guard)
        guard = self._unless_stored(gold, event_id, guard)
        return self.streams.record(gold, actor, [Command(event_id, merged)], guard)

    def decide(
        self,
        task_id: int,
        actor: str,
        picks: Mapping[str, Pick] | None,
        reason: str,
        version: ReviewedVersion,
        event_id: str,
        remarks: ReviewerRemarks | None = None,
        shown: ev.GoldMerged | None = None,
        saw_drafts: bool = True,
    ) -> Recorded:
        """Make gold, from picked parts of the submissions or from the current draft.

        The stored reason starts with the names of those who have not submitted the task.

        Args:
            picks: None takes the draft, with any edits made in the workspace.
            remarks: those that the campaign asks for, and what is said of the dataset's answers.
            shown: the draft that the reviewer saw; None accepts what the picks make now.
            saw_drafts: False if models' drafts were not on the reviewer's screen; then the decision
                says nothing of them.

        Raises:
            ConflictError: somebody else holds the task, the reviewed version or the draft has
                changed, or somebody else is working on the task.
            Refusal: an impossible pick, an empty draft, a tied part, a missing required field, a
                reason that is too long, or the task is decided.
        """
        gold = self.streams.gold(task_id)
        state = self.streams.log.state(gold.attempt_id)
        if self.streams.has_event(gold, event_id):
            return Recorded(state=state)
        review = state.review or Review()
        commands = []
        task_work = self.streams.task_work(task_id)
        task = task_work.task
        guard = self._guard(task_id, actor, version)
        drafts = self.streams.drafts(task_work)
        gold_form = task.form(state)
        choices: Sequence[ev.Choice] = review.choices
        if picks is not None:
            drafts.require_not_rejected(picks)
            merged = self._merged_draft(task_id, picks, state, guard)
            commands.append(Command(f"{event_id}/merged", merged))
            guard = require_submissions(merged, guard)
            gold_form, choices = task.form(draft_state(merged)), merged.choices
            guard = require_no_ties(choices, task.protocol, guard)
            guard = require_complete_gold(task, merged, guard)
            if shown is not None:
                guard = require_shown_gold(merged, shown, guard)
        else:
            undecided = self._undecided(gold, task_work, review)
            guard = require_no_ties(undecided, task.protocol, guard)
            guard = require_complete_gold(task, None, guard)
        remarks = remarks or ReviewerRemarks()
        guard = require_requested_remarks(
            task.protocol.review, remarks.errors, remarks.confidence, guard
        )
        unfinished = self.streams.unfinished(task_work)
        decided = ev.Adjudicated(
            errors=remarks.errors,
            confidence=remarks.confidence,
            dataset_answers=remarks.dataset_answers if has_answers(task.dataset()) else None,
            version=review.version + 1,
            reason=reason_naming_unfinished(unfinished.people, reason),
            sources=decision_sources(task_work),
            # With picks it is not a confirmation and is refused: gold must be reopened first.
            checked=picks is None and review.decided and review.automatic,
            drafts=drafts.decisions(Submission(gold_form), choices, task_work.submissions())
            if saw_drafts
            else (),
        )
        commands.append(Command(event_id, decided))
        guard = self._unless_stored(gold, event_id, guard)
        return self.streams.record(gold, actor, commands, guard)

    def _merged_draft(
        self, task_id: int, picks: Mapping[str, Pick], state: AttemptState, guard: Guard
    ) -> ev.GoldMerged:
        """The draft that these picks make; where they are impossible, what changed is told first.

        Args:
            state: of the gold.
        """
        try:
            return self.streams.merged_draft(task_id, picks)
        except Refusal:
            guard(state)
            raise

    def confirm(
        self, task_id: int, actor: str, reason: str, version: ReviewedVersion, event_id: str
    ) -> Recorded:
        """Confirm a task that was accepted automatically and sampled for checking."""
        return self.decide(task_id, actor, None, reason, version, event_id)

    def undo(self, task_id: int, actor: str, decision: int, event_id: str) -> Recorded:
        """Undo one's own last decision; the gold is what it was before, and the draft stays.

        Args:
            decision: its event in the gold stream.

        Raises:
            Refusal: it is not the last decision, or somebody else's.
        """
        gold = self.streams.gold(task_id)
        if self.streams.has_event(gold, event_id):
            return Recorded(state=self.streams.log.state(gold.attempt_id))
        earlier = (e for e in self.streams.log.events(gold.attempt_id) if e.seq < decision)
        before = (fold(earlier).review or Review()).decision
        undone = ev.DecisionUndone(decision=max(1, decision), before=before)
        return self.streams.record(gold, actor, [Command(event_id, undone)])

    def handle(
        self, task_id: int, actor: str, attempt_id: str, event_id: str, *, handled: bool = True
    ) -> Recorded:
        """Mark an annotator's flag or skip as handled, or as not handled again.

        Raises:
            NotFoundError: no such attempt at this task.
            Refusal: it is neither flagged nor skipped.
        """
        gold = self.streams.with_status_of_checked_campaign(self.streams.gold(task_id))
        attempts = self.streams.task_work(task_id).attempts
        flagged = next((attempt for attempt in attempts if attempt.attempt == attempt_id), None)
        if flagged is None:
            raise NotFoundError(gettext("This is not an annotator's work on this task."))
        is_raised = flagged.state.flag is not None or flagged.state.status == "skipped"
        if not is_raised or flagged.raised_seq is None:
            raise Refusal(gettext("This task is neither flagged nor skipped."), code="no_problem")
        problem_handled = ev.ProblemHandled(
            attempt=attempt_id, seq=flagged.raised_seq, handled=handled
        )
        return self.streams.record(gold, actor, [Command(event_id, problem_handled)])

    def reject_draft(
        self,
        task_id: int,
        actor: str,
        draft_key: str,
        event_id: str,
        *,
        reason: str = "",
        rejected: bool = True,
    ) -> Recorded:
        """Reject a model's draft as a whole, or withdraw the rejection.

        Raises:
            NotFoundError: the task has no such draft, or none that is shown.
            Refusal: the task is decided.
        """
        gold = self.streams.gold(task_id)
        drafts = self.streams.drafts(self.streams.task_work(task_id))
        shown = () if drafts.is_hidden else drafts.all
        draft = next((draft for draft in shown if draft.key == draft_key), None)
        if draft is None:
            raise NotFoundError(gettext("This task has no such draft."))
        event = ev.DraftRejected(
            draft=draft.key,
            model=draft.model,
            version=draft.version,
            rejected=rejected,
            reason=reason,
        )

        def require_free(state: AttemptState) -> None:
            self._require_not_held_by_others(state, actor)

        return self.streams.record(gold, actor, [Command(event_id, event)], require_free)

    def take_up(self, task_id: int, actor: str, reason: str, event_id: str) -> Recorded:
        """Reopen gold; the current version stays valid until there is a new one.

        Raises:
            Refusal: there is no gold, or no reason.
        """
        gold = self.streams.gold(task_id)
        return self.streams.record(gold, actor, [Command(event_id, ev.GoldReopened(reason=reason))])

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
        row = attempt(self.streams.engine, attempt_id)
        returned = ev.Returned(comment=comment, differences=differences)
        return self.streams.record(row, actor, [Command(_review_event_id(event_id), returned)])

    def comment(self, attempt_id: str, actor: str, text: str, event_id: str) -> Recorded:
        """Comment on an attempt, for its annotator.

        Raises:
            NotFoundError: no such attempt.
            Refusal: the comment is empty.
        """
        row = attempt(self.streams.engine, attempt_id)
        return self.streams.record(
            row, actor, [Command(_review_event_id(event_id), ev.Commented(text=text))]
        )

    def _undecided(self, gold: AttemptRow, task_work: TaskWork, review: Review) -> list[ev.Choice]:
        """The choices of the stored draft, with the ties and pages still open.

        Editing the draft in the workspace decides its ties, but of the retention rule's pages only
        the edited ones. The rule is applied again: drafts of older versions dropped disputed pages.
        """
        events = self.streams.log.events(gold.attempt_id)
        edits = [e.payload for e in events if e.seq > (review.merged_seq or 0)]
        is_edited = any(edit.is_edit or isinstance(edit, ev.Submitted) for edit in edits)
        edited_pages = {page for edit in edits if (page := _edited_page(edit)) is not None}
        picks = {c.part: stored_pick(c) for c in review.choices if c.how == "retention"}
        redone = self.streams.merged_draft(task_work.task.id, picks).choices if picks else ()
        open_pages = {choice.part: choice.open_pages for choice in redone if choice.part in picks}
        choices = []
        for choice in review.choices:
            pages = open_pages.get(choice.part, ())
            left = tuple(p for p in pages if (choice.part, p.document, p.page) not in edited_pages)
            tied = bool(left) or (choice.tied and not is_edited)
            choices.append(choice.model_copy(update={"open_pages": left, "tied": tied}))
        return choices

    def _guard(self, task_id: int, actor: str, version: ReviewedVersion) -> Guard:
        def check(state: AttemptState) -> None:
            self._require_not_held_by_others(state, actor)
            self.streams.require_unchanged_work(task_id, version.sources)
            if version.pending is not None:
                self._require_nobody_else(task_id, version.pending)
            if state.last_seq != version.gold_seq:
                review = state.review or Review()
                raise ConflictError(
                    " ".join((review.decision_sentence, gettext("Look at it again.")))
                    if review.decided
                    else gettext(
                        "This task was changed in another window meanwhile. Look at it again."
                    ),
                    code="outdated",
                )

        return check

    def _require_not_held_by_others(self, state: AttemptState, actor: str) -> None:
        holder = self.streams.holder(state)
        if holder not in (None, actor):
            raise ConflictError(
                gettext("{holder} has taken this task over.", holder=holder), code="taken"
            )

    def _unless_stored(self, gold: AttemptRow, event_id: str, guard: Guard) -> Guard:
        """Skip the guard if the event was stored meanwhile: the request was sent twice."""

        def check(state: AttemptState) -> None:
            if not self.streams.has_event(gold, event_id):
                guard(state)

        return check

    def _require_nobody_else(self, task_id: int, pending: Collection[str]) -> None:
        """Refuse if somebody is working on the task who was not shown to the reviewer.

        Raises:
            ConflictError: names them.
        """
        unfinished = self.streams.hidden_names(task_id).in_unfinished(
            self.streams.unfinished(self.streams.task_work(task_id))
        )
        names = [person.name for person in unfinished.people]
        new = [name for name in names if name not in pending]
        if new:
            raise ConflictError(
                ngettext(
                    "{people} is at work on this task too. Nothing was decided; look at it again.",
                    "{people} are at work on this task too. Nothing was decided; look at it again.",
                    len(new),
                    people=", ".join(new),
                ),
                code="outdated",
            )


def _edited_page(edit: ev.Payload) -> tuple[str, str, int] | None:
    """The part and the page that an edit of a draft decides; None if it is not about a page."""
    match edit:
        case ev.CitationAdded() | ev.CitationRemoved():
            return "evidence", edit.document, edit.page
        case ev.FieldSet() if edit.document is not None and edit.page is not None:
            return edit.field, edit.document, edit.page
        case _:
            return None


def _review_event_id(event_id: str) -> str:
    """Id of a reviewer's event in an annotator's stream; browsers never make such ids."""
    return f"review/{event_id}"
