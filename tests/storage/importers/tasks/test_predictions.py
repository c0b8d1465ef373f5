"""Predictions in an import: joined by id, one blind task each, apart in the batches."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.tables import Batch, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

SYSTEMS = ("gpt-omega", "llama-alpha", "human-bm25")


@pytest.fixture(autouse=True)
def _documents(workspace: Workspace) -> None:
    register_documents(workspace)


def row(number: int, **fields: Any) -> dict[str, Any]:
    """A question with a prediction of each system."""
    predictions = [{"system": name, "answer": [f"{name} says {number}"]} for name in SYSTEMS]
    return task(number, **{"predictions": predictions, **fields})


def imported(workspace: Workspace, folder: Path, rows: list[Any], **options: Any) -> ImportReport:
    """Import rows into the campaign "Judges"."""
    file = write_jsonl(folder / "questions.jsonl", rows)
    return import_tasks(workspace, file, campaign="Judges", protocol="judge", **options)


def stored(workspace: Workspace) -> dict[str, dict[str, Any]]:
    """key → record of all tasks."""
    with workspace.engine.connect() as connection:
        return {r.key: r.record for r in connection.execute(select(Task).order_by(Task.position))}


def test_each_prediction_becomes_a_task(workspace: Workspace, tmp_path: Path) -> None:
    """Numbered by question; the record keeps the one prediction and drops the others."""
    report = imported(workspace, tmp_path, [row(1), row(2)])
    assert (report.imported, report.bad, report.warnings) == (6, [], [])
    records = stored(workspace)
    assert set(records) == {f"q{q}#{n}" for q in (1, 2) for n in (1, 2, 3)}
    for key, record in records.items():
        question = key.split("#")[0]
        assert record["id"] == key
        assert record["predictions"] is None
        assert record["answer_variants"] == [[question[1:]]]
        system = record["prediction"]["system"]
        assert record["prediction"] == {
            "system": system,
            "answer": [f"{system} says {question[1:]}"],
        }
    assert Counter(r["prediction"]["system"] for r in records.values()) == dict.fromkeys(SYSTEMS, 2)


def test_predictions_may_be_an_object(workspace: Workspace, tmp_path: Path) -> None:
    """System → answer: text, a list, a number, nothing, or an object with more."""
    answers = {"a": "x", "b": ["y", 2], "c": 3.5, "d": None, "e": {"answer": "z", "cost": 1}}
    imported(workspace, tmp_path, [row(1, predictions=answers)])
    answers_by_system = {
        r["prediction"]["system"]: r["prediction"]["answer"] for r in stored(workspace).values()
    }
    assert answers_by_system == {"a": "x", "b": ["y", "2"], "c": "3.5", "d": None, "e": "z"}


def test_results_files_are_joined_by_id(workspace: Workspace, tmp_path: Path) -> None:
    """MADQA results of several systems; what has no counterpart is reported on either side."""
    first = write_jsonl(
        tmp_path / "omega.jsonl",
        [
            {"id": "q1", "question": "…", "answer": "one", "citations": [], "iterations": 3},
            {"id": 2, "answer": "a number is no id of a question here"},
            {"id": "elsewhere", "answer": ["x"]},
            {"id": "q1", "answer": "again"},
            {"answer": "without id"},
            {"id": "q2"},
        ],
    )
    second = write_jsonl(
        tmp_path / "alpha.jsonl", [{"id": f"q{n}", "answer": [str(n)]} for n in (1, 2)]
    )
    report = imported(
        workspace,
        tmp_path,
        [task(1), task(2, predictions={"own": "mine"})],
        predictions={"omega": first, "alpha": second},
    )
    assert report.imported == 4
    pairs = {(k.split("#")[0], r["prediction"]["system"]) for k, r in stored(workspace).items()}
    assert pairs == {("q1", "omega"), ("q1", "alpha"), ("q2", "alpha"), ("q2", "own")}
    warnings = "\n".join(report.warnings)
    assert "omega.jsonl, line 4 is left out: the id 'q1' occurs twice; the first row" in warnings
    assert "line 5 is left out: id: is missing" in warnings
    assert "line 6 is left out: answer: is missing" in warnings
    assert "questions that the task file does not hold: 2 (2, elsewhere)" in warnings
    assert "Questions without a prediction of omega: 1 (q2)" in warnings


def test_answers_of_one_question_stand_apart(workspace: Workspace, tmp_path: Path) -> None:
    """In different batches while there are enough, and never next to each other."""
    add_people(workspace, ["Ada", "Bob"])
    report = imported(workspace, tmp_path, [row(n) for n in range(20)], batch_size=20, overlap=2)
    assert len(report.batches) == 3
    with workspace.engine.connect() as connection:
        batches = connection.execute(
            select(Batch.code_name, Task.key).join(Task, Task.batch_id == Batch.id)
        ).all()
    for name in report.batches:
        questions = [key.split("#")[0] for code, key in batches if code == name]
        assert len(questions) == len(set(questions)) == 20
    more_rows = write_jsonl(tmp_path / "more.jsonl", [row(n) for n in range(50, 54)])
    import_tasks(
        workspace, more_rows, campaign="Judges", batch_size=12, protocol="judge", overlap=2
    )
    # One batch holds all answers of four questions now.
    for assignment in (7, 8):
        ensure_attempts(workspace.engine, assignment, SystemClock())
        tasks = queries.batch_tasks(workspace.engine, assignment)
        assert len(tasks) == 12
        assert all(a.question != b.question for a, b in pairwise(tasks))


def test_ids_and_order_do_not_tell_the_system(tmp_path: Path) -> None:
    """Places follow from ids and seed; which system has an id, from the workspace's secret alone.

    So nobody who knows the seed, the systems and the program can tell whose ``q18#2`` is.
    """

    def keys(name: str, seed: int) -> dict[str, str]:
        workspace = Workspace.create(tmp_path / name)
        register_documents(workspace)
        imported(workspace, tmp_path, [row(n) for n in range(9)], seed=seed)
        return {key: r["prediction"]["system"] for key, r in stored(workspace).items()}

    first, second, other_seed = keys("a", 3), keys("b", 3), keys("c", 4)
    assert list(first) == list(second) != list(other_seed)
    assert first != second


def test_a_question_is_not_numbered_on_later(workspace: Workspace, tmp_path: Path) -> None:
    """New predictions of a question that is there would be told by their numbers: bad row."""
    imported(workspace, tmp_path, [row(1)])
    report = imported(workspace, tmp_path, [row(1), row(2)], skip_bad=True)
    assert [(bad.id, bad.reason) for bad in report.bad] == [
        ("q1", "campaign Judges has a task 'q1' already")
    ]
    assert report.imported == 3


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"predictions": None}, "predictions: this protocol judges predicted answers"),
        ({"predictions": []}, "predictions: this protocol judges predicted answers"),
        ({"predictions": ["x"]}, "predictions[0]: must be an object such as"),
        ({"predictions": [{"answer": "x"}]}, "predictions[0].system: a system needs a name"),
        ({"predictions": [{"system": "a"}]}, "predictions[0].answer: is missing"),
        ({"predictions": {"a": {"b": 1}}}, "predictions[0].answer: is missing"),
        ({"predictions": {"a": [["x"]]}}, "predictions[0].answer: must be text or a list"),
        (
            {"predictions": [{"system": "a", "answer": "x"}] * 2},
            "predictions: the system 'a' occurs twice",
        ),
        ({"prediction": "x", "predictions": None}, "prediction: must be an object such as"),
        ({"prediction": {"system": "a", "answer": "x"}}, "give only one of them"),
        (
            {
                "id": "x-GPT-9",
                "prediction": {"system": "gpt-9", "answer": "x"},
                "predictions": None,
            },
            "id: 'x-GPT-9' names the system",
        ),
        ({"id": "x" * 200}, "id: has 202 characters; 200 are"),
    ],
)
def test_rows_that_cannot_be_judged_are_bad(
    workspace: Workspace, tmp_path: Path, fields: dict[str, Any], reason: str
) -> None:
    """Each with its line, its place in the row and what is wrong."""
    report = imported(workspace, tmp_path, [row(1), row(2, **fields)])
    (bad,) = report.bad
    assert bad.line == 2
    assert reason in bad.reason
    assert report.imported == 0


def test_a_task_may_bring_its_one_prediction(workspace: Workspace, tmp_path: Path) -> None:
    """A row that is one task already keeps its id; nothing else is made of it."""
    single = {"system": "a", "answer": "x"}
    report = imported(workspace, tmp_path, [task(1, prediction=single), task(2, prediction=single)])
    assert report.imported == 2
    assert set(stored(workspace)) == {"q1", "q2"}


def test_in_a_pilot_each_prediction_has_its_own_gold(workspace: Workspace, tmp_path: Path) -> None:
    """The right verdict belongs to the answer, not to the question; without one the row is bad."""
    pilot = {"pilot.enabled": True}
    verdicts = {"good": "correct", "bad": "incorrect"}
    answers = [
        {"system": name, "answer": name, "gold": {"fields": {"verdict": verdict}}}
        for name, verdict in verdicts.items()
    ]
    report = imported(workspace, tmp_path, [row(1, predictions=answers)], settings=pilot)
    assert (report.imported, report.bad) == (2, [])
    for record in stored(workspace).values():
        system = record["prediction"]["system"]
        assert record["gold"] == {"fields": {"verdict": verdicts[system]}}
        assert record["prediction"] == {"system": system, "answer": system}
    del answers[1]["gold"]
    bare = imported(workspace, tmp_path, [row(2, predictions=answers)], settings=pilot)
    assert bare.bad[0].reason.startswith("prediction of bad: gold: tasks of a pilot are compared")
    answers[1]["gold"] = {"fields": {"verdict": "perhaps"}}
    wrong = imported(workspace, tmp_path, [row(2, predictions=answers)], settings=pilot)
    assert wrong.bad[0].reason == (
        "prediction of bad: gold.fields.verdict: 'perhaps' is not one of correct, partial, "
        "incorrect"
    )


def test_predictions_need_a_protocol_that_shows_them(workspace: Workspace, tmp_path: Path) -> None:
    """They would silently be lost otherwise."""
    file = write_jsonl(tmp_path / "q.jsonl", [task(1)])
    results = write_jsonl(tmp_path / "r.jsonl", [{"id": "q1", "answer": "x"}])
    with pytest.raises(ConflictError, match="protocol search shows no predictions"):
        import_tasks(workspace, file, campaign="S", predictions={"a": results})
    # Predictions in the rows of another protocol stay with the record.
    assert import_tasks(workspace, write_jsonl(file, [row(1)]), campaign="S").imported == 1
    assert list(stored(workspace)) == ["q1"]


def test_a_results_file_without_a_prediction_stops_the_import(
    workspace: Workspace, tmp_path: Path
) -> None:
    """A wrong file is a mistake to be corrected, not an empty system."""
    results = write_jsonl(tmp_path / "r.jsonl", [{"question": "x"}])
    with pytest.raises(InputFileError, match="holds no prediction"):
        imported(workspace, tmp_path, [task(1)], predictions={"a": results})
    with pytest.raises(NotFoundError, match="no campaign"):
        assign(workspace, "Judges")
