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
    listed,
    named,
)
from pagetrail.annotation.authoring.preconditions import needs_answer
from pagetrail.annotation.authoring.tokens import STOP_WORDS, occurs, words
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
    asked = answer_words(draft)
    held = [
        sum(1 << number for number, word in enumerate(asked) if occurs(word, page.vocabulary))
        for page in evidence
    ]
    everything = (1 << len(asked)) - 1
    if reduce(or_, held) != everything:
        unread = [page.key for page in evidence if not page.readable]
        reason = (
            f"Not every word of the answer was found, and {named(unread)} has no text to compare "
            "with (a scan without OCR)."
            if unread
            else "Not every word of the answer is on the cited pages; settle that first."
        )
        return finding("minimality", "skipped", reason, pages=unread)
    chosen = _smallest(held, everything)
    if len(chosen) == len(evidence):
        return finding(
            "minimality", "ok", "Each cited page holds a part of the answer that no other has."
        )
    enough = [evidence[number] for number in chosen]
    others = [page for number, page in enumerate(evidence) if number not in chosen]
    return _warning(draft, enough, others)


def _warning(
    draft: Draft, enough: Sequence[EvidencePage], others: Sequence[EvidencePage]
) -> Finding:
    suffices = [page.key for page in enough]
    left = [page.key for page in others]
    only = [
        draft.question[word.start : word.end]
        for word in {word.form: word for word in words(draft.question)}.values()
        if word.form not in STOP_WORDS
        and any(occurs(word, page.vocabulary) for page in others)
        and not any(occurs(word, page.vocabulary) for page in enough)
    ]
    said = f"Every word of the answer is already on {named(suffices)}. "
    if only:
        said += (
            f"Of the question, {listed(only)} can be found on {named(left)} alone: keep what leads "
            "from there to the answer, and remove any other citation."
        )
    else:
        said += f"Remove {named(left)}, unless the answer cannot be known to be right without."
    return finding("minimality", "warning", said, words=only, pages=suffices)


def _smallest(held: Sequence[int], everything: int) -> tuple[int, ...]:
    """Indices of the fewest pages that hold everything together.

    Of several such sets, the first without a page whose words another page has as well.
    ``held`` has a bit for each word of the answer.
    """
    first: dict[int, int] = {}
    for number, bits in enumerate(held):
        first.setdefault(bits, number)
    # A page whose words another has as well is never needed.
    useful = [
        number
        for bits, number in first.items()
        if bits and not any(bits != other and bits | other == other for other in first)
    ]
    tried = 0
    for size in range(1, len(useful)):
        for chosen in islice(combinations(useful, size), MAX_SUBSETS - tried):
            tried += 1
            if reduce(or_, (held[number] for number in chosen)) == everything:
                return chosen
        if tried >= MAX_SUBSETS:
            return _greedy(held, useful, everything)
    return tuple(useful)


def _greedy(held: Sequence[int], useful: Sequence[int], everything: int) -> tuple[int, ...]:
    chosen: list[int] = []
    have = 0
    while have != everything:
        best = max(useful, key=lambda number: ((held[number] & ~have).bit_count(), -number))
        chosen.append(best)
        have |= held[best]
    return tuple(sorted(chosen))
