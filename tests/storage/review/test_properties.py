"""The queue and automatic acceptance equal a second computation, through the database."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.review.status import NEEDS_REVIEWER
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.facets import facets, status_counts
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import neighbours, queue
from tests.support import review_reference as reference
from tests.support.random_reviews import (
    PlainAttempt,
    Setup,
    attempts_at_one_task,
    events_of,
    protocol_of,
    record_of,
    setups,
)
from tests.support.randomness import examples
from tests.support.review_campaign import CAMPAIGN, NAMES, SEED, campaign

ALL = ("waiting", "returned", "conflict", "single", "alone", "agreed", "check", "accepted",
       "decided", "changed")  # fmt: skip


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty workspace."""
    return Workspace.create(tmp_path_factory.mktemp("empty") / "ws").root


@examples(40)
@given(setup=setups(), tasks=st.lists(attempts_at_one_task(), min_size=1, max_size=4))
def test_queue_and_acceptance_are_those_of_the_reference(
    empty: Path, setup: Setup, tasks: list[list[PlainAttempt]]
) -> None:
    """Real events, then everything settled: statuses, order, filters, and the gold's pages."""
    tasks = [submissions[: setup.overlap] for submissions in tasks]
    records = [record_of(setup, number) for number in range(1, len(tasks) + 1)]
    with tempfile.TemporaryDirectory() as folder:
        reviewed = campaign(
            Path(folder) / "ws", protocol_of(setup), records, people=setup.overlap, empty=empty
        )
        engine = reviewed.workspace.engine
        for number, submissions in enumerate(tasks, start=1):
            for name, submission in zip(NAMES, submissions, strict=False):
                reviewed.do(f"{number}-{name}", *events_of(setup, submission))
        accepted = reviewed.reviews.acceptance.settle(CAMPAIGN)
        assert reviewed.reviews.acceptance.settle(CAMPAIGN) == 0

        expected = {}
        for number, submissions in enumerate(tasks, start=1):
            status = reference.status(setup, submissions, gold=True)
            is_sampled = reference.is_sampled_for_check(
                SEED, f"t/{number}", setup.rule["check_share"]
            )
            status = "check" if status == "accepted" and is_sampled else status
            comparison = reference.compare(
                setup, [submission for submission in submissions if not submission.skipped]
            )
            flagged = any(submission.flagged for submission in submissions)
            expected[number] = (status, comparison, flagged)
        assert accepted == sum(s in ("accepted", "check") for s, _, _ in expected.values())

        full_queue = queue(engine, [CAMPAIGN], Filters(statuses=ALL), reviewed.clock.now())
        assert {row.task_id: row.status for row in full_queue.rows} == {
            number: status for number, (status, _, _) in expected.items()
        }
        for row in full_queue.rows:
            _, comparison, flagged = expected[row.task_id]
            assert row.score == pytest.approx(comparison.score, abs=1e-9)
            assert row.flagged == flagged
            assert {part.part for part in row.parts} == {
                name for name, part in comparison.parts.items() if part.score > 0
            }
        order = sorted(
            expected, key=lambda n: (-round(expected[n][1].score, 9), not expected[n][2], n)
        )
        assert [row.task_id for row in full_queue.rows] == order

        needed = [n for n in order if expected[n][0] in NEEDS_REVIEWER]
        rows = queue(engine, [CAMPAIGN], Filters(), reviewed.clock.now()).rows
        assert [row.task_id for row in rows] == needed
        for index, number in enumerate(needed):
            adjacent = neighbours(engine, number)
            assert (adjacent.position, adjacent.total) == (index + 1, len(needed))
            assert adjacent.previous == (needed[index - 1] if index else None)
            assert adjacent.next == next(iter(needed[index + 1 :]), None)
        part_facets = facets(engine, [CAMPAIGN], ALL).parts
        for name, (_, count) in part_facets.items():
            found_rows = queue(
                engine, [CAMPAIGN], replace(Filters(statuses=ALL), part=name), reviewed.clock.now()
            )
            assert found_rows.total == count
        counts = status_counts(engine, [CAMPAIGN])
        assert counts == {s: n for s in ALL if (n := [w[0] for w in expected.values()].count(s))}

        for number, (status, _, _) in expected.items():
            if status in ("accepted", "check") and setup.evidence:
                gold = reviewed.reviews.streams.task_work(number).gold
                assert gold is not None
                pages = {c.page for c in gold.state.citations}
                assert pages == reference.retained(
                    setup, reference.agreeing(setup, tasks[number - 1])
                )
