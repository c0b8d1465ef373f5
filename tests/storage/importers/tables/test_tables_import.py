"""Tables in rounds: fix requests are exported and fixed tables imported until all are accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import InputFileError
from pagetrail.app.cli.main import app
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tables.importer import TableReport, import_tables
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.task_data import add_people, register_documents, write_jsonl
from tests.support.factory import start_clock

CAMPAIGN = "Tables"
HTML = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
FIXED = HTML.replace("<td>1", "<td>4")
PAGE: dict[str, Any] = {"document": "report.pdf", "page": 1}
FLAG = ev.CellFlagged(**PAGE, table="t1", structure=0, row=1, column=0, kind="text", note="is 4")


class Desk:
    """Ada with one task."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.clock = start_clock()
        self.log = SqlEventLog(workspace.engine)
        self.recorder = Recorder(self.log, Corpus(workspace), self.clock)
        (batch,) = assignments(workspace.engine, 1)
        ensure_attempts(workspace.engine, batch.assignment_id, self.clock)
        (task,) = queries.batch_tasks(workspace.engine, batch.assignment_id)
        self.attempt = task.attempt_id
        self.sent = 0

    def do(self, *payloads: ev.Payload) -> AttemptState:
        context = queries.attempt(self.workspace.engine, self.attempt).context()
        commands = []
        for payload in payloads:
            self.clock.advance(seconds=10)
            self.sent += 1
            commands.append(Command(f"c{self.sent}", payload))
        recorded = self.recorder.record(context, commands)
        assert not recorded.refusals, recorded.refusals
        return recorded.state

    def submit(self, *payloads: ev.Payload) -> str:
        answers = [ev.FieldSet(field=name, value="yes") for name in ("complete", "records")]
        return round_stage(
            self.do(ev.Opened(session="s"), *payloads, *answers, ev.Submitted(outcome="completed"))
        )

    @property
    def state(self) -> AttemptState:
        return self.log.state(self.attempt)


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> Desk:
    register_documents(workspace)
    task = {
        "id": "p1",
        "question": "Verify.",
        "candidates": [PAGE],
        "tables": [{"id": "t1", "html": HTML}],
    }
    file = write_jsonl(tmp_path / "tasks.jsonl", [task])
    report = import_tasks(workspace, file, campaign=CAMPAIGN, protocol="verify_table")
    assert not report.bad and not report.warnings
    add_people(workspace, ["Ada"])
    assign(workspace, CAMPAIGN, ["Ada"])
    return Desk(workspace)


