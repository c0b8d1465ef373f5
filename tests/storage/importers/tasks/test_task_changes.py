"""Single tasks: changed like imported ones until somebody has opened them, and not after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, Audit, Batch, EventRow, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.tasks.task_changes import edit_task, task_details, withdraw_task
from pagetrail.storage.people.accounts import find_person
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

CAMPAIGN = "Pilot"


@pytest.fixture
def assigned(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Three tasks in batches of two and one; alma has both and has opened the first batch."""
    register_documents(workspace)
    add_people(workspace, ["alma"])
    file = write_jsonl(tmp_path / "tasks.jsonl", [task(n) for n in range(3)])
    import_tasks(workspace, file, campaign=CAMPAIGN, batch_size=2)
    person = find_person(workspace, "alma")
    for row in assignments(workspace.engine, person.id):
        ensure_attempts(workspace.engine, row.assignment_id, SystemClock())
    return workspace


def _open(workspace: Workspace, key: str) -> None:
    """Have the first event of alma's attempt at a task stored."""
    with write_transaction(workspace.engine) as connection:
        attempt = connection.execute(
            select(Attempt.id).join(Task, Task.id == Attempt.task_id).where(Task.key == key)
        ).scalar_one()
        connection.execute(
            insert(EventRow).values(
                attempt_id=attempt, seq=1, type="task_opened", version=1, elapsed_ms=0,
                server_ts="2026-11-01T10:00:00.000000Z", actor="alma", client_event_id="e1",
                payload={},
            )
        )  # fmt: skip


def _edit(workspace: Workspace, key: str, **changes: Any) -> list[str]:
    record = task_details(workspace, CAMPAIGN, key).record
    return edit_task(workspace, None, CAMPAIGN, key, {**record, **changes}, edited_record=record)


def test_a_task_is_edited_until_it_is_opened(assigned: Workspace) -> None:
    """Fields that differ are stored and in the audit log; then the reason names who opened it."""
    first, second, _ = (row.key for row in list_tasks(assigned, CAMPAIGN, limit=9)[1])
    assert _edit(assigned, first, question="What now?", domain="law") == ["question", "domain"]
    assert _edit(assigned, first) == []
    total, (row,) = list_tasks(assigned, CAMPAIGN, "what now", limit=9)
    assert (total, row.key, row.question, row.assigned, row.opened) == (
        1, first, "What now?", 1, 0,
    )  # fmt: skip
    with assigned.engine.connect() as connection:
        (audit_entry,) = connection.execute(
            select(Audit.detail).where(Audit.action == "task_edited")
        )
    assert '→ "What now?"; domain' in audit_entry.detail
    _open(assigned, first)
    assert "alma opened it" in task_details(assigned, CAMPAIGN, first).fixed
    for act in (
        lambda: _edit(assigned, first, question="Again?"),
        lambda: _withdraw(assigned, first),
    ):
        with pytest.raises(ConflictError, match="alma opened it"):
            act()
    assert task_details(assigned, CAMPAIGN, second).fixed == ""


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"question": " "}, "question: is blank"),
        ({"evidence": [{"document": "report.pdf", "page": 99}]}, "evidence"),
        ({"id": "another"}, "id of a task cannot be changed"),
    ],
)
def test_what_cannot_be_imported_cannot_be_saved(
    assigned: Workspace, changes: dict[str, Any], reason: str
) -> None:
    """The checks of an import hold, and nothing is stored."""
    key = list_tasks(assigned, CAMPAIGN, limit=1)[1][0].key
    before = task_details(assigned, CAMPAIGN, key)
    with pytest.raises(InputFileError, match=reason):
        _edit(assigned, key, **changes)
    assert task_details(assigned, CAMPAIGN, key) == before


def test_two_people_do_not_overwrite_each_other(assigned: Workspace) -> None:
    """Whoever saves what they read earlier is refused."""
    key = list_tasks(assigned, CAMPAIGN, limit=1)[1][0].key
    record = task_details(assigned, CAMPAIGN, key).record
    _edit(assigned, key, question="First?")
    with pytest.raises(ConflictError, match="Somebody else"):
        edit_task(
            assigned, None, CAMPAIGN, key, {**record, "question": "Second?"}, edited_record=record
        )


def _withdraw(workspace: Workspace, key: str) -> str:
    return withdraw_task(workspace, None, CAMPAIGN, key)


def test_a_withdrawn_task_leaves_its_batch(assigned: Workspace) -> None:
    """The others stay; a batch without tasks goes with its assignments; the record is noted."""
    keys = [row.key for row in list_tasks(assigned, CAMPAIGN, limit=9)[1]]
    _withdraw(assigned, keys[0])
    _withdraw(assigned, keys[2])
    total, rows = list_tasks(assigned, CAMPAIGN, limit=9)
    assert (total, [row.key for row in rows]) == (1, [keys[1]])
    (summary,) = list_campaigns(assigned)
    assert (summary.tasks, summary.batches, summary.assignments) == (1, 1, 1)
    with assigned.engine.connect() as connection:
        assert len(connection.execute(select(Batch)).all()) == 1
        details = connection.execute(
            select(Audit.detail).where(Audit.action == "task_withdrawn")
        ).scalars()
        assert f'"id": "{keys[0]}"' in next(details)
