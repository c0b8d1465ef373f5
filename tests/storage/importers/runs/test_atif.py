"""The reader of ATIF trajectories: a file, a list, lines, a folder, an archive."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.importers.runs.atif import FORMAT
from pagetrail.storage.importers.runs.formats import ReadRun, open_runs
from pagetrail.storage.importers.runs.search_tools import SearchTools
from tests.storage.importers.runs.run_data import PAGES, acts, at, atif, madqa, write_json
from tests.storage.task_data import write_jsonl


def read_runs(path: Path) -> list[ReadRun]:
    """Everything in a file."""
    file = open_runs(path)
    assert file.format == "atif"
    return list(file.runs())


def read(**fields: Any) -> RunRecord:
    """The run in a trajectory with these fields."""
    return FORMAT.read(1, atif(**fields), SearchTools())


def test_a_whole_trajectory_is_read() -> None:
    """Searches by their results' ids, other tools, the answer as JSON in a fence, and times."""
    record = read()
    assert (record.task, record.answer, record.citations) == ("t/1", ("42",), (("b.pdf", 1),))
    assert record.model == "model-2" and record.iterations is None
    search, tool, text_step = (step.payload for step in acts(record))
    assert isinstance(search, ev.Searched)
    assert (search.query, [h.page for h in search.results]) == ("otters", [3, 1])
    assert isinstance(tool, ev.AgentStep) and tool.tool == "read_page"
    assert isinstance(text_step, ev.AgentStep) and text_step.text.startswith("Done.")
    times = record.times()
    assert (times.timed, times.steps, times.end) == (
        True, (3_000, 3_000, 3_000, 7_000, 7_000), 7_000
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "task"),
    [
        ({"extra": {"task_id": "a", "id": "b"}, "task_id": "c"}, "a"),
        ({"extra": {"id": 7}, "task_id": "c"}, "7"),
        ({"extra": None, "task_id": "c"}, "c"),
        ({"extra": {}, "agent": {"extra": {"task_id": "d"}}}, "d"),
        ({"extra": {}}, "session-1"),
    ],
)
def test_where_the_task_is_looked_for(fields: dict[str, Any], task: str) -> None:
    """In the order that the module says."""
    assert read(**fields).task == task


def test_the_answer_in_extra_counts_before_what_was_said() -> None:
    """With its citations and its outcome."""
    record = read(extra={"task_id": "t/1", "answer": ["7", "8"], "citations": PAGES})
    assert record.answer == ("7", "8") and len(record.citations) == 2
    unanswerable = read(extra={"task_id": "t", "answer": [], "outcome": "unanswerable"})
    assert unanswerable.outcome == "unanswerable"


def test_the_answer_given_to_a_tool_counts_before_the_last_message() -> None:
    """The last call of ``submit`` with an answer, under a server's prefix or not."""
    arguments = {"answer": ["7"], "citations": PAGES}
    call = {"tool_call_id": "s", "function_name": "mcp__p__submit", "arguments": arguments}
    steps = [{"source": "agent", "message": "", "tool_calls": [call]},
             {"source": "agent", "message": "Submitted."}]  # fmt: skip
    record = read(steps=steps)
    assert record.answer == ("7",) and len(record.citations) == 2
    assert not record.times().timed


@pytest.mark.parametrize(
    ("tool", "arguments", "answer", "outcome"),
    [
        ("submit_answer", {"answer": [], "outcome": "unanswerable"}, (), "unanswerable"),
        ("p_submit_answer", {"outcome": "not_found"}, (), "not_found"),
        ("submit_answer", {"answer": '["a", "b"]', "citations": "[]"}, ("a", "b"), "answered"),
        ("submit_answer", '{"answer": "a"}', ("a",), "answered"),
        ("submit", {"text": "no argument of that name"}, ("Bye.",), "answered"),
        ("skip_task", {"reason": "unreadable"}, (), "not_found"),
    ],
)
def test_what_is_handed_in_through_this_projects_own_tools(
    tool: str, arguments: Any, answer: tuple[str, ...], outcome: str
) -> None:
    """No answer on purpose, lists as JSON text, a skip: never the last words in their place."""
    calls = [{"tool_call_id": "s", "function_name": tool, "arguments": arguments}]
    steps = [{"source": "agent", "message": "", "tool_calls": calls},
             {"source": "agent", "message": "Bye."}]  # fmt: skip
    record = read(steps=steps)
    assert (record.answer, record.outcome) == (answer, outcome)
    assert bool(record.notes) == (tool == "skip_task")


