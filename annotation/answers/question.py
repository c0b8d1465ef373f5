"""The question that an answer is compared under: its text, language and tolerance of numbers."""

from __future__ import annotations

from typing import NamedTuple

from pagetrail.annotation.protocols.sections import AnswerPart


class Tolerance(NamedTuple):
    """How far a number may be from the gold.

    Attributes:
        relative: share of the gold's value.
        absolute: in the gold's own unit and scale: 0.1 of “5.2 million” is 100,000.
    """

    relative: float | None = None
    absolute: float | None = None

    @classmethod
    def from_answer(cls, answer: AnswerPart) -> Tolerance:
        """The tolerance that a campaign states; none by default."""
        return cls(answer.relative_tolerance, answer.absolute_tolerance)


NO_TOLERANCE = Tolerance()


class Question(NamedTuple):
    """What is known of the question besides its gold.

    Attributes:
        text: empty where it is not known; then only what needs no question is decided.
        language: of the task, by which ambiguous numbers and words are read; English unless stated.
        tolerance: of the campaign, for numbers.
    """

    text: str = ""
    language: str | None = None
    tolerance: Tolerance = NO_TOLERANCE


NO_QUESTION = Question()
