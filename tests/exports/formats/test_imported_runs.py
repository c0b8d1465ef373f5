"""Campaigns with imported runs: every format goes out, and a run goes out as it came in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.replay.timeline import timeline
from pagetrail.exports.run import FORMATS, export
from pagetrail.exports.writing.file_formats import encoded_stem
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from tests.exports import worked_campaigns as scenes
from tests.exports.campaigns import CAMPAIGN as WORK_CAMPAIGN
from tests.exports.campaigns import Stage
from tests.exports.trajectory_files import read_trajectories
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    atif,
    bare,
    eval_log,
    events,
    failed_sample,
    madqa,
    run,
    sample,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace, record_attempts


def rows_of(workspace: Workspace, out: Path, annotator: str) -> list[dict[str, Any]]:
    """The MADQA rows of one annotator."""
    export(workspace, CAMPAIGN, "madqa", out)
    lines = (out / "by-annotator" / f"{annotator}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in lines.splitlines()]


def same_but_model(left: list[dict[str, Any]], right: list[dict[str, Any]], *names: str) -> bool:
    """Whether the rows differ in the model's name alone, and in the fields of these names."""
    left_out = {"model", *names}
    return [{k: v for k, v in row.items() if k not in left_out} for row in left] == [
        {k: v for k, v in row.items() if k not in left_out} for row in right
    ]


def test_what_people_did_comes_back_as_it_went_out(tmp_path: Path) -> None:
    """Export, import under a system's name, export again: answers, citations, queries, results,
    their order, totals, times of searches, outcomes and effort are the same.
    """
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    people = rows_of(workspace, tmp_path / "out", "annotator-1")
    people += rows_of(workspace, tmp_path / "out2", "annotator-2")
    for name in ("annotator-1", "annotator-2"):
        report = import_run(
            workspace, tmp_path / "out" / "by-annotator" / f"{name}.jsonl",
            campaign=CAMPAIGN, system=f"copy of {name}",
        )  # fmt: skip
        assert report.left_out == report.warnings == []
    copies = rows_of(workspace, tmp_path / "again", "copy of annotator-1")
    copies += rows_of(workspace, tmp_path / "again2", "copy of annotator-2")
    steps = [
        [{k: v for k, v in step.items() if k != "timestamp"} for step in row["trajectory"]]
        for row in copies
    ]
    assert steps == [row["trajectory"] for row in people]
    assert same_but_model(people, copies, "trajectory")
    assert {row["model"] for row in copies} == {"copy of annotator-1", "copy of annotator-2"}
    assert {row["trajectory"][-1]["outcome"] for row in people} == {"answered", "not_found"}


@pytest.mark.parametrize("form", ["madqa", "inspect", "atif"])
def test_a_run_of_any_format_comes_back_as_it_went_out(tmp_path: Path, form: str) -> None:
    """With its other steps, its iterations and its times; the copy's copy is the same."""
    workspace = make_workspace(tmp_path / "ws")
    if form == "madqa":
        unknown = [{"iteration": 1, "query": "q", "num_results": 5, "total_hits": 9}]
        rows = [
            madqa(confidence=0.85),
            bare("t/2", search_history=unknown),
            bare("t/3", answer=None),
        ]
        path = write_jsonl(tmp_path / "r.jsonl", rows)
    elif form == "atif":
        path = write_json(tmp_path / "r.json", [atif(), atif("t/2", steps=atif()["steps"][:2])])
    else:
        path = eval_log(tmp_path / "r.eval", [sample(), failed_sample("t/2")])
    assert run(workspace, path).left_out == []
    first = rows_of(workspace, tmp_path / "out", "agent")
    assert first[0]["answer"] == ["42"] and first[0]["model"] == "agent"
    assert first[0].get("confidence") == (0.85 if form == "madqa" else None)
    copy = tmp_path / "out" / "by-annotator" / "agent.jsonl"
    warnings = [note.reason for note in run(workspace, copy, system="copy").warnings]
    assert warnings == ["the run ended in an error: out of tokens"] * (form == "inspect")
    assert same_but_model(first, rows_of(workspace, tmp_path / "again", "copy"))
    times = [[(e.elapsed_ms, e.client_ts) for e in events(workspace, "t/1", s)]
             for s in ("agent", "copy")]  # fmt: skip
    assert times[0] == times[1]


