"""Words that give the location away: a question must make sense to someone who has no page open.

Source: MADQA, appendix C.1, and ViDoRe V3, section 3.2: questions are self-contained over the
whole collection. The expressions and the rule for file names are this project's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pagetrail.annotation.authoring.draft import Draft, finding, join_phrases
from pagetrail.annotation.authoring.location_phrases import FILE_NAME, LOCATION_PATTERNS
from pagetrail.annotation.authoring.tokens import words
from pagetrail.annotation.protocols.check_results import Finding

Span = tuple[int, int]
_MIN_STEM = 4
_MIN_DISTINCTIVE_WORDS = 3
_PUNCTUATION = re.compile(r"[\W_]+")
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,5}$")


def check(draft: Draft) -> Finding:
    """Look for words that point at a document, a page or a part of one, and for file names.

    A cited document's name counts as it is, with or without its extension. If it has a digit or
    three words, it also counts with spaces for its punctuation (``annual_report-2018.pdf``: "annual
    report 2018").
    A name of one or two plain words ("water-quality.pdf") may be what the question is about.

    Returns:
        A warning with the phrases (``words``) and where they are (``spans``).
    """
    question = draft.question
    if not question.strip():
        return finding("giveaway", "skipped", "Write the question first.")
    documents = dict.fromkeys(document for document, _ in draft.evidence)
    spans = _merged(_location_spans(question) + _file_names(question, documents))
    if not spans:
        return finding(
            "giveaway", "ok", "Nothing in the question points at a document or at a place in one."
        )
    phrases = list(dict.fromkeys(question[start:end] for start, end in spans))
    return finding(
        "giveaway",
        "warning",
        f"{join_phrases(phrases)} can only be understood by someone who has the page open. Say "
        "what is meant instead: the organisation, the subject, the year. Leave it if it is part of "
        "a name.",
        words=phrases,
        spans=spans,
    )


def _location_spans(question: str) -> list[Span]:
    return [
        match.span()
        for pattern in (*LOCATION_PATTERNS, FILE_NAME)
        for match in pattern.finditer(question)
    ]


def _file_names(question: str, documents: Iterable[str]) -> list[Span]:
    spans: list[Span] = []
    question_words = words(question)
    forms = [word.form for word in question_words]
    for document in documents:
        stem = _EXTENSION.sub("", document)
        # Punctuation between the words of a file name stands for spaces.
        name = [word.form for word in words(_PUNCTUATION.sub(" ", stem))]
        if len(stem) < _MIN_STEM or not name:
            continue
        for typed in dict.fromkeys((document, stem)):
            # A name without punctuation, such as "report", is a word like any other.
            if _PUNCTUATION.search(typed.replace(" ", "")):
                matches = re.finditer(re.escape(typed), question, re.IGNORECASE)
                spans += [match.span() for match in matches]
        if len(name) < _MIN_DISTINCTIVE_WORDS and not any(char.isdigit() for char in stem):
            continue
        for start in range(len(forms) - len(name) + 1):
            if forms[start : start + len(name)] == name:
                spans.append(
                    (question_words[start].start, question_words[start + len(name) - 1].end)
                )
    return spans


def _merged(spans: list[Span]) -> list[Span]:
    """The spans in order, overlapping ones merged."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
