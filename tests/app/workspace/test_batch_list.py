"""Which batch is next, the order of the others, and what the card and the filter say of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagetrail.app.workspace.batch_list import BatchList, batch_group, matches_filter, task_words
from pagetrail.storage.attempts.queries import BatchTask
from pagetrail.storage.batches.my_batches import AssignmentRow

ROW = AssignmentRow(
    assignment_id=1,
    campaign="Otters",
    protocol="search",
    title="Search and answer",
    code_name="Orion",
    status="open",
    tasks=3,
    submitted=0,
    skipped=0,
    opened=0,
    flagged=0,
    updated_at=None,
    user_name="alma",
)
STARTED = replace(ROW, code_name="Lyra", submitted=1)
DUE = replace(ROW, code_name="Vela", due_on="2026-03-01")
DUE_LATER = replace(ROW, code_name="Ara", due_on="2026-04-01", opened=1)
RETURNED = replace(ROW, code_name="Crux", opened=1, returned=1)
FINISHED = replace(ROW, code_name="Apus", submitted=2, skipped=1)
CLOSED = replace(FINISHED, code_name="Pavo", status="closed")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([CLOSED], None),
        ([CLOSED, FINISHED], "Apus"),
        ([FINISHED, ROW], "Orion"),
        ([ROW, DUE], "Vela"),
        ([DUE, STARTED], "Lyra"),
        ([STARTED, DUE_LATER], "Ara"),
        ([STARTED, DUE, RETURNED], "Crux"),
    ],
)
def test_next_batch(rows: list[AssignmentRow], expected: str | None) -> None:
    """Returned work, then what is started, then the first; what is due soonest before the rest."""
    next_row = BatchList.in_order(rows).next
    assert (next_row.code_name if next_row else None) == expected


def test_order_of_the_list() -> None:
    """The supervisor's order decides between batches without a deadline."""
    listed = BatchList.in_order([ROW, STARTED, DUE_LATER, DUE, RETURNED])
    assert [row.code_name for row in listed.rows] == ["Crux", "Vela", "Ara", "Orion", "Lyra"]
    assert [batch_group(row) for row in (ROW, FINISHED, CLOSED)] == ["open", "finished", "closed"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", True), ("otters ·  ORI", True), ("answer", True), ("otters lyra", False)],
)
def test_filter(text: str, expected: bool) -> None:
    """Part of what the list shows of a batch; case and spaces make no difference."""
    assert matches_filter(ROW, text) is expected


def test_the_next_task_in_words() -> None:
    """A question is quoted once its task has been opened, from when on the clock runs."""
    new = BatchTask("a1", 1, "q1", "How many\n otters?", "new", flagged=False)
    assert task_words(ROW, []) == "Task 1 of 3"
    assert task_words(ROW, [new]) == "Task 1 of 3"
    submitted = replace(new, status="submitted")
    opened_task = replace(new, attempt_id="a2", position=2, status="open")
    assert task_words(ROW, [submitted, opened_task]) == "Task 2 of 3: How many otters?"
    assert task_words(replace(ROW, shows_progress=False), [submitted, opened_task]) == ""
    long = replace(opened_task, question="otters " * 40)
    assert task_words(ROW, [long]).endswith("…")
