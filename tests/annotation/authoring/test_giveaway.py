"""Words that give the place away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.authoring.giveaway import check
from tests.annotation.authoring.drafts import draft


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("What is the aim of this document?", ["this document"]),
        ("Who wrote these slides?", ["these slides"]),
        ("What does the report above say?", ["the report above"]),
        ("What is the total in the following table?", ["the following table"]),
        ("Which sum is given below?", ["given below"]),
        ("What was sold on page 4?", ["page 4"]),
        ("What was sold on pages 4 and 5?", ["pages 4 and 5"]),
        ("How many cars are on page three?", ["page three"]),
        ("What does pp. 3-5 name?", ["pp. 3-5"]),
        ("What stands on page iv?", ["page iv"]),
        ("How large is the share in Table 3?", ["Table 3"]),
        ("What does Figure 2 show, and Fig. 3a?", ["Figure 2", "Fig. 3a"]),
        ("What follows from section 4.2?", ["section 4.2"]),
        ("What does Appendix B list?", ["Appendix B"]),
        ("Which law does § 12.1 name?", ["§ 12.1"]),
        ("According to the report, who won?", ["According to the report"]),
        ("What is the title of the slide?", ["of the slide"]),
        ("Which colour has the first figure?", ["first figure"]),
        ("Who is on the cover?", ["on the cover"]),
        ("What is at the top of the page?", ["at the top of the page"]),
        ("What is in the upper left corner?", ["in the upper left corner"]),
        ("What does the author recommend?", ["the author"]),
        ("What does summary.pdf say?", ["summary.pdf"]),
        ("Quel est le total de ce document, page 4 ?", ["ce document", "page 4"]),
        ("Was zeigt dieses Diagramm auf Seite 12?", ["dieses Diagramm", "Seite 12"]),
        ("¿Qué muestra la figura 3 de este informe?", ["figura 3", "este informe"]),
    ],
)
def test_a_place_is_found_where_it_stands(question: str, phrases: list[str]) -> None:
    """The warning names the phrases, and the spans cut exactly these out of the question."""
    finding = check(draft(question))
    assert finding.status == "warning"
    assert list(finding.words) == phrases
    assert [question[start:end] for start, end in finding.spans] == phrases
    assert all(f"“{phrase}”" in finding.message for phrase in phrases)


@pytest.mark.parametrize(
    "question",
    [
        "How many otters did the Lakeland survey of 2019 count?",
        "Which companies that report losses pay a dividend?",
        "What did the 2018 annual report of Northfield call its main risk?",
        "In the report on water quality, which lake is the cleanest?",
        "Which page size does the A4 standard define?",
        "What is the sum of the figures for 2018 and 2019?",
        "By how much did this year's revenue exceed last year's?",
        "Which row of seats has more legroom?",
        "Who is at the top of the Northfield group?",
        "Which section chief signed the order?",
        "Which tables did the Lakeland furniture shop sell?",
        "Who are the first authors of the Lakeland study?",
    ],
)
def test_a_question_that_stands_for_itself_passes(question: str) -> None:
    """Names, verbs and ordinary nouns are no places."""
    finding = check(draft(question, evidence=[("report.pdf", 4)]))
    assert (finding.status, finding.words, finding.spans) == ("ok", (), ())


@pytest.mark.parametrize(
    ("document", "question", "phrase"),
    [
        ("NIKE_2021_10K.pdf", "What is the cash ratio in Nike 2021 10-K?", None),
        ("NIKE_2021_10K.pdf", "What is the cash ratio in nike_2021_10k?", "nike_2021_10k"),
        ("NIKE_2021_10K.pdf", "What is the cash ratio in Nike 2021 10K?", "Nike 2021 10K"),
        ("2023.acl-long.386.pdf", "Who wrote 2023.acl-long.386?", "2023.acl-long.386"),
        ("budget.PDF", "What does budget.pdf promise?", "budget.pdf"),
        ("Annual report Northfield.pdf", "Who signed annual report Northfield?", "annual report"),
        ("report.pdf", "Which report won a prize?", None),
        ("macbook_air.pdf", "Where is the camera of the MacBook Air?", None),
        ("macbook_air.pdf", "Where is the camera in macbook_air?", "macbook_air"),
        ("a.b", "Is a.b a name?", None),
    ],
)
def test_names_of_cited_files(document: str, question: str, phrase: str | None) -> None:
    """A file's name counts; one or two plain words of it may be the subject itself."""
    finding = check(draft(question, evidence=[(document, 1)]))
    if phrase is None:
        assert finding.status == "ok"
    else:
        assert finding.status == "warning"
        assert any(phrase in word for word in finding.words)


def test_without_a_question_there_is_nothing_to_look_at() -> None:
    """The check says what to write first."""
    finding = check(draft(" \n", evidence=[("a.pdf", 1)]))
    assert (finding.status, finding.message) == ("skipped", "Write the question first.")


@given(
    st.lists(st.sampled_from(["the", "page", "4", "in", "table", ".", "\n", "§", "x.pdf", "of"]))
)
def test_spans_are_ordered_and_apart(parts: list[str]) -> None:
    """Overlapping phrases become one: the screen can mark the spans one after the other."""
    question = " ".join(parts)
    spans = check(draft(question, evidence=[("x.pdf", 1)])).spans
    flat = [offset for span in spans for offset in span]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(question) for start, end in spans)
