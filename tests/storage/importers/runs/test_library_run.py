"""A whole run over the questions of the shared library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.attempts.state import fold
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.importers.runs.run_data import at, events, run, stored_agent_events
from tests.storage.pdfs import CORPORA, needs_corpora
from tests.storage.task_data import register_documents, write_jsonl

QUESTIONS = CORPORA / "library" / "questions.jsonl"
PAGE_0 = 187
"""The line of the question whose evidence is on a page 0."""


def answered(task: dict[str, Any], number: int, documents: list[str]) -> dict[str, Any]:
    """A run at a question: three searches of five pages each, and the gold answer."""
    steps = []
    for step in range(3):
        call = {"id": f"c{step}", "name": "search_documents",
                "arguments": {"query": f"{task['question'][:60]} {step}"}}  # fmt: skip
        pages = [{"file": documents[(number + step + k) % len(documents)], "page": 1 + k}
                 for k in range(5)]  # fmt: skip
        result = {"tool_call_id": call["id"], "name": call["name"], "results": pages}
        steps.append(
            {"iteration": step + 1, "role": "assistant", "content": "Looking.",
             "tool_calls": [call], "tool_results": [result], "timestamp": at(4.0 * step)}
        )  # fmt: skip
    steps.append({"iteration": 4, "role": "assistant", "content": "Done.", "timestamp": at(20)})
    return {
        "id": task["id"],
        "question": task["question"],
        "answer": (task["answer_variants"] or [[]])[0],
        "citations": task["evidence"],
        "iterations": 4,
        "trajectory": steps,
        "model": "model-1",
    }


@pytest.mark.corpus
@needs_corpora
def test_a_run_over_all_questions_of_the_library(workspace: Workspace, tmp_path: Path) -> None:
    """396 attempts with their searches; the one that cites a page 0 is named; the second import
    stores nothing.
    """
    tasks = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    names = sorted({page["document"] for task in tasks for page in task["evidence"]})
    register_documents(workspace, dict.fromkeys(names, 2_000))
    assert import_tasks(workspace, QUESTIONS, campaign="Otters").imported == len(tasks) == 396
    rows = [answered(task, number, names) for number, task in enumerate(tasks)]
    path = write_jsonl(tmp_path / "r.jsonl", rows)
    report = run(workspace, path)
    assert (report.imported, report.searches, report.left_out) == (396, 3 * 396, [])
    assert report.untimed == report.results_unknown == 0
    assert [n.line for n in report.warnings] == [PAGE_0]
    for task in tasks[::40]:
        state = fold(events(workspace, task["id"]))
        assert {(c.document, c.page) for c in state.citations} == {
            (page["document"], page["page"]) for page in task["evidence"] if page["page"]
        }
        assert state.elapsed_ms == 20_000 and len(state.searches) == 3
    before = stored_agent_events(workspace)
    assert run(workspace, path).already_there == 396
    assert stored_agent_events(workspace) == before
