"""``pagetrail.open``: frames that equal the exports, and the notebook of docs/ that uses them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pagetrail
from pagetrail.annotation.errors import NotFoundError, WorkspaceError
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import StageOf
from tests.support.factory import make_workspace, work

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
FRAMES = {
    "events": ("trajectories", "events.parquet"),
    "attempts": ("trajectories", "attempts.parquet"),
    "labels": ("labels", "labels.parquet"),
    "scores": ("scores", "scores.parquet"),
}


def test_frames_are_the_exports(tmp_path: Path, stage_of: StageOf) -> None:
    """Row for row; boxes, which have no Parquet file, likewise."""
    workspace = stage_of("relevance").workspace
    opened = pagetrail.open(workspace.root)
    for method, (format_, file) in FRAMES.items():
        export(workspace, CAMPAIGN, format_, tmp_path / format_, overwrite=True)
        frame = getattr(opened, method)(CAMPAIGN)
        assert len(frame), method
        pd.testing.assert_frame_equal(frame, pd.read_parquet(tmp_path / format_ / file))
    lines = (tmp_path / "labels" / "boxes.jsonl").read_text(encoding="utf-8").splitlines()
    boxes = opened.boxes(CAMPAIGN)
    assert len(boxes) == len(lines) > 0
    assert list(boxes["rect"]) == [json.loads(line)["rect"] for line in lines]
    assert list(opened.campaigns["name"]) == [CAMPAIGN]


def test_who_it_shows_and_what_it_refuses(tmp_path: Path) -> None:
    """Pseudonyms unless told; a folder or campaign that is not there is named."""
    workspace = make_workspace(tmp_path / "ws")
    work(workspace)
    named = set(pagetrail.open(workspace.root, identify=True).scores("Otters")["annotator"])
    shown = set(pagetrail.open(workspace.root).scores("Otters")["annotator"])
    assert named and not named & shown
    with pytest.raises(NotFoundError, match="Weasels"):
        pagetrail.open(workspace.root).scores("Weasels")
    with pytest.raises(WorkspaceError):
        pagetrail.open(tmp_path / "nowhere")


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell, in a folder with a workspace ``ws``."""
    work(make_workspace(tmp_path / "ws"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert len(names["scores"]) == 3 and len(names["events"]) > 10
