"""Sentences and labels that browser code takes from the server, by name."""

from __future__ import annotations

from pagetrail.annotation.events.work import OUTCOME_WORDS
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.review_parts import PART_LABELS
from pagetrail.annotation.review.status import STATUS_WORDS
from pagetrail.annotation.sentences import SENTENCES

_SCREEN_SENTENCES = {
    **SENTENCES,
    **{f"outcome.{outcome}": words for outcome, words in OUTCOME_WORDS.items()},
    **{f"part.{part}": label for part, label in PART_LABELS.items()},
    **{f"review.{status}": words for status, words in STATUS_WORDS.items()},
}


def screen_sentences() -> dict[str, str]:
    """The sentences in the language of the screen."""
    return {name: gettext(sentence) for name, sentence in _SCREEN_SENTENCES.items()}
