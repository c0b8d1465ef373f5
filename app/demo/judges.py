"""A third agent whose answers need a judge, and the verdicts of two simulated judges.

Both judges have two rounds of their prompt, the second with several runs; the files are imported as
anybody's would be.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pagetrail.annotation.metrics.correctness import JUDGEMENTS
from pagetrail.app.demo.campaigns.reviews import PAGE_PICKER, awkward_answers, true_verdict
from pagetrail.app.demo.corpus import Demo, Record
from pagetrail.app.services.composition import Services
from pagetrail.exports.reading.open_source import open_source
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.people.system_roles import SYSTEM


@dataclass(frozen=True)
class SimulatedJudge:
    """A judge of the demo.

    Attributes:
        prompt: of its last round.
        accuracies: by round, the share of answers on which it is right.
        runs: of its last round.
        date: of its last round.
    """

    name: str
    model: str
    prompt: str
    accuracies: Sequence[float]
    runs: int
    date: str


JUDGES = (
    SimulatedJudge(
        "judge-small",
        "demo/small",
        "Compare the answer with the accepted ones. Say correct, partial or incorrect.",
        (0.65, 0.85),
        3,
        "2026-03-02",
    ),
    SimulatedJudge(
        "judge-large",
        "demo/large",
        "Decide step by step: is it a refusal, does the content match, are units and list items "
        "complete, is it too long? Then say correct, partial or incorrect.",
        (0.8, 0.95),
        2,
        "2026-03-04",
    ),
)


def import_judged_agent(services: Services, demo: Demo, campaign: str) -> None:
    """Import the page picker's run and the judges' verdicts on all agents' answers.

    Raises:
        RuntimeError: a row was not taken.
    """
    with TemporaryDirectory() as folder:
        run = Path(folder) / "run.jsonl"
        _write_rows(
            run,
            [
                {"id": key, "answer": [answer], "citations": [], "search_history": []}
                for key, answer in awkward_answers(demo).items()
            ],
        )
        imported = import_run(
            services.workspace,
            run,
            campaign=campaign,
            system=PAGE_PICKER,
            format="madqa",
            clock=services.clock,
        )
        if imported.left_out:
            raise RuntimeError(f"the demo's {PAGE_PICKER}: {imported.left_out[0].reason}")
        answers = _agents_answers(services, campaign)
        for number, judge in enumerate(JUDGES):
            path = Path(folder) / f"{judge.name}.jsonl"
            _write_rows(path, _verdict_rows(judge, answers, Random(number)))
            report = import_verdicts(
                services.workspace,
                path,
                campaign=campaign,
                name=judge.name,
                judge=JudgeInfo(model=judge.model),
            )
            if report.left_out:
                raise RuntimeError(f"the demo's {judge.name}: {report.left_out[0].reason}")


def _agents_answers(services: Services, campaign: str) -> list[tuple[Record, str, str]]:
    """(task, agent, answer) of each answer that agents have submitted."""
    with open_source(services.workspace, campaign) as source:
        return [
            (
                {**attempt.head.record, "id": attempt.head.task},
                attempt.head.user,
                ", ".join(services.log.state(attempt.head.id).answer),
            )
            for attempt in source.attempts()
            if attempt.head.role == SYSTEM
        ]


def _verdict_rows(
    judge: SimulatedJudge, answers: Sequence[tuple[Record, str, str]], rng: Random
) -> list[Record]:
    rows = []
    for round_, accuracy in enumerate(judge.accuracies, start=1):
        is_last = round_ == len(judge.accuracies)
        for task, system, answer in answers:
            if not answer or not task["answer_variants"]:
                continue
            # A judge errs on the same answers in all runs, and in few of them by chance.
            usual = _verdict(task, answer, accuracy, rng)
            for run in range(1, judge.runs + 1 if is_last else 2):
                rows.append(
                    {
                        "task": task["id"],
                        "system": system,
                        "answer": answer,
                        "verdict": _verdict(task, answer, 0, rng) if rng.random() < 0.06 else usual,
                        "judge_round": round_,
                        "judge_run": run,
                        "judge_version": f"prompt {round_}",
                        "judge_prompt": judge.prompt if is_last else "Is the answer correct?",
                        "judge_date": judge.date if is_last else "2026-02-23",
                    }
                )
    return rows


def _verdict(task: Record, answer: str, accuracy: float, rng: Random) -> float:
    return true_verdict(answer, task) if rng.random() < accuracy else rng.choice(JUDGEMENTS)


def _write_rows(path: Path, rows: Sequence[Record]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
