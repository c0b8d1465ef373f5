"""Questions that models answer without the documents, and what kind of guesses these are.

Macé et al. (2026), ViDoRe V3, appendix H: a question is easy if any model of a panel answers it
correctly from the question alone, and hard otherwise. Borchmann et al. (2026), MADQA, appendix
E.2 and table 9: correct guesses are of yes/no questions, of questions with two given choices, or
memorised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

GuessClass = Literal["yes_no", "binary_choice", "other"]
GUESS_CLASSES: tuple[GuessClass, ...] = get_args(GuessClass)
GUESS_CLASS = "guess_class"
"""Key of the record that says which class a question is of."""

_YES_NO = frozenset(
    {"yes", "no", "true", "false", "oui", "non", "ja", "nein", "sí", "si", "sim", "não", "nee"}
)
_CHANCE = 0.5


def guess_class(record: Mapping[str, Any]) -> GuessClass:
    """The record's ``guess_class``; else yes/no if its type or all accepted answers say so."""
    stated_class = record.get(GUESS_CLASS)
    if stated_class in GUESS_CLASSES:
        return next(name for name in GUESS_CLASSES if name == stated_class)
    answers = [str(item) for variant in record.get("answer_variants") or () for item in variant]
    is_yes_no = bool(answers) and all(
        answer.strip().rstrip(".!").casefold() in _YES_NO for answer in answers
    )
    kinds = record.get("query_type")
    is_boolean = "boolean" in (kinds if isinstance(kinds, list) else [kinds])
    return "yes_no" if is_yes_no or is_boolean else "other"


def questions_by_need(guesses: Iterable[tuple[str, bool | None]]) -> dict[str, bool]:
    """Task → whether it needs the documents: no model answered it correctly without them.

    Args:
        guesses: task and whether a model's answer is correct; None, where nothing could decide, is
            left out.
    """
    needs: dict[str, bool] = {}
    for task, correct in guesses:
        if correct is not None:
            needs[task] = needs.get(task, True) and not correct
    return needs


@dataclass(frozen=True)
class GuessCounts:
    """One model's answers without documents (MADQA, table 9).

    Attributes:
        n: answers that could be decided.
        correct: correct ones by class of question.
    """

    n: int
    correct: Mapping[GuessClass, int]

    @property
    def random(self) -> float | None:
        """Share of answers that are right by chance: half of the correct guesses of two choices."""
        two_choices = self.correct["yes_no"] + self.correct["binary_choice"]
        return _CHANCE * two_choices / self.n if self.n else None

    @property
    def memorised(self) -> float | None:
        """Share of answers that are right and no guess of two choices: contamination."""
        return self.correct["other"] / self.n if self.n else None


def guess_counts(answers: Iterable[tuple[GuessClass, bool | None]]) -> GuessCounts:
    """Counts of one model's answers: class of the question, and whether the answer is correct."""
    decided = [(name, correct) for name, correct in answers if correct is not None]
    correct = Counter(name for name, is_correct in decided if is_correct)
    return GuessCounts(len(decided), {name: correct[name] for name in GUESS_CLASSES})
