"""ANLS* of two lists of texts (Peer et al. 2024, arXiv 2402.03848), and what is too long for it.

The edit distances are rapidfuzz's and the matching is scipy's; both are compiled, so that the
longest answers that can be submitted take a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

ANLS_THRESHOLD = 0.5
"""ANLS* from which an answer is correct, and two texts are similar, as in MADQA (Borchmann et al.
2026, arXiv 2603.12180)."""

PAIR_THRESHOLD = 0.5
"""A pair of texts that are less similar counts 0. Part of the definition of ANLS*, whatever
``ANLS_THRESHOLD`` is."""

MAX_PAIRS = 250_000
"""Texts of one list by texts of the other: 500 answers against 500."""

MAX_CELLS = 1_600_000_000
"""Characters of one list by characters of the other: 40,000 against 40,000, once case-folded."""


TOO_LONG: Final = "answer_too_long"
"""The reason where there is no ANLS* of texts that are beyond these limits."""


def too_long(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two lists are beyond the limits and are not compared."""
    cells = sum(map(len, left)) * sum(map(len, right))
    return len(left) * len(right) > MAX_PAIRS or cells > MAX_CELLS


def anls_of_lists(left: Sequence[str], right: Sequence[str]) -> float:
    """ANLS* of two lists of texts, in [0, 1]; the same whichever comes first, up to rounding.

    Texts are matched one to one so that the sum of similarities is largest; it is divided by the
    length of the longer list. Runs of white space make no difference, nor does case, which is
    lowered as in the reference implementation. Callers for whom “Straße” equals “STRASSE” fold the
    case of both lists before.

    Raises:
        ValueError: both lists are empty.
    """
    if not (left or right):
        raise ValueError("nothing is compared with nothing")
    if not (left and right):
        return 0.0
    left_texts, right_texts = (
        [" ".join(text.lower().split()) for text in texts] for texts in (left, right)
    )
    if len(left_texts) == len(right_texts) == 1:
        return _similarity(left_texts[0], right_texts[0])  # as below, without the cost of arrays
    lengths = np.maximum.outer(
        [len(text) for text in left_texts], [len(text) for text in right_texts]
    )
    distances = cdist(left_texts, right_texts, scorer=Levenshtein.distance, dtype=np.int64)
    similarities = 1 - distances / np.maximum(lengths, 1)
    similarities[similarities < PAIR_THRESHOLD] = 0.0
    rows, columns = linear_sum_assignment(similarities, maximize=True)
    # Summed as in the reference implementation, so that the values are the same to the last bit.
    return float(sum(similarities[rows, columns].tolist())) / max(len(left_texts), len(right_texts))


def _similarity(left: str, right: str) -> float:
    similarity = 1 - Levenshtein.distance(left, right) / max(len(left), len(right), 1)
    return similarity if similarity >= PAIR_THRESHOLD else 0.0
