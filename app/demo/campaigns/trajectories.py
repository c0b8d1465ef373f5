"""Attempts of the demo's people and agents, judged step by step."""

from __future__ import annotations

from pagetrail.annotation.tasks.blind_judging import question_of
from pagetrail.app.demo.corpus import Record
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.services.composition import Services
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.exports.reports.metrics.judging.trajectory_tasks import trajectory_tasks

QUESTIONS = 4


def tasks_of(services: Services, campaign: str) -> list[Record]:
    """All that was tried on the first questions that somebody and both agents answered."""
    with open_source(services.workspace, campaign) as source:
        rows = list(trajectory_tasks(source, WrittenFiles()))
    by_question: dict[str, list[Record]] = {}
    for row in rows:
        by_question.setdefault(question_of(row["id"]), []).append(row)
    groups = [found for _, found in sorted(by_question.items()) if len(found) > 2]
    return [row for group in groups[:QUESTIONS] for row in _numbered(group)]


def _numbered(rows: list[Record]) -> list[Record]:
    """The attempts at a question with ids that are the same in every demo; theirs are random."""
    in_order = sorted(
        rows, key=lambda row: (row["prediction"]["answer"], len(row["steps"]), str(row["steps"]))
    )
    return [
        {**row, "id": f"{question_of(row['id'])}#{number}"}
        for number, row in enumerate(in_order, start=1)
    ]


def judge(tab: SimulatedTab, record: Record, *, accuracy: float) -> None:
    """Mark each step, judge the answer, and say where it failed."""
    right = record["answer_variants"][0] if record["answer_variants"] else []
    answer = record["prediction"]["answer"]
    correct = sorted(answer) == sorted(right)
    gold = {page["document"] for page in record["evidence"]}
    tab.do("opened", after_s=(0, 1), session="demo")
    useful = []
    for number, step in enumerate(record["steps"], start=1):
        useful.append(correct or any(document in step["what"] for document in gold))
        wrong = "wrong" if tab.rng.random() < accuracy else "wasted"
        mark = "useful" if useful[-1] else wrong
        tab.do("row_set", after_s=(2, 6), field="steps", row=f"r{number}", values={"mark": mark})
    tab.do(
        "field_set", after_s=(3, 9), field="verdict", value="correct" if correct else "incorrect"
    )
    if not correct:
        category = "refusal" if not answer else "comprehension" if any(useful) else "retrieval"
        tab.do("field_set", after_s=(3, 9), field="category", value=category)
    tab.do("submitted", after_s=(2, 6), outcome="completed")
