"""What agreement needs of the attempts at a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.agreement import (
    SystemZone,
    UnitZones,
    ZoneAgreement,
    system_zone,
    unit_zones,
)
from pagetrail.annotation.attempts.state import Status
from pagetrail.annotation.attempts.submission import Reopening, Submission
from pagetrail.annotation.comparison.answer_pairs import TaskAnswers, task_answers
from pagetrail.annotation.comparison.transcription_pairs import (
    TaskTranscriptions,
    task_transcriptions,
)
from pagetrail.annotation.ratings.tables import Ratings
from pagetrail.exports.reading.attempts import CountedAttempt
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reading.task_results import TaskComputation
from pagetrail.exports.writing.page_images import PageKey
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead


@dataclass(frozen=True)
class AttemptRatings:
    """An attempt as of the submission that counts.

    Attributes:
        later: what led to a later submission that differs.
        second: whether it is a further attempt of the same person, under another setting.
        ended: whether the task was ended early.
        ratings: as ``Ratings.add_read`` takes them; none where the attempt does not count.
    """

    status: Status
    later: Reopening | None
    second: bool = False
    ended: bool = False
    ratings: Sequence[Sequence[Any]] = ()

    @property
    def counts(self) -> bool:
        """Whether it is compared with others, unless it is a system's."""
        return self.status == "submitted" and not self.second


@dataclass(frozen=True)
class PageZones:
    """How people's boxes on a page overlap.

    Attributes:
        size: of the page in points; None where there is no such page.
        pairs: every two people.
        iou, dice, iou_both, dice_both: as of ``UnitZones``.
    """

    document: str
    page: int
    size: tuple[float, float] | None
    pairs: tuple[ZoneAgreement, ...] = ()
    iou: float | None = None
    dice: float | None = None
    iou_both: float | None = None
    dice_both: float | None = None

    @property
    def zones(self) -> UnitZones:
        """The overlaps with numbers instead of names."""
        pairs = {(str(n), ""): pair for n, pair in enumerate(self.pairs)}
        return UnitZones(pairs, self.iou, self.dice, self.iou_both, self.dice_both)


@dataclass(frozen=True)
class SystemPage:
    """How a system's boxes on a page agree with people's.

    Attributes:
        attempt: place of the system's attempt among the attempts.
    """

    attempt: int
    document: str
    page: int
    size: tuple[float, float]
    zone: SystemZone


@dataclass(frozen=True)
class TaskAgreement:
    """The attempts at a task, in the order of the campaign.

    Attributes:
        system_pages: pages that a system and people could mark; pages that do not exist are left
            out.
        pages: pages that several people could mark.
        answers: with places among the attempts in place of names; None of fewer than two people.
        transcriptions: likewise None, and where nothing is transcribed.
    """

    attempts: tuple[AttemptRatings, ...]
    pages: tuple[PageZones, ...] = ()
    answers: TaskAnswers | None = None
    system_pages: tuple[SystemPage, ...] = ()
    transcriptions: TaskTranscriptions | None = None


_RESULTS = TypeAdapter(TaskAgreement)
_BY_PART = TypeAdapter(tuple[TaskAgreement, ...])

PartOf = Callable[[AttemptHead], str]
"""The part of an attempt: only people of the same part are compared."""


def task_agreement(source: Source, dpi: float | None) -> TaskComputation[TaskAgreement]:
    """The agreement of a task's attempts, with positions instead of names.

    Args:
        dpi: round edges of boxes to pixels of that resolution; None for exact areas.
    """
    ratings = Ratings(source.campaign.protocol)

    def compute(attempts: Sequence[CountedAttempt]) -> TaskAgreement:
        return _task_agreement(source, ratings, attempts, dpi)

    def valid(result: TaskAgreement) -> bool:
        return _sizes_hold(source, result)

    return TaskComputation(f"agreement, dpi: {dpi}", _RESULTS, compute, is_valid=valid)


def agreement_by_part(
    source: Source, dpi: float | None, part_of: PartOf
) -> TaskComputation[tuple[TaskAgreement, ...]]:
    """The agreement within each part, as if the others had not worked on the task."""
    ratings = Ratings(source.campaign.protocol)

    def compute(attempts: Sequence[CountedAttempt]) -> tuple[TaskAgreement, ...]:
        parts = positions_by_part([attempt.whole.head for attempt in attempts], part_of).values()
        return tuple(
            _task_agreement(source, ratings, [attempts[position] for position in part], dpi)
            for part in parts
        )

    def dependency(heads: Sequence[AttemptHead]) -> object:
        return [part_of(head) for head in heads]

    def valid(results: tuple[TaskAgreement, ...]) -> bool:
        return all(_sizes_hold(source, result) for result in results)

    # A person's profile may change while a task's attempts do not.
    return TaskComputation(
        f"agreement by part, dpi: {dpi}", _BY_PART, compute, is_valid=valid, dependency=dependency
    )


