"""Snippets and matched words, from plain text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from whoosh.analysis import StandardAnalyzer

from pagetrail.storage.search.snippets import matched_words, snippet, tokens


def test_matched_words_of_a_page() -> None:
    """Punctuation and case do not matter; parts of words do."""
    words = ["Net", "(sales),", "netting", "3.5%", "U.S.", "—", "net-sales"]
    assert matched_words(words, ["net", "sales", "3.5"]) == [
        True,
        True,
        False,
        True,
        False,
        False,
        True,
    ]
    assert matched_words([], ["net"]) == []


def test_snippet_takes_the_place_with_most_different_terms() -> None:
    """Two different terms beside each other win over one term repeated."""
    text = "Net net net. " + "filler " * 60 + "the net SALES of 2018 " + "filler " * 60
    runs = snippet(text, ["net", "sales"])
    assert [run for run, is_match in runs if is_match] == ["net", "SALES"]
    assert runs[0] == ("… filler filler filler filler filler the ", False)
    assert runs[-1][0].endswith(" …")
    assert sum(len(run) for run, _ in runs) <= 250


def test_snippet_without_a_match_is_the_beginning() -> None:
    """A page found by its file name shows its first words; an empty page shows nothing."""
    assert snippet("Annual report\n 2018", ["net"]) == (("Annual report 2018", False),)
    assert snippet("", ["net"]) == ()
    assert snippet(" \n ", ["net"]) == ()


def test_snippet_is_never_markup() -> None:
    """Angle brackets stay what they are: text."""
    runs = snippet("<script>alert(1)</script> net", ["net", "script"])
    assert "".join(run for run, _ in runs) == "<script>alert(1)</script> net"


@given(st.text(max_size=600), st.lists(st.text(min_size=1, max_size=5), max_size=4))
def test_snippet_quotes_the_page(text: str, terms: list[str]) -> None:
    """Without the dots at its ends a snippet is a stretch of the page, white space apart."""
    joined = "".join(run for run, _ in snippet(text, terms))
    inner = joined.removeprefix("… ").removesuffix(" …")
    assert "".join(inner.split()) in "".join(text.split()) + "…"


@given(st.text(max_size=200))
def test_tokens_are_the_engine_s(text: str) -> None:
    """The tokens are those of the engine's analyzer, stop words included."""
    analyzer = StandardAnalyzer(stoplist=None, minsize=0)
    assert [word for _, _, word in tokens(text)] == [token.text for token in analyzer(text)]
