"""``pagetrail import-boxes`` as a person or a script runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.app.cli.main import app
from pagetrail.storage.database.workspace import Workspace
from tests.exports.worked_campaigns import SCENES

CAMPAIGN = "Work"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A campaign in which people graded pages and drew boxes."""
    return SCENES["relevance"](tmp_path_factory.mktemp("graded") / "ws").workspace


def _run(workspace: Workspace, *arguments: object) -> Any:
    words = ["import-boxes", str(workspace.root), *map(str, arguments)]
    return CliRunner().invoke(app, [*words, "--campaign", CAMPAIGN, "--system", "vlm"])


def _words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub("[│┃]", "", text))


def test_boxes_are_imported_and_compared(workspace: Workspace, tmp_path: Path) -> None:
    """Bad boxes are a table on standard error; the agreement report has the system."""
    file = tmp_path / "boxes.jsonl"
    box = {
        "task": "q/2",
        "document": "annual report.pdf",
        "rect": [72, 90, 300, 190],
        "label": "Table",
    }
    rows = [{**box, "page": page} for page in (1, 99)]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = _run(workspace, file, "--all-tasks", "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert (report["boxes"], len(report["bad"])) == (1, 1)
    assert "page 99 of annual report.pdf does not exist" in _words(result.stderr)
    assert "1 box of vlm imported into campaign Work" in _words(result.stderr)
    again = _run(workspace, file, "--all-tasks")
    assert again.exit_code == 0 and "Already there" in again.stderr
    agreement = CliRunner().invoke(
        app,
        [
            *("agreement", str(workspace.root), "--campaign", CAMPAIGN),
            *("--replicates", "50", "--out", str(tmp_path / "out")),
        ],
    )
    assert "Boxes of systems" in agreement.stdout


def test_nothing_usable_is_exit_code_1(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "boxes.jsonl"
    file.write_text('{"document": "none.pdf", "page": 1, "rect": [1, 2, 30, 40]}', encoding="utf-8")
    result = _run(workspace, file)
    assert result.exit_code == 1
    assert "Nothing was imported: no box can be used." in _words(result.stderr)
