"""What agents' files say is kept: file → workspace → file, usage, originals, fields not kept."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import ModelUsage as InspectUsage

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.runs.usage import attempt_usage
from pagetrail.exports.papers.madqa.report import madqa_paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from tests.exports.campaigns import CAMPAIGN as WORK_CAMPAIGN
from tests.exports.campaigns import FILES, make_stage
from tests.exports.rich_runs import GRADER, rich_atif, rich_log, rich_madqa, rich_sample
from tests.storage.importers.runs.run_data import CAMPAIGN, events, run, write_json
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace, record_attempts
from tests.support.foreign_programs import foreign


@pytest.fixture
def otters(tmp_path: Path) -> Workspace:
    """Four tasks that nobody has worked on."""
    return make_workspace(tmp_path / "ws")


ADDED_TO_ATIF = ("campaign", "batch", "answer", "citations", "outcome")
"""What ``extra`` of an export in ATIF says beyond the file that was imported."""


def test_a_trajectory_in_atif_comes_back(otters: Workspace, tmp_path: Path) -> None:
    """Equal but for what was submitted, which is in ``extra``; Harbor's validator agrees."""
    original = rich_atif()
    validator = foreign("harbor.utils.trajectory_validator").TrajectoryValidator
    assert validator().validate(original)
    report = run(otters, write_json(tmp_path / "t.json", original))
    assert (report.not_kept, report.warnings) == ({}, [])
    export(otters, CAMPAIGN, "atif", tmp_path / "out")
    path = tmp_path / "out" / "agent" / "t%2F1.json"
    exported = json.loads(path.read_text(encoding="utf-8"))
    assert validator().validate(path)
    for name in ADDED_TO_ATIF:
        del exported["extra"][name]
    for step in (*exported["steps"], *original["steps"]):
        step["timestamp"] = step["timestamp"][:19]
    assert exported == original


CHANGED_IN_SAMPLE = {
    "scores", "metadata", "store", "target", "events", "messages", "working_start",
}  # fmt: skip
"""Ours, not the log's: scores, metadata, gold; the store repeats what was submitted. Events and
messages are compared one by one."""
CHANGED_IN_SPEC = {"task", "task_id", "eval_id", "run_id", "created", "dataset", "metadata"}
"""Of the campaign, not of the evaluation that was imported."""


def test_a_log_of_inspect_comes_back(otters: Workspace, tmp_path: Path) -> None:
    """Model, parameters, conversation, calls with usage and times, tools, ids."""
    path = rich_log(tmp_path / "log.eval", [rich_sample()])
    report = run(otters, path)
    assert report.warnings == []
    assert report.not_kept == {
        "target": 1, "scores": 1, "metadata.level": 1, "events[event=model].tool_choice": 2,
        "events[event=span_begin]": 1, "events[event=span_end]": 1,
    }  # fmt: skip
    export(otters, CAMPAIGN, "inspect", tmp_path / "out")
    original = read_eval_log(str(path), resolve_attachments=True)
    exported = read_eval_log(str(tmp_path / "out" / "agent.eval"), resolve_attachments=True)
    dumped = [
        log.eval.model_dump(mode="json", exclude=CHANGED_IN_SPEC) for log in (original, exported)
    ]
    assert dumped[1] == dumped[0]
    assert exported.plan == original.plan and original.samples and exported.samples
    exported_sample, original_sample = _sample(exported.samples[0]), _sample(original.samples[0])
    assert exported_sample["messages"] == original_sample["messages"]
    assert exported_sample["events"] == original_sample["events"]
    for name in CHANGED_IN_SAMPLE - {"target"}:
        exported_sample.pop(name, None)
        original_sample.pop(name, None)
    assert {**exported_sample, "id": None, "target": None} == {
        **original_sample,
        "id": None,
        "target": None,
    }


def _sample(sample: EvalSample) -> dict[str, Any]:
    """A sample as data; ids of messages that only Inspect made up are left out."""
    data = sample.model_dump(mode="json", exclude_none=True)
    for message in data["messages"]:
        if message["role"] != "assistant":
            message.pop("id", None)
            message.pop("source", None)
    data["events"] = [e for e in data["events"] if e["event"] in ("model", "tool")]
    for event in data["events"]:
        if event["event"] == "tool":
            event.pop("uuid", None)
    return data


