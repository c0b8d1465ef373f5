"""Minimality: no part of the evidence already holds the whole answer.

Source: MADQA, section 2 and appendix C.1: the evidence of a question is a minimal set of pages.
Only the answer's words are looked for. A page that is needed to get to the answer (the bridge of a
bridging question) holds none of them, so the finding says which words of the question the other
pages alone have; whether they are needed is for the author to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, islice
from operator import or_

from pagetrail.annotation.authoring.draft import (
    Draft,
    EvidencePage,
    answer_words,
    finding,
    join_pages,
    join_phrases,
)
from pagetrail.annotation.authoring.preconditions import needs_answer
from pagetrail.annotation.authoring.tokens import STOP_WORDS, occurs_in_page, words
from pagetrail.annotation.protocols.check_results import Finding

MAX_SUBSETS = 20_000
"""Sets of pages tried for the smallest one; beyond, a greedy choice, which may be larger."""


def check(draft: Draft, evidence: Sequence[EvidencePage]) -> Finding:
    """Look for the smallest proper subset of the cited pages with all words of the answer.

    Returns:
        A warning with the pages that suffice (``pages``), and the words of the question that are
        on the other pages only (``words``).
    """
    absent = needs_answer("minimality", draft, evidence)
    if absent is not None:
        return absent
    if len(evidence) == 1:
        return finding("minimality", "ok", "One page is cited: nothing can be left out.")
    needed_words = answer_words(draft)
    masks = [
        sum(
            1 << number
            for number, word in enumerate(needed_words)
            if occurs_in_page(word, page.vocabulary)
        )
        for page in evidence
    ]
    all_words = (1 << len(needed_words)) - 1
    if reduce(or_, masks) != all_words:
        unread = [page.key for page in evidence if not page.readable]
        reason = (
            f"Not every word of the answer was found, and {join_pages(unread)} has no text to "
            "compare with (a scan without OCR)."
            if unread
            else "Not every word of the answer is on the cited pages; settle that first."
        )
        return finding("minimality", "skipped", reason, pages=unread)
    smallest = _smallest(masks, all_words)
    if len(smallest) == len(evidence):
        return finding(
            "minimality", "ok", "Each cited page holds a part of the answer that no other has."
        )
    enough = [evidence[number] for number in smallest]
    spare_pages = [page for number, page in enumerate(evidence) if number not in smallest]
    return _warning(draft, enough, spare_pages)


def _warning(
    draft: Draft, enough: Sequence[EvidencePage], spare_pages: Sequence[EvidencePage]
) -> Finding:
    suffices = [page.key for page in enough]
    left = [page.key for page in spare_pages]
    pages_with_own_words = [
        draft.question[word.start : word.end]
        for word in {word.form: word for word in words(draft.question)}.values()
        if word.form not in STOP_WORDS
        and any(occurs_in_page(word, page.vocabulary) for page in spare_pages)
        and not any(occurs_in_page(word, page.vocabulary) for page in enough)
    ]
    message = f"Every word of the answer is already on {join_pages(suffices)}. "
    if pages_with_own_words:
        message += (
            f"Of the question, {join_phrases(pages_with_own_words)} can be found on "
            f"{join_pages(left)} alone: keep what leads from there to the answer, "
            "and remove any other citation."
        )
    else:
        message += (
            f"Remove {join_pages(left)}, unless the answer cannot be known to be right without."
        )
    return finding("minimality", "warning", message, words=pages_with_own_words, pages=suffices)


def _smallest(masks: Sequence[int], all_words: int) -> tuple[int, ...]:
    """Indices of the fewest pages that hold everything together.

    Of several such sets, the first without a page whose words another page has as well.
    ``masks`` has a bit for each word of the answer.
    """
    first: dict[int, int] = {}
    for number, bits in enumerate(masks):
        first.setdefault(bits, number)
    # A page whose words another has as well is never needed.
    useful = [
        number
        for bits, number in first.items()
        if bits and not any(bits != other and bits | other == other for other in first)
    ]
    tried = 0
    for size in range(1, len(useful)):
        for subset in islice(combinations(useful, size), MAX_SUBSETS - tried):
            tried += 1
            if reduce(or_, (masks[number] for number in subset)) == all_words:
                return subset
        if tried >= MAX_SUBSETS:
            return _greedy(masks, useful, all_words)
    return tuple(useful)


def _greedy(masks: Sequence[int], useful: Sequence[int], all_words: int) -> tuple[int, ...]:
    picked_pages: list[int] = []
    have = 0
    while have != all_words:
        best = max(useful, key=lambda number: ((masks[number] & ~have).bit_count(), -number))
        picked_pages.append(best)
        have |= masks[best]
    return tuple(sorted(picked_pages))
