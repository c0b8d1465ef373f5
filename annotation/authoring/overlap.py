"""Overlap: the question does not repeat the wording of a page that it is about.

A question that copies its page is found by matching, not by understanding (ViDoRe V3, section 3.2,
has its questions written from summaries for that reason). For each cited page, over the words of
question and page in order, stop words included:

* the longest run of words that both have, and
* the share of the question's 5-grams that the page has.

A question warns with a run of at least ``RUN`` words, with a share of at least ``SHARE`` of its
5-grams, or when all of it (``WHOLE`` words or more) is on the page. A run must hold
``RUN_CONTENT`` words of content, so that "what is the total amount of the" is none. The thresholds
are this project's: of 242 questions of MMLongBench-Doc, written with the page open, they warn for
18, each of them with copied wording; names of seven words pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pagetrail.annotation.authoring.draft import Draft, EvidencePage, clipped, finding, join_pages
from pagetrail.annotation.authoring.preconditions import needs_evidence
from pagetrail.annotation.authoring.tokens import STOP_WORDS, Word, words
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.sentences import count_noun

N = 5
RUN = 8
SHARE = 0.5
MIN_WHOLE_QUESTION = 4
RUN_CONTENT = 3


class Overlap(NamedTuple):
    """What a question and a page have in common.

    Attributes:
        runs: (first, end) word numbers of the question's maximal common runs, in their order.
        share: share of the question's 5-grams on the page; 0 for a question of fewer words.
    """

    runs: list[tuple[int, int]]
    share: float

    @property
    def longest(self) -> tuple[int, int]:
        """The first of the longest runs; (0, 0) when there is none."""
        return max(self.runs, key=lambda run: run[1] - run[0], default=(0, 0))


def check(draft: Draft, evidence: Sequence[EvidencePage]) -> Finding:
    """Compare the question with each cited page.

    Returns:
        A warning with the repeated wording (``words``, ``spans``) of the page that has most of it,
        and every page above a threshold (``pages``).
    """
    question_words = words(draft.question)
    if not question_words:
        return finding("overlap", "skipped", "Write the question first.")
    absent = needs_evidence("overlap", draft, evidence)
    if absent is not None:
        return absent
    read = [page for page in evidence if page.readable]
    if not read:
        return finding(
            "overlap",
            "skipped",
            "There is no text to compare with: "
            f"{join_pages([page.key for page in evidence])} (scans without OCR).",
            pages=[page.key for page in evidence],
        )
    overlaps = [(overlap(question_words, page.words), page) for page in read]
    repeated = [(common, page) for common, page in overlaps if _too_close(question_words, common)]
    if not repeated:
        first, end = max(
            (common.longest for common, _ in overlaps), key=lambda run: run[1] - run[0]
        )
        return finding(
            "overlap",
            "ok",
            f"The longest wording that the question shares with a cited page has "
            f"{count_noun(end - first, 'word')}.",
        )
    common, page = max(repeated, key=lambda pair: pair[0].longest[1] - pair[0].longest[0])
    spans = [
        (question_words[first].start, question_words[end - 1].end)
        for first, end in common.runs
        if end - first >= min(N, len(question_words))
    ]
    first, end = common.longest
    phrase = draft.question[question_words[first].start : question_words[end - 1].end]
    return finding(
        "overlap",
        "warning",
        f"The question repeats {end - first} words in a row of {join_pages([page.key])} "
        f"(and {common.share:.0%} of its {N}-word sequences): “{clipped(phrase, 200)}”. Ask in "
        "words of your own, so that matching the wording is not enough to find the page.",
        words=[draft.question[start:stop] for start, stop in spans],
        spans=spans,
        pages=[page.key for _, page in repeated],
    )


def overlap(question: Sequence[Word], page: Sequence[Word]) -> Overlap:
    """The common runs of two sequences of words; time grows with the places they share."""
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(page):
        positions.setdefault(word.form, []).append(position)
    longest_at = [0] * len(question)  # length of the longest common run that ends at each word
    before: dict[int, int] = {}
    for number, word in enumerate(question):
        run_lengths = {
            position: before.get(position - 1, 0) + 1 for position in positions.get(word.form, ())
        }
        longest_at[number] = max(run_lengths.values(), default=0)
        before = run_lengths
    runs = [
        (number - length + 1, number + 1)
        for number, length in enumerate(longest_at)
        if length and (number + 1 == len(question) or longest_at[number + 1] <= length)
    ]
    n_grams = len(question) - N + 1
    shared = sum(length >= N for length in longest_at)
    return Overlap(runs, shared / n_grams if n_grams > 0 else 0.0)


def _too_close(question_words: Sequence[Word], common: Overlap) -> bool:
    first, end = common.longest
    length = end - first
    telling = sum(word.form not in STOP_WORDS for word in question_words[first:end])
    if telling < min(RUN_CONTENT, len(question_words)):
        return False
    return (
        length >= RUN
        or (common.share >= SHARE and length >= N)
        or (length == len(question_words) and length >= MIN_WHOLE_QUESTION)
    )
