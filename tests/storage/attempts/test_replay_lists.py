"""The lists of attempts to replay, and where their pages are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import NotFoundError
from pagetrail.storage.attempts.replay_lists import (
    AttemptFilter,
    AttemptPage,
    choices,
    find,
    related_attempts,
    stored_pages,
)
from pagetrail.storage.attempts.system_attempts import ensure_gold_attempt
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import driver, make_workspace, record_attempts, start_clock


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """Five attempts that were worked on, two of a third task's and more that were not."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    yield workspace
    workspace.engine.dispose()


def ids(page: AttemptPage) -> list[str]:
    """The attempts of a list, in its order."""
    return [row.attempt_id for row in page.rows]


def test_only_begun_attempts_are_listed_the_latest_first(workspace: Workspace) -> None:
    """Each of those with events once, ordered by their last event's time."""
    page = find(workspace.engine, AttemptFilter())
    assert sorted(ids(page)) == ["1-Ada", "1-Grace", "2-Ada", "2-Grace", "3-Ada"]
    assert ids(page)[0] == "1-Ada"
    times = [row.updated_at for row in page.rows]
    assert times == sorted(times, reverse=True)
    assert page.total == 5


def test_pages_of_the_list_meet_without_a_gap(workspace: Workspace) -> None:
    """Two at a time give what all at once give, and each page knows how long the list is."""
    parts = [find(workspace.engine, AttemptFilter(), limit=2, offset=n) for n in (0, 2, 4)]
    assert [id_ for part in parts for id_ in ids(part)] == ids(
        find(workspace.engine, AttemptFilter())
    )
    assert {part.total for part in parts} == {5}


@pytest.mark.parametrize(
    ("attempt_filter", "expected"),
    [
        (AttemptFilter(user="Grace"), {"1-Grace", "2-Grace"}),
        (AttemptFilter(batch="Orion"), set()),
        (AttemptFilter(batch="Aquarius", user="Ada"), {"1-Ada", "2-Ada", "3-Ada"}),
        (AttemptFilter(campaign="Badgers"), set()),
        (AttemptFilter(state="answered"), {"1-Ada", "2-Ada"}),
        (AttemptFilter(state="not_found"), {"1-Grace"}),
        (AttemptFilter(state="skipped"), {"2-Grace"}),
        (AttemptFilter(state="open"), {"3-Ada"}),
        (AttemptFilter(flagged=True), {"2-Ada"}),
        (AttemptFilter(text=" OTTERS were "), {"1-Ada", "1-Grace"}),
        (AttemptFilter(text="100%_"), set()),
    ],
)
def test_filters_keep_what_they_say(
    workspace: Workspace, attempt_filter: AttemptFilter, expected: set[str]
) -> None:
    """Each filter by itself and two together; signs of patterns are taken as they are."""
    page = find(workspace.engine, attempt_filter)
    assert set(ids(page)) == expected
    assert page.total == len(expected)


def test_a_row_says_what_the_list_shows(workspace: Workspace) -> None:
    """From columns alone: question, state, counts, flag."""
    row = next(r for r in find(workspace.engine, AttemptFilter()).rows if r.attempt_id == "2-Ada")
    assert (row.campaign, row.code_name, row.user_name) == ("Otters", "Aquarius", "Ada")
    assert (row.state, row.flagged, row.system) == ("answered", True, False)
    assert (row.n_searches, row.n_citations) == (0, 2)
    assert row.question.startswith("Où vivent-ils")


def test_others_of_the_same_task_come_first(workspace: Workspace) -> None:
    """Systems are marked as such; the attempt itself is not offered."""
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(User).where(User.name == "Grace").values(role="system"))
    rows = related_attempts(workspace.engine, "1-Ada")
    assert (rows[0].attempt_id, rows[0].same_task, rows[0].system) == ("1-Grace", True, True)
    assert {row.attempt_id for row in rows if not row.same_task} == {"2-Ada", "2-Grace", "3-Ada"}
    assert len(related_attempts(workspace.engine, "1-Ada", limit=1)) == 1
    with pytest.raises(NotFoundError):
        related_attempts(workspace.engine, "nobody's")


def test_gold_streams_are_in_no_list(workspace: Workspace) -> None:
    """What supervisors do in a task's gold stream is no attempt of anybody."""
    with write_transaction(workspace.engine) as connection:
        gold = ensure_gold_attempt(connection, 1, start_clock())
    stream = driver(workspace, "1-Ada")
    stream.context = stream.context.__class__(gold, "sven", stream.context.protocol)
    stream.do(ev.Opened(session="tab"))
    assert gold not in ids(find(workspace.engine, AttemptFilter()))
    assert gold not in [row.attempt_id for row in related_attempts(workspace.engine, "1-Ada")]
    assert "sven" not in choices(workspace.engine).users
    assert "1-Ada" in [row.attempt_id for row in related_attempts(workspace.engine, gold)]


def test_choices_are_those_with_work_in_them(workspace: Workspace) -> None:
    """A batch nobody has opened is no choice; another campaign's people are none either."""
    assert choices(workspace.engine) == choices(workspace.engine, "Otters")
    assert choices(workspace.engine).campaigns == ["Otters"]
    assert choices(workspace.engine).batches == ["Aquarius"]
    assert choices(workspace.engine).users == ["Ada", "Grace"]
    assert choices(workspace.engine, "Badgers").users == []


def test_places_of_pages_that_are_there(workspace: Workspace) -> None:
    """Hash and size; a page or document that does not exist has no place."""
    page_keys = [
        ("b.pdf", 1),
        ("b.pdf", 4),
        ("absent.pdf", 1),
        ("annual report.pdf", 12),
        ("b.pdf", 1),
    ]
    images = stored_pages(workspace.engine, page_keys)
    assert set(images) == {("b.pdf", 1), ("annual report.pdf", 12)}
    assert (images[("b.pdf", 1)].width, images[("b.pdf", 1)].height) == (612.0, 792.0)
    assert len(images[("b.pdf", 1)].sha256) == 64


def test_places_of_very_many_pages(workspace: Workspace) -> None:
    """More than one statement can name."""
    page_keys = [("annual report.pdf", page) for page in range(1, 2_000)]
    assert len(stored_pages(workspace.engine, page_keys)) == 12
