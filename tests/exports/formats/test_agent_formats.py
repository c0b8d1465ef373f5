"""Attempts as Inspect logs and ATIF: what the foreign programs read of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, EvalScore, list_eval_logs, read_eval_log

from pagetrail.exports.reports.metrics.inspect_logs import mean_scores
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    atif,
    bare,
    eval_log,
    failed_sample,
    madqa,
    run,
    sample,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace, record_attempts
from tests.support.foreign_programs import foreign


@pytest.fixture(scope="module")
def workspace_with_runs(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """What two people did, and three runs of agents: timed, untimed, and of an Inspect log."""
    root = tmp_path_factory.mktemp("agents")
    workspace = make_workspace(root / "ws")
    record_attempts(workspace)
    unknown = [{"iteration": 1, "query": "q", "num_results": 5, "total_hits": 9}]
    odd = {"name": "calculator", "arguments": '{"n": 1e999}'}
    steps = [
        {"role": "assistant", "content": "a\u2028b", "tool_calls": [odd], "tool_results": []},
        {"role": "assistant", "content": None, "tool_calls": [], "parsed_answer": {"answer": "7"}},
    ]
    rows = [madqa(), bare("t/2", search_history=unknown), bare("t/4", trajectory=steps)]
    run(workspace, write_jsonl(root / "r.jsonl", rows), system="..")
    log = eval_log(root / "r.eval", [sample(), failed_sample("t/2")])
    run(workspace, log, system="inspected")
    run(workspace, write_json(root / "r.json", [atif()]), system="harboured")
    return workspace


def exported(workspace: Workspace, form: str, out: Path) -> Path:
    """An export of the campaign."""
    export(workspace, CAMPAIGN, form, out)
    return out


def test_inspect_opens_people_beside_agents(workspace_with_runs: Workspace, tmp_path: Path) -> None:
    """One log each: the searches with their results, pages, times, scores and their means."""
    out = exported(workspace_with_runs, "inspect", tmp_path / "out")
    eval_logs = list_eval_logs(str(out))
    logs: dict[str, EvalLog] = {}
    for info in eval_logs:
        log = read_eval_log(info, resolve_attachments=True)
        logs[log.eval.model] = log
    assert set(logs) == {
        "human/annotator-1", "human/annotator-2", "agent/..", "openai/model-3", "agent/harboured",
    }  # fmt: skip
    log = logs["human/annotator-1"]
    assert log.status == "success" and log.samples is not None and log.results is not None
    assert log.eval.task == CAMPAIGN and log.results.total_samples == len(log.samples) == 2
    first = next(s for s in log.samples if s.metadata["task_id"] == "t/1")
    assert first.input == "How many otters were counted?" and first.target == ["42", "forty-two"]
    assert first.scores is not None
    assert first.scores["correct"].value == "C" and first.scores["page_f1"].value == 1.0
    calls = [event for event in first.events if event.event == "tool"]
    assert [c.function for c in calls] == [
        "search_documents", "read_page", "read_page", "read_page",
    ]  # fmt: skip
    assert json.loads(str(calls[0].result))["total_hits"] == 7
    assert len(json.loads(str(calls[0].result))["results"]) == 5
    assert calls[1].arguments == {"file": "annual report.pdf", "page": 3}
    assert (calls[1].timestamp - calls[0].timestamp).total_seconds() == 2
    assert first.total_time == 130 and first.working_time == 100
    assert json.loads(first.output.completion)["answer"] == ["42"]
    means = {score.name: score.metrics for score in log.results.scores}
    assert means["correct"]["accuracy"].value == 1.0
    assert means["correct"]["accuracy"].metadata is None
    assert read_eval_log(eval_logs[0], header_only=True).samples is None
    untimed = logs["agent/.."].samples
    assert untimed is not None and [bool(s.events) for s in untimed] == [True, False, False]


def test_the_accuracy_of_a_log_has_its_upper_end() -> None:
    """One of four answers is right, and one undecided: at most two are right."""
    (score,) = mean_scores({"correct": [1.0, 0.0, 0.0, 0.0]}, 5, 1)
    (metric,) = EvalScore.model_validate(score).metrics.values()
    assert (metric.value, metric.metadata) == (0.25, {"undecided": 1, "upper": 0.5})
    assert score["unscored_samples"] == 1


def test_harbor_accepts_atif(workspace_with_runs: Workspace, tmp_path: Path) -> None:
    """Its validator finds no error; nothing of a language model is on a person's steps."""
    validator = foreign("harbor.utils.trajectory_validator").TrajectoryValidator
    out = exported(workspace_with_runs, "atif", tmp_path / "out")
    paths = sorted(path for path in out.rglob("*.json") if path.name != "manifest.json")
    assert len(paths) == 9 and all(out in path.resolve().parents for path in paths)
    for path in paths:
        checked = validator()
        assert checked.validate(path) and checked.errors == []
        trajectory = json.loads(path.read_text(encoding="utf-8"))
        assert trajectory["final_metrics"]["total_steps"] == len(trajectory["steps"])
        assert [step["source"] for step in trajectory["steps"][:2]] == ["user", "agent"]
        assert all(step.get("llm_call_count", 0) == 0 for step in trajectory["steps"])
    trajectory = json.loads((out / "annotator-1" / "t%2F1.json").read_text(encoding="utf-8"))
    assert trajectory["extra"]["answer"] == ["42"] and trajectory["extra"]["outcome"] == "answered"
    assert trajectory["agent"]["extra"] == {"person": True}
    trajectory["steps"][1]["step_id"] = 7
    assert not validator().validate(trajectory)
