"""Traces of LangChain: as trees, line by line, and as messages alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from tests.storage.importers.runs.run_data import PAGES, at, events, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

MODEL = {
    "id": "m1", "name": "ChatOpenAI", "run_type": "llm", "inputs": {}, "start_time": at(1),
    "extra": {"invocation_params": {"model": "gpt-9"}},
    "outputs": {"generations": [[{"text": "", "message": {
        "lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
        "kwargs": {"content": "I look.", "usage_metadata": {
            "input_tokens": 50, "output_tokens": 5, "total_tokens": 55}},
    }}]]},
}  # fmt: skip
RETRIEVER = {
    "id": "r1", "name": "VectorStoreRetriever", "run_type": "retriever",
    "inputs": {"query": "otters"}, "start_time": at(2),
    "outputs": {"documents": [
        {"page_content": "x", "type": "Document",
         "metadata": {"source": "/data/b.pdf", "page": 0, "page_label": "1"}},
    ]},
}  # fmt: skip
TOOL = {
    "id": "t1", "name": "search_documents", "run_type": "tool", "start_time": at(4),
    "inputs": {"input": "{'query': 'more otters'}"},
    "outputs": {"output": json.dumps({"results": PAGES})},
}  # fmt: skip


def root(**fields: Any) -> dict[str, Any]:
    """A trace with everything inside."""
    return {
        "id": "root", "trace_id": "root", "name": "AgentExecutor", "run_type": "chain",
        "inputs": {"input": "How many otters?"}, "start_time": at(0), "end_time": at(8),
        "outputs": {"output": "42"}, "extra": {"metadata": {"task_id": "t/1"}},
        "child_runs": [TOOL, {**RETRIEVER, "parent_run_id": "x"}, MODEL],
        **fields,
    }  # fmt: skip


def line_by_line() -> list[dict[str, Any]]:
    """The same, each run by itself and in no order."""
    child_runs = [{**run, "parent_run_id": "root", "trace_id": "root"} for run in (TOOL, MODEL)]
    inner = {"id": "chain", "name": "Sequence", "run_type": "chain", "inputs": {},
             "parent_run_id": "root", "start_time": at(2)}  # fmt: skip
    return [{**RETRIEVER, "parent_run_id": "chain"}, *child_runs, root(child_runs=None), inner]


def test_trees_and_single_runs_are_the_same_attempt(tmp_path: Path) -> None:
    """Model turn, retriever and tool in the order in which they began, with pages from 1."""
    workspace = make_workspace(tmp_path / "ws")
    kinds = []
    for system, rows in (("tree", [root()]), ("lines", line_by_line())):
        report = run(workspace, write_jsonl(tmp_path / f"{system}.jsonl", rows), system=system)
        assert (report.format, report.imported, report.searches) == ("langchain", 1, 2)
        assert report.left_out == []
        payloads = [event.payload for event in events(workspace, system=system)]
        first = payloads[0]
        assert isinstance(first, ev.RunImported)
        assert (first.model, first.timed, first.prompt) == ("gpt-9", True, "How many otters?")
        searches = [p for p in payloads if isinstance(p, ev.Searched)]
        assert [(p.query, [(h.file, h.page) for h in p.results]) for p in searches] == [
            ("otters", [("b.pdf", 1)]),
            ("more otters", [("annual report.pdf", 3), ("b.pdf", 1)]),
        ]
        turns = [p for p in payloads if isinstance(p, ev.AgentTurn) and p.usage is not None]
        assert [turn.usage.input_tokens for turn in turns if turn.usage] == [50]
        answer = [p.text for p in payloads if isinstance(p, ev.AnswerEdited)]
        assert answer == ["42"]
        kinds.append([type(payload).__name__ for payload in payloads])
    assert kinds[0] == kinds[1]


def test_failed_searches_keep_their_errors(tmp_path: Path) -> None:
    """Of a tool, of a retriever, and of a tool whose error became its message."""
    message = {"type": "tool", "content": "No index.", "status": "error"}
    failures = [
        {**TOOL, "outputs": None, "error": "TimeoutError('slow')"},
        {**RETRIEVER, "outputs": None, "error": "ConnectionError()"},
        {**TOOL, "outputs": {"output": message}},
    ]
    children = [
        {**child, "id": f"f{number}", "start_time": at(number)}
        for number, child in enumerate([*failures, TOOL])
    ]
    workspace = make_workspace(tmp_path / "ws")
    run(workspace, write_jsonl(tmp_path / "t.jsonl", [root(child_runs=children)]))
    imported, *payloads = (event.payload for event in events(workspace))
    assert isinstance(imported, ev.RunImported) and imported.results_known
    errors = [(p.error, len(p.results)) for p in payloads if isinstance(p, ev.Searched)]
    assert errors == [
        ("TimeoutError('slow')", 0), ("ConnectionError()", 0), ("No index.", 0), ("", 2)
    ]  # fmt: skip


def test_a_tool_that_only_calls_a_retriever_is_one_search(tmp_path: Path) -> None:
    """The retriever counts; the tool around it, whatever its name, is not asked about."""
    workspace = make_workspace(tmp_path / "ws")
    tool = {**TOOL, "name": "kb_search", "child_runs": [RETRIEVER]}
    file = write_jsonl(tmp_path / "t.jsonl", [root(child_runs=[tool])])
    report = run(workspace, file)
    assert (report.imported, report.searches) == (1, 1)


def test_messages_alone_and_the_question_as_the_task(tmp_path: Path) -> None:
    """A graph's state has the conversation; the task is found by the question."""
    workspace = make_workspace(tmp_path / "ws")
    with workspace.engine.connect() as connection:
        question = connection.exec_driver_sql(
            "select json_extract(record, '$.question') from task where key = 't/2'"
        ).scalar_one()
    messages = [
        {"type": "human", "content": question},
        {"type": "ai", "content": "", "tool_calls": [
            {"name": "search_documents", "args": {"query": "otters"}, "id": "c1"}]},
        {"type": "tool", "content": json.dumps(PAGES), "tool_call_id": "c1"},
        {"type": "ai", "content": "42"},
    ]  # fmt: skip
    row = root(
        inputs={"messages": messages[:1]}, outputs={"messages": messages}, child_runs=[], extra={}
    )
    report = run(workspace, write_jsonl(tmp_path / "g.jsonl", [row]))
    assert (report.imported, report.searches, report.matched_by_text) == (1, 1, 1), report.left_out
    assert events(workspace, "t/2")


def test_confidence_is_read_with_the_answer(tmp_path: Path) -> None:
    """From the outputs."""
    workspace = make_workspace(tmp_path / "ws")
    outputs = {"answer": "42", "confidence": 0.5}
    run(workspace, write_jsonl(tmp_path / "r.jsonl", [root(outputs=outputs)]))
    imported = events(workspace)[0].payload
    assert isinstance(imported, ev.RunImported) and imported.confidence == 0.5


def test_a_run_without_its_root_is_listed(tmp_path: Path) -> None:
    """A part of a trace that is not in the file is no attempt."""
    workspace = make_workspace(tmp_path / "ws")
    rows = [root(), {**MODEL, "parent_run_id": "elsewhere"}]
    report = run(workspace, write_jsonl(tmp_path / "t.jsonl", rows))
    assert report.imported == 1
    assert [(note.line, note.reason) for note in report.left_out] == [
        (2, "is part of a run that is not in the file")
    ]
