"""Variants of a question: what a file must say, what is shown, and who never gets two of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError
from pagetrail.storage.attempts.queries import batch_tasks
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.batches.reassignment import assign_batch, find_assignment, move_batch
from pagetrail.storage.batches.rebalancing import carry_out, plan_rebalance
from pagetrail.storage.batches.single_tasks import give_task
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.database.tables import Assignment, Batch, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.importers.tasks.task_changes import edit_task
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

KINDS = ("translation", "obscured")


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with documents."""
    register_documents(workspace)
    return workspace


def family(number: int) -> list[dict[str, Any]]:
    """An original and its two variants."""
    return [
        task(number),
        *(
            task(number, id=f"q{number}-{kind}", question=f"{kind} {number}?")
            | {"variant_of": f"q{number}", "variant": kind}
            for kind in KINDS
        ),
    ]


FAMILIES = [row for number in range(4) for row in family(number)]


def _import(workspace: Workspace, folder: Path, rows: list[Any], **options: Any) -> ImportReport:
    file = write_jsonl(folder / "tasks.jsonl", rows)
    return import_tasks(workspace, file, **{"campaign": "Asked twice", "batch_size": 2, **options})


def _records(workspace: Workspace) -> dict[str, dict[str, Any]]:
    with workspace.engine.connect() as connection:
        return {row.key: row.record for row in connection.execute(select(Task))}


def _families_of_people(workspace: Workspace) -> dict[str, list[str]]:
    """Name → original of each task that the person has."""
    statement = (
        select(User.name, Task.key, Task.record)
        .join(Assignment, Assignment.user_id == User.id)
        .join(Task, Task.batch_id == Assignment.batch_id)
        .where(Assignment.status != "withdrawn")
    )
    families = defaultdict(list)
    with workspace.engine.connect() as connection:
        for row in connection.execute(statement):
            families[row.name].append(row.record.get("variant_of") or row.key)
    return families


def _nobody_has_two(workspace: Workspace) -> bool:
    return all(len(set(keys)) == len(keys) for keys in _families_of_people(workspace).values())


def test_nobody_gets_two_variants_by_any_way(filled: Workspace, tmp_path: Path) -> None:
    """Assigned, claimed, moved, given back, rebalanced or given one by one."""
    ids = dict(zip("ABCD", add_people(filled, "ABCD"), strict=True))
    report = _import(filled, tmp_path, FAMILIES, assign=False)
    assert len(report.batches) == 6 and not report.bad
    assigned = assign(filled, "Asked twice", ["A", "B", "C"])
    assert not assigned.shortfall and _nobody_has_two(filled)
    assert set(assigned.loads.values()) == {2}
    of_person = {name: batch for batch, name in assigned.created}
    refused: list[Callable[[], object]] = [
        lambda: assign_batch(filled, "Asked twice", of_person["A"], "B", extra=True),
        lambda: move_batch(
            filled, find_assignment(filled, "Asked twice", of_person["A"], "A"), "C"
        ),
        lambda: give_task(filled, "Asked twice", _first_task(filled, of_person["A"]), "B"),
    ]
    for act in refused:
        with pytest.raises(ConflictError, match="has had another variant") as error:
            act()
        assert error.value.code == "variant_met"
    plan = plan_rebalance(filled, "Asked twice", "ABCD")
    assert plan.moves
    carry_out(filled, plan)
    assert _nobody_has_two(filled)
    assert claim_next_batch(filled, "Asked twice", ids["D"]) is None, "no slot is free"


def _first_task(workspace: Workspace, batch: str) -> str:
    statement = select(Task.key).join(Batch, Batch.id == Task.batch_id)
    with workspace.engine.connect() as connection:
        key: str = (
            connection.execute(statement.where(Batch.code_name == batch).order_by(Task.position))
            .scalars()
            .first()
            or ""
        )
    return key


def test_claims_pass_over_variants(filled: Workspace, tmp_path: Path) -> None:
    """One person gets one batch of each block; a withdrawn batch that was never opened is free."""
    ada, bo = add_people(filled, ["Ada", "Bo"])
    _import(filled, tmp_path, FAMILIES, assign=False, overlap=2)
    claimed = [claim_next_batch(filled, "Asked twice", ada) for _ in range(3)]
    assert [assignment is not None for assignment in claimed] == [True, True, False]
    assert claimed[0] is not None
    withdraw_batch(filled, claimed[0])
    assert claim_next_batch(filled, "Asked twice", ada) is not None
    assert claim_next_batch(filled, "Asked twice", bo) is not None
    assert _nobody_has_two(filled)


