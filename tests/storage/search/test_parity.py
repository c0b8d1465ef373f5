"""The lists are those of the reference engine: same pages, same order, same scores."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.collectors import TopCollector
from whoosh.qparser import QueryParser
from whoosh.searching import Searcher

from pagetrail.annotation.errors import QueryRefused
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.storage.search.arrays import IndexArrays
from pagetrail.storage.search.build import build
from pagetrail.storage.search.collector import ArrayCollector
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.index import identity_of, schema
from pagetrail.storage.search.lexicon import Lexicon
from pagetrail.storage.search.patterns import read_from_arrays
from pagetrail.storage.search.phrases import ArrayPhrase
from pagetrail.storage.search.reader import open_reader, vocabulary
from tests.storage.search.generated_corpus import (
    STARTS,
    Row,
    build_both,
    optional_patterns,
    pages,
    pages_by_start,
    queries,
    reference,
    words_by_start,
)
from tests.storage.search.ranks import read_rows
from tests.support.randomness import examples

PAGES_20K = Path(__file__).parents[4] / "shared" / "corpora" / "pages_20k.jsonl.gz"


def as_list(outcome: SearchOutcome) -> list[tuple[str, int, float]]:
    return [(hit.file, hit.page, hit.score) for hit in outcome.results]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("index")
    identity, count = build_both(pages(700), folder)
    assert count == 700
    return folder, identity


@pytest.fixture(scope="module")
def index(built: tuple[Path, str]) -> WhooshIndex:
    return WhooshIndex(*built)


def compare(index: WhooshIndex, folder: Path, query: str, limit: int) -> bool:
    """Check one query against the reference; whether it found anything."""
    try:
        outcome = index.search(query, limit)
    except QueryRefused as refused:
        # Only what the reference cannot parse or run either.
        assert refused.code in ("query_empty", "query_syntax", "query_failed"), query
        if refused.code == "query_empty":
            assert not query.strip()
        else:
            with pytest.raises(Exception):  # noqa: B017 - Whoosh raises anything
                reference(folder, query, limit)
        return False
    expected, total = reference(folder, query, limit)
    assert as_list(outcome) == expected, query
    assert outcome.total_hits == total, query
    assert [hit.rank for hit in outcome.results] == list(range(1, len(expected) + 1))
    return bool(expected)


def test_random_queries_give_the_reference_lists(
    built: tuple[Path, str], index: WhooshIndex
) -> None:
    """Every kind of query, at several limits, gives the list of a fresh searcher."""
    rng = random.Random(3)
    hit_count = sum(
        compare(index, built[0], query, rng.choice([1, 3, 5, 10, 50])) for query in queries(250)
    )
    assert hit_count > 100


@pytest.fixture(scope="module")
def large_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """6,000 pages: frequent words have many blocks, and alternatives are a tree of lists."""
    folder = tmp_path_factory.mktemp("many")
    rng = random.Random(12)
    vocabulary = [f"{a}{b}{c}" for a in "strm" for b in "aeiou" for c in ("n", "re", "ling", "s")]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    rows: list[Row] = []
    for number in range(6000):
        size = rng.choice((4, 12, 40)) if number % 4 else 12
        words = rng.choices(vocabulary, weights, k=size)
        rows.append((f"{number // 50}.pdf", number % 50 + 1, 50, " ".join(words)))
    build(rows, folder)
    return folder


FOUND_BY_RANDOM_QUERIES = (
    # A range of one number has a term, unlike wider ones.
    "page_number:[3 TO 3]",
    "page_number:[3 TO 3] OR san",
    # The engine fails where it has excluded the last page of a pattern.
    "t?r* ANDNOT t* ANDNOT mun",
    "t?r* ANDNOT [sore TO ture] ANDNOT min",
    # Parts that are read to their end.
    'sas NOT "ran ran"',
    "san OR (NOT (sas ANDNOT (t* ANDNOT min)) AND [mes TO ran])",
    # Words of a pattern end while its scores are lost.
    "san AND (sas ANDMAYBE [mes TO ran])",
    # Words of an excluded pattern end on pages that follow one another.
    "(toling OR san ANDMAYBE NOT *as)",
    "(sere OR toling ANDMAYBE NOT [sos TO teling])",
    # Optional parts, which lose their scores where the parts of an AND skip to an earlier page.
    "(*an OR more^3) AND sere AND (sen ANDMAYBE sare)",
    "(tere AND [sis TO sos]) AND (man ANDMAYBE sare ANDMAYBE sos)",
    "(tere AND (tan ANDMAYBE san ANDMAYBE mes) AND (tos ANDMAYBE saling))",
    "((seling ANDMAYBE san) AND (ses ANDMAYBE sare) AND (saling ANDMAYBE soling ANDMAYBE sere))",
    "((san ANDMAYBE mes) ANDNOT (ran OR tan)) AND (sas ANDMAYBE min)",
    'NOT sas ANDMAYBE "ran ran" ANDMAYBE (min ANDMAYBE mes ANDMAYBE NOT tan)',
    "((san ANDMAYBE sere) OR tere) AND (sas ANDMAYBE NOT (min ANDMAYBE mes))",
)


Answer = tuple[list[tuple[int, float]], int] | str


def collect_with(folder: Path) -> Callable[[TopCollector, str], Answer]:
    """Searches with a collector: pages with scores and their number, or the name of an error.

    All collectors read our postings, so that hundreds of queries take seconds; the engine's own
    expands patterns into a tree of lists.
    """
    arrays = IndexArrays.load(folder)
    searcher = Searcher(open_reader(arrays, schema()))
    lexicons = {name: Lexicon(*vocabulary(arrays, name)) for name in ("text", "file")}
    parser = QueryParser("text", schema(), phraseclass=ArrayPhrase)

    def search(collector: TopCollector, query: str) -> Answer:
        try:
            parsed = parser.parse(query)
            if isinstance(collector, ArrayCollector):
                read_from_arrays(parsed, lexicons)
            searcher.search_with_collector(parsed, collector)
            results = collector.results()
            return [(hit.docnum, hit.score) for hit in results], len(results)
        except Exception as error:  # noqa: BLE001 - Whoosh raises anything
            return type(error).__name__

    return search


def test_arrays_give_what_stepping_gives(large_folder: Path) -> None:
    """The collector over arrays against the engine's own, which looks at each match, in turns.

    That blocks are left out with the pages that the engine loses by it is seen from a search that
    leaves none out.
    """
    terms = IndexArrays.load(large_folder).terms
    texts = [" ".join(terms[at : at + 6]) for at in range(0, len(terms), 3)]
    search = collect_with(large_folder)
    rng = random.Random(13)
    nonempty_lists, is_list_shortened = 0, False
    searches = [(query, limit) for query in FOUND_BY_RANDOM_QUERIES for limit in (1, 2, 5, 20)]
    searches += [(query, rng.choice([1, 5, 20])) for query in queries(500, 14, texts)]
    for query, limit in searches:
        expected = search(TopCollector(limit), query)
        assert search(ArrayCollector(limit), query) == expected, (query, limit)
        nonempty_lists += isinstance(expected, tuple) and bool(expected[0])
        if not is_list_shortened:
            complete = search(TopCollector(limit, usequality=False), query)
            is_list_shortened = expected[0] != complete[0]
    assert nonempty_lists > 300
    assert is_list_shortened


def test_optional_parts_are_read_again_where_the_engine_does(tmp_path: Path) -> None:
    """300 queries whose optional parts wait at earlier pages until ``replace`` makes them again.

    The words of a pattern end at other pages than its first part; each end decides from where on
    the engine adds the scores of an optional part again.
    """
    build(pages_by_start(5100), tmp_path)
    search = collect_with(tmp_path)
    for query, limit in optional_patterns(300, words_by_start()[:80], STARTS, seed=5):
        expected = search(TopCollector(limit), query)
        assert search(ArrayCollector(limit), query) == expected, (query, limit)


def test_patterns_of_file_names_give_the_reference_lists(large_folder: Path) -> None:
    """Patterns and ranges of files, whose pages score 1 each, alone and with words."""
    search = collect_with(large_folder)
    patterns = ("10*.pdf", "?7.pdf", "[10 TO 12]", "none*")
    forms = ("file:{}", "san file:{}", "san OR file:{}", "t* file:{}", "san ANDMAYBE file:{}",
             "san NOT file:{}", "file:{}^2 sas", "NOT file:{}")  # fmt: skip
    for pattern, form in itertools.product(patterns, forms):
        query = form.format(pattern)
        assert search(ArrayCollector(5), query) == search(TopCollector(5), query), query


@examples(150)
@given(
    query=st.text(alphabet=list("revnus 0123.,*?\"'()[]{}^~:-+TOANDR\n"), min_size=1, max_size=40),
    limit=st.integers(1, 20),
)
def test_typed_noise_gives_the_reference_lists(
    built: tuple[Path, str], index: WhooshIndex, query: str, limit: int
) -> None:
    """Unbalanced quotes, stray operators and signs run wherever the reference would run them."""
    try:
        compare(index, built[0], query, limit)
    except AssertionError:
        try:
            index.search(query, limit)
        except QueryRefused as refused:
            assert refused.code in ("query_empty", "query_too_broad", "query_boost", "query_slop")
        else:
            raise


def test_ties_are_common_in_the_corpus(built: tuple[Path, str]) -> None:
    """The corpus of these tests would show a wrong order of ties."""
    scores = [score for _, _, score in reference(built[0], "revenue", 50)[0]]
    assert len(set(scores)) < len(scores)


def test_one_index_under_eight_threads(built: tuple[Path, str], index: WhooshIndex) -> None:
    """Threads sharing one searcher get the lists that a searcher of their own would give."""
    runnable = [q for q in queries(60, seed=5) if _runs(index, q)]
    expected = {query: reference(built[0], query, 10)[0] for query in runnable}
    searches = runnable * 8
    random.Random(4).shuffle(searches)
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda query: (query, index.search(query, 10)), searches))
    assert len(outcomes) >= 200
    for query, outcome in outcomes:
        assert as_list(outcome) == expected[query], query


def test_a_rebuild_is_the_same_index(built: tuple[Path, str], tmp_path: Path) -> None:
    """The same pages in the same order give the same identity and the same lists."""
    identity, _ = build_both(pages(700), tmp_path)
    assert identity == built[1] == identity_of(pages(700))
    reopened = WhooshIndex(tmp_path, identity)
    for query in queries(40, seed=6):
        if _runs(reopened, query):
            assert as_list(reopened.search(query, 10)) == reference(built[0], query, 10)[0], query


def test_order_of_insertion_is_part_of_the_identity() -> None:
    """Another order, another text or another file name is another index."""
    rows = pages(50)
    shuffled = rows[::-1]
    other_text: list[Row] = [*rows[:-1], (*rows[-1][:3], rows[-1][3] + " x")]
    moved_border: list[Row] = [("a", 1, 1, "bc"), *rows]
    moved: list[Row] = [("ab", 1, 1, "c"), *rows]
    identities = [identity_of(p) for p in (rows, shuffled, other_text, moved_border, moved)]
    assert len(set(identities)) == 5


def test_the_limit_is_handed_on_as_it_is(built: tuple[Path, str], index: WhooshIndex) -> None:
    """More results keep the first list as it is and append pages not shown yet."""
    for query in queries(60, seed=7):
        if not _runs(index, query):
            continue
        first = as_list(index.search(query, 3))
        more = as_list(index.more(query, 3, 20))
        longer = reference(built[0], query, 20)[0]
        assert more[: len(first)] == first
        assert len({hit[:2] for hit in more}) == len(more)
        assert len(more) == len(longer)


needs_filings = pytest.mark.skipif(
    not PAGES_20K.is_file(), reason="needs pages_20k.jsonl.gz beside the checkout"
)


@pytest.fixture(scope="module")
def filings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages of real filings, indexed by both engines."""
    folder = tmp_path_factory.mktemp("filings")
    build_both(list(read_rows(PAGES_20K)), folder)
    return folder


