"""Attempts for exports and reports, up to the submission that counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState, fold_without_history
from pagetrail.annotation.attempts.submission import Reopening, Submission, as_of, later_change
from pagetrail.annotation.events import Event
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM
from pagetrail.storage.snapshot.rows import AttemptEvents, AttemptHead

LATER_SUBMISSION = "later submission"
"""Kind under which a later, differing submission that does not count is listed as left out."""

RUN_WITHDRAWN = "run_withdrawn"
"""Reason for leaving out attempts of a withdrawn run."""


@dataclass(frozen=True)
class ReadAttempt:
    """An attempt with events, up to the submission that counts.

    Attributes:
        name: the annotator's name in the export.
        form: the protocol's questions on the attempt's state, with the pages of the task.
        submitted_at: None if it was never submitted.
    """

    attempt: AttemptEvents
    name: str
    form: Form
    submitted_at: str | None

    @property
    def head(self) -> AttemptHead:
        """Task, batch and record."""
        return self.attempt.head

    @property
    def submission(self) -> Submission:
        """The submission, in the form used for comparisons."""
        return Submission(self.form, self.head.id, self.name)

    @property
    def state(self) -> AttemptState:
        """The state after the attempt's events."""
        return self.form.state

    @property
    def is_gold(self) -> bool:
        """Whether it is adjudicated gold rather than a person's attempt."""
        return self.head.role == REVIEW

    def left_out_for(self, reason: str) -> tuple[str, str, str]:
        """Arguments of ``WrittenFiles.leave_out`` for leaving it out."""
        if self.is_gold:
            return "task", reason, self.head.task
        return "attempt", reason, self.head.id

    def without_events(self) -> ReadAttempt:
        """A copy to keep in memory, where the events of a whole campaign do not fit."""
        return replace(self, attempt=replace(self.attempt, events=[]))

    def event(self, seq: int) -> Event:
        """The event with this sequence number."""
        return self.attempt.events[seq - 1]


def cut_to_submission(source: Source, attempt: AttemptEvents, tally: WrittenFiles) -> AttemptEvents:
    """The attempt up to the submission that counts; counts a later, differing one as left out."""
    cut_attempt, reopening = up_to_submission(source, attempt)
    if reopening is not None:
        tally.leave_out(LATER_SUBMISSION, reopening, attempt.head.id)
    return cut_attempt


def up_to_submission(
    source: Source, attempt: AttemptEvents
) -> tuple[AttemptEvents, Reopening | None]:
    """The attempt up to the submission that counts, and the cause of a later, differing one."""
    if source.submission == "final" or not any(e.payload.reopens for e in attempt.events):
        return attempt, None
    protocol, record = source.campaign.protocol, attempt.head.record
    reopening = later_change(attempt.events, protocol, given_pages(protocol.pages, record))
    return replace(attempt, events=list(as_of(attempt.events, source.submission))), reopening


def work_of(source: Source, attempt: AttemptEvents) -> ReadAttempt:
    """The work in an attempt that ends with the submission that counts."""
    protocol = source.campaign.protocol
    page_keys = given_pages(protocol.pages, attempt.head.record)
    return ReadAttempt(
        attempt=attempt,
        name=source.name(attempt.head.user),
        form=Form(protocol, fold_without_history(attempt.events), page_keys),
        submitted_at=max(
            (e.server_ts for e in attempt.events if e.payload.type == "submitted"),
            default=None,
        ),
    )


@dataclass(frozen=True)
class CountedAttempt:
    """An attempt with its events, as input of computations.

    Attributes:
        whole: the attempt with all its events.
    """

    source: Source
    whole: AttemptEvents

    @cached_property
    def _counted(self) -> tuple[AttemptEvents, Reopening | None]:
        return up_to_submission(self.source, self.whole)

    @property
    def later(self) -> Reopening | None:
        """The cause of a later submission that differs."""
        return self._counted[1]

    @cached_property
    def submission(self) -> ReadAttempt:
        """The attempt up to the submission that counts."""
        return work_of(self.source, self._counted[0])


def is_guess(attempt: AttemptEvents) -> bool:
    """Whether a model made it from the question alone: in no result but that of such models."""
    first = attempt.events[0].payload
    return isinstance(first, ev.RunImported) and first.without_documents


def attempts_not_withdrawn(source: Source, tally: WrittenFiles) -> Iterator[AttemptEvents]:
    """All attempts with events, except those of withdrawn runs."""
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    for attempt in source.attempts():
        if attempt.head.role == SYSTEM and attempt.head.user in withdrawn:
            tally.leave_out("attempt", RUN_WITHDRAWN, attempt.head.id)
        else:
            yield attempt


def opened_works(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """All attempts with events; counts attempts that were never opened as left out."""
    leave_out_never_opened(source, tally)
    for whole in attempts_not_withdrawn(source, tally):
        cut_attempt = cut_to_submission(source, whole, tally)
        tally.note_indexes(cut_attempt.events)
        yield work_of(source, cut_attempt)


def leave_out_never_opened(source: Source, tally: WrittenFiles) -> None:
    """Count the attempts without events as left out."""
    unopened = source.campaign.attempts - source.campaign.opened
    tally.leave_out("attempt", "never_opened", n=unopened)


def submitted_attempts(
    source: Source, tally: WrittenFiles
) -> Iterator[tuple[AttemptEvents, AttemptState]]:
    """The submitted attempts with their states; counts the others as left out."""
    leave_out_never_opened(source, tally)
    for attempt_events in attempts_not_withdrawn(source, tally):
        attempt = cut_to_submission(source, attempt_events, tally)
        state = fold_without_history(attempt.events)
        if state.status == "submitted":
            yield attempt, state
        else:
            tally.leave_out("attempt", f"status_{state.status}", attempt.head.id)


def submitted_works(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """The submitted attempts; counts the others as left out."""
    for attempt in opened_works(source, tally):
        if attempt.state.status == "submitted":
            yield attempt
        else:
            tally.leave_out("attempt", f"status_{attempt.state.status}", attempt.head.id)


def works_by_people(source: Source, tally: WrittenFiles) -> Iterator[ReadAttempt]:
    """The attempts submitted by people; counts the others as left out.

    Agents' answers appear only in formats that compare them with people's. They are never votes or
    page judgements, and never become part of gold.
    """
    for attempt in submitted_works(source, tally):
        if attempt.head.role == SYSTEM:
            tally.leave_out("attempt", "of_a_system", attempt.head.id)
        else:
            yield attempt
