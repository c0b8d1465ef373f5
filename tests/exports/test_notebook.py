"""``pagetrail.open``: frames that equal the exports, and the notebook of docs/ that uses them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pagetrail
from pagetrail.annotation.errors import NotFoundError, PagetrailError, WorkspaceError
from pagetrail.exports.frames import with_times
from pagetrail.exports.run import export
from pagetrail.storage.corpus.changes import raise_revision
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.search import engine
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import StageOf
from tests.support.factory import make_workspace, record_attempts
from tests.support.function_process import output_of, print_imported

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
FRAMES = {
    "events": ("trajectories", "events.parquet", ["server_ts", "client_ts"]),
    "attempts": ("trajectories", "attempts.parquet", ["started_at", "updated_at"]),
    "labels": ("labels", "labels.parquet", ["set_at"]),
    "scores": ("scores", "scores.parquet", ["submitted_at"]),
}
TABLES = (*FRAMES, "boxes", "tasks", "gold")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One campaign, ``Otters``, with work in it."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    return workspace


def test_frames_are_the_exports(tmp_path: Path, stage_of: StageOf) -> None:
    """Row for row, with times in place of texts; boxes, which have no Parquet file, likewise."""
    workspace = stage_of("relevance").workspace
    opened = pagetrail.open(workspace.root)
    for method, (format_, file, times) in FRAMES.items():
        export(workspace, CAMPAIGN, format_, tmp_path / format_, overwrite=True)
        expected = with_times(pd.read_parquet(tmp_path / format_ / file), times)
        frame = getattr(opened, method)(CAMPAIGN)
        assert len(frame), method
        assert set(frame["campaign"]) == {CAMPAIGN}
        assert all(isinstance(frame[name].dtype, pd.DatetimeTZDtype) for name in times)
        pd.testing.assert_frame_equal(frame[expected.columns], expected)
    lines = (tmp_path / "labels" / "boxes.jsonl").read_text(encoding="utf-8").splitlines()
    boxes = opened.boxes(CAMPAIGN)
    assert len(boxes) == len(lines) > 0
    assert list(boxes) == list(json.loads(lines[0]))
    assert list(boxes["rect"]) == [json.loads(line)["rect"] for line in lines]
    assert list(opened.campaigns["name"]) == [CAMPAIGN]


def test_tasks_gold_and_documents(stage_of: StageOf) -> None:
    """Tasks with their records, the gold of both kinds, and the collection."""
    stage = stage_of("relevance")
    opened = pagetrail.open(stage.workspace.root)
    tasks = opened.tasks(CAMPAIGN)
    assert tasks["task"].is_unique and tasks["question"].str.len().gt(0).all()
    assert {"batch", "answer_variants", "candidates", "language"} <= set(tasks)
    assert set(opened.gold(CAMPAIGN)["task"]) <= set(tasks["task"])
    decided = opened.gold(CAMPAIGN, gold="adjudicated")
    assert {"adjudication", "previous"} <= set(decided)
    documents = opened.documents()
    assert documents["pages"].ge(1).all()
    assert isinstance(documents["added_at"].dtype, pd.DatetimeTZDtype)
    with pytest.raises(PagetrailError, match="There is no gold 'best'"):
        opened.gold(gold="best")  # type: ignore[arg-type]


def test_one_campaign_several_or_all(workspace: Workspace, tmp_path: Path) -> None:
    """Rows of several campaigns are joined; a campaign named twice counts once."""
    opened = pagetrail.open(workspace.root)
    for table in TABLES:
        frame = getattr(opened, table)("Otters")
        pd.testing.assert_frame_equal(getattr(opened, table)(["Otters", "Otters"]), frame)
        pd.testing.assert_frame_equal(getattr(opened, table)(), frame)
    with pytest.raises(NotFoundError, match="Weasels"):
        opened.attempts(["Otters", "Weasels"])


def test_empty_results_have_their_columns(workspace: Workspace, tmp_path: Path) -> None:
    """A workspace without campaigns gives the columns, and types, that work would have."""
    empty = pagetrail.open(Workspace.create(tmp_path / "empty").root)
    full = pagetrail.open(workspace.root)
    for table in TABLES:
        frame = getattr(empty, table)()
        assert not len(frame)
        # Fields that the task schema does not know come last.
        assert list(frame) == list(getattr(full, table)())[: len(frame.columns)], table
    assert list(empty.campaigns) == list(full.campaigns)
    assert list(empty.documents()) == list(full.documents())
    assert empty.attempts()["started_at"].dtype == full.attempts()["started_at"].dtype
    assert list(full.search("zebra")) == ["rank", "file", "page", "score"]


def test_who_it_shows_and_what_it_refuses(workspace: Workspace, tmp_path: Path) -> None:
    """Pseudonyms unless told; a folder or campaign that is not there is named."""
    names = set(pagetrail.open(workspace.root, identify=True).scores("Otters")["annotator"])
    pseudonyms = set(pagetrail.open(workspace.root).scores("Otters")["annotator"])
    assert names and not names & pseudonyms
    with pytest.raises(NotFoundError, match="Weasels"):
        pagetrail.open(workspace.root).scores("Weasels")
    with pytest.raises(WorkspaceError):
        pagetrail.open(tmp_path / "nowhere")


def test_reports(workspace: Workspace) -> None:
    """Every report by name; a report made of several campaigns names them in its rows."""
    opened = pagetrail.open(workspace.root)
    for name in ("metrics", "agreement"):
        frames = opened.report(name, "Otters", replicates=50)  # type: ignore[arg-type]
        direct = getattr(opened, name)("Otters", replicates=50)
        assert frames.keys() == direct.keys() and frames
        for key, frame in frames.items():
            pd.testing.assert_frame_equal(frame, direct[key])
            assert list(frame)[:2] == ["campaign", "row_kind"]
    assert opened.report("quality", "Otters")
    assert "table-3" in opened.report("madqa", "Otters", replicates=50)


def test_wrong_options_fail_before_anything_is_read(workspace: Workspace) -> None:
    """Even where the campaign does not exist either."""
    opened = pagetrail.open(workspace.root)
    with pytest.raises(PagetrailError, match=r"agreement has no option 'rule'\. It takes by, dpi"):
        opened.report("agreement", "Weasels", rule="first")
    with pytest.raises(PagetrailError, match="There is no report 'nature'"):
        opened.report("nature", "Weasels")  # type: ignore[arg-type]
    with pytest.raises(PagetrailError, match="metrics has no option 'replicate'"):
        opened.metrics("Weasels", replicate=50)
    with pytest.raises(PagetrailError, match="rule 'none'"):
        opened.metrics("Weasels", rule="none")
    with pytest.raises(PagetrailError, match="replicates") as refused:
        opened.metrics("Weasels", replicates="many")
    assert refused.value.code == "invalid_option"
    with pytest.raises(TypeError, match="identity"):
        pagetrail.open(workspace.root, identity=True)  # type: ignore[call-arg]


def test_imported_verdicts_judge_the_answers(workspace: Workspace, tmp_path: Path) -> None:
    """A verdict against a correct answer lowers the accuracy."""
    scores = pagetrail.open(workspace.root, identify=True).scores("Otters")
    correct = scores[scores["correct"].eq(True)].iloc[0]
    labels = tmp_path / "labels.jsonl"
    line = {"task": correct["task"], "system": correct["annotator"], "verdict": "incorrect"}
    labels.write_text(json.dumps(line), encoding="utf-8")
    import_verdicts(workspace, labels, campaign="Otters", name="judge")
    opened = pagetrail.open(workspace.root)
    plain = opened.metrics("Otters", replicates=50)["results"]
    by_verdicts = opened.metrics("Otters", verdicts="judge", replicates=50)["results"]
    assert by_verdicts["accuracy"][0] < plain["accuracy"][0]


def test_the_index_stays_open_until_the_collection_changes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening it costs more than most queries."""
    opened_indexes = []
    open_reader = engine.open_reader

    def count(*arguments: Any) -> Any:
        opened_indexes.append(arguments)
        return open_reader(*arguments)

    monkeypatch.setattr(engine, "open_reader", count)
    with pagetrail.open(workspace.root) as opened:
        first = opened.search("otters", top_k=3)
        pd.testing.assert_frame_equal(opened.search("otters", top_k=3), first)
        assert len(opened_indexes) == 1 and len(first) == 3
        with workspace.engine.begin() as connection:
            raise_revision(connection)
        opened.search("otters")
        assert len(opened_indexes) == 2


def test_importing_the_package_loads_no_library() -> None:
    """Commands and workers import it too; pandas and the reports take seconds."""
    names = "pagetrail pandas altair scipy sqlalchemy pydantic pymupdf"
    assert output_of(print_imported, names, "pagetrail") == "pagetrail\n"


def test_the_notebook_runs(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell, in a folder with a workspace ``ws``."""
    monkeypatch.chdir(workspace.root.parent)
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert len(names["scores"]) == 3 and len(names["events"]) > 10
