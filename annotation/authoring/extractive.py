"""Extractive: every word of the answer is on a cited page.

Source: MADQA, section 2 and appendix C.1: the tokens of an answer come from its evidence pages.
What counts as the same word is said in ``annotation.authoring.tokens``; stop words of an answer are
not looked for, numbers and negations are.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.authoring.draft import (
    Draft,
    EvidencePage,
    answer_spelling,
    answer_words,
    finding,
    join_pages,
    join_phrases,
)
from pagetrail.annotation.authoring.preconditions import needs_answer
from pagetrail.annotation.authoring.tokens import occurs_in_page
from pagetrail.annotation.protocols.check_results import Finding


def check(draft: Draft, evidence: Sequence[EvidencePage]) -> Finding:
    """Look for each word of the answers on the cited pages.

    Returns:
        A warning with the missing words as they were typed (``words``); skipped when a word may
        be on a cited page that has no text (``pages``).
    """
    absent = needs_answer("extractive", draft, evidence)
    if absent is not None:
        return absent
    wanted_words = answer_words(draft)
    missing = [
        w.form for w in wanted_words if not any(occurs_in_page(w, p.vocabulary) for p in evidence)
    ]
    if not missing:
        return finding("extractive", "ok", "Every word of the answer is on a cited page.")
    spelling = answer_spelling(draft)
    typed = [spelling[form] for form in missing]
    unread = [page.key for page in evidence if not page.readable]
    if unread:
        return finding(
            "extractive",
            "skipped",
            f"The answer's {join_phrases(typed)} may be on {join_pages(unread)}, which has no text "
            "to compare with (a scan without OCR). Look for yourself.",
            words=typed,
            pages=unread,
        )
    searched_pages = (
        "the cited page" if len(evidence) == 1 else f"any of the {len(evidence)} cited pages"
    )
    return finding(
        "extractive",
        "warning",
        f"The answer's {join_phrases(typed)} cannot be found on {searched_pages}. Write the "
        "answer as the page has it, or cite the page it is on.",
        words=typed,
    )