def test_usage_is_there_by_turn_and_by_attempt(otters: Workspace, tmp_path: Path) -> None:
    """Tokens by kind, dollars, waiting time, whichever way the file counts them."""
    run(otters, write_json(tmp_path / "t.json", rich_atif()), system="atif")
    run(otters, rich_log(tmp_path / "log.eval", [rich_sample()]), system="inspect")
    run(otters, write_jsonl(tmp_path / "r.jsonl", [rich_madqa()]), system="madqa")
    first = {
        name: next(e.payload for e in events(otters, system=name) if e.type == "agent_turn")
        for name in ("atif", "inspect", "madqa")
    }
    turns = {n: turn.usage for n, turn in first.items() if isinstance(turn, ev.AgentTurn)}
    assert turns["atif"] == ModelUsage(
        input_tokens=1_200, cached_tokens=1_000, output_tokens=80, reasoning_tokens=30,
        cost_usd=0.0125, latency_ms=1_500,
    )  # fmt: skip
    # Inspect's input leaves the cache out; here it is in.
    assert turns["inspect"] == ModelUsage(
        input_tokens=1_250, cached_tokens=1_000, cache_write_tokens=50, output_tokens=80,
        reasoning_tokens=30, total_tokens=1_330, cost_usd=0.0125, latency_ms=1_500,
    )  # fmt: skip
    assert turns["madqa"] == ModelUsage(
        input_tokens=1_000, cached_tokens=500, output_tokens=50, reasoning_tokens=25,
        total_tokens=1_050, latency_ms=1_250,
    )  # fmt: skip
    usages = {name: attempt_usage(events(otters, system=name)) for name in turns}
    assert usages["atif"] == ModelUsage(
        input_tokens=4_100, cached_tokens=2_200, output_tokens=140, reasoning_tokens=30,
        cost_usd=0.0425, latency_ms=2_700,
    )  # fmt: skip
    assert usages["inspect"] == ModelUsage(
        input_tokens=2_600, cached_tokens=2_250, cache_write_tokens=50, output_tokens=100,
        reasoning_tokens=30, total_tokens=2_700, cost_usd=0.02, latency_ms=3_500,
    )  # fmt: skip
    assert usages["madqa"] == ModelUsage(
        input_tokens=2_200, cached_tokens=1_100, output_tokens=70, reasoning_tokens=35,
        total_tokens=2_270, cost_usd=0.03, latency_ms=1_750,
    )  # fmt: skip


def test_a_sum_over_some_turns_is_no_total(otters: Workspace, tmp_path: Path) -> None:
    """Where one turn does not say what it used, nobody can say what all used."""
    row = rich_madqa()
    del row["trajectory"][1]["usage"], row["cost"]
    run(otters, write_jsonl(tmp_path / "r.jsonl", [row]))
    usage = attempt_usage(events(otters))
    assert usage.input_tokens is usage.total_tokens is usage.cost_usd is None
    assert usage.latency_ms == 1_750


def test_results_of_madqa_come_back(otters: Workspace, tmp_path: Path) -> None:
    """Usage, reasoning, prompts and other tools' results; what is not kept is named and counted."""
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", [rich_madqa()]))
    assert report.not_kept == {
        "trajectory[].tool_results[].results[].score": 2,
        "trajectory[].usage.prompt_tokens_details.audio_tokens": 2,
        "trajectory[].logprobs": 1,
    }
    export(otters, CAMPAIGN, "madqa", tmp_path / "out")
    (row,) = map(json.loads, (tmp_path / "out" / "results.jsonl").open(encoding="utf-8"))
    first, last = row["trajectory"]
    assert first["reasoning"] == "Rivers." and first["usage"]["cached_tokens"] == 500
    assert [call["id"] for call in first["tool_calls"]] == ["c1", "c2"]
    assert first["tool_results"][1]["content"] == "42"
    assert last["parsed_answer"]["answer"] == ["42"] and last["usage"]["total_tokens"] == 1_220
    assert row["usage"] == {"cost_usd": 0.03} and row["system_prompt"] == "You answer questions."


def test_calls_of_graders_are_not_the_agents(otters: Workspace, tmp_path: Path) -> None:
    """A model that scores is no part of the run: not in its steps, not in its usage."""
    sample = rich_sample()
    grading = next(e for e in sample.events if isinstance(e, ModelEvent)).model_copy(
        update={"span_id": "s", "model": GRADER, "uuid": "grading"}
    )
    sample.events.insert(5, grading)
    sample.model_usage[GRADER] = InspectUsage(
        input_tokens=9_000, output_tokens=9, total_tokens=9_009
    )
    report = run(otters, rich_log(tmp_path / "log.eval", [sample]))
    assert report.not_kept["model calls of scorers"] == 1
    assert sum(e.type == "agent_turn" for e in events(otters)) == 2
    assert attempt_usage(events(otters)).input_tokens == 2_600


def test_originals_are_exported_on_request(otters: Workspace, tmp_path: Path) -> None:
    """The row as JSON says the same, the sample is the archive's to the byte, with the header."""
    row = {**rich_madqa(), "unknown": {"π": [1, 2.5, None]}}
    run(otters, write_jsonl(tmp_path / "r.jsonl", [row]), system="..")
    log = rich_log(tmp_path / "log.eval", [rich_sample()])
    run(otters, log, system="inspected")
    manifest = export(otters, CAMPAIGN, "atif", tmp_path / "out", originals=True)
    folder = tmp_path / "out" / "originals"
    assert json.loads((folder / "%2E%2E" / "t%2F1.json").read_bytes()) == row
    with zipfile.ZipFile(log) as archive:
        name = next(n for n in archive.namelist() if n.startswith("samples/"))
        assert (folder / "inspected" / "t%2F1.json").read_bytes() == archive.read(name)
        header = (folder / "inspected" / "t%2F1.header.json").read_bytes()
        assert header == archive.read("header.json")
    assert manifest.counts["originals"] == 3
    plain = export(otters, CAMPAIGN, "atif", tmp_path / "plain")
    assert "originals" not in plain.counts and not (tmp_path / "plain" / "originals").exists()