def test_variants_added_later_are_kept_apart_too(filled: Workspace, tmp_path: Path) -> None:
    """The originals come first; the report says why batches need more people."""
    add_people(filled, ["Ada"])
    first = _import(filled, tmp_path, [task(1), task(2)])
    assert first.assigned is not None and not first.assigned.shortfall
    later = _import(filled, tmp_path, [*family(1)[1:], *family(2)[1:]])
    assert later.assigned is not None
    assert later.assigned.created == [] and later.assigned.variants_apart
    assert set(later.assigned.shortfall) == set(later.batches)


def test_together_where_asked_for(filled: Workspace, tmp_path: Path) -> None:
    """One batch, and one variant after the other in everybody's order."""
    add_people(filled, ["Ada"])
    report = _import(filled, tmp_path, FAMILIES, batch_size=6, settings={"variants": "together"})
    assert report.assigned is not None and not report.assigned.shortfall
    with filled.engine.connect() as connection:
        assignment = connection.execute(select(Assignment.id)).scalars().first()
    assert assignment is not None
    ensure_attempts(filled.engine, assignment, SystemClock())
    order = [entry.key.split("-")[0] for entry in batch_tasks(filled.engine, assignment)]
    assert len(order) == 6 and order == sorted(order, key=order.index)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"variant": "translation"}, "variant_of: is missing"),
    ({"variant_of": "q1"}, "variant: must say how it differs"),
    ({"variant_of": "q1", "variant": "  "}, "variant: must say how it differs"),
    ({"variant_of": "q1", "variant": "x" * 61}, "variant: has 61 characters; 60 are allowed"),
    ({"variant_of": ["q1"], "variant": "specific"}, "variant_of: must be the id of a task"),
    ({"variant_of": True, "variant": "specific"}, "variant_of: must be the id of a task"),
    ({"variant_of": "bad", "variant": "specific"}, "variant_of: the task names itself"),
    (
        {"variant_of": "q1-obscured", "variant": "specific"},
        "'q1-obscured' is a variant too; name its original, 'q1'",
    ),
]


@pytest.mark.parametrize(("fields", "reason"), BAD)
def test_bad_variants_are_refused_row_by_row(
    filled: Workspace, tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    """Each says what is wrong; the rest is imported."""
    rows = [*family(1), task(9, id="bad") | fields]
    report = _import(filled, tmp_path, rows, skip_bad=True)
    assert [(row.line, row.id) for row in report.bad] == [(4, "bad")]
    assert reason in report.bad[0].reason
    assert report.imported == 3


def test_the_original_is_shown_where_variants_are_written(
    filled: Workspace, tmp_path: Path
) -> None:
    """From the file, the campaign or the row; a variant without a text starts from it."""
    rows = [
        {"id": "a", "variant_of": "q1", "variant": "obscured", "original": "What is it?"},
        {"id": "b", "variant_of": "a-far", "variant": "translation", "question": "Was?"},
        {"id": "c", "question": "Which?", "variant_of": 7, "variant": "specific"}
        | {"original": "Who <b>?"},
    ]
    report = _import(filled, tmp_path, rows, protocol="variants", skip_bad=True)
    assert [row.id for row in report.bad] == ["b"]
    assert "this protocol shows the original" in report.bad[0].reason
    records = _records(filled)
    assert (records["a"]["question"], records["a"]["original"]) == ("What is it?", "What is it?")
    assert (records["c"]["variant_of"], records["c"]["original"]) == ("7", "Who <b>?")
    nothing = _import(
        filled, tmp_path, [{"id": "d", "question": "Write."}], campaign="N", protocol="variants"
    )
    assert "there is nothing to write about" in nothing.bad[0].reason


def test_the_original_of_a_task_cannot_be_changed(filled: Workspace, tmp_path: Path) -> None:
    """Batches were planned by it."""
    _import(filled, tmp_path, FAMILIES)
    record = _records(filled)["q1-obscured"]
    with pytest.raises(InputFileError, match="Withdraw the task and add it again"):
        edit_task(
            filled,
            None,
            "Asked twice",
            "q1-obscured",
            {**record, "variant_of": "q2"},
            edited_record=record,
        )
