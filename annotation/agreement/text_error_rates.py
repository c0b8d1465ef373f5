"""Character and word error rate between two transcriptions of a page.

Neither person is the reference, so the edits are divided by the length of the longer text: the
lower of the two rates that either text gives as the reference, always in [0, 1].

Texts are compared in Unicode's normalisation form C, with each run of white space as one space and
none at the ends. Case, punctuation and markup count. A character is a code point: a letter with a
mark that has no composed form is two. A word is what white space separates, so text in scripts
without spaces (Chinese, Japanese, Thai) has a meaningful rate of characters only.

Source: Levenshtein 1966. Morris, Maier and Green 2004 discuss rates that exceed 1 because they are
divided by the reference's length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class EditCount(NamedTuple):
    """Insertions, deletions and substitutions between two sequences, and their lengths."""

    edits: int
    left: int
    right: int

    @property
    def rate(self) -> float | None:
        """Edits by the longer length; None where both are empty."""
        longer = max(self.left, self.right)
        return self.edits / longer if longer else None


class TextDifference(NamedTuple):
    """Edits between two texts, in characters and in words."""

    characters: EditCount
    words: EditCount


def text_difference(left: str, right: str) -> TextDifference:
    """The fewest edits that turn one transcription into the other."""
    left_words, right_words = comparable_words(left), comparable_words(right)
    return TextDifference(
        characters=_edit_count(" ".join(left_words), " ".join(right_words)),
        words=_edit_count(left_words, right_words),
    )


def comparable_words(text: str) -> list[str]:
    """The words of a transcription as they are compared, in form C."""
    return unicodedata.normalize("NFC", text).split()


def _edit_count(left: Sequence[Hashable], right: Sequence[Hashable]) -> EditCount:
    return EditCount(Levenshtein.distance(left, right), len(left), len(right))