def test_table_12_has_tokens(otters: Workspace, tmp_path: Path) -> None:
    """Kuiper over all and generated tokens, of runs that state them; nothing is missing."""
    rows = [rich_madqa(task) for task in ("t/1", "t/2")]
    rows[1]["answer"] = ["41"]
    rows[1]["trajectory"][0]["usage"]["total_tokens"] += 5_000
    run(otters, write_jsonl(tmp_path / "r.jsonl", rows))
    with open_source(otters, CAMPAIGN) as source:
        paper = madqa_paper([source], PaperOptions(replicates=50))
    (table,) = (table for table in paper.tables if table.key == "table-12")
    cells = table.rows[0].cells
    # Right at 2,270 tokens, wrong at 7,270: D is 0.5 once and K is 0.5. Both generated 70.
    assert cells["total_tokens"].value == 0.5 and cells["total_tokens"].n == 2
    assert cells["output_tokens"].value == 0.0
    assert "Table 12, tokens" not in {entry.what for entry in paper.not_given}
    export(otters, CAMPAIGN, "trajectories", tmp_path / "out")
    lines = (tmp_path / "out" / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["total_tokens"] for line in lines] == [2_270, 7_270]


def _observations(out: Path) -> dict[str, Any]:
    """What the first person's calls of ``read_page`` returned, by page."""
    trajectory = json.loads((out / "annotator-1" / "t%2F1.json").read_text(encoding="utf-8"))
    return {
        call["arguments"]["page"]: result["content"]
        for step in trajectory["steps"]
        for call, result in zip(
            step.get("tool_calls", ()),
            step.get("observation", {}).get("results", ()),
            strict=True,
        )
        if call["function_name"] == "read_page"
    }


def test_pages_that_were_read_have_an_observation(tmp_path: Path) -> None:
    """Which page it was; on request its text, or its image as a file that Harbor finds."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    export(workspace, CAMPAIGN, "atif", tmp_path / "plain")
    plain = _observations(tmp_path / "plain")
    assert json.loads(plain[3]) == {"file": "annual report.pdf", "page": 3, "n_pages": 12}
    export(workspace, CAMPAIGN, "atif", tmp_path / "text", page_content="text")
    with open_source(workspace, CAMPAIGN) as source:
        text = source.pages.text("annual report.pdf", 3)
    assert json.loads(_observations(tmp_path / "text")[3])["text"] == text != ""
    with pytest.raises(PagetrailError, match="has no calls of read_page"):
        export(workspace, CAMPAIGN, "madqa", tmp_path / "no", page_content="text")
    with pytest.raises(PagetrailError, match="no page content 'all'"):
        export(workspace, CAMPAIGN, "atif", tmp_path / "no", page_content="all")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["atif", "inspect"])
def test_pages_that_were_read_are_there_as_images(tmp_path: Path, form: str) -> None:
    """Of people and agents, each page drawn once: a trajectory is of use without the PDFs."""
    tasks = [{"id": "q1", "question": "How many otters?"}]
    stage = make_stage(tmp_path / "stage", preset("search"), tasks)
    pages = [ev.PageViewed(document=name, page=1, via="document") for name in FILES]
    stage.did("q1", "Ada", ev.Opened(session="tab"), *pages, ev.Submitted(outcome="not_found"))
    row = rich_madqa("q1")
    call = {"id": "c9", "name": "read_page", "arguments": {"file": "b.pdf", "page": 1}}
    row["trajectory"][0]["tool_calls"].append(call)
    file = write_jsonl(tmp_path / "r.jsonl", [row])
    assert import_run(stage.workspace, file, campaign=WORK_CAMPAIGN, system="agent").left_out == []
    export(stage.workspace, WORK_CAMPAIGN, form, tmp_path / "out", page_content="image", dpi=50)
    if form == "inspect":
        samples = [
            sample
            for info in list_eval_logs(str(tmp_path / "out"))
            for sample in read_eval_log(info, resolve_attachments=True).samples or ()
        ]
        results = [e.result for s in samples for e in s.events if e.event == "tool"]
        parts = [part for result in results if isinstance(result, list) for part in result]
        images = [part.image for part in parts if part.type == "image"]
        assert len(images) == 3 and len(set(images)) == 2
        assert all(image.startswith("data:image/jpeg") for image in images)
        return
    validator = foreign("harbor.utils.trajectory_validator").TrajectoryValidator()
    paths = [p for p in (tmp_path / "out").rglob("*.json") if p.name != "manifest.json"]
    assert paths and all(validator.validate(path) for path in paths), validator.errors
    assert sum(p.read_text(encoding="utf-8").count("image/jpeg") for p in paths) == 3
    assert len(list((tmp_path / "out" / "images").iterdir())) == 2
