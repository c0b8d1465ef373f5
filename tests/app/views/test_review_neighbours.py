"""The tasks before and after the one under review are those of the queue it was opened from."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy import insert, select, update
from starlette.testclient import TestClient

from pagetrail.annotation import events as ev
from pagetrail.annotation.review import Pick, proposal
from pagetrail.app.reviewing.queue_address import ALL_CAMPAIGNS, MAX_TEXT, filters_in, position_json
from pagetrail.app.services.composition import Services, replace_services
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Batch, Campaign, ReviewTask, Task
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue
from tests.app.review_case import body_of, under_review
from tests.app.screens import at_screen
from tests.app.views.test_review import screen
from tests.storage.review.test_actions import PROTOCOL
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

RECORDS = [
    {"id": f"t/{n}", "question": f"Otters in {n}?", "domain": "Law" if n % 2 else "Wildlife"}
    for n in range(1, 9)
]
ADDRESSES: list[dict[str, str]] = [
    {},
    {"campaign": "Random"},
    {"domain": "Law"},
    {"inbatch": "Batch 2"},
    {"who": "Bo", "domain": "Wildlife"},
    {"part": "Answer"},
    {"part": "Outcome"},
    {"flagged": "true"},
    {"text": "otters 5"},
    {"status": "all"},
    {"status": "accepted"},
    {"status": "all", "domain": "Wildlife"},
]


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Tasks 1 to 6 differ, each in its own way; 7 is agreed and 8 is waited for."""
    stage = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    for task in range(1, 7):
        stage.answer(f"{task}-Ada", "seal", 1)
        if task == 3:
            stage.do("3-Bo", ev.Flagged(comment="?"), ev.Submitted(outcome="not_found"))
        else:
            stage.answer(f"{task}-Bo", "seal" if task == 6 else "seals"[:task], 1 + task // 4)
    for name in ("Ada", "Bo"):
        stage.answer(f"7-{name}", "seal", 3)
    stage.answer("8-Ada", "seal", 3)
    stage.reviews.acceptance.settle(CAMPAIGN)
    return stage


def queue_position(reviewed: Reviewed, task: int, **address: str) -> dict[str, object]:
    """The task's place in the queue of that address."""
    return position_json(reviewed.workspace, CAMPAIGN, task, urlencode(address))


@pytest.mark.parametrize("address", ADDRESSES, ids=urlencode)
def test_next_and_previous_go_through_the_queue_as_it_is_shown(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch, address: dict[str, str]
) -> None:
    """The screen's table, row by row: the same tasks, order, number and neighbours."""
    at = screen(reviewed, "Sofia", monkeypatch, **address)
    replace_services(None)
    listed_tasks = [
        int(key.removeprefix("t/")) for table in at.dataframe for key in table.value["Key"]
    ]
    assert listed_tasks
    for number, task in enumerate(listed_tasks):
        position = queue_position(reviewed, task, **address)
        assert (position["position"], position["total"]) == (number + 1, len(listed_tasks))
        assert position["previous"] == (listed_tasks[number - 1] if number else None)
        assert position["next"] == next(iter(listed_tasks[number + 1 :]), None)
        assert position["filtered"] is bool(address.keys() - {"campaign"})


def test_one_queue_goes_from_campaign_to_campaign(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever differs most: first all of the first campaign, then the next one's tasks; the table
    says whose they are. Only the campaigns asked for, and one that is not there means all."""
    with write_transaction(reviewed.workspace.engine) as connection:
        copied = connection.execute(select(Campaign)).one()._asdict()
        connection.execute(insert(Campaign).values(**copied | {"id": 2, "name": "Second"}))
        for table, moved in ((Batch, Batch.id), (Task, Task.batch_id)):
            connection.execute(update(table).where(moved == 1).values(campaign_id=2))
        moved_tasks = select(Task.id).where(Task.batch_id == 1)
        connection.execute(
            update(ReviewTask).where(ReviewTask.task_id.in_(moved_tasks)).values(campaign_id=2)
        )
    all_campaigns = {"campaign": ALL_CAMPAIGNS}
    for address, n, tasks in (
        (all_campaigns, 2, {3, 4, 5, 6, 1, 2}),
        (all_campaigns | {"among": "Second"}, 1, {1, 2}),
        (all_campaigns | {"among": "nonsense"}, 2, {3, 4, 5, 6, 1, 2}),
        (all_campaigns | {"text": "otters 2"}, 2, {2}),
    ):
        (table,) = screen(reviewed, "Sofia", monkeypatch, **address).dataframe
        replace_services(None)
        listed_tasks = [int(key.removeprefix("t/")) for key in table.value["Key"]]
        assert set(listed_tasks) == tasks
        if n > 1:
            campaigns = ["Second" if task in (1, 2) else "Random" for task in listed_tasks]
            assert list(table.value["Campaign"]) == campaigns == sorted(campaigns)
        for task, following in pairwise([*listed_tasks, None]):
            position = queue_position(reviewed, task or 0, **address)
            assert (position["next"], position["campaigns"]) == (following, n)
            assert position["campaign"] == ALL_CAMPAIGNS
    services = Services(reviewed.workspace, reviewed.clock)
    replace_services(services)
    at = at_screen(services, "Sofia", monkeypatch, "progress")
    at.run()
    assert "Need a reviewer in all campaigns · 6" in [
        link.proto.label for link in at.get("page_link")
    ]


def test_after_a_decision_comes_the_next_of_the_same_queue(reviewed: Reviewed) -> None:
    """Decided one after the other, they are those that were narrowed to; at the end there is none.

    Also when it was the last that differs in the part that was asked for.
    """
    for address in ({"domain": "Law"}, {"part": "Evidence pages"}):
        filters = filters_in(reviewed.workspace, [CAMPAIGN], urlencode(address))
        rows = queue(reviewed.workspace.engine, [CAMPAIGN], filters, reviewed.clock.now()).rows
        left = [row.task_id for row in rows]
        assert len(left) >= 2
        task: object = left[0]
        while left:
            assert task == left.pop(0)
            assert isinstance(task, int)
            basis = reviewed.current_version(task)
            submissions = reviewed.reviews.streams.task_work(task).submissions()
            picks = {part: Pick("side", submissions[0].attempt) for part in proposal(submissions)}
            reviewed.reviews.decide(task, "Sofia", picks, "", basis, f"d-{task}")
            after = queue_position(reviewed, task, **address)
            assert (after["position"], after["total"]) == (None, len(left))
            task = after["following"]
        assert task is None
    assert queue_position(reviewed, 1)["total"] != 0


def test_skipped_over_tasks_come_last(reviewed: Reviewed) -> None:
    """After the last one, back to the one before it that is still to be decided."""
    rows = queue(reviewed.workspace.engine, [CAMPAIGN], Filters(), reviewed.clock.now()).rows
    *_, before, last = [row.task_id for row in rows]
    assert queue_position(reviewed, last)["next"] is None
    assert queue_position(reviewed, last)["following"] == before


def test_decision_leads_to_the_next_task_that_needs_a_person(reviewed: Reviewed) -> None:
    """As the button of the queue does; stepping goes through everything all the same."""
    rows = queue(reviewed.workspace.engine, [CAMPAIGN], Filters(), reviewed.clock.now()).rows
    needing = [row.task_id for row in rows]
    all_filters = filters_in(reviewed.workspace, [CAMPAIGN], "status=all")
    rows = queue(reviewed.workspace.engine, [CAMPAIGN], all_filters, reviewed.clock.now()).rows
    last = max(
        (row.task_id for row in rows if row.task_id in needing),
        key=[row.task_id for row in rows].index,
    )
    position = queue_position(reviewed, last, status="all")
    assert position["next"] not in needing
    assert position["next"] is not None
    assert position["following"] in needing


def test_every_address_is_handled(reviewed: Reviewed) -> None:
    """Whatever is there is a place in some queue, perhaps an empty one."""
    for address, total in (
        ("%", 6),
        ("&&==", 6),
        ("status", 6),
        ("x=1&" * 500, 6),
        ("part=%00", 0),
        ("part='", 0),
        ("who=\ud800", 0),
        ("who=%ff", 0),
        ("text=" + "a+" * 5000, 0),
        ("text=" + "s+" * 5000, 6),
    ):
        assert position_json(reviewed.workspace, CAMPAIGN, 1, address)["total"] == total, address
        text = filters_in(reviewed.workspace, [CAMPAIGN], address).text
        assert text is None or len(text) <= MAX_TEXT


def test_routes_use_the_queue_in_the_address(services: Services, client: TestClient) -> None:
    """Loaded, and after something was done: the place is that of the address."""
    case = under_review(services)
    queue_json = body_of(client, case)["queue"]
    assert (queue_json["position"], queue_json["total"], queue_json["filtered"]) == (1, 1, False)
    query = urlencode({"queue": urlencode({"campaign": "Otters", "who": "nobody"})})
    assert client.get(f"{case.url}?{query}").json()["queue"]["total"] == 0
    queue_after_take = client.post(f"{case.url}/take?{query}", json={"id": "take-2"}).json()[
        "queue"
    ]
    assert (
        queue_after_take["position"],
        queue_after_take["total"],
        queue_after_take["filtered"],
    ) == (
        None,
        0,
        True,
    )
