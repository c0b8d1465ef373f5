"""Names of documents: the same to the eye is the same to the program; other case is a hint."""

from __future__ import annotations

import unicodedata
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.runs.record import RunRecord, with_stored_names

nfc, nfd = partial(unicodedata.normalize, "NFC"), partial(unicodedata.normalize, "NFD")
NAME = "Geschäftsbericht Zürich.pdf"
names = st.text(st.sampled_from("aäöÅåéẹ̈한ñzZ .-"), min_size=1, max_size=12).map(
    lambda stem: f"{stem}.pdf"
)


@given(names, st.sampled_from(["NFC", "NFD"]), st.sampled_from(["NFC", "NFD"]))
def test_either_form_of_a_name_means_the_document(name: str, stored: str, given_as: str) -> None:
    """A name in composed letters finds a document of macOS, and the other way round."""
    stored_name = unicodedata.normalize(stored, name)
    documents = DocumentNames({stored_name: 3, "other.pdf": 1})
    reference = unicodedata.normalize(given_as, name)
    assert documents.find(reference) == stored_name
    assert documents.page_problem(reference, 3) is None
    assert "has 3 pages" in str(documents.page_problem(reference, 4))


@given(names)
def test_another_case_and_white_space_are_only_suggested(name: str) -> None:
    """The document is named in the reason; nothing is found in its place."""
    documents = DocumentNames({nfd(name): 3})
    for reference in (nfc(name).swapcase(), f" {nfc(name)} "):
        if nfc(reference) != nfc(name) and reference.casefold().strip() == nfc(name).casefold():
            assert documents.find(reference) is None
            assert "did you mean" in documents.problem(reference)


def test_of_names_that_differ_in_form_only_the_exact_one_wins() -> None:
    """Any other spelling is refused with both names, told apart, and what to do."""
    two_marks = "ẹ̈.pdf"
    documents = DocumentNames({nfc(two_marks): 1, nfd(two_marks): 2})
    assert documents.find(nfc(two_marks)) == nfc(two_marks)
    assert documents.find(nfd(two_marks)) == nfd(two_marks)
    other = "e\u0308\u0323.pdf"
    assert nfc(other) == nfc(two_marks) and other not in documents
    assert documents.find(other) is None and documents.is_unclear(other)
    problem = documents.page_problem(other, 1)
    assert problem is not None and "may be any of 2 documents" in problem
    assert "\\u1eb9\\u0308.pdf" in problem and "e\\u0323\\u0308.pdf" in problem
    assert "character by character" in problem


def test_aliases_are_names_like_others() -> None:
    """In either form; of several documents with one alias's form none is taken."""
    documents = DocumentNames({"a.pdf": 1, "b.pdf": 1}, {nfd(NAME): "a.pdf"})
    assert documents.find(nfc(NAME)) == documents.find(nfd(NAME)) == "a.pdf"
    unclear = DocumentNames({"a.pdf": 1, nfd(NAME): 1}, {nfc(NAME): "a.pdf"})
    assert unclear.find(nfc(NAME)) == "a.pdf" and unclear.find(nfd(NAME)) == nfd(NAME)


@pytest.mark.parametrize("name", ["REPORT.pdf", "Report.PDF", "report"])
def test_a_name_in_another_case_is_suggested(name: str) -> None:
    """Also without its extension."""
    assert DocumentNames({"report.pdf": 1}).problem(name).endswith("did you mean report.pdf?")


def test_names_guessed_from_images_may_be_in_another_case() -> None:
    """Unless two documents differ in case only."""
    assert DocumentNames({nfd(NAME): 1}).find_in_any_case(nfc(NAME).upper()) == nfd(NAME)
    both = DocumentNames({"a.pdf": 1, "A.pdf": 1})
    assert both.find_in_any_case("a.PDF") is None and both.find_in_any_case("A.pdf") == "A.pdf"


def test_an_agents_right_citation_is_right() -> None:
    """Citations have the stored names, once each; only an alias is worth a note."""
    documents = DocumentNames({nfd(NAME): 2}, {"copy.pdf": nfd(NAME)})
    record = RunRecord(1, "q1", citations=((nfc(NAME), 1), (nfd(NAME), 1), ("none.pdf", 1)))
    stored = with_stored_names(record, documents)
    assert stored.citations == ((nfd(NAME), 1), ("none.pdf", 1)) and stored.notes == ()
    aliased = with_stored_names(RunRecord(1, "q1", citations=(("copy.pdf", 2),)), documents)
    assert aliased.citations == ((nfd(NAME), 2),) and len(aliased.notes) == 1
