"""Conversations with tool calls, as OpenAI, Anthropic and LangChain write their messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.importers.runs.chat_messages import FORMAT
from pagetrail.storage.importers.runs.search_tools import SearchTools
from tests.storage.importers.runs.run_data import PAGES, at, events, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

ANSWER = json.dumps({"answer": ["42"], "citations": PAGES[:1]})
RESULT = json.dumps({"results": PAGES})


def chat(**fields: Any) -> dict[str, Any]:
    """A conversation as Chat Completions have it."""
    return {
        "task_id": "t/1",
        "model": "gpt-9",
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
        "messages": [
            {"role": "system", "content": "Cite pages."},
            {"role": "user", "content": "How many otters?"},
            {
                "role": "assistant",
                "content": "I look.",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {
                        "name": "search_documents", "arguments": '{"query": "otters"}'}},
                    {"id": "c2", "type": "function", "function": {
                        "name": "read_page", "arguments": '{"document": "b.pdf", "page": 1}'}},
                ],
            },
            {"role": "tool", "tool_call_id": "c2", "content": "Otters."},
            {"role": "tool", "tool_call_id": "c1", "content": RESULT},
            {"role": "assistant", "content": ANSWER, "logprobs": [1]},
        ],
        **fields,
    }  # fmt: skip


RESPONSES = {
    "id": "resp_1",
    "input": [{"role": "user", "content": [{"type": "input_text", "text": "How many otters?"}]}],
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Search first."}]},
        {"type": "function_call", "call_id": "c1", "name": "search_documents",
         "arguments": '{"query": "otters"}'},
        {"type": "function_call_output", "call_id": "c1", "output": RESULT},
        {"type": "message", "role": "assistant",
         "content": [{"type": "output_text", "text": ANSWER}]},
    ],
}  # fmt: skip
ANTHROPIC = {
    "messages": [
        {"role": "user", "content": "How many otters?"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "search_documents",
             "input": {"query": "otters"}},
        ]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1",
             "content": [{"type": "text", "text": RESULT}]},
        ]},
        {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
    ]
}  # fmt: skip
LANGCHAIN = {
    "messages": [
        {"type": "human", "data": {"content": "How many otters?"}},
        {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"],
         "kwargs": {"content": "", "tool_calls": [
             {"id": "c1", "name": "search_documents", "args": {"query": "otters"}}]}},
        {"type": "tool", "tool_call_id": "c1", "content": RESULT},
        {"type": "ai", "content": ANSWER},
    ]
}  # fmt: skip


def searches(record: RunRecord) -> list[tuple[str, int]]:
    """Query and number of pages of each search."""
    payloads = (step.payload for step in record.steps)
    return [(p.query, len(p.results)) for p in payloads if isinstance(p, ev.Searched)]


def test_a_conversation_becomes_an_attempt(tmp_path: Path) -> None:
    """Prompts, turns, tools with their results, usage, answer and citations; the rest is named."""
    workspace = make_workspace(tmp_path / "ws")
    row = chat(created=at(0), finished_at=at(9), seed=7)
    file = write_jsonl(tmp_path / "chat.jsonl", [row])
    report = run(workspace, file)
    assert (report.format, report.imported, report.searches, report.untimed) == ("openai", 1, 1, 0)
    assert report.not_kept == {"seed": 1, "messages[].logprobs": 1}
    first, *other_payloads = (event.payload for event in events(workspace))
    assert isinstance(first, ev.RunImported)
    assert (first.model, first.system_prompt, first.prompt) == (
        "gpt-9", "Cite pages.", "How many otters?",
    )  # fmt: skip
    assert first.totals[0].usage.input_tokens == 100
    steps = [payload for payload in other_payloads if isinstance(payload, ev.AgentStep)]
    assert [(step.text, step.tool, step.result) for step in steps] == [
        ("I look.", None, None),
        ("", "read_page", "Otters."),
        (ANSWER, None, None),
    ]
    assert [(p.document, p.page) for p in other_payloads if isinstance(p, ev.CitationAdded)] == [
        ("annual report.pdf", 3)
    ]
    assert run(workspace, file).already_there == 1


@pytest.mark.parametrize("row", [RESPONSES, ANTHROPIC, LANGCHAIN])
def test_other_dialects_say_the_same(row: dict[str, Any]) -> None:
    """One search with two pages, the answer, and the question to find the task by."""
    assert FORMAT.matches(row)
    record = FORMAT.read(1, row, SearchTools())
    assert searches(record) == [("otters", 2)]
    assert record.answer == ("42",)
    assert record.about.prompt == "How many otters?"
    assert record.results_known and (record.task == "" or record.weak_id)


@pytest.mark.parametrize(
    "result",
    [
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c0",
                                      "content": "Timed out.", "is_error": True}]},
        {"type": "tool", "data": {"tool_call_id": "c0", "content": "Timed out.",
                                  "status": "error"}},
    ],
    ids=["Anthropic", "LangChain"],
)  # fmt: skip
def test_a_failed_search_keeps_its_error(result: dict[str, Any]) -> None:
    """It returned nothing; what the other search returned is known as before."""
    call = {"type": "tool_use", "id": "c0", "name": "search_documents", "input": {"query": "x"}}
    failed = [{"role": "assistant", "content": [call]}, result]
    row = {"messages": [*failed, *ANTHROPIC["messages"]]}
    record = FORMAT.read(1, row, SearchTools())
    payloads = [step.payload for step in record.steps]
    errors = [(p.error, len(p.results)) for p in payloads if isinstance(p, ev.Searched)]
    assert errors == [("Timed out.", 0), ("", 2)]
    assert record.results_known


def test_a_batch_has_only_the_last_message() -> None:
    """The custom id may be the task's; the answer is in the body of the response."""
    body = {"model": "gpt-9", "choices": [{"message": {"role": "assistant", "content": "42"}}]}
    record = FORMAT.read(
        1, {"custom_id": "t/1", "response": {"status_code": 200, "body": body}}, SearchTools()
    )
    assert (record.task, record.weak_id, record.answer) == ("t/1", True, ("42",))
    assert record.model == "gpt-9"


