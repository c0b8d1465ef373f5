"""The tools of the MCP server by themselves, and the command that starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.app.agents import mcp_tools as tools
from pagetrail.app.agents.client import AgentClient
from pagetrail.app.agents.mcp_server import AgentTools
from pagetrail.app.agents.task_text import check_can_finish, instructions
from pagetrail.app.cli.main import app, load
from pagetrail.app.cli.workspaces import mcp as command
from pagetrail.app.services.composition import Services
from pagetrail.storage.search.service import SearchService
from tests.app.agents.campaigns import add_agents_campaign, attempt_of, events_of, records, types_of
from tests.app.agents.session import as_json
from tests.support.factory import START

MALFORMED: list[tuple[str, dict[str, Any]]] = [
    ("nothing", {}),
    ("open_task", {}),
    ("open_task", {"task": 7}),
    ("open_task", {"task": ""}),
    ("search_documents", {}),
    ("search_documents", {"query": None}),
    ("search_documents", {"query": ["otters"]}),
    ("search_documents", {"query": "x" * 20_001}),
    ("search_documents", {"query": "otters", "top_k": 50}),
    ("search_documents", {"query": "half \ud800"}),
    ("read_page", {"file": "report.pdf"}),
    ("read_page", {"file": "report.pdf", "page": 0}),
    ("read_page", {"file": "report.pdf", "page": True}),
    ("read_page", {"file": "report.pdf", "page": 1.5}),
    ("read_page", {"file": "report.pdf", "page": 10**30}),
    ("read_page", {"file": "", "page": 1}),
    ("read_page", {"file": "report.pdf", "page": 1, "image": "perhaps"}),
    ("submit_answer", {}),
    ("submit_answer", {"answer": "rivers"}),
    ("submit_answer", {"answer": [1]}),
    ("submit_answer", {"answer": "[" * 5_000}),
    ("submit_answer", {"answer": ["x"], "citations": ["report.pdf"]}),
    ("submit_answer", {"answer": ["x"], "citations": [{"file": "report.pdf"}]}),
    ("submit_answer", {"answer": ["x"], "citations": [{"file": "a", "page": 1, "rank": 1}]}),
    ("submit_answer", {"answer": ["x"], "outcome": "guessed"}),
    ("submit_answer", {"answer": ["x"], "outcome": "not_found"}),
    ("submit_answer", {"answer": ["x"], "confidence": 1.01}),
    ("submit_answer", {"answer": ["x"], "confidence": True}),
    ("submit_answer", {"answer": ["x"] * 501}),
    ("skip_task", {}),
    ("skip_task", {"reason": ""}),
    ("report_usage", {"model": "m"}),
    ("report_usage", {"model": "m", "input_tokens": -1}),
    ("report_usage", {"model": "m", "tokens": 1}),
    ("list_tasks", {"limit": 0}),
    ("list_tasks", {"status": "done"}),
    ("set_field", {"field": "verdict", "value": "correct"}),
]


def test_malformed_arguments_are_explained(searching: Services, root: Path) -> None:
    """Each is a tool error that names the argument; nothing is stored, nothing else breaks."""
    with AgentClient(searching, "Agents", "bot") as client:
        tools = AgentTools(client)
        assert not tools.call("open_task", {"task": "q1"}).is_error
        for tool, arguments in MALFORMED:
            result = tools.call(tool, arguments)
            assert result.is_error, (tool, arguments)
            assert result.structured_content["error"]["code"] == "bad_request"
            sentence = result.content[0].text  # type: ignore[union-attr]
            assert sentence.endswith(".")
            assert "pydantic" not in sentence and "\n" not in sentence
        assert types_of(searching, attempt_of(searching, "q1")) == ["opened"]
        citations = '[{"file": "report.pdf", "page": "1"}]'
        arguments = {"answer": '["rivers"]', "citations": citations, "confidence": 1}
        submission = tools.call("submit_answer", arguments)
        stored = events_of(searching, attempt_of(searching, "q1"))
        assert stored[-1] == ("submitted", {"outcome": "answered", "confidence": 1})
        assert as_json(submission)["citations"] == [{"file": "report.pdf", "page": 1}]


def test_a_form_can_be_filled_in(searching: Services) -> None:
    """A judging campaign has a tool for its fields, and says what they take."""
    rows = [
        {
            "id": "q1",
            "question": "What do otters eat?",
            "answer_variants": [["fish"]],
            "evidence": [{"document": "report.pdf", "page": 2}],
            "predictions": {"zyxomega": "eels"},
        }
    ]
    add_agents_campaign(searching.workspace, "Judges", "judge", rows=rows)
    with AgentClient(searching, "Judges", "bot") as client:
        tools = AgentTools(client)
        assert [tool.name for tool in tools.definitions()][-1] == "set_field"
        opened = tools.call("open_task", {"task": "q1#1"})
        assert "zyxomega" not in opened.model_dump_json()
        task = as_json(opened)
        assert task["pages"] == [{"file": "report.pdf", "page": 2}]
        assert task["outcomes"] == ["completed"]
        verdict = task["fields"][0]
        assert [option["value"] for option in verdict["options"]] == [
            "correct",
            "partial",
            "incorrect",
        ]
        assert tools.call("submit_answer", {"answer": []}).is_error
        assert not tools.call("set_field", {"field": "verdict", "value": "correct"}).is_error
        assert as_json(tools.call("submit_answer", {"answer": []}))["outcome"] == "completed"


def test_calls_need_no_session(searching: Services, root: Path) -> None:
    """Each call by a server of its own: a task that was left open is continued, once it is clear
    which.
    """

    def call(tool: str, **arguments: Any) -> Any:
        with AgentClient(searching, "Agents", "bot") as client:
            return AgentTools(client).call(tool, arguments).structured_content

    assert call("search_documents", query="otters")["error"]["code"] == "no_task_open"
    call("open_task", task="q1")
    assert call("search_documents", query="otters")["total_hits"] == 2
    assert call("read_page", file="report.pdf", page=1)["page"] == 1
    call("open_task", task="q2")
    unclear = call("read_page", file="report.pdf", page=1)["error"]
    assert unclear["code"] == "no_task_open" and "Started: q1, q2." in unclear["message"]


def test_schemas_have_standard_keywords() -> None:
    """Limits of numbers are those of JSON schema, which clients check; nothing else is in there."""
    allowed_keywords = {
        "additionalProperties", "anyOf", "default", "description", "enum", "items", "maxItems",
        "maxLength", "maximum", "minLength", "minimum", "properties", "required", "title", "type",
        "$defs", "$ref",
    }  # fmt: skip

    def keywords(schema: Any, keys_are_names: bool = False) -> Iterator[str]:
        if isinstance(schema, dict):
            for key, value in schema.items():
                if not keys_are_names:
                    yield key
                yield from keywords(value, not keys_are_names and key in ("properties", "$defs"))
        elif isinstance(schema, list):
            for item in schema:
                yield from keywords(item)

    kinds = (tools.ListTasks, tools.ReadPage, tools.SubmitAnswer, tools.SetField)
    assert {key for kind in kinds for key in keywords(kind.model_json_schema())} <= allowed_keywords
    page = tools.ReadPage.model_json_schema()["properties"]["page"]
    assert (page["minimum"], page["type"]) == (1, "integer")


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        ("search", None),
        ("oracle", None),
        ("judge", None),
        ("qa_review", None),
        ("relevance", None),
        ("verify", "a judgement of each given element"),
        ("verify_chart", "rows of the table “Data points”"),
        ("verify_transcript", "rows of the table “Patches”"),
        ("trajectory", "rows of the table “Steps”"),
        ("author", "a question written by the annotator"),
        ("transcribe", "the corrected text of pages"),
        ("verify_table", "the checked tables of pages"),
    ],
)
def test_campaigns_that_agents_cannot_finish_are_refused(name: str, asks: str | None) -> None:
    """By what they ask for; the others have a short text in the terms of the tools."""
    protocol = preset(name)
    if asks is None:
        check_can_finish("c", protocol)
        assert 50 < len(instructions(protocol)) < 700
        return
    with pytest.raises(ConflictError, match=rf"of c \(protocol {name}\).* {asks}") as refused:
        check_can_finish("c", protocol)
    assert refused.value.code == "not_for_agents"
    assert "the presets judge, oracle, qa_review, relevance, search." in refused.value.message


def test_rows_that_agents_are_not_shown_are_refused() -> None:
    """A table with columns to read is material, even where nothing must be filled in."""
    trajectory = preset("trajectory")
    (steps,) = (field for field in trajectory.fields if field.kind == "records")
    columns = tuple(column.model_copy(update={"required": False}) for column in steps.columns)
    optional = steps.model_copy(update={"required": False, "columns": columns})
    protocol = trajectory.model_copy(update={"fields": (optional,)})
    with pytest.raises(ConflictError, match="rows of the table “Steps”"):
        check_can_finish("c", protocol)


def test_material_is_shown_before_a_task_can_be_judged(searching: Services) -> None:
    """Also by a server that continues with a task that another one left open."""
    rows = [{**records(1)[0], "predictions": {"gpt": "Fish."}}]
    add_agents_campaign(searching.workspace, "Judged", "judge", rows=rows)
    with AgentClient(searching, "Judged", "bot") as client:
        (task,) = client.tasks()
        opened = AgentTools(client).call("open_task", {"task": task.id})
        assert "Fish." in json.dumps(as_json(opened))
        server, verdict = AgentTools(client), {"field": "verdict", "value": "correct"}
        for name, arguments in (("submit_answer", {"answer": []}), ("set_field", verdict)):
            error = server.call(name, arguments).structured_content["error"]
            assert error["code"] == "task_not_shown"
        server.call("open_task", {"task": task.id})
        assert not server.call("set_field", verdict).is_error
        assert not server.call("submit_answer", {"answer": []}).is_error


def test_boxes_can_be_drawn(searching: Services) -> None:
    """In fractions of the page, with a label of the campaign, where the grade allows them."""
    rows = [
        {
            "id": "q1",
            "question": "What do otters eat?",
            "candidates": [{"document": "report.pdf", "page": page} for page in (1, 2)],
        }
    ]
    add_agents_campaign(searching.workspace, "Pages", "relevance", rows=rows)
    with AgentClient(searching, "Pages", "bot") as client:
        tools = AgentTools(client)
        names = [tool.name for tool in tools.definitions()]
        assert names[-2:] == ["draw_box", "delete_box"]
        opened = as_json(tools.call("open_task", {"task": "q1"}))
        assert opened["boxes"]["required"] and "Table" in opened["boxes"]["labels"]
        tools.call("set_field", {"field": "query_quality", "value": "good"})
        page = {"file": "report.pdf", "page": 1}
        box = {**page, "box": [0.1, 0.2, 0.5, 1.001], "label": "Table"}

        def code(arguments: dict[str, Any]) -> str:
            result = tools.call("draw_box", arguments)
            assert result.is_error
            return str(result.structured_content["error"]["code"])

        assert code(box) == "page_takes_no_boxes"
        for number, grade in ((1, "2"), (2, "0")):
            grading = {"field": "relevance", "value": grade, "file": "report.pdf", "page": number}
            assert not tools.call("set_field", grading).is_error
        wrong = [
            {**box, "label": None},
            {**box, "box": [1, 2, 3]},
            {**box, "box": [10, 20, 50, 90]},
            {**box, "box": "[0.1]"},
        ]
        assert [code(arguments) for arguments in wrong] == ["bad_request"] * 4
        assert code({**box, "page": 9}) == "not_found"
        assert code({**box, "label": "Poem"}) == "unknown_label"
        first = as_json(tools.call("draw_box", box))
        second = as_json(tools.call("draw_box", box))
        assert len(second["boxes"]) == 2
        left = as_json(tools.call("delete_box", {"box": first["box"]}))
        assert left["boxes"] == [{**page, "box": second["box"], "label": "Table"}]
        assert as_json(tools.call("open_task", {"task": "q1"}))["done_so_far"]["boxes"]


def test_time_limit_is_reported_and_enforced(services: Services) -> None:
    """What is left is said with each reply; when it is over, the error says what still goes."""
    add_agents_campaign(services.workspace, "Timed", settings={"clock.limit_s": 60})
    clock = ManualClock(START)
    timed = Services(services.workspace, clock)
    timed.search = SearchService(services.workspace, workers=1, limit_s=30)
    with AgentClient(timed, "Timed", "bot") as client:
        tools = AgentTools(client)
        assert as_json(tools.call("open_task", {"task": "q1"}))["seconds_left"] == 60
        clock.advance(seconds=15)
        results = tools.call("search_documents", {"query": "otters"})
        assert as_json(results)["seconds_left"] == 45
        clock.advance(seconds=55)
        read = tools.call("read_page", {"file": "report.pdf", "page": 1})
        assert read.structured_content["seconds_left"] == 0
        late = {"answer": ["rivers"], "citations": [{"file": "report.pdf", "page": 1}]}
        error = tools.call("submit_answer", late).structured_content["error"]
        assert (error["code"], "not_found" in error["message"]) == ("time_over", True)
        submission = tools.call("submit_answer", {"answer": [], "outcome": "not_found"})
        assert as_json(submission)["status"] == "submitted"
    timed.search.close()


def test_command_explains_refusals(root: Path) -> None:
    """Before any protocol: a person's name, no such campaign; nothing on standard output."""
    start = [sys.executable, "-m", "pagetrail"]
    line = ["mcp", str(root), "--campaign", "Agents", "--system", "alma"]
    process = subprocess.run([*start, *line], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (1, "")
    assert "person's name" in process.stderr
    assert "Traceback" not in process.stderr
    line = ["mcp", str(root), "--campaign", "Nowhere", "--system", "bot"]
    refused = CliRunner().invoke(app, line)
    assert isinstance(refused.exception, NotFoundError)
    assert "no campaign" in refused.exception.message
    assert refused.stdout == ""


@pytest.mark.parametrize(
    ("missing", "error"),
    [
        ("mcp.server.context", PagetrailError),
        ("pagetrail.app.agents.mcp_replies", ModuleNotFoundError),
    ],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, missing: str, error: type[Exception]
) -> None:
    """Without mcp the error says what to install; a module of our own that fails is not hidden."""
    monkeypatch.delitem(sys.modules, "pagetrail.app.agents.mcp_server")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(error) as caught:
        command._server_module()
    if isinstance(caught.value, PagetrailError):
        assert caught.value.code == "missing_package"
        assert "pip install 'mcp>=" in caught.value.message


def test_the_help_shows_a_configuration() -> None:
    """What a client is told is JSON that holds no path of this machine."""
    help_text = CliRunner().invoke(app, ["mcp", "--help"], terminal_width=100).output
    start = help_text.index("{\n") if "{\n" in help_text else help_text.index("{ ")
    text = help_text[start : help_text.rindex("}") + 1]
    settings = json.loads(text[: text.rindex("}") + 1])
    (server,) = settings["mcpServers"].values()
    assert server["command"] == "pagetrail"
    assert server["args"][0] == "mcp"
    assert str(Path.home()) not in help_text
    assert load("mcp").epilog.startswith("Example")
