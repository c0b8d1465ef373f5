"""Chooses the rule by which an answer is correct: a judgement, item by item, exact match or ANLS*.

Sources: ANLS* is Peer et al. 2024, arXiv 2402.03848 (``annotation.answers.anls``); the best
accepted variant counts, and under the rule ``anls_star`` an answer is correct from 0.5 on, as in
MADQA (Borchmann et al. 2026, arXiv 2603.12180). The rule ``first`` decides only what it can
(``annotation.answers.decision``); pilots and review decide by the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pagetrail.annotation.answers.anls import (
    ANLS_THRESHOLD,
    PAIR_THRESHOLD,
    TOO_LONG,
    anls_of_lists,
    too_long,
)
from pagetrail.annotation.answers.decision import AnswerDecider, AnswerDecision, decide_answer
from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.answers.question import NO_QUESTION, Question
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.metrics.result import Choice, Result
from pagetrail.annotation.normalised_text import normalised_tokens

JUDGED_CORRECT_FROM = 0.5
"""Judgement from which an answer counts as correct: partial ones do."""
JUDGEMENTS = (0.0, 0.5, 1.0)

Decider = Literal["judgement", AnswerDecider, "anls_star", "undecided", "outcome"]
UNDECIDED: Decider = "undecided"
Rule = Literal["first", "judgement", "exact_match", "anls_star"]

Texts = str | int | float | Iterable[str | int | float]
"""One answer, or several; a number stands for its digits."""


@dataclass(frozen=True, slots=True)
class Correctness:
    """Whether an answer is right, and what decided it.

    Attributes:
        correct: None where nothing could decide; ``reason`` says why.
        decided_by: what decided: a judgement, a part of the rule (``AnswerDecider``), or
            ``outcome`` where the right answer is that there is none. An answer that is
            ``undecided`` counts as incorrect until somebody judges it.
        score: what the decision rests on, in [0, 1]: the judgement, the ANLS* value, or 1 and 0.
        exact: whether it matches a variant exactly; None without gold.
        anls: ANLS* against the best variant; None without gold, or where the texts are too long.
        judgement: 1 correct, 0.5 partial, 0 incorrect; None where nobody judged.
        reason: ``no_gold_answer``, ``answer_too_long``, ``not_judged`` or ``no_answer_asked``; of
            an undecided answer why it is (``item_decision.Reason``).
    """

    correct: bool | None
    decided_by: Decider | None = None
    score: float | None = None
    exact: bool | None = None
    anls: float | None = None
    judgement: float | None = None
    reason: str | None = None

    def with_judgement(self, judgement: float) -> Correctness:
        """The same answer once a judgement decides.

        Raises:
            MeasureError: a judgement other than 1, 0.5 and 0.
        """
        _check_judgement(judgement)
        return replace(
            self,
            correct=judgement >= JUDGED_CORRECT_FROM,
            decided_by="judgement",
            score=float(judgement),
            judgement=judgement,
            reason=None,
        )


def _check_judgement(judgement: float) -> None:
    if judgement not in JUDGEMENTS:
        raise MeasureError(
            f"The judgement {judgement!r} is unknown: 1 correct, 0.5 partial, 0 incorrect."
        )


def exact_match(answer: Texts, variants: Sequence[Texts]) -> bool | None:
    """Whether the answers are those of a variant, in any order; None without variants.

    Raises:
        MeasureError: an answer is neither text nor a number.
    """
    texts = _texts(answer)
    accepted = _accepted(variants)
    if not accepted:
        return None
    # An answer of punctuation alone says nothing, and nothing equals nothing.
    return all(map(normalised_tokens, texts)) and exact_match_f1(texts, accepted) == 1


def anls_star(answer: Texts, variants: Sequence[Texts]) -> Result:
    """ANLS* of the answers against the best variant, without regard to case; in [0, 1].

    Each answer is matched with one of the variant's, so that a missing and a superfluous answer
    both cost; a pair that is less than half alike counts 0. No answer at all scores 0. Beyond the
    limits of ``annotation.answers.anls`` it is undefined (``answer_too_long``).

    Raises:
        MeasureError: an answer is neither text nor a number.
    """
    # ``anls_of_lists`` only lowers the case, by which “Straße” would differ from “STRASSE”.
    texts = [text.casefold() for text in _texts(answer)]
    accepted = [[text.casefold() for text in variant] for variant in _accepted(variants)]
    counts = {"answers": len(texts), "variants": len(accepted)}
    choices: dict[str, Choice] = {
        "pair_threshold": PAIR_THRESHOLD,
        "case": "folded",
        "variant": "best",
    }
    if not accepted:
        return Result(value=None, reason="no_gold_answer", counts=counts, choices=choices)
    if any(too_long(variant, texts) for variant in accepted):
        return Result(value=None, reason=TOO_LONG, counts=counts, choices=choices)
    scores = [anls_of_lists(variant, texts) for variant in accepted]
    return Result(value=max(scores), counts=counts, choices=choices)


def decide(
    answer: Texts,
    variants: Sequence[Texts] | None,
    judgement: float | None = None,
    rule: Rule = "first",
    *,
    question: Question = NO_QUESTION,
) -> Correctness:
    """Whether the answer is right.

    Args:
        answer: what was given; empty where no answer was found.
        variants: accepted answers; None or empty where they are hidden.
        judgement: of a person or an imported judge.
        rule: what decides. ``first``: the judgement where there is one, else the answer's items
            (``annotation.answers.decision``). Any other names the only thing that may decide.
        question: that was asked, with the task's language and the campaign's tolerance.

    Raises:
        MeasureError: a judgement other than 1, 0.5 and 0, or an answer that is no text.
    """
    exact = exact_match(answer, variants or [])
    similarity = anls_star(answer, variants or [])
    measured = Correctness(None, exact=exact, anls=similarity.value)
    if judgement is not None:
        judged = measured.with_judgement(judgement)
        if rule in ("first", "judgement"):
            return judged
        measured = replace(measured, judgement=judgement)
    if rule == "judgement":
        return replace(measured, reason="not_judged")
    if exact is None:
        return replace(measured, reason="no_gold_answer")
    if rule == "exact_match":
        return replace(measured, correct=exact, decided_by="exact_match", score=float(exact))
    if rule == "first":
        decision = decide_answer(_texts(answer), _accepted(variants or []), question)
        assert decision is not None  # there is gold
        return _by_items(decision, measured)
    if measured.anls is None:
        return replace(measured, reason=similarity.reason)
    return replace(
        measured,
        correct=measured.anls >= ANLS_THRESHOLD,
        decided_by="anls_star",
        score=measured.anls,
    )


def _by_items(decision: AnswerDecision, measured: Correctness) -> Correctness:
    """``measured`` with the decision on the answer's items."""
    if decision.verdict == "undecided":
        return replace(
            measured, correct=False, decided_by=UNDECIDED, score=0.0, reason=decision.reason
        )
    correct = decision.verdict == "correct"
    return replace(measured, correct=correct, decided_by=decision.decided_by, score=float(correct))


def _accepted(variants: Sequence[Texts]) -> list[list[str]]:
    return [texts for texts in map(_texts, variants) if texts]


def _texts(value: Texts) -> list[str]:
    if isinstance(value, (str, int, float)):
        value = [value]
    if not isinstance(value, Iterable):
        raise MeasureError(f"{value!r} is no answer: an answer is text or a list of texts.")
    return [item if type(item) is str else _text_of_item(item) for item in value]


def _text_of_item(item: object) -> str:
    if isinstance(item, bool) or not isinstance(item, (str, int, float)):
        raise MeasureError(f"{item!r} is no answer: an answer is text or a number.")
    return str(item)
