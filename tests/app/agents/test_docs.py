"""What the documentation tells agents' authors is run, and what live agents leave goes out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pagetrail.app.agents import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.search.store import ensure_index
from tests.app.agents.campaigns import add_agents_campaign, records
from tests.app.conftest import write_pdf

PAGE = (Path(__file__).parents[3] / "docs" / "researchers.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The examples in that language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_python_example_submits_every_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example runs as it is, in a folder that holds a workspace ``ws``."""
    (example,) = (block for block in blocks("python") if "AgentClient" in block)
    workspace = Workspace.create(tmp_path / "ws")
    (tmp_path / "pdfs").mkdir()
    words = " ".join(re.findall(r'search_documents\("(.*)"\)', example))
    assert words
    write_pdf(tmp_path / "pdfs" / "report.pdf", [f"{words} was 14.2", "no animals"])
    ingest(workspace, [tmp_path / "pdfs"], ocr="never", workers=1)
    ensure_index(workspace)
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text("\n".join(map(json.dumps, records())), encoding="utf-8")
    import_tasks(workspace, tasks, campaign="baseline", protocol="search")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/researchers.md", "exec"), {})
    with AgentClient("ws", "baseline", "my-agent") as client:
        assert [task.status for task in client.tasks()] == ["submitted"] * 3


def test_configuration_example_matches_the_command() -> None:
    """The JSON for MCP clients names the command and its options."""
    (example,) = (block for block in blocks("json") if "mcpServers" in block)
    (server,) = json.loads(example)["mcpServers"].values()
    assert server["command"] == "pagetrail"
    assert server["args"][0] == "mcp"
    assert [option for option in server["args"] if option.startswith("--")] == [
        "--campaign",
        "--system",
    ]


def test_live_agents_work_is_exported_like_a_persons(searching: Services, tmp_path: Path) -> None:
    """One row of MADQA's results: under the system's name, with its searches and citations."""
    add_agents_campaign(searching.workspace, "Agents")
    with AgentClient(searching, "Agents", "bot") as client:
        attempt = client.open("q1")
        attempt.search_documents("otters")
        attempt.search_documents("otters rivers")
        attempt.submit(["rivers"], [("report.pdf", 1)])
        client.open("q2").skip("nothing to read")
    out = tmp_path / "out"
    export(searching.workspace, "Agents", "madqa", out)
    lines = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    (row,) = map(json.loads, lines)
    assert (row["id"], row["answer"], row["iterations"]) == ("q1", ["rivers"], 2)
    assert [(page["file"], page["page"]) for page in row["citations"]] == [("report.pdf", 1)]
    assert [search["query"] for search in row["search_history"]] == ["otters", "otters rivers"]
    assert [path.stem for path in (out / "by-annotator").iterdir()] == ["bot"]
    with open_source(searching.workspace, "Agents") as source:
        report = metrics(source)
    (results,) = (table for table in report.tables if table.key == "results")
    (of_bot,) = (row.cells for row in results.rows if row.cells["side"].value == "bot")
    assert (of_bot["attempts"].value, of_bot["page_f1"].value) == (1, 1.0)
