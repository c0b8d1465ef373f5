"""One batch in somebody's hands: giving, withdrawing, moving, priority; work is never lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select, update

from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.board import board
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import assignments, claimable_campaigns
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.batches.reassignment import (
    assign_batch,
    find_assignment,
    move_batch,
    set_priority,
)
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, EventRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.administration import set_active
from tests.storage.batches.campaign_work import CAMPAIGN, hand_in, make_campaign, slot_of, states
from tests.storage.task_data import add_people


@pytest.fixture
def ids(workspace: Workspace) -> list[int]:
    """Four batches (Aquarius, Orion, Phoenix, Lyra) for one person each; Ada, Bob and Cy."""
    make_campaign(workspace)
    return add_people(workspace, ["Ada", "Bob", "Cy"])


def events(workspace: Workspace) -> int:
    """How many events are stored."""
    with workspace.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(EventRow)).scalar_one())


def test_a_batch_is_given_once(workspace: Workspace, ids: list[int]) -> None:
    """The named person has it; again, or to a second person, is refused with the way out."""
    assigned = assign_batch(workspace, CAMPAIGN, "orion", "ada")
    assert (assigned.batch, assigned.annotator, assigned.reopened) == ("Orion", "Ada", False)
    assert states(workspace) == {("Orion", "Ada", "untouched")}
    with pytest.raises(ConflictError, match="Ada already has batch Orion"):
        assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    with pytest.raises(ConflictError, match="Orion is for 1 person and has Ada"):
        assign_batch(workspace, CAMPAIGN, "Orion", "Bob")
    assign_batch(workspace, CAMPAIGN, "Orion", "Bob", extra=True)
    assert states(workspace) == {("Orion", "Ada", "untouched"), ("Orion", "Bob", "untouched")}


def test_giving_needs_a_batch_and_somebody_who_may(workspace: Workspace, ids: list[int]) -> None:
    """Unknown names are answered with known ones; who left or supervises gets nothing."""
    add_people(workspace, ["Sue"], role="supervisor")
    set_active(workspace, None, "Cy", False)
    with pytest.raises(NotFoundError, match=r"no batch 'Crux'\. Batches: Aquarius, Orion"):
        assign_batch(workspace, CAMPAIGN, "Crux", "Ada")
    with pytest.raises(NotFoundError, match="no user 'Zoe'"):
        assign_batch(workspace, CAMPAIGN, "Orion", "Zoe")
    for name in ("Sue", "Cy"):
        with pytest.raises(ConflictError, match=name):
            assign_batch(workspace, CAMPAIGN, "Orion", name)
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Campaign).values(status="closed"))
    with pytest.raises(ConflictError, match="is closed"):
        assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    assert states(workspace) == set()


def test_begun_work_stays_when_its_batch_is_taken_back(
    workspace: Workspace, ids: list[int]
) -> None:
    """Events and submissions stay; My batches is empty, the slot is free and can be taken."""
    ada, bob, _ = ids
    assigned = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    hand_in(workspace, assigned.assignment_id, 1)
    with pytest.raises(ConflictError, match="withdrawn as a started batch"):
        withdraw_batch(workspace, assigned.assignment_id)
    before = events(workspace)
    withdrawn = withdraw_batch(workspace, assigned.assignment_id, started=True)
    assert (withdrawn.batch, withdrawn.annotator, withdrawn.events) == ("Orion", "Ada", before)
    assert events(workspace) == before > 0
    assert assignments(workspace.engine, ada) == []
    assert slot_of(workspace, "Orion", "Ada").state == "taken_back"
    (summary,) = list_campaigns(workspace)
    assert (summary.assignments, summary.open_places) == (0, 4)
    assert (summary.expected, summary.skipped) == (1, 1)
    set_priority(workspace, CAMPAIGN, "Orion", 5)
    assert claim_next_batch(workspace, CAMPAIGN, bob) is not None
    assert ("Orion", "Bob", "untouched") in states(workspace)
    with pytest.raises(ConflictError, match="has already been withdrawn from Ada"):
        withdraw_batch(workspace, assigned.assignment_id, started=True)


def test_what_was_taken_back_does_not_come_by_itself_again(
    workspace: Workspace, ids: list[int]
) -> None:
    """Neither claiming nor assigning gives it to the same person; opening it is refused."""
    ada = ids[0]
    assigned = assign_batch(workspace, CAMPAIGN, "Aquarius", "Ada")
    hand_in(workspace, assigned.assignment_id, 1)
    withdraw_batch(workspace, assigned.assignment_id, started=True)
    assert claimable_campaigns(workspace.engine, ada) == {CAMPAIGN: 3}
    report = assign(workspace, CAMPAIGN, ["Ada"])
    assert [batch for batch, _ in report.created] == ["Orion", "Phoenix", "Lyra"]
    assert (report.shortfall, report.loads) == ({"Aquarius": 1}, {"Ada": 3})
    assert claim_next_batch(workspace, CAMPAIGN, ada) is None
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    with pytest.raises(ConflictError, match="A supervisor withdrew this batch"):
        ensure_attempts(workspace.engine, assigned.assignment_id, SystemClock())
    with pytest.raises(ConflictError, match="A supervisor withdrew this batch"):
        close_assignment(workspace.engine, recorder, assigned.assignment_id)


def test_given_back_it_goes_on_where_it_was(workspace: Workspace, ids: list[int]) -> None:
    """The same assignment with the same attempts; nothing is made twice."""
    assigned = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    hand_in(workspace, assigned.assignment_id, 1)
    attempts = queries.batch_tasks(workspace.engine, assigned.assignment_id)
    withdraw_batch(workspace, assigned.assignment_id, started=True)
    reopened = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    assert (reopened.assignment_id, reopened.reopened) == (assigned.assignment_id, True)
    assert queries.batch_tasks(workspace.engine, reopened.assignment_id) == attempts
    assert states(workspace) == {("Orion", "Ada", "begun")}


def test_handed_in_work_cannot_be_taken_back(workspace: Workspace, ids: list[int]) -> None:
    """All tasks submitted: there is nothing to take, closed or not."""
    assigned = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    hand_in(workspace, assigned.assignment_id, 2)
    with pytest.raises(ConflictError, match="Ada has submitted all of batch Orion"):
        withdraw_batch(workspace, assigned.assignment_id, started=True)
    assert states(workspace) == {("Orion", "Ada", "done")}


def test_a_batch_moves_or_stays(workspace: Workspace, ids: list[int]) -> None:
    """Moved untouched, nothing is left of it; where the other may not, everything is as before."""
    assigned = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    ensure_attempts(workspace.engine, assigned.assignment_id, SystemClock())
    moved = move_batch(workspace, assigned.assignment_id, "bob")
    assert states(workspace) == {("Orion", "Bob", "untouched")}
    set_active(workspace, None, "Cy", False)
    with pytest.raises(ConflictError, match="Cy is inactive"):
        move_batch(workspace, moved.assignment_id, "Cy")
    with pytest.raises(ConflictError, match=r"Bob has batch Orion\. Name somebody else"):
        move_batch(workspace, moved.assignment_id, "Bob")
    assert states(workspace) == {("Orion", "Bob", "untouched")}
    with pytest.raises(NotFoundError, match="no assignment"):
        move_batch(workspace, 999, "Ada")


def test_a_begun_batch_moves_and_its_work_stays(workspace: Workspace, ids: list[int]) -> None:
    """The one keeps what was done; the other begins at the first task."""
    assigned = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    hand_in(workspace, assigned.assignment_id, 1)
    with pytest.raises(ConflictError, match="worked on batch Orion"):
        move_batch(workspace, assigned.assignment_id, "Bob")
    assert states(workspace) == {("Orion", "Ada", "begun")}
    move_batch(workspace, assigned.assignment_id, "Bob", started=True)
    assert states(workspace) == {("Orion", "Ada", "taken_back"), ("Orion", "Bob", "untouched")}
    assert find_assignment(workspace, CAMPAIGN, "orion", "ADA") == assigned.assignment_id


def test_priority_goes_before_position(workspace: Workspace, ids: list[int]) -> None:
    """Claims, My batches and the board go by priority; within one, by position."""
    ada = ids[0]
    assert set_priority(workspace, CAMPAIGN, "Phoenix", 10) == 0
    assert set_priority(workspace, CAMPAIGN, "Aquarius", -1) == 0
    assert set_priority(workspace, CAMPAIGN, "Aquarius", -2) == -1
    order = ["Phoenix", "Orion", "Lyra", "Aquarius"]
    for expected in order:
        claimed = claim_next_batch(workspace, CAMPAIGN, ada)
        assert slot_of(workspace, expected, "Ada").assignment_id == claimed
    assert [row.code_name for row in assignments(workspace.engine, ada)] == order
    assert [row.code_name for row in board(workspace, CAMPAIGN).batches] == order


@pytest.mark.parametrize("priority", [-1001, 1001])
def test_priorities_have_bounds(workspace: Workspace, ids: list[int], priority: int) -> None:
    """Beyond them nothing is stored and the sentence names both bounds."""
    with pytest.raises(PagetrailError, match=f"between -1000 and 1000, not {priority}"):
        set_priority(workspace, CAMPAIGN, "Orion", priority)
    assert {row.priority for row in board(workspace, CAMPAIGN).batches} == {0}


def test_the_board_counts_free_places(workspace: Workspace, ids: list[int]) -> None:
    """Somebody who left with tasks undone holds none; submitted work holds one for good."""
    first = assign_batch(workspace, CAMPAIGN, "Orion", "Ada")
    second = assign_batch(workspace, CAMPAIGN, "Lyra", "Ada")
    hand_in(workspace, first.assignment_id, 1)
    hand_in(workspace, second.assignment_id, 2)
    set_active(workspace, None, "Ada", False)
    free = {row.code_name: row.free for row in board(workspace, CAMPAIGN).batches}
    assert free == {"Aquarius": 1, "Orion": 1, "Phoenix": 1, "Lyra": 0}


def test_two_who_give_at_the_same_moment_give_once(workspace: Workspace, ids: list[int]) -> None:
    """Ten clicks at once on one place: one is carried out, nine are told."""
    start = threading.Barrier(10)

    def click(number: int) -> bool:
        start.wait()
        try:
            assign_batch(workspace, CAMPAIGN, "Orion", ("Ada", "Bob")[number % 2])
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(10) as pool:
        assert sum(pool.map(click, range(10))) == 1
    assert len(states(workspace)) == 1