def test_confidence_is_read_with_the_answer() -> None:
    """From a submit tool's arguments or the last message, else from ``extra``."""
    arguments = {"answer": ["7"], "confidence": 0.75}
    call = {"tool_call_id": "s", "function_name": "submit", "arguments": arguments}
    steps = [{"source": "agent", "message": "", "tool_calls": [call]}]
    assert read(extra={"task_id": "t/1", "answer": "7", "confidence": 0.5}).confidence == 0.5
    assert read(extra={"task_id": "t/1", "confidence": 0.5}).confidence == 0.5
    record = read(extra={"task_id": "t/1", "confidence": 0.5}, steps=steps)
    assert (record.answer, record.confidence, record.about.details) == (("7",), 0.75, {})
    message = '{"answer": "42", "confidence": 0.25}'
    assert read(steps=[{"source": "agent", "message": message}]).confidence == 0.25
    wrong = read(extra={"task_id": "t/1", "confidence": 75})
    assert wrong.confidence is None and wrong.answer == ("42",)
    assert wrong.notes == ("its confidence is not a number from 0 to 1 and is ignored",)


@pytest.mark.parametrize("call_id", [["c"], {"id": "c"}, 1, "other"])
def test_results_of_no_call_are_not_kept(call_id: Any) -> None:
    """Found by the fuzz test: an id that is no text is no call's."""
    call = {"tool_call_id": "c", "function_name": "read_page", "arguments": {}}
    results = [{"source_call_id": "c", "content": "x"}, {"source_call_id": call_id}]
    steps = [{"source": "agent", "message": "Done.", "tool_calls": [call],
              "observation": {"results": results}}]  # fmt: skip
    assert read(steps=steps).answer == ("Done.",)


def test_messages_of_parts_and_contents_of_parts() -> None:
    """As later versions have them: texts among images."""
    parts = [{"type": "text", "text": "forty-"}, {"type": "image", "source": {}}]
    call = {"tool_call_id": "c", "function_name": "search_documents", "arguments": {"query": "q"}}
    content = [{"type": "text", "text": json.dumps(PAGES)}]
    steps = [
        {"source": "agent", "message": parts, "tool_calls": [call],
         "observation": {"results": [{"source_call_id": "c", "content": content}]}},
        {"source": "system", "message": "Be quick."},
    ]  # fmt: skip
    record = read(steps=steps)
    assert record.answer == ("forty-",)
    assert isinstance(acts(record)[1].payload, ev.Searched)
    assert len(acts(record)[1].payload.results) == 2


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"steps": []}, "steps: is empty"),
        ({"steps": "none"}, "steps: must be a list"),
        ({"steps": [1]}, "steps[0]: must be an object"),
        (
            {"steps": [{"source": "agent", "tool_calls": "x"}]},
            "steps[0].tool_calls: must be a list, not 'x'",
        ),
        (
            {"steps": [{"source": "agent", "tool_calls": [{}]}]},
            "steps[0].tool_calls[0].function_name: is missing",
        ),
        ({"extra": {"task_id": "t", "answer": {}}}, "answer: must be text"),
    ],
)
def test_what_breaks_the_format_is_said(fields: dict[str, Any], message: str) -> None:
    """The sentence names the place and what is wrong."""
    with pytest.raises(ValueError, match=re.escape(message)):
        read(**fields)


def test_what_is_not_read_is_said() -> None:
    """Subagents, and a trajectory that goes on elsewhere."""
    record = read(subagent_trajectories=[], continued_trajectory_ref="next.json")
    assert len(record.notes) == 2


