"""The report by MADQA's convention: repaired rows, and files of results as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.madqa_report import madqa_metrics
from pagetrail.exports.reports.model import Cell, Report
from pagetrail.storage.database.workspace import Workspace
from tests.storage.importers.runs.run_data import CAMPAIGN, bare, events, madqa, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import TASKS, make_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Four tasks, of which the last has no gold."""
    return make_workspace(tmp_path / "ws")


def report_of(workspace: Workspace, *files: Path) -> Report:
    """The report of attempts, or of files."""
    with open_source(workspace, CAMPAIGN) as source:
        return madqa_metrics(source, files)


def cells(report: Report, participant: str) -> dict[str, Cell]:
    """The overall row of a participant."""
    (row,) = [
        dict(row.cells)
        for row in report.tables[0].rows
        if row.cells["participant"].value == participant
    ]
    return row


def flags(row: dict[str, Cell]) -> set[str]:
    """The measures that are flagged as resting on repaired rows."""
    return {key for key, cell in row.items() if cell.flag == "repaired_on_import"}


@pytest.mark.parametrize(
    ("change", "flagged"),
    [
        ({}, set()),
        ({"citations": [{"file": "annual report.pdf", "page": "3"}]}, {"page_f1", "doc_f1"}),
        ({"answer": ["42", None]}, {"accuracy", "anls", "kuiper", "wasted_effort"}),
        ({"search_history": [], "iterations": 1}, set()),
        ({"search_history": [], "iterations": 4}, {"kuiper", "wasted_effort"}),
    ],
)
def test_numbers_say_that_rows_were_repaired_on_import(
    workspace: Workspace, tmp_path: Path, change: dict[str, Any], flagged: set[str]
) -> None:
    """At the measures that rest on what was changed, and as a count of rows."""
    rows = [madqa("t/1", **change), bare("t/2", answer="x", iterations=2, search_history=[])]
    imported = run(workspace, write_jsonl(tmp_path / "agent.jsonl", rows))
    assert imported.imported == 2
    row = cells(report_of(workspace), "agent")
    flagged &= {key for key, cell in row.items() if cell.value is not None}
    assert flags(row) == flagged
    assert row["repaired"].value == (1 if flagged else 0)


def test_files_are_scored_as_they_are(workspace: Workspace, tmp_path: Path) -> None:
    """Rows without an id, malformed citations where a task has no evidence, equal file names."""
    row = {"question": TASKS[0]["question"], "answer": "42", "citations": [{"page": "3"}]}
    first_file = write_jsonl(tmp_path / "results.jsonl", [row])
    (tmp_path / "other").mkdir()
    second_file = write_jsonl(tmp_path / "other" / "results.jsonl", [row, row])
    report = report_of(workspace, first_file, second_file)
    names = [entry.cells["participant"].value for entry in report.tables[0].rows]
    assert names == [str(first_file.with_suffix("")), str(second_file.with_suffix(""))]
    first, second = (cells(report, str(name)) for name in names)
    assert (first["n"].value, second["n"].value) == (1, 2)
    assert (first["repaired"].value, flags(first)) == (0, set())


def test_malformed_citations_count_where_there_is_no_evidence(
    workspace: Workspace, tmp_path: Path
) -> None:
    """As in the evaluator, which reads citations only for tasks with evidence."""
    unanswerable_task = next(
        task for task in TASKS if not task.get("evidence") and task.get("unanswerable")
    )
    row = {"id": unanswerable_task["id"], "answer": "x", "citations": ["annual report.pdf", 3]}
    report = report_of(workspace, write_jsonl(tmp_path / "results.jsonl", [row]))
    assert cells(report, "results")["page_f1"].value == 0


def test_runs_of_earlier_versions_are_not_called_unrepaired(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their import did not compare the rows; importing the file again changes nothing."""
    file = write_jsonl(tmp_path / "agent.jsonl", [madqa()])
    with monkeypatch.context() as patch:
        patch.setattr(
            "pagetrail.storage.importers.runs.importer._Importer._repaired_parts",
            lambda self, record: (),
        )
        run(workspace, file)
    (first, *_) = events(workspace, "t/1")
    assert isinstance(first.payload, ev.RunImported) and first.payload.repaired == ()
    row = cells(report_of(workspace), "agent")
    assert row["repaired"].reason == "import_not_compared"
    longer = write_jsonl(tmp_path / "longer.jsonl", [madqa(), bare("t/2")])
    second_report = run(workspace, longer)
    assert (second_report.imported, second_report.already_there) == (1, 1)