def test_an_answer_of_its_own_counts_before_the_last_message() -> None:
    """As does what was given to a tool that submits."""
    assert FORMAT.read(1, chat(answer="7", citations=[]), SearchTools()).answer == ("7",)
    row = chat()
    row["messages"][-1] = {
        "role": "assistant",
        "function_call": {"name": "submit_answer", "arguments": '{"answer": ["8"]}'},
    }
    assert FORMAT.read(1, row, SearchTools()).answer == ("8",)


def test_confidence_is_read_with_the_answer() -> None:
    """From the row, or from the arguments of a tool that submits, which count first."""
    assert FORMAT.read(1, chat(answer="7", confidence=0.5), SearchTools()).confidence == 0.5
    row = chat(confidence=0.5)
    arguments = '{"answer": ["8"], "confidence": 0.75}'
    row["messages"][-1] = {
        "role": "assistant",
        "function_call": {"name": "submit_answer", "arguments": arguments},
    }
    record = FORMAT.read(1, row, SearchTools())
    assert record.confidence == 0.75 and "confidence" not in record.not_kept


def test_parts_that_are_not_read_are_named() -> None:
    """Images and sounds are counted by their kind; they are in the stored original."""
    row = chat()
    row["messages"][1]["content"] = [
        {"type": "text", "text": "How many otters?"},
        {"type": "image_url", "image_url": {"url": "x"}},
    ]
    assert (
        FORMAT.read(1, row, SearchTools()).not_kept["messages[].content[] of type image_url"] == 1
    )


@pytest.mark.parametrize(
    "row",
    [
        {"messages": "x"},
        {"messages": [1, None, {"role": 3}]},
        {"messages": [{"role": "user", "content": "x"}]},
        {"id": "a", "question": "q", "answer": "b"},
    ],
)
def test_what_is_no_conversation(row: dict[str, Any]) -> None:
    """Without a message of an agent there is nothing to import."""
    assert not FORMAT.matches(row)
