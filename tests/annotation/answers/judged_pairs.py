"""The judged pairs of ``judged_pairs.csv``, and how well the rule and ANLS* do on them.

``python -m scripts.answer_rule_quality`` prints the table of docs/metrics.md. The verdicts were
written before the rule. Gold is from MMLongBench-Doc (Ma et al. 2024, Apache-2.0; ids of its
questions), from facts of the 10-K filings named, or made up by us; the answers are ours.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.answers.item_decision import Verdict
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.metrics.correctness import anls_star

FILE = Path(__file__).with_name("judged_pairs.csv")


class JudgedPair(NamedTuple):
    """An answer with its gold, whether a person finds it correct, and the question to both."""

    id: int
    gold: tuple[str, ...]
    answer: tuple[str, ...]
    is_correct: bool
    question: Question
    source: str

    @property
    def language(self) -> str:
        """Of question, gold and answer."""
        return self.question.language or "en"


class Quality(NamedTuple):
    """How a rule does on judged pairs; an undecided answer counts as incorrect."""

    n: int
    precision: float
    recall: float
    accuracy: float
    undecided: float


def read_pairs() -> list[JudgedPair]:
    """All pairs of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [
            JudgedPair(
                int(row["id"]),
                tuple(row["gold"].split(" | ")),
                tuple(row["answer"].split(" | ")),
                row["verdict"] == "correct",
                Question(row["question"], row["language"]),
                row["source"],
            )
            for row in csv.DictReader(file)
        ]


def verdict_of_rule(pair: JudgedPair) -> Verdict:
    """What the rule says."""
    decision = decide_answer(pair.answer, [pair.gold], pair.question)
    assert decision is not None
    return decision.verdict


def verdict_of_anls(pair: JudgedPair) -> Verdict:
    """What ANLS* of at least 0.5 on the whole answer says."""
    value = anls_star(pair.answer, [pair.gold]).value
    return "correct" if value is not None and value >= ANLS_THRESHOLD else "incorrect"


def quality(pairs: Sequence[JudgedPair], verdicts: Sequence[Verdict]) -> Quality:
    """Precision and recall of “correct”, accuracy, and the share of undecided pairs."""
    accepted = [v == "correct" for v in verdicts]
    correctly_accepted = sum(a and p.is_correct for a, p in zip(accepted, pairs, strict=True))
    right = sum(a == p.is_correct for a, p in zip(accepted, pairs, strict=True))
    return Quality(
        len(pairs),
        correctly_accepted / sum(accepted),
        correctly_accepted / sum(p.is_correct for p in pairs),
        right / len(pairs),
        sum(v == "undecided" for v in verdicts) / len(pairs),
    )


def groups(pairs: Sequence[JudgedPair]) -> dict[str, list[JudgedPair]]:
    """The pairs by where their gold comes from, and by language."""
    return {
        "all": list(pairs),
        "MMLongBench-Doc": [p for p in pairs if p.source.startswith("MMLongBench")],
        "10-K filings": [p for p in pairs if "10-K" in p.source and "MML" not in p.source],
        "made up, English": [
            p for p in pairs if p.source.startswith("author") and p.language == "en"
        ],
        "made up, other languages": [p for p in pairs if p.language != "en"],
    }
