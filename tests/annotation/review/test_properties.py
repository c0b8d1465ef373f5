"""Where people differ, and what is accepted, equals a second computation of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.preannotations import seed_payloads
from pagetrail.annotation.attempts.recorder import AttemptContext
from pagetrail.annotation.comparison.differences import TaskDifference
from pagetrail.annotation.review import Submission, compare, sampled_for_check, status_of
from pagetrail.annotation.review.status import TaskWorkSummary
from pagetrail.annotation.tasks.task import given_pages
from tests.support import review_reference as reference
from tests.support.factory import AttemptDriver
from tests.support.memory_log import MemoryEventLog
from tests.support.random_reviews import (
    CheckedElement,
    PlainAttempt,
    PlainBox,
    Setup,
    attempts_at_one_task,
    events_of,
    protocol_of,
    record_of,
    setups,
)
from tests.support.randomness import examples


def submission_of(setup: Setup, attempt: PlainAttempt, name: str) -> Submission:
    """The attempt as it is submitted, event by event."""
    protocol, record = protocol_of(setup), record_of(setup)
    pages = given_pages(protocol.pages, record)
    context = AttemptContext(
        name,
        name,
        protocol,
        None,
        given=None if pages is None else tuple(pages),
        seeds=lambda: seed_payloads(protocol, record),
    )
    driver = AttemptDriver(MemoryEventLog(name), context)
    for payload in events_of(setup, attempt):
        outcome = driver.do(payload)
        assert not outcome.refusals, (payload, outcome.refusals)
    return Submission(Form(protocol, driver.state, pages), name, name)


def size(_document: str, _page: int) -> tuple[float, float]:
    return 612.0, 792.0


def differences(setup: Setup, submissions: list[Submission]) -> TaskDifference:
    return compare(submissions, protocol_of(setup).review, size)


@examples(250)
@given(setup=setups(), attempts=attempts_at_one_task())
def test_parts_scores_and_agreement_are_those_of_the_reference(
    setup: Setup, attempts: list[PlainAttempt]
) -> None:
    """Every part that is there, its score, whether it agrees, and on which pages it differs."""
    check(setup, attempts)


def check(setup: Setup, attempts: list[PlainAttempt]) -> None:
    """The same twice."""
    submitted = [attempt for attempt in attempts if not attempt.skipped]
    submissions = [submission_of(setup, attempt, f"a{n}") for n, attempt in enumerate(submitted)]
    difference_list = differences(setup, submissions)
    expected = reference.compare(setup, submitted)
    assert [part.part for part in difference_list.parts] == list(expected.parts)
    for part in difference_list.parts:
        other = expected.parts[part.part]
        assert part.score == pytest.approx(other.score, abs=1e-9), part
        assert part.agreed == other.agrees, part
        assert {page for _, page in part.places} == other.pages, part
    assert difference_list.score == pytest.approx(expected.score, abs=1e-9)
    assert difference_list.agreed == expected.agreed


RULE = {"people": 2, "answer": 1.0, "pages": 1.0, "boxes": 0.5, "steps": 0, "keep": 2}
VALUES: dict[str, object] = dict.fromkeys(
    ("kind", "why", "level", "tags", "count", "sure", "remark")
) | {"title": "?"}
PAGE_VALUES = {page: {"relevance": "2", "modality": None} for page in (1, 2, 3)}


@pytest.mark.parametrize(
    ("pages", "boxes", "field", "first", "second"),
    [
        # Boxes that two people drew under one id are two boxes.
        ("search", "drawn", "readable",
         {"drawn_boxes": (PlainBox(1, (0, 0, 1, 1), "Table", readable="y"),)},
         {"drawn_boxes": (PlainBox(1, (3, 3, 4, 4), "Table", readable="n"),)}),
        # What was said of a page does not count once the page is not cited any more.
        ("search", "off", "relevance", {"cited": frozenset({1})}, {"dropped": frozenset({1})}),
        # The same text of nothing but a sign is the same text.
        ("search", "off", "title", {}, {}),
        # The boxes of whoever ended the task do not count, nor what was said of them.
        ("search", "verified", "readable", {"checked": (CheckedElement(readable="y"),) * 3},
         {"poor": True}),
    ],
)  # fmt: skip
def test_cases_that_went_wrong(
    pages: str, boxes: str, field: str, first: dict[str, object], second: dict[str, object]
) -> None:
    """Found by the test above, each once."""
    fields = frozenset({field, "quality"})
    setup = Setup(pages, "list", True, boxes, fields, 2, RULE)
    plain = PlainAttempt(values=VALUES, pages=PAGE_VALUES)
    check(setup, [replace(plain, **first), replace(plain, **second)])  # type: ignore[arg-type]


@examples(60)
@given(setup=setups(), attempts=attempts_at_one_task(3))
def test_the_order_of_the_sides_makes_no_difference(
    setup: Setup, attempts: list[PlainAttempt]
) -> None:
    """Exactly the same numbers whoever comes first."""
    submissions = [
        submission_of(setup, attempt, f"a{n}")
        for n, attempt in enumerate(attempts)
        if not attempt.skipped
    ]
    difference_list = differences(setup, submissions)
    for other in permutations(submissions):
        assert differences(setup, list(other)) == difference_list


@examples(120)
@given(setup=setups(), attempts=attempts_at_one_task(), closed=st.booleans())
def test_the_status_is_that_of_the_reference(
    setup: Setup, attempts: list[PlainAttempt], closed: bool
) -> None:
    """Waiting, single, agreed or in conflict, as the rule is written down."""
    assigned = attempts[: setup.overlap]
    submitted = [attempt for attempt in assigned if not attempt.skipped]
    submissions = [submission_of(setup, attempt, f"a{n}") for n, attempt in enumerate(submitted)]
    summary = TaskWorkSummary(
        overlap=setup.overlap,
        n_expected=0 if closed else setup.overlap,
        n_finished=len(assigned),
        n_submitted=len(submitted),
        n_returned=0,
        n_skipped=len(assigned) - len(submitted),
        flagged=any(attempt.flagged for attempt in assigned),
        attempts=tuple(submission.attempt for submission in submissions),
        sources={},
    )
    rule = protocol_of(setup).review
    status = status_of(summary, differences(setup, submissions), rule, None, is_sampled=False)
    assert status == reference.status(setup, assigned, closed=closed)


@given(seed=st.integers(0, 2**31), key=st.text(max_size=20), shares=st.lists(st.floats(0, 1)))
def test_the_sample_is_the_same_at_every_call_and_grows_with_the_share(
    seed: int, key: str, shares: list[float]
) -> None:
    """A larger share samples whatever a smaller one did; nothing of none, everything of all."""
    is_sampled = [sampled_for_check(seed, key, share) for share in sorted([0.0, *shares, 1.0])]
    assert is_sampled == sorted(is_sampled)
    assert (is_sampled[0], is_sampled[-1]) == (False, True)
    for share in shares:
        assert sampled_for_check(seed, key, share) == reference.is_sampled_for_check(
            seed, key, share
        )


def test_about_the_share_is_sampled() -> None:
    """Of 2,000 keys about a tenth; within five standard deviations."""
    n_sampled = sum(sampled_for_check(7, f"t/{n}", 0.1) for n in range(2_000))
    assert abs(n_sampled - 200) < 5 * (2_000 * 0.1 * 0.9) ** 0.5
