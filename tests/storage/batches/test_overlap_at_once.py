"""Overlap and one batch per person, whatever people claim and supervisors withdraw at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select

from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from tests.support.postgresql import new_database
from tests.support.randomness import examples
from tests.support.review_campaign import CAMPAIGN, campaign

PEOPLE = 4
BATCHES_EACH = 3
_numbers = count(1)

Plan = tuple[bool, ...]
"""What one person does in turn: claim, or have the last claim withdrawn."""


@pytest.fixture(params=["sqlite", "postgresql"])
def connected(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Workspace]]:
    """The workspace as each person's server has it: with connections of its own."""
    address = new_database() if request.param == "postgresql" else None
    if address is not None:
        monkeypatch.setenv(DATABASE_URL, address)
    records = [{"id": "t/1", "question": "Who?"}]
    case = campaign(tmp_path / "ws", preset("search"), records, people=PEOPLE, address=address)
    opened = [case.workspace, *(Workspace.open(case.workspace.root) for _ in range(PEOPLE - 1))]
    yield opened
    for workspace in opened:
        workspace.engine.dispose()


@examples(16)
@given(
    overlap=st.integers(1, PEOPLE - 1),
    plans=st.lists(
        st.lists(st.sampled_from((True, True, False)), min_size=4, max_size=6).map(tuple),
        min_size=PEOPLE,
        max_size=PEOPLE,
    ),
)
def test_overlap_is_never_exceeded(
    connected: list[Workspace], overlap: int, plans: list[Plan]
) -> None:
    """At no moment that anybody sees; nor has anybody a batch twice."""
    name = f"Campaign {next(_numbers)}"
    id_ = _new_campaign(connected[0], name, overlap)
    people_per_batch = (
        select(Assignment.batch_id, func.count().label("people"))
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(Batch.campaign_id == id_, Assignment.status != WITHDRAWN)
        .group_by(Assignment.batch_id)
    )
    barrier = Barrier(PEOPLE, timeout=60)

    def claim_and_withdraw(number: int) -> None:
        had: list[int] = []
        barrier.wait()
        for claims in plans[number]:
            if claims:
                claimed = claim_next_batch(connected[number], name, number + 1)
                had += [] if claimed is None else [claimed]
                with connected[number].engine.connect() as connection:
                    people = [row.people for row in connection.execute(people_per_batch)]
                assert all(count <= overlap for count in people), people
            elif had:
                withdraw_batch(connected[number], had.pop())

    with ThreadPoolExecutor(PEOPLE) as pool:
        list(pool.map(claim_and_withdraw, range(PEOPLE)))
    repeated_assignments = (
        select(Assignment.user_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(Batch.campaign_id == id_)
        .group_by(Assignment.user_id, Assignment.batch_id)
        .having(func.count() > 1)
    )
    with connected[0].engine.connect() as connection:
        assert not connection.execute(repeated_assignments).all()


def _new_campaign(workspace: Workspace, name: str, overlap: int) -> int:
    protocol = with_overrides(preset("search"), {"overlap": overlap})
    with write_transaction(workspace.engine) as connection:
        like = connection.execute(select(Campaign).where(Campaign.id == CAMPAIGN)).one()
        row = {key: value for key, value in like._mapping.items() if key != "id"}
        row |= {"name": name, "protocol": protocol.model_dump(mode="json")}
        inserted = connection.execute(insert(Campaign).values(row)).inserted_primary_key
        assert inserted is not None
        for number in range(BATCHES_EACH):
            batch = {"campaign_id": inserted[0], "position": number, "priority": 0}
            key = connection.execute(
                insert(Batch).values(batch | {"code_name": f"{name}-{number}"})
            ).inserted_primary_key
            assert key is not None
            task = {"campaign_id": inserted[0], "position": number, "record": {}}
            connection.execute(
                insert(Task).values(task | {"key": f"x{number}", "batch_id": key[0]})
            )
        return int(inserted[0])
