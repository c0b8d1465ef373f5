"""Two agents' runs on the demo's search campaign, so that people and agents can be compared.

The queries and the mistakes are written by hand; what a query shows comes from the demo's own
search engine. The files have the form of MADQA's results and are imported as anybody's would be.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pagetrail.annotation.clock import iso
from pagetrail.annotation.ports import SearchIndex
from pagetrail.app.demo.corpus import FILES, NumberedPage, Record
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.price_tables import read_price_table, set_price_table
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.snapshot.snapshot import snapshot


class Plan(NamedTuple):
    """One agent's plan for one question.

    Attributes:
        queries: in the order they are run.
        answer: the submitted answer if it is not the gold; empty gives up.
        astray: it cites the first page that is not evidence.
        denies: without an answer it submits “unanswerable”, not “not found”.
    """

    queries: list[str]
    answer: list[str] | None = None
    astray: bool = False
    denies: bool = False


@cache
def agent_plans() -> dict[str, dict[str, Plan]]:
    """Agent → question → plan, from ``files/runs.toml``."""
    agents = tomllib.loads((FILES / "runs.toml").read_text(encoding="utf-8"))
    return {
        agent: {question: Plan(**plan) for question, plan in plans.items()}
        for agent, plans in agents.items()
    }


BM25 = "agent-bm25"

GUESSES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "panel-large": {
        "manual-01": ["The water does not get warm"],
        "paper-01": ["Fell"],
        "rail-01": ["Sir Aldous Fenhallow"],
        "town-01": ["£50"],
        "water-01": ["10"],
    },
    "panel-small": {
        "manual-01": ["Blocked filter"],
        "paper-01": ["Rose"],
        "rail-01": ["Unknown"],
        "town-01": ["£40"],
        "water-01": ["14.2"],
    },
}
"""What models guess from the question alone."""

_TOOL = "search_documents"
_BEFORE = timedelta(hours=6)
_THINKING_S = (9, 14, 7, 21, 12)
_PROMPT_TOKENS, _PAGE_TOKENS, _TOKENS_PER_SECOND = 1_850, 1_200, 38
"""Of the first call; of each page that a search adds to later calls; and generated."""


@dataclass
class _SearchProgress:
    """What an agent has seen.

    Attributes:
        history: one entry per search, as in ``search_history``.
        pages: the pages in the order in which they first appeared.
    """

    history: list[dict[str, Any]] = field(default_factory=list)
    pages: list[NumberedPage] = field(default_factory=list)


def import_runs(services: Services, campaign: str) -> None:
    """Run both agents on the campaign's questions; import their results and the demo's prices.

    Raises:
        RuntimeError: a row was not taken.
    """
    set_price_table(services.workspace, None, read_price_table(FILES / "prices.toml"))
    with snapshot(services.workspace) as database:
        campaign_row = database.campaign(campaign)
        questions = [{**task.record, "id": task.key} for task in database.tasks(campaign_row.id)]
    with TemporaryDirectory() as folder:
        files = write_runs(
            Path(folder),
            questions,
            services.search,
            top_k=campaign_row.protocol.search.top_k,
            started_at=services.clock.now() - _BEFORE,
        )
        for system, path in files.items():
            _import_run(services, campaign, system, path)
        _import_guesses(services, campaign, Path(folder))


def _import_guesses(services: Services, campaign: str, folder: Path) -> None:
    for system, guesses in GUESSES.items():
        path = folder / f"{system}.jsonl"
        rows = [
            {"id": key, "answer": answer, "citations": [], "iterations": 1, "search_history": []}
            for key, answer in guesses.items()
        ]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        _import_run(services, campaign, system, path, without_documents=True)


def _import_run(
    services: Services, campaign: str, system: str, path: Path, *, without_documents: bool = False
) -> None:
    report = import_run(
        services.workspace,
        path,
        campaign=campaign,
        system=system,
        format="madqa",
        without_documents=without_documents,
        clock=services.clock,
    )
    if report.left_out:
        raise RuntimeError(f"the demo's {system}: {report.left_out[0].reason}")


def write_runs(
    folder: Path,
    questions: Iterable[Record],
    index: SearchIndex,
    *,
    top_k: int,
    started_at: datetime,
) -> dict[str, Path]:
    """Write one results JSONL per agent.

    Args:
        folder: exists.
        index: the workspace's search, asked every query.
        top_k: pages that a search returns, as the campaign has it.
        started_at: when the first search of the agent with times ran.

    Returns:
        System → its file.
    """
    rows = list(questions)
    files = {}
    for system, plans in agent_plans().items():
        path = folder / f"{system}.jsonl"
        time = started_at
        with path.open("w", encoding="utf-8") as lines:
            for record in rows:
                plan = plans.get(record["id"])
                if plan is None:
                    continue
                progress = _search(index, plan.queries, top_k, time if system == BM25 else None)
                row = _run_row(system, record, plan, progress)
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")
                time += timedelta(minutes=3)
        files[system] = path
    return files


def _search(
    index: SearchIndex, queries: Sequence[str], top_k: int, started_at: datetime | None
) -> _SearchProgress:
    progress = _SearchProgress()
    time = started_at
    for number, query in enumerate(queries, start=1):
        outcome = index.search(query, top_k)
        pages = [(hit.file, hit.page) for hit in outcome.results]
        entry: dict[str, Any] = {
            "iteration": number,
            "query": query,
            "num_results": len(pages),
            "total_hits": outcome.total_hits,
            "results": [{"file": file, "page": page} for file, page in pages],
        }
        if time is not None:
            time += timedelta(seconds=_THINKING_S[(len(query) + number) % len(_THINKING_S)])
            entry["timestamp"] = iso(time)
        progress.history.append(entry)
        progress.pages += [page for page in pages if page not in progress.pages]
    return progress


def _run_row(system: str, record: Record, plan: Plan, progress: _SearchProgress) -> dict[str, Any]:
    answer, cited = _outcome(record, plan, progress)
    citations = [{"file": file, "page": page} for file, page in cited]
    last: dict[str, Any] = {
        "iteration": len(progress.history) + 1,
        "role": "assistant",
        "content": None,
        "tool_calls": [],
        "tool_results": [],
        "parsed_answer": {"answer": answer, "citations": citations},
        "outcome": "answered" if answer else "unanswerable" if plan.denies else "not_found",
    }
    if progress.history and "timestamp" in progress.history[-1]:
        last["timestamp"] = iso(
            datetime.fromisoformat(progress.history[-1]["timestamp"])
            + timedelta(seconds=_THINKING_S[len(progress.pages) % len(_THINKING_S)])
        )
    return {
        "id": record["id"],
        "question": record["question"],
        "confidence": _confidence(answer, progress),
        "answer": answer,
        "citations": citations,
        "iterations": len(progress.history) + 1,
        "search_history": progress.history,
        "trajectory": _with_usage([*(_step(entry) for entry in progress.history), last]),
        "model": f"demo/{system}",
    }


def _confidence(answer: Sequence[str], progress: _SearchProgress) -> float:
    """What the agent says of its answer: less with each search, and little without an answer."""
    return max(0.3, round(1 - 0.12 * len(progress.history), 2)) if answer else 0.2


def _with_usage(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps with the tokens and seconds of the model's call; each call reads what came before.

    Dollars are not stated: the demo's price table has the prices.
    """
    context = _PROMPT_TOKENS
    for number, step in enumerate(steps):
        seconds = _THINKING_S[len(str(step)) % len(_THINKING_S)]
        step["usage"] = {
            "prompt_tokens": context,
            "completion_tokens": seconds * _TOKENS_PER_SECOND,
            "prompt_tokens_details": {"cached_tokens": _PROMPT_TOKENS if number else 0},
            "latency_s": seconds,
        }
        context += (
            sum(_PAGE_TOKENS * len(result["results"]) for result in step["tool_results"])
            + seconds * _TOKENS_PER_SECOND
        )
    return steps


def _step(entry: dict[str, Any]) -> dict[str, Any]:
    call = f"call-{entry['iteration']}"
    step = {
        "iteration": entry["iteration"],
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call, "name": _TOOL, "arguments": {"query": entry["query"]}}],
        "tool_results": [
            {
                "tool_call_id": call,
                "name": _TOOL,
                "query": entry["query"],
                "results": entry["results"],
            }
        ],
    }
    if "timestamp" in entry:
        step["timestamp"] = entry["timestamp"]
    return step


def _outcome(
    record: Record, plan: Plan, progress: _SearchProgress
) -> tuple[list[str], list[NumberedPage]]:
    """The agent's submission: the gold as far as it has seen it, unless the plan says otherwise."""
    gold = [(page["document"], page["page"]) for page in record.get("evidence") or []]
    found_gold = [page for page in gold if page in progress.pages]
    variants = record.get("answer_variants") or [[]]
    answer = list(variants[0])
    if plan.answer is not None:
        answer = plan.answer
    elif len(found_gold) < len(gold):
        answer = answer[: len(found_gold)] if len(answer) > len(found_gold) else []
    cited = found_gold
    if plan.astray or (answer and not found_gold):
        cited = [page for page in progress.pages if page not in gold][:1]
    return answer, cited