@pytest.mark.corpus
@needs_filings
@pytest.mark.parametrize("hash_seed", [1, 2, 3])
def test_two_thousand_queries_of_filings_give_the_reference_lists(
    filings: Path, hash_seed: int
) -> None:
    """Operators, patterns and their combinations, on all pages, with other orders of sets."""
    command = [sys.executable, "-m", "tests.storage.search.ranks"]
    compared = subprocess.run(
        [*command, PAGES_20K, filings, "--queries", "700", "--seed", str(hash_seed)],
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(compared.stdout)
    assert answer["different"] == []
    assert answer["compared"] > 560  # others are refused as too broad


@pytest.mark.corpus
@needs_filings
def test_filings_give_the_reference_lists(tmp_path: Path) -> None:
    """On 800 pages of real filings, questions' words and phrases give the reference lists."""
    rows = list(itertools.islice(read_rows(PAGES_20K), 800))
    identity, _ = build_both(rows, tmp_path)
    index = WhooshIndex(tmp_path, identity)
    rng = random.Random(8)
    compared = 0
    for _ in range(60):
        words = rng.choice(rows)[3].split()
        if len(words) < 6:
            continue
        start = rng.randrange(len(words) - 4)
        text = " ".join(words[start : start + rng.randint(1, 4)])
        query = f'"{text}"' if rng.random() < 0.25 else text
        if _runs(index, query):
            compared += compare(index, tmp_path, query, 5)
    assert compared > 40


def _runs(index: WhooshIndex, query: str) -> bool:
    try:
        index.search(query, 1)
    except QueryRefused:
        return False
    return True
