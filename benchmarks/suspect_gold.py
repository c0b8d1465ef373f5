"""Suspect gold: how early planted wrong gold is checked, and the estimate of what remains.

Campaigns are generated: 500 tasks, of which 25 have wrong gold, answered by three annotators with
accuracy 0.85 and four systems with accuracy 0.6. Answers are one of four choices, or free text with
five wrong answers per task.
"""

from __future__ import annotations

import random
from statistics import mean, median

from benchmarks.harness import Benchmark, Measurement, Setup
from pagetrail.annotation.review.suspect_gold import (
    CheckSample,
    Decision,
    Label,
    LabelledPart,
    LabelledTask,
    draw_check_sample,
    remaining_error,
)

TASKS, PLANTED = 500, 25
ACCURACIES = {f"annotator {n}": 0.85 for n in range(3)} | {f"system {n}": 0.6 for n in range(4)}
CHOICES = ("A", "B", "C", "D")
WRONG_TEXTS = ("text 1", "text 2", "text 3", "text 4", "text 5")
CAMPAIGNS = 100
CONTROL_SHARE = 0.05
"""The default of protocols."""


def planted_campaign(seed: int, *, free_text: bool) -> tuple[list[LabelledTask], set[str]]:
    """The labels of a generated campaign, and the tasks with wrong gold."""
    generator = random.Random(seed)
    planted = set(generator.sample([str(n) for n in range(TASKS)], PLANTED))
    tasks = []
    for n in range(TASKS):
        truth = "text" if free_text else generator.choice(CHOICES)
        wrong = [label for label in (WRONG_TEXTS if free_text else CHOICES) if label != truth]
        labels = [
            Label(
                name,
                name.startswith("annotator"),
                truth if generator.random() < accuracy else generator.choice(wrong),
            )
            for name, accuracy in ACCURACIES.items()
        ]
        gold = generator.choice(wrong) if str(n) in planted else truth
        classes = None if free_text else ("choice", CHOICES)
        tasks.append(LabelledTask(str(n), [LabelledPart("answer", gold, labels, classes)]))
    return tasks, planted


def found_early(sample: CheckSample, planted: set[str]) -> float:
    """The share of the planted tasks that the first tenth of all tasks holds."""
    return len(planted.intersection(sample.queue[: TASKS // 10])) / PLANTED


def measure(_setup: Setup) -> list[Measurement]:
    """Generate campaigns, draw their samples, and check the queue as the planted errors demand."""
    return [
        measurement
        for name, free_text in (("choices", False), ("free text", True))
        for measurement in _measure(name, free_text=free_text)
    ]


def _measure(name: str, *, free_text: bool) -> list[Measurement]:
    shares, lengths, covered = [], [], []
    for seed in range(CAMPAIGNS):
        tasks, planted = planted_campaign(seed, free_text=free_text)
        sample = draw_check_sample(tasks, control_share=CONTROL_SHARE, seed=seed)
        decisions: dict[str, Decision] = {
            task: "corrected" if task in planted else "confirmed" for task in sample.queue
        }
        low, high = remaining_error(sample, decisions).tasks_interval or (0.0, 0.0)
        shares.append(found_early(sample, planted))
        lengths.append(len(sample.queue))
        covered.append(low <= len(planted - decisions.keys()) <= high)
    return [
        Measurement(
            f"planted wrong gold in the first {TASKS // 10} tasks of the queue, {name}, mean share",
            mean(shares),
            "",
            target=0.8,
            better="above",
        ),
        Measurement(
            f"the same, {name}, worst of {CAMPAIGNS} campaigns",
            min(shares),
            "",
            target=0.8,
            better="above",
        ),
        Measurement(f"tasks in the queue, {name}", median(lengths), ""),
        Measurement(
            f"remaining error within its interval, {name}, share of campaigns", mean(covered), ""
        ),
    ]


BENCHMARK = Benchmark("suspect_gold", measure)
