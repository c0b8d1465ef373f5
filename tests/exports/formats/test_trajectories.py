"""Trajectories: what was exported folds back to what is stored."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.timing.durations import timing
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from scripts.event_schema import event_schema_text
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import Exported, StageOf, rows
from tests.exports.trajectory_files import read_trajectories
from tests.exports.worked_campaigns import SCENES
from tests.support.factory import make_workspace, record_attempts
from tests.support.foreign_programs import foreign

OPENED = ["1-Ada", "1-Grace", "2-Ada", "2-Grace", "3-Ada"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace in which people have worked."""
    workspace = make_workspace(tmp_path_factory.mktemp("trajectories") / "ws")
    record_attempts(workspace)
    return workspace


@pytest.fixture
def folder(workspace: Workspace, tmp_path: Path) -> Path:
    """Its trajectories."""
    export(workspace, "Otters", "trajectories", tmp_path / "out")
    return tmp_path / "out"


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_replaying_gives_the_stored_state(workspace: Workspace, folder: Path, kind: str) -> None:
    """From either file alone: the fold of each attempt is the stored state, field by field."""
    (folder / f"events.{'parquet' if kind == 'jsonl' else 'jsonl'}").unlink()
    trajectories = read_trajectories(folder)
    assert list(trajectories) == OPENED
    log = SqlEventLog(workspace.engine)
    for attempt_id, events in trajectories.items():
        assert fold(events) == log.state(attempt_id)
        assert timing(events) == timing(log.events(attempt_id))


def test_only_the_actor_is_changed(workspace: Workspace, folder: Path) -> None:
    """Every field of every event is as stored, but people are pseudonyms."""
    log = SqlEventLog(workspace.engine)
    for attempt_id, events in read_trajectories(folder).items():
        stored = list(log.events(attempt_id))
        name, alias = ("Ada", "annotator-1") if "Ada" in attempt_id else ("Grace", "annotator-2")
        assert {e.actor for e in stored} == {name}
        assert events == [e.model_copy(update={"actor": alias}) for e in stored]


def test_identified_events_are_the_stored_ones(workspace: Workspace, tmp_path: Path) -> None:
    """With ``identify`` not even the actor differs."""
    export(workspace, "Otters", "trajectories", tmp_path / "out", identify=True)
    log = SqlEventLog(workspace.engine)
    for attempt_id, events in read_trajectories(tmp_path / "out").items():
        assert events == list(log.events(attempt_id))


def test_rows_have_the_agreed_fields(folder: Path) -> None:
    """All columns of docs/formats.md, trajectories; JSONL and Parquet hold the same values."""
    rows = [json.loads(line) for line in (folder / "events.jsonl").open(encoding="ascii")]
    expected = [
        "attempt_id",
        "task_id",
        "annotator",
        "seq",
        "type",
        "version",
        "server_ts",
        "client_ts",
        "elapsed_ms",
        "payload",
    ]
    assert set(expected) <= set(rows[0])
    table = pq.read_table(folder / "events.parquet").to_pylist()
    assert [{**r, "payload": json.loads(r["payload"])} for r in table] == rows
    assert [r["seq"] for r in rows if r["attempt_id"] == "1-Ada"] == list(range(1, 12))


def test_attempt_rows_carry_the_times(workspace: Workspace, tmp_path: Path) -> None:
    """One row per attempt, with times worked out by hand for the reopened one."""
    folder = tmp_path / "out"
    export(workspace, "Otters", "trajectories", folder, submission="final")
    rows = [json.loads(line) for line in (folder / "attempts.jsonl").open(encoding="ascii")]
    assert pq.read_table(folder / "attempts.parquet").to_pylist() == rows
    assert [r["attempt_id"] for r in rows] == OPENED
    ada = rows[0]
    # 4 + 2 + 20 + 90 + 5 + 6 + 3 s of work, an hour submitted, 10 + 2 s of work.
    assert ada["wall_ms"] == 3_742_000
    assert (ada["work_ms"], ada["handed_in_ms"]) == (142_000, 3_600_000)
    assert (ada["active_ms_60"], ada["active_ms_100"], ada["active_ms_120"]) == (
        112_000,
        142_000,
        142_000,
    )
    assert ada["first_citation_ms"] == 121_000
    grace = rows[1]
    assert (grace["answer"], grace["outcome"]) == ([], "not_found")
    assert (grace["n_searches"], grace["n_refused_searches"]) == (1, 1)
    paused = rows[4]
    assert (paused["paused_ms"], paused["status"]) == (600_000, "open")


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("scene", SCENES)
def test_every_protocols_work_replays(
    scene: str, kind: str, stage_of: StageOf, tmp_path: Path
) -> None:
    """Boxes, fields, rows, checks and questions fold back from either file to the stored state."""
    stage = stage_of(scene)
    export(stage.workspace, CAMPAIGN, "trajectories", tmp_path / "out")
    (tmp_path / "out" / f"events.{'parquet' if kind == 'jsonl' else 'jsonl'}").unlink()
    trajectories = read_trajectories(tmp_path / "out")
    log = SqlEventLog(stage.workspace.engine)
    assert trajectories
    for attempt_id, events in trajectories.items():
        assert fold(events) == log.state(attempt_id)


def test_a_task_that_ended_has_no_answer(exported: Exported) -> None:
    """An attempt submitted as done gives no answer, and its outcome says so."""
    _, out = exported("relevance", "trajectories")
    rows = [json.loads(line) for line in (out / "attempts.jsonl").open(encoding="ascii")]
    poor = next(row for row in rows if row["attempt_id"] == "3-Ada")
    assert (poor["outcome"], poor["answer"]) == ("completed", [])


@pytest.mark.parametrize("scene", SCENES)
def test_every_row_follows_the_published_schema(exported: Exported, scene: str) -> None:
    """The schema in the folder is the one that the models give, and refuses what they refuse."""
    _, folder = exported(scene, "trajectories")
    text = (folder / "events.schema.json").read_text(encoding="utf-8")
    assert text == event_schema_text()
    validator = Draft202012Validator(json.loads(text))
    events = rows(folder / "events.jsonl")
    for event in events:
        validator.validate(event)
    changed = events[0] | {"payload": {**events[0]["payload"], "surprise": 1}}
    assert not validator.is_valid(changed)
    assert not validator.is_valid(events[0] | {"type": "surprise"})


def test_load_dataset_reads_events_and_attempts(
    exported: Exported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As anybody who gets the folder would, without knowing its files."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = foreign("datasets")
    manifest, folder = exported("relevance", "trajectories")
    for name in ("events", "attempts"):
        loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path))["test"]
        assert loaded.num_rows == manifest.counts[name] > 0
