"""Finds the task of a run by the text of its question if no id identifies it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from pagetrail.annotation.normalised_text import plain_text
from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.storable_text import printable

_MAX_KEYS = 5
_MIN_CONTAINED = 12
"""Minimum length of questions that are searched for in prompts; shorter ones occur by chance."""


class NoMatch(ValueError):
    """No task has the question."""


class AmbiguousMatch(ValueError):
    """Several tasks have the question."""


class QuestionMatcher:
    """Finds tasks by their question, as plain text without regard to case and white space.

    Args:
        questions: task → its question.
    """

    def __init__(self, questions: Mapping[str, str]) -> None:
        self._by_text: dict[str, list[str]] = defaultdict(list)
        for key, question in questions.items():
            self._by_text[_normalised(question)].append(key)

    def task_of(self, question: str | None, prompt: str) -> str:
        """The task with this question, or the only task whose question the prompt contains.

        Raises:
            NoMatch: no such task.
            AmbiguousMatch: several such tasks.
        """
        for text in (question, prompt):
            keys = self._by_text.get(_normalised(text)) if text else None
            if keys:
                return _single_key(keys)
        question_text = question or prompt
        if not question_text.strip():
            raise NoMatch("has neither an id nor the text of its question")
        contained = [] if question else self._contained(_normalised(prompt))
        if not contained:
            raise NoMatch(
                "has no id that the campaign knows, and no task has its question: "
                f"{printable(question_text.strip()[:100])!r}"
            )
        return _single_key([key for text in contained for key in self._by_text[text]])

    def _contained(self, prompt: str) -> list[str]:
        """Questions contained in a prompt, except those contained in another one."""
        contained = [
            text for text in self._by_text if len(text) >= _MIN_CONTAINED and text in prompt
        ]
        return [
            text
            for text in contained
            if not any(text != other and text in other for other in contained)
        ]


def _single_key(keys: list[str]) -> str:
    if len(keys) == 1:
        return keys[0]
    names = [printable(key)[:60] for key in keys]
    raise AmbiguousMatch(
        f"has no id that the campaign knows, and {len(keys):,} tasks match its question: "
        f"{join_first(names, _MAX_KEYS)}. Add the id to the row"
    )


def _normalised(text: str) -> str:
    return " ".join(plain_text(text).split()).casefold()
