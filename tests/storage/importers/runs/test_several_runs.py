"""Several runs of a system: reported with their spread; a withdrawn one is left out and stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.app.cli.main import app
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.withdrawal import set_run_withdrawn
from tests.storage.importers.runs.run_data import CAMPAIGN, madqa
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace


def report(workspace: Workspace) -> Report:
    """Metrics with few replicates."""
    with open_source(workspace, CAMPAIGN) as source:
        return metrics(source, MetricsOptions(replicates=2))


def test_runs_are_reported_together_and_withdrawn_one_by_one(tmp_path: Path) -> None:
    """Mean and standard deviation over two runs; none is left to compare without the second."""
    workspace = make_workspace(tmp_path / "ws")
    ws = str(workspace.root)
    for run, row in (("1", madqa()), ("2", madqa(answer=["41"]))):
        file = write_jsonl(tmp_path / f"{run}.jsonl", [row])
        command = ["import-run", ws, str(file), "--campaign", CAMPAIGN, "--system", "agent"]
        result = CliRunner().invoke(app, [*command, "--run", run])
        assert result.exit_code == 0, result.output
    (table,) = [table for table in report(workspace).tables if table.key == "runs"]
    (line,) = table.rows
    assert (line.cells["system"].value, line.cells["runs"].value) == ("agent", 2)
    assert line.cells["accuracy"].value == pytest.approx(0.5)
    assert line.cells["accuracy_sd"].value == pytest.approx(0.5**0.5)
    withdraw = ["withdraw-run", ws, "agent#2", "--campaign", CAMPAIGN, "--reason", "wrong index"]
    result = CliRunner().invoke(app, withdraw)
    assert result.exit_code == 0, result.output
    remaining_report = report(workspace)
    assert not [table for table in remaining_report.tables if table.key == "runs"]
    assert ("run_withdrawn", 1) in [
        (entry.reason, entry.count) for entry in remaining_report.left_out
    ]
    manifest = export(workspace, CAMPAIGN, "madqa", tmp_path / "out")
    assert manifest.counts["rows"] == 1
    with pytest.raises(ConflictError, match="already withdrawn"):
        set_run_withdrawn(workspace, CAMPAIGN, "agent#2", withdrawn=True, reason="")
    with pytest.raises(NotFoundError, match="no run of a system"):
        set_run_withdrawn(workspace, CAMPAIGN, "agent", withdrawn=True, reason="")
    set_run_withdrawn(workspace, CAMPAIGN, "agent#2", withdrawn=False, reason="")
    assert [table for table in report(workspace).tables if table.key == "runs"]
