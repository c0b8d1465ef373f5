"""Administration of batches from the entry point: what is stored and noted after each act."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment, record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.board import Slot, board
from pagetrail.storage.batches.reassignment import assign_batch
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.people.administration import set_active
from pagetrail.storage.people.profiles import set_profile
from tests.app.admin.admin_screen import (
    audit_rows,
    click,
    part,
    screen_messages,
    screen_text,
    table,
)
from tests.app.screens import as_person
from tests.storage.task_data import add_people, task, write_jsonl

BATCHES = "Batches"


@pytest.fixture
def otters(services: Services, tmp_path: Path) -> str:
    """A campaign of three batches of two tasks for one person each, nobody there yet."""
    rows = [task(n, evidence=[{"document": "report.pdf", "page": n % 3 + 1}]) for n in range(6)]
    file = write_jsonl(tmp_path / "six.jsonl", rows)
    import_tasks(
        services.workspace, file, campaign="Six", batch_size=2, overlap=1, seed=1, assign=False
    )
    return "Six"


def slots(services: Services, campaign: str) -> dict[tuple[str, str], Slot]:
    """Every place by (batch, annotator)."""
    return {(p.batch, p.annotator): p for p in board(services.workspace, campaign).slots}


def states(services: Services, campaign: str) -> set[tuple[str, str, str]]:
    """(batch, annotator, state) of every place."""
    return {(*pair, slot.state) for pair, slot in slots(services, campaign).items()}


def person(services: Services, name: str) -> Person:
    """The account of that name."""
    return find_person(services.workspace, name)


def skip_first(services: Services, name: str, assignment: int) -> None:
    """What somebody does who opens a batch and skips its first task."""
    attempt = open_assignment(services, person(services, name), assignment)
    context = queries.attempt(services.workspace.engine, attempt).context()
    services.recorder.record(context, [Command("s1", ev.Skipped(reason="unreadable"))])


def test_batches_are_assigned_once(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """After confirming: the report names who got how many; again: nothing more is given."""
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    assert "3 slots free" in screen_text(at)
    at = click(at, "assign")
    assert states(services, otters) == set()
    assert "3 free slots go to all active annotators" in screen_text(at)
    at = click(at, "assign-do")
    assert len(states(services, otters)) == 3
    assert any(message.startswith("3 batches assigned: alma") for message in screen_messages(at))
    at = click(click(at, "assign"), "assign-do")
    assert len(states(services, otters)) == 3
    assert (
        "Nothing was assigned: nobody can take a batch that still has a free slot."
        in screen_messages(at)
    )
    assert [(actor, action) for actor, action, _ in audit_rows(services)] == [
        ("sven", "batches_assigned")
    ]


def test_only_chosen_people_are_given_batches(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The one who is chosen takes what is free; nobody else gets any."""
    add_people(services.workspace, ["carla"])
    assign_batch(services.workspace, otters, "Aquarius", "carla")
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(at, "assign")
    at = at.multiselect(key="assign-to").set_value(["carla"]).run()
    assert "2 free slots go to carla." in screen_text(at)
    at = click(at, "assign-do")
    assert {name for _, name, _ in states(services, otters)} == {"carla"}
    assert "2 batches assigned: carla 2." in screen_messages(at)


