"""Single tasks go to somebody else: by a supervisor, or because somebody skipped them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.board import board
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.batches.single_tasks import free_annotators, give_task, pass_on_skipped
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.projections import rebuild
from tests.storage.review.test_actions import status
from tests.storage.task_data import add_people
from tests.support.review_campaign import Reviewed, campaign

NAME = "Random"


def skipped_by_ada(folder: Path, **changes: Any) -> Reviewed:
    """Two tasks in Ada's one batch, one annotator each; she has skipped the first."""
    defaults = {"overlap": 1, "evidence.required": False, "review.check_share": 0.0}
    protocol = with_overrides(preset("search"), defaults | changes)
    records = [{"id": f"t/{n}", "question": f"Who {n}?"} for n in (1, 2)]
    case = campaign(folder / "ws", protocol, records, people=1)
    add_people(case.workspace, ["Bo", "Cy"])
    case.do("1-Ada", ev.Skipped(reason="no idea"))
    return case


def batches_of(case: Reviewed, name: str) -> dict[str, tuple[int, int]]:
    """Batch → tasks, and how many are submitted or skipped."""
    person = find_person(case.workspace, name)
    rows = assignments(case.workspace.engine, person.id)
    return {row.code_name: (row.tasks, row.handled) for row in rows}


def submit(case: Reviewed, name: str, batch: str, answer: str) -> None:
    """The person's only task of that batch."""
    person = find_person(case.workspace, name)
    engine = case.workspace.engine
    row = next(r for r in assignments(engine, person.id) if r.code_name == batch)
    ensure_attempts(engine, row.assignment_id, case.clock)
    (task,) = queries.batch_tasks(engine, row.assignment_id)
    case.answer(task.attempt_id, answer)


def test_a_task_is_given_to_one_more_person_and_all_numbers_stay_right(tmp_path: Path) -> None:
    """It is a batch of its own with Ada's skip in it; it waits for Bo, then nobody differs."""
    case = skipped_by_ada(tmp_path)
    assert status(case, 1) == "single"
    assert free_annotators(case.workspace, NAME, "t/1") == ["Bo", "Cy"]
    assigned = give_task(case.workspace, NAME, "t/1", "Bo", by="Sofia")
    assert free_annotators(case.workspace, NAME, "t/1") == ["Cy"]
    assert (assigned.batch, assigned.instead_of) == ("Aquarius", None)
    assert status(case, 1) == "waiting"
    assert batches_of(case, "Ada") == {"Batch 1": (1, 0), "Aquarius": (1, 1)}
    assert batches_of(case, "Bo") == {"Aquarius": (1, 0)}
    (summary,) = list_campaigns(case.workspace)
    assert (summary.tasks, summary.expected, summary.skipped) == (2, 3, 1)
    slots_per_batch = {row.code_name: len(row.slots) for row in board(case.workspace, NAME).batches}
    assert slots_per_batch == {"Batch 1": 1, "Aquarius": 2}
    submit(case, "Bo", "Aquarius", "seal")
    assert status(case, 1) == "single"  # the skip is still a supervisor's
    case.reviews.handle(1, "Sofia", "1-Ada", "e1")
    assert status(case, 1) == "alone"
    assert rebuild(case.workspace.engine, check=True).clean


def test_a_task_is_taken_from_somebody(tmp_path: Path) -> None:
    """Whoever has not submitted it gives it up; their other tasks stay; work stays stored."""
    case = skipped_by_ada(tmp_path)
    case.do("2-Ada", ev.AnswerEdited(text="sea"))
    give_task(case.workspace, NAME, "t/2", "Bo", instead_of="Ada")
    assert batches_of(case, "Ada") == {"Batch 1": (1, 1)}
    assert batches_of(case, "Bo") == {"Aquarius": (1, 0)}
    assert case.state("2-Ada").answer_text == "sea"
    with pytest.raises(ConflictError, match="Ada does not have task t/2 any more"):
        give_task(case.workspace, NAME, "t/2", "Cy", instead_of="Ada")
    with pytest.raises(ConflictError, match="Ada has skipped task t/1"):
        give_task(case.workspace, NAME, "t/1", "Cy", instead_of="Ada")


def test_who_cannot_get_a_task(tmp_path: Path) -> None:
    """Whoever has it, unknown tasks and people, supervisors: nothing changes."""
    case = skipped_by_ada(tmp_path)
    before = board(case.workspace, NAME)
    for key, name, error in (
        ("t/1", "Ada", ConflictError),
        ("t/9", "Bo", NotFoundError),
        ("t/1", "Nobody", NotFoundError),
        ("t/1", "Sofia", ConflictError),
    ):
        with pytest.raises(error):
            give_task(case.workspace, NAME, key, name)
    assert board(case.workspace, NAME) == before


def test_a_skipped_task_goes_to_the_next_annotator_by_setting(tmp_path: Path) -> None:
    """To each of the others in turn, once; what three have skipped is left to a supervisor."""
    case = skipped_by_ada(tmp_path, **{"review.skipped": "next"})
    add_people(case.workspace, ["Di"])
    annotators = set()
    for _ in range(2):
        assigned = pass_on_skipped(case.workspace, 1, clock=case.clock)
        assert assigned is not None and assigned.batch == "Aquarius"
        assert pass_on_skipped(case.workspace, 1, clock=case.clock) is None  # not twice
        assert status(case, 1) == "waiting"
        annotators.add(assigned.annotator)
        person = find_person(case.workspace, assigned.annotator)
        (row,) = assignments(case.workspace.engine, person.id)
        ensure_attempts(case.workspace.engine, row.assignment_id, case.clock)
        (task,) = queries.batch_tasks(case.workspace.engine, row.assignment_id)
        case.do(task.attempt_id, ev.Skipped(reason="me neither"))
    assert len(annotators) == 2
    assert pass_on_skipped(case.workspace, 1, clock=case.clock) is None
    assert status(case, 1) == "single"


def test_what_the_next_annotator_submits_needs_no_supervisor(tmp_path: Path) -> None:
    """By setting; without it nobody is assigned."""
    case = skipped_by_ada(tmp_path / "next", **{"review.skipped": "next"})
    assigned = pass_on_skipped(case.workspace, 1, clock=case.clock)
    assert assigned is not None
    submit(case, assigned.annotator, assigned.batch, "seal")
    assert status(case, 1) == "alone"
    other = skipped_by_ada(tmp_path / "supervisor")
    assert pass_on_skipped(other.workspace, 1, clock=other.clock) is None
    assert status(other, 1) == "single"
