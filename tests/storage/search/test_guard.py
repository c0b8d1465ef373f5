"""Queries that are refused, queries that are run, and what both say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.search.build import build
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.worker import call_limited
from tests.storage.search.generated_corpus import Row, build_both, pages, reference


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    build_both(pages(300), folder)
    return folder


@pytest.fixture(scope="module")
def index(folder: Path) -> WhooshIndex:
    return WhooshIndex(folder, "id")


@pytest.fixture(scope="module")
def large_index(tmp_path_factory: pytest.TempPathFactory) -> WhooshIndex:
    """6,000 short pages with 2,600 different words: large enough for the tree of posting lists."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    rows: list[Row] = []
    for n in range(6000):
        words = [f"{letters[(n * k) % 26]}{letters[k % 26]}w{(n * k) % 100}" for k in range(1, 25)]
        rows.append((f"{n // 100}.pdf", n % 100 + 1, 100, " ".join(words)))
    folder = tmp_path_factory.mktemp("many")
    build(rows, folder)
    return WhooshIndex(folder, "id")


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ("", "query_empty", "at least one word"),
        (" \n\t ", "query_empty", "at least one word"),
        ("net\x00sales", "query_characters", "U+0000"),
        ("net \ud800", "query_characters", "U+D800"),
        ("a\x1bb", "query_characters", "U+001B"),
        ("*", "query_too_broad", "* alone"),
        ("**", "query_too_broad", "** alone"),
        ("revenue (*)", "query_too_broad", "* alone"),
        ("text:*", "query_too_broad", "text:* alone"),
        ("word " * 500, "query_too_long", "2,500 characters"),
        (" OR ".join(["tax"] * 40), "query_too_broad", "39 operators"),
        ("NOT " * 100 + "tax", "query_too_broad", "100 operators"),
        ("NOT " * 20 + "tax", "query_syntax", "cannot read"),
        (" ".join(["t*x"] * 40), "query_too_broad", "40 wildcards"),
        ("revenue^" + "9" * 300, "query_boost", "too large"),
        ('"net income"~100000', "query_slop", "~100000"),
    ],
)
def test_refused_with_a_sentence(index: WhooshIndex, query: str, code: str, message: str) -> None:
    """Each kind of unusable query has its code and a sentence that names the value."""
    with pytest.raises(QueryRefused) as refused:
        index.search(query, 5)
    assert refused.value.code == code
    assert message in refused.value.message


@pytest.mark.parametrize(
    "query",
    [
        "the of",
        "!!! !",
        '"',
        "a I 7",
        '"net income',
        "net)",
        "((net",
        "AND net",
        "net OR",
        "-net",
        "net^2",
        "net?",
        "'net income'",
        "foo:bar",
        "page_number:abc",
        "page_number:abc net",
        "page_number:3",
        "[net TO sales]",
        "[net TO sales",
        "file:*",
        "page_number:*",
        "*:*",
        "sal*",
        "Sal*",
        "net REQUIRE sales",
        "'; DROP TABLE page; --",
        "<script>alert(1)</script>",
        "emoji 😀 net",
        "(" * 50 + "net" + ")" * 50,
    ],
)
def test_run_where_the_reference_runs(index: WhooshIndex, folder: Path, query: str) -> None:
    """Odd but live syntax is not refused and gives the reference's list and count."""
    outcome = index.search(query, 5)
    expected, total = reference(folder, query, 5)
    assert [(h.file, h.page, h.score) for h in outcome.results] == expected
    assert outcome.total_hits == total
    assert outcome.parsed


def test_too_broad_is_refused_before_running(large_index: WhooshIndex) -> None:
    """Patterns of many words over many pages are refused at once, by their number of postings."""
    large_index.search("*w*", 5)
    patterns = ("*w*", "*w?*", "*w*?", "*w??", "?????", "??*", "?*w*", "*?w*", "**w*")
    for query in (" OR ".join(patterns), " ANDMAYBE ".join(f"(NOT {part})" for part in patterns)):
        with pytest.raises(QueryRefused) as refused:
            large_index.search(query, 5)
        assert refused.value.code == "query_too_broad"


def test_narrow_patterns_are_run(large_index: WhooshIndex) -> None:
    """A pattern of few words runs, also in a large collection, with the right count."""
    outcome = large_index.search("abw1?", 5)
    terms = large_index.highlight_terms("abw1?")
    assert outcome.total_hits > 0
    assert terms
    assert all(len(term) == 5 and term.startswith("abw1") for term in terms)