def test_people_are_chosen_by_language_with_a_limit(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The dialog offers the tags that annotators have; who matches gets as many tasks as said."""
    set_profile(services.workspace, None, "bruno", languages=["de"])
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(at, "assign")
    at = at.multiselect(key="assign-languages").set_value(["de"]).run()
    at = at.number_input(key="assign-most").set_value(4).run()
    assert "3 free slots go to bruno." in screen_text(at)
    at = click(at, "assign-do")
    assert "2 batches assigned: bruno 2." in screen_messages(at)
    assert {name for _, name, _ in states(services, otters)} == {"bruno"}


def test_people_without_a_batch_are_listed_with_the_reason(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With both people on every batch nothing is given; one who left leaves a place to fill."""
    set_active(services.workspace, None, "bruno", False)
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value("Otters").run()
    at = click(click(at, "assign"), "assign-do")
    assert (
        "Nothing was assigned: nobody can take a batch that still has a free slot."
        in screen_messages(at)
    )
    missing = "Still needed: 1 more person for Aquarius. Add annotators, then assign again."
    assert missing in screen_messages(at)


def test_cancelling_a_confirmation_does_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The dialog is gone and nothing is stored or noted."""
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(click(at, "assign"), "assign-cancel")
    assert "assign-do" not in [button.key for button in at.button]
    assert states(services, otters) == set()
    assert audit_rows(services) == []


def test_one_batch_is_given_and_taken_back(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """Untouched, it is gone without a trace but the notes."""
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = at.selectbox(key="board-batch").set_value("Orion").run()
    at = at.selectbox(key="give-to").set_value("bruno").run()
    at = click(at, "give")
    assert "bruno has batch Orion." in screen_messages(at)
    (slot,) = slots(services, otters).values()
    at = click(at, f"take-back-{slot.assignment_id}")
    assert "No work has been done on it." in screen_text(at)
    at = click(at, "take-back-do")
    assert slots(services, otters) == {}
    assert audit_rows(services) == [
        ("sven", "batch_given", "Six: Orion to bruno"),
        ("sven", "batch_taken_back", "Six: Orion from bruno"),
    ]


def test_started_work_is_named_kept_and_returned(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The dialog says what was started; afterwards My batches is empty, then full again."""
    assignment = assign_batch(services.workspace, otters, "Orion", "alma")
    skip_first(services, "alma", assignment.assignment_id)
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = at.selectbox(key="board-batch").set_value("Orion").run()
    at = click(at, f"take-back-{assignment.assignment_id}")
    assert "alma has started 1 of 2 tasks, submitted 0 and skipped 1." in screen_text(at)
    at = click(at, "take-back-do")
    assert states(services, otters) == {("Orion", "alma", "taken_back")}
    at = click(at, f"give-back-{assignment.assignment_id}")
    assert "alma has batch Orion again and continues where they stopped." in screen_messages(at)
    assert states(services, otters) == {("Orion", "alma", "begun")}
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions == ["batch_taken_back", "batch_given_back"]


def test_work_started_meanwhile_stops_the_withdrawal(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The dialog said "untouched"; the annotator began before the click: refused with why."""
    assignment = assign_batch(services.workspace, otters, "Orion", "alma")
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = at.selectbox(key="board-batch").set_value("Orion").run()
    at = click(at, f"take-back-{assignment.assignment_id}")
    button = at.button(key="take-back-do")
    skip_first(services, "alma", assignment.assignment_id)
    at = button.click().run()
    assert any(
        "alma has already worked on batch Orion" in message for message in screen_messages(at)
    )
    assert states(services, otters) == {("Orion", "alma", "begun")}
    assert audit_rows(services) == []


def test_a_batch_moves_to_another_person(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """Named before and after; the other one has it."""
    assignment = assign_batch(services.workspace, otters, "Aquarius", "alma")
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(at, f"move-{assignment.assignment_id}")
    at = at.selectbox(key=f"move-to-{assignment.assignment_id}").set_value("bruno").run()
    assert "Batch Aquarius goes from alma to bruno" in screen_text(at)
    at = click(at, "move-do")
    assert states(services, otters) == {("Aquarius", "bruno", "untouched")}
    assert audit_rows(services) == [("sven", "batch_moved", "Six: Aquarius from alma to bruno")]


def test_two_tabs_act_once(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """Both have the dialog open; the second click is told that there is nothing any more."""
    assignment = assign_batch(services.workspace, otters, "Aquarius", "alma")
    tabs = []
    for _ in range(2):
        at = part(services, monkeypatch, BATCHES)
        at = at.selectbox(key="campaign").set_value(otters).run()
        tabs.append(click(at, f"take-back-{assignment.assignment_id}"))
    first, second = (tab.button(key="take-back-do").click().run() for tab in tabs)
    assert "Batch Aquarius was withdrawn from alma." in screen_messages(first)
    assert f"There is no assignment {assignment.assignment_id}." in screen_messages(second)
    assert len(audit_rows(services)) == 1


def test_the_work_is_rebalanced_as_shown(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The moves and loads are shown before anything moves; then they are made."""
    for batch in ("Aquarius", "Orion", "Phoenix"):
        assign_batch(services.workspace, otters, batch, "alma")
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(at, "even")
    assert {"Batch": "Aquarius", "From": "alma", "To": "bruno"} in table(at, 1)
    assert {"Annotator": "alma", "Now": 3, "Then": 2} in table(at, 2)
    assert {name for _, name, _ in states(services, otters)} == {"alma"}
    at = click(at, "even-do")
    assert "1 batch moved." in screen_messages(at)
    assert ("Aquarius", "bruno", "untouched") in states(services, otters)
    at = click(at, "even")
    assert "The work is already balanced. Nothing has to move." in screen_messages(at)
    assert audit_rows(services) == [
        ("sven", "batches_rebalanced", "Six: Aquarius from alma to bruno")
    ]


def test_a_stale_plan_moves_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """A batch was withdrawn while the plan was looked at: refused with what changed."""
    assignments = [
        assign_batch(services.workspace, otters, b, "alma") for b in ("Aquarius", "Orion")
    ]
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = click(at, "even")
    withdraw_batch(services.workspace, assignments[1].assignment_id)
    at = click(at, "even-do")
    assert any(
        "Orion was withdrawn from alma. Nothing was moved" in text for text in screen_messages(at)
    )
    assert states(services, otters) == {("Aquarius", "alma", "untouched")}


def test_a_priority_is_set_and_orders_the_table(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """The raised batch is first; the same value again is no act."""
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    at = at.selectbox(key="board-batch").set_value("Phoenix").run()
    at = at.number_input(key="priority-Six-Phoenix-0").set_value(40).run()
    at = click(at, "set-priority")
    assert [row["Batch"] for row in table(at)] == ["Phoenix", "Aquarius", "Orion"]
    at = click(at, "set-priority")
    assert audit_rows(services) == [("sven", "batch_priority", "Six: Phoenix from 0 to 40")]


def test_former_supervisor_can_do_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """A screen left open: the click is refused and noted, not carried out."""
    at = part(services, monkeypatch, BATCHES)
    at = at.selectbox(key="campaign").set_value(otters).run()
    demoted = person(services, "alma")
    monkeypatch.setattr(
        "pagetrail.app.ui.current_user.person_of", lambda _services, _cookies: demoted
    )
    at.button(key="give").click().run()
    assert states(services, otters) == set()
    assert ("alma", "forbidden oversight", "give batch") in audit_rows(services)


def test_missing_annotators_are_explained(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """Nobody active: assigning is shut, and a sentence says where to add people."""
    for name in ("alma", "bruno"):
        set_active(services.workspace, None, name, False)
    at = part(services, monkeypatch, BATCHES)
    assert any("There are no active annotators." in message for message in screen_messages(at))
    assert at.button(key="even").disabled


def test_withdrawn_task_does_not_open_and_loses_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, otters: str
) -> None:
    """Its address says why; the batch is not listed; what an open tab still sends is stored."""
    assignment = assign_batch(services.workspace, otters, "Orion", "alma")
    skip_first(services, "alma", assignment.assignment_id)
    attempt = open_assignment(services, person(services, "alma"), assignment.assignment_id)
    withdraw_batch(services.workspace, assignment.assignment_id, started=True)
    at = as_person(services, "alma", monkeypatch)
    assert f"open-{assignment.assignment_id}" not in [button.key for button in at.button]
    at.query_params["attempt"] = attempt
    at = at.switch_page("views/task.py").run()
    assert [title.value for title in at.title] == ["This task cannot be opened"]
    assert any("A supervisor withdrew this batch" in error.value for error in at.error)
    note = {"id": "t-1", "type": "note_edited", "payload": {"text": "x"}}
    body = {"session": "t", "events": [note]}
    assert record_events(services, person(services, "alma"), attempt, body)["refusals"] == []