def requests(desk: Desk, folder: Path) -> list[dict[str, Any]]:
    export(desk.workspace, CAMPAIGN, "table-fixes", folder)
    text = (folder / "table_fixes.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def imported(desk: Desk, folder: Path, *rows: dict[str, Any]) -> TableReport:
    path = write_jsonl(folder / "fixed.jsonl", rows)
    return import_tables(desk.workspace, path, campaign=CAMPAIGN, clock=desk.clock)


def answer(desk: Desk, html: str = FIXED, **fields: Any) -> dict[str, Any]:
    tables = [{"id": "t1", "html": html}]
    sha256 = desk.state.tables.sha256
    return {"task": "p1", "tables_sha256": sha256, "tables": tables, "model": "m-2", **fields}


def test_a_table_goes_round_until_it_is_submitted_without_a_flag(desk: Desk, tmp_path: Path):
    assert desk.submit(FLAG) == "waiting"
    (row,) = requests(desk, tmp_path / "out")
    assert row["tables"][0]["requests"] == [
        {"row": 1, "column": 0, "text": "1", "kind": "text", "note": "is 4"}
    ]

    tables = [{"id": "t1", "html": FIXED}]
    report = imported(desk, tmp_path, {**row, "tables": tables, "model": "m-2"})

    assert (report.rounds.started, report.changes, report.left_out) == ({2: 1}, 1, [])
    (cell,) = [cell for cell in desk.state.tables.tables[0].cells if cell.fix]
    assert (cell.text, cell.fix and cell.fix.was, cell.anchor) == ("4", "1", (1, 0))
    confirm = ev.CellConfirmed(**PAGE, table="t1", structure=0, cells=((1, 0),))
    assert desk.submit(confirm) == "accepted"
    assert requests(desk, tmp_path / "out2") == []


def test_a_second_import_changes_nothing(desk: Desk, tmp_path: Path):
    desk.submit(FLAG)
    row = answer(desk)
    imported(desk, tmp_path, row)
    before = desk.state

    report = imported(desk, tmp_path, row)

    assert (report.rounds.imported, report.rounds.already_there) == (0, 1)
    assert desk.state == before


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"tables_sha256": "0" * 64}, "has other tables by now"),
        ({"tables_sha256": "x"}, "must be the SHA-256"),
        ({"task": "p9"}, "has no task 'p9'"),
        ({"annotator": "Ben"}, "Ben has not opened"),
        ({"tables": None}, "tables: must be a list"),
        ({"tables": [{"id": "t7", "html": HTML}]}, "there is no table 't7'; tables: t1"),
        ({"tables": [{"id": "t1", "html": "gone"}]}, r"tables\[0\]: holds no table"),
        ({"tables": [{"id": "t1", "html": HTML}] * 2}, "two tables have the id"),
        ({"model": 5}, "model: must be a name"),
    ],
)
def test_what_cannot_be_used_is_listed_with_its_line(
    desk: Desk, tmp_path: Path, fields: dict[str, Any], reason: str
):
    desk.submit(FLAG)

    report = imported(desk, tmp_path, answer(desk) | fields)

    (entry,) = report.left_out
    assert entry.line == 1
    assert re.search(reason, entry.reason)
    assert desk.state.status == "submitted"


def test_work_that_is_not_waiting_gets_no_round(desk: Desk, tmp_path: Path):
    desk.do(ev.Opened(session="s"))
    assert "is in work in round 1" in imported(desk, tmp_path, answer(desk)).left_out[0].reason

    desk.submit()
    assert "accepted without a flag" in imported(desk, tmp_path, answer(desk)).left_out[0].reason


def test_hostile_tables_stay_text_and_are_reported(desk: Desk, tmp_path: Path):
    desk.submit(FLAG)
    html = (
        "<table><tr><th colspan=1000000000>A<script>alert(1)</script></th></tr>"
        "<tr><td>&lt;img src=x onerror=alert(1)&gt;</td><td>2</td></tr></table>"
    )

    report = imported(desk, tmp_path, answer(desk, html))

    assert [entry.reason for entry in report.repaired] == [
        "table t1: cells that overlap others or reach beyond the table were shortened"
    ]
    assert desk.state.tables.tables[0].grid.texts() == [
        ["A", "A"],
        ["<img src=x onerror=alert(1)>", "2"],
    ]


def test_a_campaign_without_tables_is_refused(workspace: Workspace, tmp_path: Path):
    register_documents(workspace)
    file = write_jsonl(tmp_path / "tasks.jsonl", [{"id": "q", "question": "Why?"}])
    import_tasks(workspace, file, campaign="Search", protocol="search")

    with pytest.raises(InputFileError, match="have no tables to verify"):
        import_tables(workspace, file, campaign="Search")


def test_the_command_says_what_became_of_the_rows(desk: Desk, tmp_path: Path):
    desk.submit(FLAG)
    path = write_jsonl(tmp_path / "fixed.jsonl", [answer(desk), {"task": "p9"}])

    result = CliRunner().invoke(
        app, ["import-tables", str(desk.workspace.root), str(path), "--campaign", CAMPAIGN]
    )

    assert result.exit_code == 0, result.output
    assert "Round 2 began for 1 task." in result.output
    assert "1 change to confirm in 1 task" in result.output
    assert "p9" in result.output
