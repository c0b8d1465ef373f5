"""Snippets and matched words of plain text, tokenised like the engine's analyzer.

For people only: agents see page images, so a campaign in parity mode shows neither.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

Run = tuple[str, bool]
"""Plain text, and whether it is a word of the query."""

# The token expression of Whoosh's StandardAnalyzer, which then lower-cases.
_TOKEN = re.compile(r"\w+(\.?\w+)*")
SNIPPET_CHARACTERS = 240
_LEAD = 40


def tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and lower-case form of each token (stop words included)."""
    for match in _TOKEN.finditer(text):
        yield match.start(), match.end(), match.group().lower()


def matched_words(words: Sequence[str], terms: Collection[str]) -> list[bool]:
    """For each of a page's words, whether it contains one of the terms.

    Args:
        words: words of a PDF with punctuation ("sales,").
        terms: lower-case terms from ``WhooshIndex.highlight_terms``.
    """
    term_set = frozenset(terms)
    return [any(token in term_set for _, _, token in tokens(word)) for word in words]


def snippet(
    text: str, terms: Collection[str], characters: int = SNIPPET_CHARACTERS
) -> tuple[Run, ...]:
    """The part of a page's text with the most different terms, then the most terms, then the first.

    Returns:
        Runs of plain text with collapsed white space, never markup; empty for a page without text.
        A page without the terms gives its beginning.
    """
    term_set = frozenset(terms)
    matches = [(start, end, word) for start, end, word in tokens(text) if word in term_set]
    start, stop = _window(text, matches, characters)
    runs: list[Run] = []
    if start > 0:
        _append(runs, "… ", False)
    at = start
    for left, right, _ in matches:
        if left < start or right > stop:
            continue
        _append(runs, text[at:left], False)
        _append(runs, text[left:right], True)
        at = right
    _append(runs, text[at:stop], False)
    if stop < len(text):
        _append(runs, " …", False)
    return tuple(runs) if any(run.strip(" …") for run, _ in runs) else ()


def _window(text: str, matches: Sequence[tuple[int, int, str]], characters: int) -> tuple[int, int]:
    best, best_value = 0, (0, 0)
    counts: dict[str, int] = {}
    last = 0
    for first, (left, _, word) in enumerate(matches):
        while last < len(matches) and matches[last][1] <= left + characters - _LEAD:
            counts[matches[last][2]] = counts.get(matches[last][2], 0) + 1
            last += 1
        value = (sum(1 for n in counts.values() if n), last - first)
        if value > best_value:
            best, best_value = max(0, left - _LEAD), value
        if counts.get(word):
            counts[word] -= 1
        last = max(last, first + 1)
    start = _word_start(text, best)
    stop = min(len(text), start + characters)
    if stop < len(text):
        gap = text.rfind(" ", start + characters // 2, stop)
        line = text.rfind("\n", start + characters // 2, stop)
        stop = max(gap, line) if max(gap, line) > start else stop
    return start, stop


def _word_start(text: str, at: int) -> int:
    """The start of the next word, if the position is inside one."""
    if at == 0 or text[at - 1].isspace():
        return at
    match = re.compile(r"\s").search(text, at, min(len(text), at + _LEAD))
    return match.end() if match else at


def _append(runs: list[Run], text: str, is_match: bool) -> None:
    """Add a run with collapsed white space, also across the border to the previous run."""
    collapsed = re.sub(r"\s+", " ", text)
    if collapsed.startswith(" ") and (not runs or runs[-1][0].endswith(" ")):
        collapsed = collapsed[1:]
    if not collapsed:
        return
    if runs and runs[-1][1] == is_match:
        runs[-1] = (runs[-1][0] + collapsed, is_match)
    else:
        runs.append((collapsed, is_match))
