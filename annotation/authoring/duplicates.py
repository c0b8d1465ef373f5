"""Duplicates: the question was not asked before.

Two questions are compared by their words (``annotation.authoring.tokens``):

* they are the same when their words are, in order (``cash_ratio`` = ``cash ratio``);
* they are nearly the same when the Jaccard index of their words of content, or of the character
  trigrams of their text, is at least ``SIMILAR``: |A ∩ B| / |A ∪ B| (Jaccard 1901; over character
  n-grams Broder 1997). Questions that differ in a number or in a negation ask for different things
  however much else they share ("in 2018", "in 2019"), so they are only compared for equality.

The threshold is this project's.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from pagetrail.annotation.authoring.draft import Draft, clipped, finding, join_phrases
from pagetrail.annotation.authoring.tokens import STOP_WORDS, is_negation, words
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.sentences import count_noun
from pagetrail.annotation.statistics.set_overlap import overlap

SIMILAR = 0.8
_N = 3


class _Profile(NamedTuple):
    """What a question is compared by: compounds are taken apart, but for ``whole``."""

    whole: str
    text: str
    content: frozenset[str]
    fixed: frozenset[str]

    @property
    def trigrams(self) -> frozenset[str]:
        """Made when needed: kept for thousands of questions they would fill the memory."""
        return frozenset(self.text[at : at + _N] for at in range(len(self.text) - _N + 1))


def check(draft: Draft, existing: Iterable[tuple[str, str]]) -> Finding:
    """Compare the question with the (id, question) pairs that exist.

    Returns:
        A warning with the most similar question (``other``; the first of several) and the words by
        which the two differ (``words``).
    """
    profile = _profile(draft.question)
    if not profile.whole:
        return finding("duplicate", "skipped", "Write the question first.")
    trigrams = profile.trigrams
    best, other = 0.0, ""
    compared = 0
    for _, question in existing:
        compared += 1
        other_profile = _profile(question)
        similarity = _similarity(profile, trigrams, other_profile)
        if similarity > best:
            best, other = similarity, question
        if other_profile.whole == profile.whole and other_profile.fixed == profile.fixed:
            return finding(
                "duplicate",
                "warning",
                f"This question exists already: “{clipped(question)}”. Ask for something else.",
                other=question,
            )
    if best < SIMILAR:
        compared_questions = count_noun(compared, "other question")
        return finding("duplicate", "ok", f"Compared with {compared_questions}: this one is new.")
    other_profile = _profile(other)
    differing = sorted(profile.content ^ other_profile.content)
    by = f"; they differ in {join_phrases(differing)}" if differing else ""
    return finding(
        "duplicate",
        "warning",
        f"A question like this exists: “{clipped(other)}” (similarity {best:.2f}{by}). Make sure "
        "that yours asks for something else, or write another.",
        words=differing,
        other=other,
    )


def question_similarity(question: str, other: str) -> float:
    """How similar two questions are by their words, 0–1; 1 if they are equal but for spelling."""
    profile, other_profile = _profile(question), _profile(other)
    if other_profile.whole == profile.whole and other_profile.fixed == profile.fixed:
        return 1.0
    return _similarity(profile, profile.trigrams, other_profile)


def _similarity(profile: _Profile, trigrams: frozenset[str], other: _Profile) -> float:
    if profile.fixed != other.fixed:
        return 0.0
    by_words = overlap(profile.content, other.content).jaccard or 0.0
    # The index cannot exceed the quotient of the sizes, and a text has no more trigrams than
    # characters.
    if len(other.text) < SIMILAR * len(trigrams):
        return by_words
    return max(by_words, overlap(trigrams, other.trigrams).jaccard or 0.0)


@lru_cache(maxsize=4_096)
def _profile(question: str) -> _Profile:
    question_words = words(question)
    parts = [part for word in question_words for part in word.parts or (word.form,)]
    text = f" {' '.join(parts)} "
    return _Profile(
        "".join(word.form for word in question_words),
        text,
        frozenset(part for part in parts if part not in STOP_WORDS) or frozenset(parts),
        frozenset(part for part in parts if any(map(str.isdigit, part)))
        | frozenset(word.form for word in question_words if is_negation(word)),
    )
