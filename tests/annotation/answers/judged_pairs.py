"""Pairs of gold and answer with a person's verdict, and how well a rule does on them.

``judged_pairs.csv`` has short gold: from MMLongBench-Doc (Ma et al. 2024, Apache-2.0; ids of its
questions), from facts of the 10-K filings named, or made up by us. ``sentence_pairs_dev.csv`` and
``sentence_pairs_heldout.csv`` have their questions, and gold in the style of public data sets:
from TAT-QA (Zhu et al. 2021, CC BY 4.0; ids of its questions) and MMLongBench-Doc where the source
says so, otherwise written by us in that style. The answers are ours. All verdicts were written
before the rule. The questions of each style were shuffled with ``random.Random(40)`` and dealt to
the smaller half; the held-out half was not looked at while the rule was changed.
``library_sentences.csv`` has half of the answerable questions of a library of MMLongBench-Doc
(drawn with the same seed), with their gold rewritten by us as sentences.
``python -m scripts.answer_rule_quality`` writes the table of docs/metrics.md.
"""

from __future__ import annotations

import csv
import re
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
"""Gold in the style of public data sets, much of it sentences; the rule was tuned on these."""
HELD_OUT = FOLDER / "sentence_pairs_heldout.csv"
"""The other half of the questions, which nobody looks at who changes the rule."""
LIBRARY = FOLDER / "library_sentences.csv"


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

    def is_right(self, verdict: Verdict) -> bool:
        """Whether the person agrees with a verdict; nobody agrees with *undecided*."""
        return verdict == ("correct" if self.is_correct else "incorrect")


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


def read_library(*, is_sentence_gold: bool) -> list[JudgedPair]:
    """The right short answers with their sentences as gold, or the other way round."""
    with LIBRARY.open(encoding="utf-8", newline="") as rows:
        return [
            JudgedPair(
                number,
                (row["sentence"],) if is_sentence_gold else tuple(row["answer"].split(" | ")),
                tuple(row["answer"].split(" | ")) if is_sentence_gold else (row["sentence"],),
                is_correct=True,
                question=Question(row["question"], "en"),
                source=row["id"],
            )
            for number, row in enumerate(csv.DictReader(rows))
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


def are_quantities_of_one_unit(pair: JudgedPair) -> bool:
    """Whether gold and answer are one number each, with the same sign, scale and unit, or none."""
    rests = [_rest_of_quantity(items) for items in (pair.gold, pair.answer)]
    return rests[0] is not None and rests[0] == rests[1]


def is_bare_polar_answer(pair: JudgedPair) -> bool:
    """Whether the answer to a plain polar question is *yes* or *no*, and the gold begins so too."""
    words = re.findall(r"\w+", pair.question.text.casefold())
    return (
        bool(_FIRST_WORDS_OF_POLAR_QUESTIONS.intersection(words[:1]))
        and not _COMPOUND_OR_NEGATED.intersection(words)
        and len(pair.answer) == len(pair.gold) == 1
        and pair.answer[0].casefold().strip(" .") in _POLAR_WORDS
        and re.findall(r"\w+", pair.gold[0].casefold())[0] in _POLAR_WORDS
    )


_QUANTITY = re.compile(r"([-+−(]*)\s*([$€£]|[A-Z]{3}\b)?\s*[\d.,'’\s]*\d([^\d]*)")
_YEAR = re.compile(r"(1\d|20)\d\d")
_POLAR_WORDS = frozenset({"yes", "no", "ja", "nein", "doch"})
_FIRST_WORDS_OF_POLAR_QUESTIONS = frozenset(
    {"is", "are", "was", "were", "do", "does", "did", "has", "have", "can", "must", "should"}
    | {"ist", "sind", "war", "wurde", "hat", "haben", "gibt", "liegt", "haftet"}
)
_COMPOUND_OR_NEGATED = frozenset({"and", "or", "not", "und", "oder", "nicht", "kein", "keine"})


def _rest_of_quantity(items: tuple[str, ...]) -> str | None:
    """Sign, currency, scale and unit of an item that is one number; None if it is anything else."""
    match = _QUANTITY.fullmatch(items[0].strip()) if len(items) == 1 else None
    if match is None or _YEAR.fullmatch(items[0]):
        return None
    return "".join(part or "" for part in match.groups()).casefold().strip()