def test_the_limit_must_be_a_number_of_results(index: WhooshIndex) -> None:
    """A limit of zero, or beyond what is ever shown, is refused rather than changed."""
    for limit in (0, -1, 100_000):
        with pytest.raises(QueryRefused, match=str(limit)):
            index.search("net", limit)


@pytest.mark.parametrize(("processor_s", "code"), [(0.05, "query_timeout"), (0.01, "search_busy")])
def test_the_alarm_stops_what_the_estimate_missed(
    monkeypatch: pytest.MonkeyPatch, processor_s: float, code: str
) -> None:
    """Code that never returns is interrupted; only what had the processor is called too slow."""
    monkeypatch.setattr(
        "pagetrail.storage.search.worker.process_time", iter([0.0, processor_s]).__next__
    )

    class Endless:
        def search(self) -> None:
            while True:
                pass

    with pytest.raises(QueryRefused) as refused:
        call_limited(Endless(), 0.05, "search", ())  # type: ignore[arg-type]
    assert refused.value.code == code


def test_highlights_are_the_words_looked_for(index: WhooshIndex) -> None:
    """Patterns are written out, phrases split, excluded words and other fields left out."""
    terms = index.highlight_terms('Sal* "net income" NOT tax page_number:3 (debt OR bond)')
    assert terms == ["bond", "debt", "income", "net", "sales"]


def test_suggestions_find_something(index: WhooshIndex) -> None:
    """A misspelt word is respelled in place; where there is no better word, nothing is said."""
    assert index.suggest("reveneu AND sales") == "revenue AND sales"
    assert index.suggest("(Reveneu OR tax) sales^2") == "(revenue OR tax) sales^2"
    assert index.suggest("revenue") is None
    assert index.suggest("qqqqqqqq") is None


def test_an_index_without_pages_answers(tmp_path: Path) -> None:
    """An empty collection gives no results, and no error."""
    identity, count = build_both([], tmp_path)
    empty = WhooshIndex(tmp_path, identity)
    assert count == 0
    for query in ("net", '"net income"', "net*", "page_number:1", "*:*", "NOT net"):
        assert empty.search(query, 5).results == ()
    assert empty.suggest("net") is None


def test_pages_with_odd_text_are_indexed(tmp_path: Path) -> None:
    """NUL, lone surrogates, an endless word and an empty page go in; the rest is found."""
    rows: list[Row] = [
        ("a.pdf", 1, 4, "net\x00sales \ud800 here"),
        ("a.pdf", 2, 4, "x" * 200_000 + " income"),
        ("a.pdf", 3, 4, ""),
        ('we"ird ../😀.pdf', 1, 1, "naïve STRASSE"),
    ]
    identity, _ = build_both(rows, tmp_path)
    index = WhooshIndex(tmp_path, identity)
    pages = {q: [h.page for h in index.search(q, 5).results] for q in ("sales here", "income")}
    assert pages == {"sales here": [1], "income": [2]}
    assert index.search("Naïve", 5).results[0].file == 'we"ird ../😀.pdf'


def test_other_writing_systems_are_found(tmp_path: Path) -> None:
    """Words between spaces as any; parts of a run of characters with stars around them."""
    rows: list[Row] = [
        ("ar.pdf", 1, 1, "بلغت الإيرادات ٤٢ مليون ريال في عام ٢٠١٧"),
        ("he.pdf", 1, 1, "סך ההכנסות היה גבוה"),
        ("ja.pdf", 1, 1, "当期の売上高は四十二億円であった。"),
        ("ko.pdf", 1, 1, "매출액은 증가했다"),
        ("en.pdf", 1, 1, "net sales were 42"),
    ]
    identity, _ = build_both(rows, tmp_path)
    index = WhooshIndex(tmp_path, identity)
    for query, file in (
        ("الإيرادات", "ar.pdf"),
        ("ההכנסות", "he.pdf"),
        ("*売上高*", "ja.pdf"),
        ("매출액*", "ko.pdf"),
    ):
        assert [hit.file for hit in index.search(query, 5).results] == [file], query
    assert index.search("売上高", 5).results == (), "a part of a word for the engine"
    assert index.highlight_terms("*売上高*") == ["当期の売上高は四十二億円であった"]