def test_effort_results_and_totals_are_those_of_the_file(tmp_path: Path) -> None:
    """Iterations as the file counts them; what a search returned is null where it is not known."""
    workspace = make_workspace(tmp_path / "ws")
    history = [{"query": "q", "num_results": 5}]
    path = write_jsonl(tmp_path / "r.jsonl", [madqa(), bare("t/2", search_history=history)])
    run(workspace, path)
    full, incomplete = rows_of(workspace, tmp_path / "out", "agent")
    assert full["iterations"] == 3 and incomplete["iterations"] == 1
    assert [h["num_results"] for h in full["search_history"]] == [2]
    assert [s["content"] for s in full["trajectory"]] == ["I look for otters.", None, None]
    entry = incomplete["search_history"][0]
    assert (entry["num_results"], entry["results"], entry["timestamp"]) == (None, None, None)
    words = [entry.text for entry in timeline(events(workspace, "t/2"))]
    assert words[0] == "Imported run: record 2 of r.jsonl"
    assert words[1] == "Searched for “q”: results unknown"


SCENES = (
    scenes.relevance, scenes.verify, scenes.verify_chart, scenes.verify_transcript,
    scenes.qa_review, scenes.judge, scenes.author,
)  # fmt: skip


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_format_runs_over_a_campaign_with_imported_runs(
    tmp_path: Path, scene: Callable[[Path], Stage]
) -> None:
    """In campaigns of every protocol, with a run that cites pages that do not exist: the formats
    that hold logs have the run beside people's work; labels, votes and grades are people's alone.
    """
    stage = scene(tmp_path / "ws")
    before = _exported(stage.workspace, tmp_path / "before")
    wrong = [{"file": "gone.pdf", "page": 7}, {"file": "b.pdf", "page": 400}]
    rows = {"agent": madqa(stage.keys[0], citations=wrong), "other": bare(stage.keys[0])}
    for system, row in rows.items():
        path = write_jsonl(tmp_path / f"{system}.jsonl", [row])
        report = import_run(stage.workspace, path, campaign=WORK_CAMPAIGN, system=system)
        assert report.imported == 1
    after = _exported(stage.workspace, tmp_path / "after")
    assert after.keys() - before.keys() == {
        "madqa/by-annotator/agent.jsonl",
        "madqa/by-annotator/other.jsonl",
        *(f"atif/{name}/{encoded_stem(stage.keys[0])}.json" for name in ("agent", "other")),
        *(f"inspect/{name}.eval" for name in ("agent", "other")),
    }
    assert {name for name, data in before.items() if after[name] != data} == {
        "labels/attempts.jsonl",
        "dataset/README.md",
        "dataset/croissant.json",
        *(f"dataset/data/{name}.parquet" for name in ("attempts", "events", "scores")),
        "madqa/results.jsonl",
        *(f"scores/scores.{e}" for e in ("csv", "parquet")),
        "trajectory-tasks/tasks.jsonl",
        "trajectories/README.md",
        *(f"trajectories/{n}.{e}" for n in ("events", "attempts") for e in ("jsonl", "parquet")),
    }
    stored = read_trajectories(tmp_path / "after" / "trajectories")
    assert sum(log[0].type == "run_imported" for log in stored.values()) == 2
    manifest = json.loads((tmp_path / "after" / "reviews" / "manifest.json").read_text())
    assert ("of_a_system", 2) in [(e["reason"], e["count"]) for e in manifest["left_out"]]


def _exported(workspace: Workspace, out: Path) -> dict[str, bytes]:
    """Every file of every format but the manifests."""
    for form in FORMATS:
        export(workspace, WORK_CAMPAIGN, form, out / form)
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
