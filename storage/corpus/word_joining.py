"""Words that the end of a line divides: two boxes on the page, one word in its text.

The first part of a divided word ends with a soft hyphen. What reads words (``word_text.ts``,
highlights) joins it with the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pagetrail.annotation.normalised_text import whole_words
from pagetrail.storage.corpus.page_values import Word

_JOINT = "\u00ad"


def with_joints(words: Sequence[Word]) -> list[Word]:
    """The words of a page whose text is normalised, as ``whole_words`` reads them; boxes stay."""
    texts = [whole_words(word.text) for word in words]
    for number, (word, following) in enumerate(pairwise(words)):
        lines = f"{word.text}\n{following.text}"
        joined = whole_words(lines)
        if "\n" not in joined and not _are_on_one_line(word, following):
            texts[number] = joined.removesuffix(texts[number + 1]) + _JOINT
    return [word._replace(text=text) for word, text in zip(words, texts, strict=True)]


def joined_texts(words: Sequence[Word]) -> list[str]:
    """For each word its text, and for each part of a divided one the whole."""
    texts: list[str] = []
    start = 0
    for end, word in enumerate(words, start=1):
        if not word.text.endswith(_JOINT) or end == len(words):
            whole = "".join(part.text.removesuffix(_JOINT) for part in words[start:end])
            texts += [whole] * (end - start)
            start = end
    return texts


def _are_on_one_line(word: Word, following: Word) -> bool:
    middle = (word.y0 + word.y1) / 2
    return following.y0 < middle < following.y1
