"""Tokens, dollars and latency of runs in each format, and values that cannot be true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.runs.usage import attempt_usage
from tests.storage.importers.runs.run_data import at, events, madqa, run
from tests.storage.importers.runs.test_chat_messages import chat
from tests.storage.importers.runs.test_langchain import MODEL, root
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace


def chat_row(**fields: Any) -> dict[str, Any]:
    """A conversation without usage of its own."""
    return {name: value for name, value in chat(**fields).items() if name != "usage"}


def with_message(**fields: Any) -> dict[str, Any]:
    """A conversation of two turns, each with these fields."""
    row = chat_row()
    messages = [m | fields if m["role"] == "assistant" else m for m in row["messages"]]
    return {**row, "messages": messages}


MODEL_OF_5_S = {**MODEL, "end_time": at(6)}


@pytest.mark.parametrize(
    ("row", "usage"),
    [
        (
            madqa(input_tokens=70, output_tokens=7, cost=0.5, latency_s=1.5),
            {"input_tokens": 70, "output_tokens": 7, "cost_usd": 0.5, "latency_ms": 1_500},
        ),
        (
            chat(cost_usd=0.25, latency_ms=1_200),
            {
                "input_tokens": 100,
                "output_tokens": 20,
                "cost_usd": 0.25,
                "latency_ms": 1_200,
            },
        ),
        (
            with_message(usage={"prompt_tokens": 4, "completion_tokens": 1}, latency_s=2, cost=0.5),
            {"input_tokens": 8, "output_tokens": 2, "cost_usd": 1.0, "latency_ms": 4_000},
        ),
        (
            {**chat(), "response": {"body": {"id": "r1"}}},
            {"input_tokens": 100, "output_tokens": 20},
        ),
        (
            root(child_runs=[{**MODEL_OF_5_S, "total_cost": 0.125}]),
            {
                "input_tokens": 50,
                "output_tokens": 5,
                "total_tokens": 55,
                "cost_usd": 0.125,
                "latency_ms": 5_000,
            },
        ),
        (
            root(prompt_tokens=80, completion_tokens=8, total_cost=0.75),
            {
                "input_tokens": 80,
                "output_tokens": 8,
                "total_tokens": 55,
                "cost_usd": 0.75,
            },
        ),
    ],
    ids=["madqa", "chat", "messages", "batch", "langchain", "langchain-root"],
)
def test_what_a_file_states_is_kept(
    tmp_path: Path, row: dict[str, Any], usage: dict[str, Any]
) -> None:
    """Of the attempt or of its turns, in the usage object or next to it."""
    workspace = make_workspace(tmp_path / "ws")
    report = run(workspace, write_jsonl(tmp_path / "run.jsonl", [row]))
    assert report.imported == 1
    assert attempt_usage(events(workspace)) == ModelUsage(**usage)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"usage": {"prompt_tokens": -5, "completion_tokens": 2}}, "usage.prompt_tokens is -5"),
        ({"usage": {"output_tokens": 2, "cost_usd": -1}}, "usage.cost_usd is -1"),
        ({"usage": {"output_tokens": 2}, "latency_s": "soon"}, "usage.latency_s is 'soon'"),
    ],
)
def test_impossible_values_are_named_with_their_row(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    """They are left out; the rest of the row and the other rows are imported."""
    workspace = make_workspace(tmp_path / "ws")
    rows = [madqa("t/2"), madqa("t/1", **fields)]
    report = run(workspace, write_jsonl(tmp_path / "run.jsonl", rows))
    assert (report.imported, report.left_out) == (2, [])
    (warning,) = [note for note in report.warnings if message in note.reason]
    assert (warning.line, warning.id) == (2, "t/1")
    assert "not a number of 0 or more, and is left out" in warning.reason
    assert attempt_usage(events(workspace)) == ModelUsage(output_tokens=2)
