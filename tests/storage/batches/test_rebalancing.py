"""Rebalancing a campaign's work: the plan, its moves in one transaction, and what refuses it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.reassignment import assign_batch, move_batch
from pagetrail.storage.batches.rebalancing import carry_out, plan_rebalance
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.administration import set_active
from tests.storage.batches.campaign_work import CAMPAIGN, hand_in, make_campaign, slot_of, states
from tests.storage.task_data import add_people


@pytest.fixture
def loaded(workspace: Workspace) -> Workspace:
    """Ada has all four batches: one half done, one submitted, two untouched. Bob is new."""
    make_campaign(workspace)
    add_people(workspace, ["Ada"])
    assign(workspace, CAMPAIGN)
    hand_in(workspace, slot_of(workspace, "Aquarius", "Ada").assignment_id, 1)
    hand_in(workspace, slot_of(workspace, "Orion", "Ada").assignment_id, 2)
    add_people(workspace, ["Bob"])
    return workspace


def test_the_plan_changes_nothing_and_is_carried_out_as_shown(loaded: Workspace) -> None:
    """Three batches left with Ada, none with Bob: one moves, and only an untouched one."""
    before = states(loaded)
    plan = plan_rebalance(loaded, CAMPAIGN)
    assert (plan.before, plan.after) == ({"Ada": 3, "Bob": 0}, {"Ada": 2, "Bob": 1})
    (step,) = plan.moves
    assert (step.giver, step.taker) == ("Ada", "Bob")
    assert states(loaded) == before
    carry_out(loaded, plan)
    assert states(loaded) == {
        *(before - {(step.batch, "Ada", "untouched")}),
        (step.batch, "Bob", "untouched"),
    }
    assert plan_rebalance(loaded, CAMPAIGN).moves == ()


def test_a_plan_is_carried_out_once(loaded: Workspace) -> None:
    """Two tabs that confirm the same plan: one moves, the other is told what changed."""
    plan = plan_rebalance(loaded, CAMPAIGN)
    start = threading.Barrier(2)

    def confirm(_: int) -> str:
        start.wait()
        try:
            carry_out(loaded, plan)
        except ConflictError as refused:
            return refused.message
        return ""

    with ThreadPoolExecutor(2) as pool:
        refused, success = sorted(pool.map(confirm, range(2)), reverse=True)
    (step,) = plan.moves
    assert success == ""
    assert f"{step.batch} was assigned to Bob; {step.batch} was withdrawn from Ada" in refused
    assert "Nothing was moved." in refused


CHANGES: list[tuple[str, Callable[[Workspace], object]]] = [
    (
        "Ada has started Lyra",
        lambda ws: hand_in(ws, slot_of(ws, "Lyra", "Ada").assignment_id, 1),
    ),
    (
        "Ada has submitted Phoenix",
        lambda ws: hand_in(ws, slot_of(ws, "Phoenix", "Ada").assignment_id, 2),
    ),
    ("Bob no longer takes batches", lambda ws: set_active(ws, None, "Bob", False)),
    (
        "Lyra was withdrawn from Ada",
        lambda ws: withdraw_batch(ws, slot_of(ws, "Lyra", "Ada").assignment_id),
    ),
    (
        "Aquarius was withdrawn from Ada",
        lambda ws: withdraw_batch(ws, slot_of(ws, "Aquarius", "Ada").assignment_id, started=True),
    ),
    (
        "Orion was assigned to Bob",
        lambda ws: assign_batch(ws, CAMPAIGN, "Orion", "Bob", extra=True),
    ),
    (
        "Lyra was assigned to Bob; Lyra was withdrawn from Ada",
        lambda ws: move_batch(ws, slot_of(ws, "Lyra", "Ada").assignment_id, "Bob"),
    ),
]


@pytest.mark.parametrize(("sentence", "change"), CHANGES, ids=[c[0] for c in CHANGES])
def test_a_stale_plan_is_refused_with_what_changed(
    loaded: Workspace, sentence: str, change: Callable[[Workspace], object]
) -> None:
    """Whatever changed since the look at it: nothing is moved, and the sentence says why."""
    plan = plan_rebalance(loaded, CAMPAIGN)
    change(loaded)
    before = states(loaded)
    with pytest.raises(ConflictError, match=f"Meanwhile {sentence}.* Nothing was moved."):
        carry_out(loaded, plan)
    assert states(loaded) == before


def test_what_does_not_touch_the_plan_does_not_refuse_it(loaded: Workspace) -> None:
    """Another skip in a batch started already, and somebody who joins, leave the plan as it is."""
    assignment = slot_of(loaded, "Aquarius", "Ada").assignment_id
    plan = plan_rebalance(loaded, CAMPAIGN)
    hand_in(loaded, assignment, 1)
    add_people(loaded, ["Zoe"])  # joined later: not part of the plan
    carry_out(loaded, plan)
    assert len(states(loaded)) == 4


def test_only_the_named_people_take_part(loaded: Workspace) -> None:
    """Cy is not named and gets nothing, though idle; a supervisor cannot be named."""
    add_people(loaded, ["Cy"])
    add_people(loaded, ["Sue"], role="supervisor")
    plan = plan_rebalance(loaded, CAMPAIGN, ["Ada", "bob"])
    assert plan.after == {"Ada": 2, "Bob": 1}
    assert plan_rebalance(loaded, CAMPAIGN).after == {"Ada": 1, "Bob": 1, "Cy": 1}
    with pytest.raises(ConflictError, match="Sue has the role supervisor"):
        plan_rebalance(loaded, CAMPAIGN, ["Ada", "Sue"])


def test_who_left_takes_no_part(loaded: Workspace) -> None:
    """Their untouched batches are for reassigning, since their places are free."""
    set_active(loaded, None, "Ada", False)
    assert plan_rebalance(loaded, CAMPAIGN).moves == ()
    set_active(loaded, None, "Ada", True)
    assert len(plan_rebalance(loaded, CAMPAIGN).moves) == 1


def test_a_chain_is_carried_out_in_one_go(workspace: Workspace) -> None:
    """With two people per batch, one may give and take at once; nobody has a batch twice."""
    make_campaign(workspace, batches=6, overlap=2)
    ids = add_people(workspace, ["Ada", "Bob"])
    for _ in range(6):
        for person in ids:
            claim_next_batch(workspace, CAMPAIGN, person)
    add_people(workspace, ["Cy", "Dee"])
    plan = plan_rebalance(workspace, CAMPAIGN)
    carry_out(workspace, plan)
    assert set(plan.after.values()) == {3}
    assert len(states(workspace)) == 12
    assert {name: sum(p[1] == name for p in states(workspace)) for name in plan.after} == plan.after


def test_a_pilot_is_for_everybody(workspace: Workspace) -> None:
    """There is nothing to rebalance in it."""
    make_campaign(workspace)
    protocol = preset("search").model_dump(mode="json")
    protocol["pilot"]["enabled"] = True
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(Campaign).values(protocol=protocol))
    with pytest.raises(ConflictError, match="is a pilot, which everybody takes"):
        plan_rebalance(workspace, CAMPAIGN)