def positions_by_part(heads: Sequence[AttemptHead], part_of: PartOf) -> dict[str, list[int]]:
    """Part → positions of its attempts, in order of first occurrence."""
    positions: dict[str, list[int]] = {}
    for position, head in enumerate(heads):
        positions.setdefault(part_of(head), []).append(position)
    return positions


def with_names(
    source: Source, heads: Sequence[AttemptHead], agreement: TaskAgreement
) -> TaskAgreement:
    """The agreement with the annotators' names in the report."""
    answers = agreement.answers
    if answers is None:
        return agreement
    names = {str(position): source.name(head.user) for position, head in enumerate(heads)}
    pairs = tuple(((names[a], names[b]), pair) for (a, b), pair in answers.pairs)
    return replace(agreement, answers=replace(answers, pairs=pairs))


def _task_agreement(
    source: Source, ratings: Ratings, attempts: Sequence[CountedAttempt], dpi: float | None
) -> TaskAgreement:
    names: set[str] = set()
    ratings_of_attempts: list[AttemptRatings] = []
    counting: list[Submission] = []
    systems: list[tuple[int, Submission]] = []
    for position, attempt in enumerate(attempts):
        attempt_work = attempt.submission
        status, second, ended = attempt_work.state.status, False, False
        read: Sequence[Sequence[Any]] = ()
        if status == "submitted" and attempt_work.head.role == SYSTEM:
            systems.append((position, Submission(attempt_work.form)))
        if status == "submitted" and attempt_work.head.role != SYSTEM:
            second = attempt_work.head.user in names
            names.add(attempt_work.head.user)
            if not second:
                submission = Submission(attempt_work.form, attempt_work.head.id, str(position))
                counting.append(submission)
                ended, read = attempt_work.form.ended, ratings.read(submission)
        ratings_of_attempts.append(AttemptRatings(status, attempt.later, second, ended, read))
    going_on = [submission for submission in counting if not submission.form.ended]
    if source.campaign.protocol.question.kind == "editable":
        return TaskAgreement(tuple(ratings_of_attempts))
    system_pages = tuple(
        page
        for position, system in systems
        for page in _system_pages(source, position, system, going_on, dpi)
    )
    if len(going_on) < 2:
        return TaskAgreement(tuple(ratings_of_attempts), system_pages=system_pages)
    return TaskAgreement(
        tuple(ratings_of_attempts),
        tuple(
            _page_zones(source, page_position, going_on, dpi)
            for page_position in _pages_to_compare(going_on)
        ),
        task_answers(attempts[0].whole.head.task, going_on),
        system_pages,
        task_transcriptions(attempts[0].whole.head.task, going_on),
    )


def _system_pages(
    source: Source,
    position: int,
    system: Submission,
    people: Sequence[Submission],
    dpi: float | None,
) -> Iterator[SystemPage]:
    """The pages on which a system is compared with people; none where nobody has boxes to draw."""
    if not people or not source.campaign.protocol.boxes.enabled:
        return
    # Not only those on pages that may have boxes: an imported run has graded no page.
    boxes = [box for box in system.form.state.boxes.boxes if not box.deleted]
    drawn = {(box.document, box.page) for box in boxes}
    for page_position in sorted({*_pages_to_compare([system, *people]), *drawn}):
        size = _size(source, *page_position)
        if size is None:
            continue
        zone = system_zone(
            [box.rect for box in boxes if (box.document, box.page) == page_position],
            {
                person.name: [box.rect for box in person.boxes_on(page_position)]
                for person in people
            },
            size,
            dpi=dpi,
        )
        yield SystemPage(position, *page_position, size, zone)


def _page_zones(
    source: Source, page_position: PageKey, drawers: Sequence[Submission], dpi: float | None
) -> PageZones:
    size = _size(source, *page_position)
    if size is None:
        return PageZones(*page_position, None)
    boxes = {
        drawer.name: [box.rect for box in drawer.boxes_on(page_position)] for drawer in drawers
    }
    zones = unit_zones(boxes, size, dpi=dpi)
    pairs = tuple(zones.pairs.values())
    return PageZones(
        *page_position, size, pairs, zones.iou, zones.dice, zones.iou_both, zones.dice_both
    )


def _sizes_hold(source: Source, result: TaskAgreement) -> bool:
    sizes = [(page.size, page.document, page.page) for page in result.pages]
    sizes += [(page.size, page.document, page.page) for page in result.system_pages]
    return all(size == _size(source, document, page) for size, document, page in sizes)


def _size(source: Source, document: str, page: int) -> tuple[float, float] | None:
    size = source.pages.size(document, page)
    return None if size is None else (size.width, size.height)


def _pages_to_compare(drawers: Sequence[Submission]) -> list[PageKey]:
    """The pages that all of them could mark: given pages, and pages that somebody marked."""
    given_pages = [page_position for drawer in drawers for page_position in drawer.form.given or ()]
    drawn_pages = [(box.document, box.page) for drawer in drawers for box in drawer.boxes]
    return sorted({*given_pages, *drawn_pages})
