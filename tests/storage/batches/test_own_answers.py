"""Nobody judges their own answer, however batches are assigned."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation.errors import ConflictError
from pagetrail.storage.batches.assignments import assign, planned_assignments
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.reassignment import assign_batch
from pagetrail.storage.database.tables import Assignment, Batch, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import rename
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

QUESTIONS = 6
NAMES = {"Ada": "pseudonym of Ada", "Bo": "Bo"}
"""Under which their answers are imported."""


def judging(
    workspace: Workspace, folder: Path, *, assigned: bool = True, **settings: object
) -> ImportReport:
    """A campaign in which answers of Ada, Bo and a system to each question are judged."""
    rows = [
        task(number, predictions=dict.fromkeys((*NAMES.values(), "gpt"), f"about {number}"))
        for number in range(QUESTIONS)
    ]
    return import_tasks(
        workspace,
        write_jsonl(folder / "judge.jsonl", rows),
        campaign="Judging",
        protocol="judge",
        settings=settings,
        assign=assigned,
    )


@pytest.fixture
def lab(workspace: Workspace) -> Workspace:
    """Two annotators."""
    register_documents(workspace)
    add_people(workspace, ("Ada", "Bo"))
    return workspace


def judged_systems(workspace: Workspace) -> dict[str, set[str]]:
    """Annotator → whose answers they have to judge."""
    with workspace.engine.connect() as connection:
        rows = connection.execute(
            select(User.name, Task.record)
            .join(Assignment, Assignment.user_id == User.id)
            .join(Task, Task.batch_id == Assignment.batch_id)
        ).all()
    systems: dict[str, set[str]] = {}
    for row in rows:
        systems.setdefault(row.name, set()).add(row.record["prediction"]["system"])
    return systems


def test_a_lab_of_two_judges_each_other(lab: Workspace, tmp_path: Path) -> None:
    """All answers are judged, each by somebody else; the system's by both."""
    report = judging(lab, tmp_path, overlap=1)
    assert report.assigned is not None and not report.assigned.shortfall
    assert judged_systems(lab) == {"Ada": {"Bo", "gpt"}, "Bo": {NAMES["Ada"], "gpt"}}
    assert {name for _, name in report.assigned.own_answers} == {"Ada", "Bo"}


def test_own_answers_may_be_allowed(lab: Workspace, tmp_path: Path) -> None:
    """With the setting, both judge all answers."""
    judging(lab, tmp_path, own_answers=True, overlap=2)
    assert judged_systems(lab) == {name: {*NAMES.values(), "gpt"} for name in ("Ada", "Bo")}


def test_too_few_judges_are_told(lab: Workspace, tmp_path: Path) -> None:
    """With two judges per answer, what Ada or Bo answered has one, and the plan stores nothing."""
    judging(lab, tmp_path, assigned=False, overlap=2)
    planned = planned_assignments(lab, "Judging")
    assert set(planned.shortfall.values()) == {1}
    assert planned.created and not judged_systems(lab)
    assert assign(lab, "Judging").created == planned.created


def test_no_other_way_leads_to_an_own_answer(lab: Workspace, tmp_path: Path) -> None:
    """Claims pass over such batches, and a supervisor cannot give one to its author."""
    judging(lab, tmp_path, assigned=False)
    with lab.engine.connect() as connection:
        names = dict(
            connection.execute(
                select(Batch.code_name, Task.record["prediction"]["system"].as_string())
                .join(Task, Task.batch_id == Batch.id)
                .where(Task.record["prediction"]["system"].as_string() != "gpt")
            ).all()
        )
    of_ada = next(code for code, name in names.items() if name == NAMES["Ada"])
    with pytest.raises(ConflictError, match="nobody judges their own answer"):
        assign_batch(lab, "Judging", of_ada, "Ada")
    claim_next_batch(lab, "Judging", find_person(lab, "Ada").id)
    assert judged_systems(lab) == {"Ada": {"Bo", "gpt"}}


def test_a_new_name_changes_nothing(lab: Workspace, tmp_path: Path) -> None:
    """Bo's answers stay Bo's after a change of name."""
    judging(lab, tmp_path, assigned=False)
    rename(lab, None, "Bo", "Robin")
    assign(lab, "Judging")
    assert judged_systems(lab) == {"Ada": {"Robin", "gpt"}, "Robin": {NAMES["Ada"], "gpt"}}
