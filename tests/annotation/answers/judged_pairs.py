"""Pairs of gold and answer with a person's verdict, and how well a rule does on them.

``python -m scripts.answer_rule_quality`` prints the tables of docs/metrics.md. The verdicts were
written before the rule. Gold is from MMLongBench-Doc (Ma et al. 2024, Apache-2.0; ids of its
questions), from facts of the 10-K filings named, in the style of public data sets, or made up by
us; the answers are ours.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.answers.decision import decide_answer
from pagetrail.annotation.answers.item_decision import Verdict
from pagetrail.annotation.answers.previous_rule import decision as previous
from pagetrail.annotation.answers.question import Question
from pagetrail.annotation.metrics.correctness import anls_star

FOLDER = Path(__file__).parent
SHORT_GOLD = FOLDER / "judged_pairs.csv"
"""583 pairs, whose gold is short."""
SENTENCES = FOLDER / "sentence_pairs_dev.csv"
"""Pairs with gold in the style of public data sets, much of it sentences; the rule was tuned on
them, and another half is held out."""


class JudgedPair(NamedTuple):
    """An answer with its gold, whether a person finds it correct, and the question to both.

    Attributes:
        style: the data set whose gold this is like; empty where none is stated.
    """

    id: int
    gold: tuple[str, ...]
    answer: tuple[str, ...]
    is_correct: bool
    question: Question
    source: str
    style: str = ""

    @property
    def language(self) -> str:
        """Of question, gold and answer."""
        return self.question.language or "en"


class Quality(NamedTuple):
    """How a rule does on judged pairs.

    Attributes:
        decided: share of pairs that the rule calls correct or incorrect.
        accepted, rejected: how many it calls correct, and incorrect.
        wrongly_accepted, wrongly_rejected: how many of those the person sees otherwise.
    """

    n: int
    decided: float
    accepted: int
    wrongly_accepted: int
    rejected: int
    wrongly_rejected: int


def read_pairs(file: Path = SHORT_GOLD) -> list[JudgedPair]:
    """All pairs of a file."""
    with file.open(encoding="utf-8", newline="") as rows:
        return [
            JudgedPair(
                int(row["id"]),
                tuple(row["gold"].split(" | ")),
                tuple(row["answer"].split(" | ")),
                row["verdict"] == "correct",
                Question(row["question"], row["language"]),
                row["source"],
                row.get("style", ""),
            )
            for row in csv.DictReader(rows)
        ]


def verdict_of_rule(pair: JudgedPair) -> Verdict:
    """What the rule says."""
    decision = decide_answer(pair.answer, [pair.gold], pair.question)
    assert decision is not None
    return decision.verdict


def verdict_of_previous_rule(pair: JudgedPair) -> Verdict:
    """What the rule said before sentences as gold."""
    decision = previous.decide_answer(pair.answer, [pair.gold], pair.question)
    assert decision is not None
    return decision.verdict


def verdict_of_anls(pair: JudgedPair) -> Verdict:
    """What ANLS* of at least 0.5 on the whole answer says."""
    value = anls_star(pair.answer, [pair.gold]).value
    return "correct" if value is not None and value >= ANLS_THRESHOLD else "incorrect"


RULES: dict[str, Callable[[JudgedPair], Verdict]] = {
    "this rule": verdict_of_rule,
    "previous rule": verdict_of_previous_rule,
    "ANLS* ≥ 0.5": verdict_of_anls,
}


def quality(pairs: Sequence[JudgedPair], rule: Callable[[JudgedPair], Verdict]) -> Quality:
    """How many pairs the rule decides, and how many of those wrongly."""
    verdicts = [(rule(pair), pair.is_correct) for pair in pairs]
    accepted = [is_correct for verdict, is_correct in verdicts if verdict == "correct"]
    rejected = [is_correct for verdict, is_correct in verdicts if verdict == "incorrect"]
    return Quality(
        len(pairs),
        (len(accepted) + len(rejected)) / len(pairs),
        len(accepted),
        accepted.count(False),
        len(rejected),
        rejected.count(True),
    )


def groups(pairs: Sequence[JudgedPair]) -> dict[str, list[JudgedPair]]:
    """The pairs by the style of their gold or, without one, by where it comes from."""
    by_group: dict[str, list[JudgedPair]] = {"all": list(pairs)}
    for pair in pairs:
        by_group.setdefault(pair.style or _group_of_source(pair), []).append(pair)
    return by_group


def _group_of_source(pair: JudgedPair) -> str:
    if pair.language != "en":
        return "other languages"
    if pair.source.startswith("MMLongBench"):
        return "MMLongBench-Doc"
    return "10-K filings" if "10-K" in pair.source else "made up, English"