def test_times_of_every_kind() -> None:
    """No zone, backwards, not a time: read or passed over, and said."""
    steps = [
        {"source": "agent", "message": "a", "timestamp": "2026-03-01T08:00:05"},
        {"source": "agent", "message": "b", "timestamp": "soon"},
        {"source": "agent", "message": "c", "timestamp": at(2)},
    ]
    record = read(steps=steps)
    assert record.times().steps == (0, 0, 0)
    assert "no time zone" in record.notes[0] and "not an ISO 8601 time" in record.notes[1]
    assert "1 of its times go backwards" in record.times().notes[0]


def test_one_file_a_list_and_lines(tmp_path: Path) -> None:
    """The three ways to write trajectories into a file; the line of each is told."""
    single = read_runs(write_json(tmp_path / "one.json", atif("a")))
    array = read_runs(write_json(tmp_path / "list.json", [atif("a"), 7, atif("b")]))
    lines = read_runs(write_jsonl(tmp_path / "lines.jsonl", [atif("a"), atif("b")]))
    assert [(r.line, r.id) for r in single] == [(1, "a")]
    assert [(r.line, r.id) for r in array] == [(1, "a"), (2, None), (3, "b")]
    assert array[1].reason == "is not a JSON object"
    assert [(r.line, r.id) for r in lines] == [(1, "a"), (2, "b")]


def test_a_folder_of_trials(tmp_path: Path) -> None:
    """The trajectories below it in the order of their paths; other files are passed over."""
    for trial in ("b", "a"):
        (tmp_path / "jobs" / trial).mkdir(parents=True)
        write_json(tmp_path / "jobs" / trial / "trajectory.json", atif(trial))
        write_json(tmp_path / "jobs" / trial / "result.json", {"reward": 1})
    (tmp_path / "jobs" / "broken.json").write_text("[")
    runs = read_runs(tmp_path / "jobs")
    assert [(r.file, r.id) for r in runs] == [
        ("a/trajectory.json", "a"),
        ("b/trajectory.json", "b"),
        ("broken.json", None),
    ]
    assert runs[0].sha256 != runs[1].sha256
    assert "is not JSON" in runs[2].reason


def test_an_archive_of_trials(tmp_path: Path) -> None:
    """Each member is named; a damaged one does not keep the others out."""
    path = tmp_path / "runs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../etc/a.json", json.dumps(atif("a")))
        archive.writestr("config.json", "{}")
        archive.writestr("b.jsonl", f"{json.dumps(atif('b'))}\n\nnot JSON\n")
        archive.writestr("c.json", b"\xff\xfe")
    runs = read_runs(path)
    assert [(r.file, r.line, r.id) for r in runs] == [
        ("runs.zip: ../../etc/a.json", 1, "a"),
        ("runs.zip: b.jsonl", 1, "b"),
        ("runs.zip: b.jsonl", 3, None),
        ("runs.zip: c.json", 1, None),
    ]
    assert len({r.sha256 for r in runs}) == 1


@pytest.mark.parametrize("make", [
    lambda path: path.mkdir(), lambda path: path.write_text("{}"), lambda path: path.write_text(""),
    lambda path: write_json(path, {"some": "thing"}), lambda path: path.write_bytes(b"%PDF-1.7"),
    lambda path: path.write_bytes(b"PK\x03\x04"), lambda path: path.write_text("[]"),
    lambda path: path.write_text("[1]"), lambda path: None,
])  # fmt: skip
def test_what_is_no_run_is_refused_in_one_sentence(tmp_path: Path, make: Any) -> None:
    """Missing, empty, a folder of nothing, of another kind: the sentence names the file."""
    path = tmp_path / "run"
    make(path)
    with pytest.raises(InputFileError, match=re.escape(str(path))):
        list(open_runs(path).runs())


def test_the_format_is_told_by_the_content(tmp_path: Path) -> None:
    """Whatever the name says; lines that are all broken are listed one by one."""
    assert open_runs(write_json(tmp_path / "a.eval", atif())).format == "atif"
    assert open_runs(write_json(tmp_path / "b.atif", [madqa()])).format == "madqa"
    assert open_runs(write_json(tmp_path / "c.json", madqa())).format == "madqa"
    broken = tmp_path / "d.jsonl"
    broken.write_text("{\n[]\n")
    assert [r.line for r in open_runs(broken).runs()] == [1, 2]
