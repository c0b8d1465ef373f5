"""Wording that the question shares with its pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.authoring.overlap import N, check, overlap
from pagetrail.annotation.authoring.tokens import words
from tests.annotation.authoring.drafts import A1, A2, B1, draft, read

SENTENCE = (
    "the rising number of otters in Lakeland rivers was a surprise to all observers in spring"
)
TEXTS = {A1: f"In short, {SENTENCE.upper()}.", A2: "Otters swim.", B1: "Rivers were surveyed."}


def test_copied_wording_is_shown_with_its_page() -> None:
    """Eight words in a row: the phrase, where it is in the question, and the page."""
    question = (
        "Was the rising number of otters in Lakeland rivers expected by Ms Grey of Northfield?"
    )
    task_draft = draft(question, [], [A2, A1])
    finding = check(task_draft, read(task_draft, TEXTS))
    assert finding.status == "warning"
    assert finding.pages == (A1,)
    assert finding.words == ("the rising number of otters in Lakeland rivers",)
    assert [question[s:e] for s, e in finding.spans] == list(finding.words)
    assert "8 words in a row of page 1 of a.pdf" in finding.message


def test_a_name_may_be_long() -> None:
    """Seven words are a name, and pass; so do eight without content."""
    texts = {
        A1: "College of Humanities, Arts, and Social Sciences. What is it that they have of the"
    }
    for question in (
        "How many schools has the College of Humanities, Arts, and Social Sciences of Lakeland?",
        "What is it that they have of the best in town, and why is it so dear to them all?",
    ):
        task_draft = draft(question, [], [A1])
        assert check(task_draft, read(task_draft, texts)).status == "ok"


def test_half_of_a_short_question_may_not_be_copied() -> None:
    """Half of the five-word sequences, or the whole of a short question, warn as well."""
    short = draft("Otters in Lakeland rivers was a", [], [A1])
    finding = check(short, read(short, TEXTS))
    assert finding.status == "warning" and "100% of its 5-word sequences" in finding.message
    task_draft = draft("Rivers were surveyed again", [], [B1])
    texts = {B1: "Rivers were surveyed again in May."}
    assert check(task_draft, read(task_draft, texts)).status == "warning"


def test_own_words_pass() -> None:
    """The length of the longest shared run is told."""
    task_draft = draft("How did the count of otters change?", [], [A1])
    finding = check(task_draft, read(task_draft, TEXTS))
    assert finding.status == "ok" and "has 2 words" in finding.message


def test_what_is_missing_is_named() -> None:
    """No question, no evidence, and pages without text give no verdict."""
    assert check(draft(" ? "), []).message == "Write the question first."
    assert check(draft("Who?"), []).message.startswith("Cite the pages")
    task_draft = draft("Who?", [], [("scan.pdf", 3)])
    finding = check(task_draft, read(task_draft, {}))
    assert (finding.status, finding.pages) == ("skipped", (("scan.pdf", 3),))


SMALL = st.lists(st.sampled_from("abcd"), max_size=14)


@given(SMALL, SMALL)
def test_the_longest_run_is_the_longest(question: list[str], page: list[str]) -> None:
    """Against the definition: every stretch of the question looked up on the page."""
    common = overlap(words(" ".join(question)), words(" ".join(page)))
    stretches = {
        (first, end)
        for first in range(len(question))
        for end in range(first + 1, len(question) + 1)
        if any(
            page[start : start + end - first] == question[first:end] for start in range(len(page))
        )
    }
    longest = max((end - first for first, end in stretches), default=0)
    assert common.longest[1] - common.longest[0] == longest
    assert set(common.runs) <= stretches
    grams = [(first, first + N) for first in range(len(question) - N + 1)]
    share = sum(gram in stretches for gram in grams) / len(grams) if grams else 0
    assert common.share == pytest.approx(share)
