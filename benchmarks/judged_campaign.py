"""A large campaign with systems beside its people, judges of their answers, prices and pay.

People's work is that of ``benchmarks.big_campaign``. Runs and verdicts are written as files and
imported; a stratified sample of the answers is drawn for people to judge.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import insert, select

from benchmarks.big_campaign import Size, big_workspace
from benchmarks.support import CAMPAIGN
from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.exports.sampling import SampleRequest, draw_sample
from pagetrail.storage.attempts.event_log import projection_row
from pagetrail.storage.attempts.event_rows import event_row, payload_chars
from pagetrail.storage.campaigns.pay_rates import set_rate
from pagetrail.storage.campaigns.price_tables import set_price_table
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import (
    Attempt,
    AttemptStateRow,
    Campaign,
    EventRow,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.people.people_by_id import People

SIZE = Size(tasks=2_857)
"""With three people and four systems at each task, 20,000 attempts."""
SYSTEMS = {"system-a": 0.75, "system-b": 0.6, "system-c": 0.45, "system-d": 0.3}
"""Share of correct answers."""
JUDGES = {"judge-small": (0.7, 0.85), "judge-large": (0.85, 0.95)}
"""Share of correct verdicts by round of the prompt."""
DECIDING_VERDICTS = "judge-large-round-2-run-1"
JUDGING = "Judging"
SAMPLED = 400
_RUNS_OF_LAST_ROUND = 2
_PRICES = """
name = "Benchmark"
date = 2026-11-01
[models]
""" + "\n".join(f'"{name}" = {{ input = 1.0, output = 4.0 }}' for name in SYSTEMS)
_CODES = {1.0: "correct", 0.5: "partial", 0.0: "incorrect"}


def judged_workspace(root: Path) -> Workspace:
    """A workspace with the campaign, whose systems are judged by two judges and by people."""
    workspace = big_workspace(root, SIZE)
    draw = random.Random(SIZE.seed)
    answers: dict[tuple[str, str], str] = {}
    with TemporaryDirectory() as folder:
        for system, accuracy in SYSTEMS.items():
            rows = list(_run_rows(workspace, system, accuracy, draw))
            answers |= {(row["id"], system): row["answer"][0] for row in rows}
            report = import_run(
                workspace,
                _written(Path(folder) / f"{system}.jsonl", rows),
                campaign=CAMPAIGN,
                system=system,
                format="madqa",
                clock=SystemClock(),
            )
            _require_complete(report.left_out)
        for judge, accuracies in JUDGES.items():
            path = _written(
                Path(folder) / f"{judge}.jsonl", _verdict_rows(accuracies, answers, draw)
            )
            _require_complete(
                import_verdicts(workspace, path, campaign=CAMPAIGN, name=judge).left_out
            )
    set_price_table(workspace, None, PriceTable.parse(_PRICES, "benchmark.toml"))
    set_rate(workspace, None, CAMPAIGN, None, PayRate.parse("20", "hour", "USD"))
    request = SampleRequest(
        into=JUDGING,
        n=SAMPLED,
        source=CAMPAIGN,
        fields=("verdict", "system"),
        verdicts=DECIDING_VERDICTS,
        overlap=1,
    )
    draw_sample(workspace, request)
    _judge(workspace, draw)
    return workspace


def _written(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _require_complete(left_out: list[Any]) -> None:
    if left_out:
        raise SystemExit(f"Not imported: {left_out[0]}")


def _records(workspace: Workspace) -> Iterator[dict[str, Any]]:
    with workspace.engine.connect() as connection:
        statement = (
            select(Task.record)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.name == CAMPAIGN)
            .order_by(Task.position)
        )
        yield from connection.execute(statement).scalars().all()


def _run_rows(
    workspace: Workspace, system: str, accuracy: float, draw: random.Random
) -> Iterator[dict[str, Any]]:
    """Results in MADQA's form; many correct answers differ from the gold in their words."""
    started_at = datetime.now(UTC) - timedelta(days=1)
    for record in _records(workspace):
        gold, page = record["answer_variants"][0][0], record["evidence"][0]
        is_correct = draw.random() < accuracy
        answer = gold if is_correct else f"{draw.randrange(10_000)} units"
        if draw.random() < 0.6:
            answer = f"The report gives {answer} for it"
        seconds = draw.uniform(5, 40)
        history = [
            {
                "iteration": n,
                "query": f"topic {n}",
                "num_results": 1,
                "results": [{"file": page["document"], "page": page["page"]}],
                "timestamp": iso(started_at + timedelta(seconds=n * seconds)),
            }
            for n in range(1, draw.choice((2, 3, 5)))
        ]
        usage = {"prompt_tokens": draw.randrange(2_000, 40_000), "completion_tokens": 400}
        final_step = {
            "iteration": len(history) + 1,
            "role": "assistant",
            "content": None,
            "tool_calls": [],
            "tool_results": [],
            "timestamp": iso(started_at + timedelta(seconds=(len(history) + 1) * seconds)),
            "usage": usage | {"latency_s": seconds},
        }
        citations = [{"file": page["document"], "page": page["page"]}] if is_correct else []
        yield {
            "id": record["id"],
            "question": record["question"],
            "answer": [answer],
            "citations": citations,
            "iterations": len(history) + 1,
            "search_history": history,
            "trajectory": [final_step],
            "model": system,
        }


def _verdict_rows(
    accuracies: tuple[float, ...], answers: dict[tuple[str, str], str], draw: random.Random
) -> Iterator[dict[str, Any]]:
    for round_, accuracy in enumerate(accuracies, start=1):
        runs = _RUNS_OF_LAST_ROUND if round_ == len(accuracies) else 1
        for (task, system), answer in answers.items():
            for run in range(1, runs + 1):
                yield {
                    "task": task,
                    "system": system,
                    "answer": answer,
                    "verdict": _verdict(answer, accuracy, draw),
                    "judge_round": round_,
                    "judge_run": run,
                }


def _verdict(answer: str, accuracy: float, draw: random.Random) -> float:
    usual = 1.0 if sum(answer.encode()) % 5 < 3 else 0.0
    return usual if draw.random() < accuracy else draw.choice(JUDGEMENTS)


def _judge(workspace: Workspace, draw: random.Random) -> None:
    """People judge all sampled answers."""
    with write_transaction(workspace.engine) as connection:
        statement = (
            select(Attempt.id, User.name, Task.record)
            .join(Task, Task.id == Attempt.task_id)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .join(User, User.id == Attempt.user_id)
            .where(Campaign.name == JUDGING)
        )
        for attempt, name, record in connection.execute(statement).all():
            verdict = _CODES[_verdict(record["prediction"]["answer"], 0.97, draw)]
            payloads: tuple[ev.Payload, ...] = (
                ev.Opened(session="tab"),
                ev.FieldSet(field="verdict", value=verdict),
                ev.Submitted(outcome="completed"),
            )
            log = [
                ev.Event(
                    attempt_id=attempt,
                    seq=seq,
                    server_ts=iso(datetime.now(UTC)),
                    client_ts=None,
                    elapsed_ms=seq * 4_000,
                    actor=name,
                    client_event_id=f"c{seq}",
                    payload=payload,
                )
                for seq, payload in enumerate(payloads, start=1)
            ]
            accounts = People(connection)
            rows = [event_row(event, accounts) for event in log]
            connection.execute(insert(EventRow), rows)
            stored = projection_row(attempt, fold(log), sum(map(payload_chars, rows)), accounts)
            connection.execute(insert(AttemptStateRow), [stored])
