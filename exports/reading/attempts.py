"""An attempt as exports read it: its state, and the values of its fields that count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.attempts.submission import Reopening, Submission, as_of, later_change
from pagetrail.annotation.events import Event
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.exports.reading.source import Source, Written
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM
from pagetrail.storage.snapshot.rows import AttemptEvents, AttemptHead

LATER = "later submission"
"""What manifests and reports call one that differs from the first and does not count."""


RUN_WITHDRAWN = "run_withdrawn"
"""Why an attempt of a system is left out whose run was withdrawn."""


@dataclass(frozen=True)
class Work:
    """One attempt that has events, up to the submission that counts.

    Attributes:
        name: what the annotator goes under in the export.
        form: the protocol's questions over the state, with the pages that the task gives.
        submitted_at: when that was; None if it never was submitted.
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
        """What was submitted, as everything that compares work reads it."""
        return Submission(self.form, self.head.id, self.name)

    @property
    def state(self) -> AttemptState:
        """The fold of the attempt's events."""
        return self.form.state

    @property
    def is_gold(self) -> bool:
        """Whether it is the gold decided in review, and nobody's attempt."""
        return self.head.role == REVIEW

    def named(self, reason: str) -> tuple[str, str, str]:
        """What a manifest calls it where it is left out for a reason."""
        if self.is_gold:
            return "task", reason, self.head.task
        return "attempt", reason, self.head.id

    def without_events(self) -> Work:
        """The same for keeping: a campaign's events do not fit in memory."""
        return replace(self, attempt=replace(self.attempt, events=[]))

    def event(self, seq: int) -> Event:
        """The event of that number."""
        return self.attempt.events[seq - 1]


def counting(source: Source, attempt: AttemptEvents, written: Written) -> AttemptEvents:
    """An attempt up to the submission that counts; a later one that differs is accounted for."""
    counted, why = up_to_submission(source, attempt)
    if why is not None:
        written.leave_out(LATER, why, attempt.head.id)
    return counted


def up_to_submission(
    source: Source, attempt: AttemptEvents
) -> tuple[AttemptEvents, Reopening | None]:
    """An attempt up to the submission that counts, and what led to a later one that differs."""
    if source.submission == "final":
        return attempt, None
    protocol, record = source.campaign.protocol, attempt.head.record
    why = later_change(attempt.events, protocol, given_pages(protocol.pages, record))
    return replace(attempt, events=list(as_of(attempt.events, source.submission))), why


def work_of(source: Source, attempt: AttemptEvents) -> Work:
    """An attempt whose events end with the submission that counts."""
    protocol = source.campaign.protocol
    given = given_pages(protocol.pages, attempt.head.record)
    return Work(
        attempt=attempt,
        name=source.name(attempt.head.user),
        form=Form(protocol, fold(attempt.events), given),
        submitted_at=max(
            (e.server_ts for e in attempt.events if e.type == "submitted"),
            default=None,
        ),
    )


@dataclass(frozen=True)
class CountedAttempt:
    """An attempt whose events were read, for everything that is computed of it.

    Attributes:
        whole: with all its events.
    """

    source: Source
    whole: AttemptEvents

    @cached_property
    def _counted(self) -> tuple[AttemptEvents, Reopening | None]:
        return up_to_submission(self.source, self.whole)

    @property
    def later(self) -> Reopening | None:
        """What led to a later submission that differs."""
        return self._counted[1]

    @cached_property
    def work(self) -> Work:
        """The attempt up to the submission that counts."""
        return work_of(self.source, self._counted[0])


def not_withdrawn(source: Source, written: Written) -> Iterator[AttemptEvents]:
    """All attempts that have events, without those of runs that were withdrawn."""
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    for whole in source.attempts():
        if whole.head.role == SYSTEM and whole.head.user in withdrawn:
            written.leave_out("attempt", RUN_WITHDRAWN, whole.head.id)
        else:
            yield whole


def works(source: Source, written: Written) -> Iterator[Work]:
    """All attempts that have events; those that were never opened are accounted for."""
    leave_out_never_opened(source, written)
    for whole in not_withdrawn(source, written):
        attempt = counting(source, whole, written)
        written.saw(attempt.events)
        yield work_of(source, attempt)


def leave_out_never_opened(source: Source, written: Written) -> None:
    """Account for the attempts without events."""
    never = source.campaign.attempts - source.campaign.opened
    written.leave_out("attempt", "never_opened", n=never)


def submitted(source: Source, written: Written) -> Iterator[Work]:
    """The submitted attempts; the others are counted as left out."""
    for work in works(source, written):
        if work.state.status == "submitted":
            yield work
        else:
            written.leave_out("attempt", f"status_{work.state.status}", work.head.id)


def by_people(source: Source, written: Written) -> Iterator[Work]:
    """The attempts submitted by people; the others are counted as left out.

    Agents' answers appear beside people's work in the formats that compare the two. They are not
    judgements of pages or votes, and never become part of gold.
    """
    for work in submitted(source, written):
        if work.head.role == SYSTEM:
            written.leave_out("attempt", "of_a_system", work.head.id)
        else:
            yield work
