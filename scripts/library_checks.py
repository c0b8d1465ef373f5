"""Checks of the exports that share no code with the exporters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagetrail.annotation.attempts.state import fold
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from tests.exports.trajectory_files import read_trajectories

_ROW = {
    "id": str,
    "question": str,
    "answer": list,
    "citations": list,
    "iterations": int,
    "search_history": list,
    "trajectory": list,
    "model": str,
}
_SEARCH = {"iteration": int, "query": str, "num_results": int, "timestamp": str, "results": list}


def _lines(path: Path, encoding: str = "ascii") -> list[dict[str, Any]]:
    # evaluate.py opens exports in the encoding of the locale: ASCII must do.
    with path.open(encoding=encoding) as file:
        return [json.loads(line) for line in file if line.strip()]


def check_madqa(
    folder: Path, gold_folder: Path, workspace: Workspace, submitted: set[str]
) -> Iterator[str]:
    """Problems of the results: schema, what evaluate.py reads, agreement with the log.

    evaluate.py (MADQA, eval/) takes a row's gold by question text, else by id; scores ``answer``
    against the variants; compares ``citations`` by document and page; and counts
    ``search_history``, else ``iterations``, as steps.
    """
    rows = _lines(folder / "results.jsonl")
    gold = _lines(gold_folder / "gold.jsonl")
    texts = {record["question"].strip() for record in gold}
    ids = {record["id"] for record in gold}
    if len(rows) != len(submitted):
        yield f"{len(submitted)} attempts were submitted, but the file has {len(rows)} rows"
    for number, row in enumerate(rows, start=1):
        line = f"results.jsonl:{number}"
        if list(row) != list(_ROW):
            yield f"{line} has the fields {list(row)}"
            continue
        for key, kind in _ROW.items():
            if not isinstance(row[key], kind):
                yield f"{line}: {key} is {row[key]!r}"
        if row["question"].strip() not in texts or row["id"] not in ids:
            yield f"{line}: its question is not in the gold"
        if not all(isinstance(answer, str) for answer in row["answer"]):
            yield f"{line}: an answer is no text"
        for citation in row["citations"]:
            if citation["document"] != citation["file"] or not citation["page"] >= 1:
                yield f"{line}: citation {citation}"
        if (len(row["search_history"]) or row["iterations"]) < 1:
            yield f"{line}: no step would be counted"
        if row["iterations"] != max(1, len(row["search_history"])):
            yield f"{line}: {row['iterations']} iterations"
        for search in row["search_history"]:
            if any(not isinstance(search[key], kind) for key, kind in _SEARCH.items()):
                yield f"{line}: search {search}"
            if search["num_results"] != len(search["results"]) or search["num_results"] > 5:
                yield f"{line}: {search['num_results']} results"
        if "parsed_answer" not in row["trajectory"][-1]:
            yield f"{line}: the trajectory has no answer"
        if not row["model"].startswith("human:annotator"):
            yield f"{line}: model {row['model']}"
    yield from _as_stored(rows, workspace, submitted)


def _as_stored(
    rows: list[dict[str, Any]], workspace: Workspace, submitted: set[str]
) -> Iterator[str]:
    log = SqlEventLog(workspace.engine)
    expected = []
    for attempt in submitted:
        state = log.state(attempt)
        answered = state.outcome == "answered"
        lines = [line.strip() for line in state.answer_text.splitlines() if line.strip()]
        pages = sorted((c.document, c.page) for c in state.citations)
        key = queries.attempt(workspace.engine, attempt).key
        expected.append((key, lines if answered else [], pages, len(state.searches)))
    exported = [
        (
            row["id"],
            row["answer"],
            sorted((c["document"], c["page"]) for c in row["citations"]),
            len(row["search_history"]),
        )
        for row in rows
    ]
    if sorted(expected) != sorted(exported):
        yield "results.jsonl differs from what the log holds"


def check_trajectories(folder: Path, workspace: Workspace, submitted: set[str]) -> Iterator[str]:
    """Problems of the trajectories: each must fold to the stored state."""
    log = SqlEventLog(workspace.engine)
    trajectories = read_trajectories(folder)
    if not submitted <= set(trajectories):
        yield f"{len(submitted - set(trajectories))} submitted attempts are missing"
    for attempt, events in trajectories.items():
        stored = list(log.events(attempt))
        if fold(events) != log.state(attempt):
            yield f"{attempt} does not fold back to its state"
        if [(e.seq, e.type, e.fields()) for e in events] != [
            (e.seq, e.type, e.fields()) for e in stored
        ]:
            yield f"{attempt} is not the stored log"
        if {e.actor for e in events} & {e.actor for e in stored}:
            yield f"{attempt} names its annotator"


def check_gold(folder: Path, questions: Path) -> Iterator[str]:
    """Problems of the gold: answers and pages must be those of the imported questions.

    That holds for pages that the import left out, too: benchmarks score by what their file says.
    """
    gold = {row["id"]: row for row in _lines(folder / "gold.jsonl")}
    imported = {row["id"]: row for row in _lines(questions, "utf-8")}
    if gold.keys() != imported.keys():
        yield f"gold.jsonl has {len(gold)} ids, the questions have {len(imported)}"
    for id_ in gold.keys() & imported.keys():
        for field in ("question", "answer_variants", "unanswerable"):
            if (gold[id_].get(field) or None) != (imported[id_].get(field) or None):
                yield f"gold of {id_} has another {field} than its question"
        if _pages(gold[id_]) != _pages(imported[id_]):
            yield f"gold of {id_} has other pages than its question"
    if not json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]:
        yield "the manifest of the gold lists no file"


def _pages(row: dict[str, Any]) -> set[tuple[str, int]]:
    """Distinct evidence pages, since exports list each page once."""
    return {(page["document"], page["page"]) for page in row.get("evidence") or []}
