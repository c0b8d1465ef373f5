"""Tools of other names: which of them search is asked, and their calls are searches then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.cli.main import app
from pagetrail.storage.importers.runs.search_tools import (
    SearchTools,
    find_result_pages,
    looks_like_search,
)
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    PAGES,
    atif,
    eval_log,
    events,
    madqa,
    run,
    sample,
    stored_agent_events,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace


def renamed(row: dict[str, Any], name: str) -> dict[str, Any]:
    """The same run by an agent whose search has another name."""
    text = json.dumps(row).replace("mcp__pagetrail__search_documents", name)
    changed: dict[str, Any] = json.loads(text.replace("search_documents", name))
    changed.pop("search_history", None)
    return changed


def files(folder: Path) -> list[Path]:
    """A search by another name in each of the formats."""
    log = eval_log(folder / "log.json", [sample()])
    return [
        write_jsonl(folder / "madqa.jsonl", [renamed(madqa(), "mcp__kb__bm25")]),
        write_json(folder / "atif.json", renamed(atif(), "mcp__kb__bm25")),
        write_json(folder / "log.json", renamed(json.loads(log.read_text()), "mcp__kb__bm25")),
    ]


def test_a_tool_that_looks_like_a_search_is_asked_about(tmp_path: Path) -> None:
    """Nothing is stored before it is named, as one or the other; then its calls are what it is."""
    workspace = make_workspace(tmp_path / "ws")
    for number, file in enumerate(files(tmp_path)):
        with pytest.raises(PagetrailError) as caught:
            run(workspace, file, system=f"asked-{number}")
        assert caught.value.code == "unknown_search_tool"
        assert "mcp__kb__bm25 (1 call)" in caught.value.message
        assert "--search-tool mcp__kb__bm25" in caught.value.message
        assert not events(workspace, system=f"asked-{number}")
        report = run(workspace, file, system=f"named-{number}", tools=SearchTools(["BM25"]))
        assert (report.imported, report.searches) == (1, 1)
        stored = events(workspace, system=f"named-{number}")
        (search,) = [e.payload for e in stored if isinstance(e.payload, ev.Searched)]
        assert (search.query, search.tool) == ("otters", "mcp__kb__bm25")
        assert [(hit.file, hit.page) for hit in search.results] == [
            (page["file"], page["page"]) for page in PAGES
        ]
        report = run(
            workspace, file, system=f"other-{number}", tools=SearchTools((), ["mcp__kb__bm25"])
        )
        assert (report.imported, report.searches) == (1, 0)


def test_on_the_command_line(tmp_path: Path) -> None:
    """The sentence names the options that answer it."""
    workspace = make_workspace(tmp_path / "ws")
    command = ["import-run", str(workspace.root), str(files(tmp_path)[0]), "--campaign", CAMPAIGN]
    command += ["--system", "agent"]
    before = stored_agent_events(workspace)
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1 and "--other-tool" in str(result.exception)
    assert stored_agent_events(workspace) == before
    result = CliRunner().invoke(app, [*command, "--search-tool", "bm25"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("tool", "arguments", "reply", "looks"),
    [
        ("kb", {"query": "otters"}, None, True),
        ("kb", '{"q": "otters"}', None, True),
        ("retrieve_pages", {"text": "otters"}, None, True),
        ("kb", {"about": "otters"}, '{"hits": [{"source": "/a/b.pdf", "page_number": 2}]}', True),
        ("read_page", {"document": "b.pdf", "page": 1}, "Text of the page", False),
        ("read_page", {"document": "b.pdf", "page": 1}, '{"document": "b.pdf", "page": 1}', False),
        ("calculator", {"sum": "40+2"}, "42", False),
        ("research_notes", {"note": "otters"}, "[]", False),
    ],
)
def test_what_looks_like_a_search(
    tool: str, arguments: Any, reply: str | None, looks: bool
) -> None:
    """By name with a text, by the names of arguments, or by pages that came back."""
    assert looks_like_search(tool, arguments, reply) is looks


@pytest.mark.parametrize(
    "reply",
    [
        [{"file": "b.pdf", "page": 2}],
        {"matches": [{"metadata": {"source": "C:\\data\\b.pdf", "page": 1, "page_label": "2"}}]},
        {"documents": [{"doc_id": "b.pdf", "page_no": "2", "score": 0.5}]},
    ],
)
def test_pages_in_the_usual_forms(reply: Any) -> None:
    """Names of fields as search tools have them; LangChain's loaders count pages from 0."""
    pages = find_result_pages(json.dumps(reply))
    assert pages is not None
    assert [(hit.file, hit.page) for hit in pages[0]] == [("b.pdf", 2)]
