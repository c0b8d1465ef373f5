"""Search: one open searcher against the benchmark's way, and what costly queries do to others.

The benchmark's class opens a searcher for each query. Both ways run in this process, in turns, over
the same queries, and their lists are compared. Then costly queries go through the search service,
first alone, then while another thread searches normally. ``queries`` compares queries of all
operators with an open Whoosh searcher: lists, scores and totals.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import IO

from sqlalchemy import delete, func, insert, select
from whoosh.index import open_dir
from whoosh.qparser import QueryParser

from benchmarks.harness import Benchmark, Measurement, Setup, duration, milliseconds
from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.tables import Document, Meta, Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.service import SearchService
from pagetrail.storage.search.store import StoredIndex, ensure_index
from tests.storage.search.generated_corpus import build_reference, queries

Hits = list[tuple[str, int, float | None]]
PageRow = tuple[str, int, int, str]
TOP_K = 5
TARGETS = ((2_000, 0.5), (None, 0.2))
"""Pages, and the bound for our median as a share of the benchmark's."""
TARGET_P95_MS, TARGET_LONGEST_MS = 20, 60
TARGET_P95_SHARE = 1 / 3
"""Of Whoosh's p95 in the same run, for each kind of query."""


def measure(setup: Setup) -> Iterator[Measurement]:
    """Measure searches in two sizes of collection, building the index, and costly queries."""
    path: Path = setup.options.pages
    if not path.is_file():
        setup.console.print(f"  {path} does not exist: search is not measured")
        return
    for limit, target in TARGETS:
        pages = list(read(path, limit))
        label = f"{len(pages):,} pages"
        with _indexed(pages) as (workspace, index, reference, build_s):
            yield compare(label, index, reference, sample(pages, setup.options.queries), target)
            if limit is None:
                yield Measurement(
                    f"index of {label} built",
                    build_s["Pagetrail"],
                    "s",
                    reference=("Whoosh's writer", build_s["Whoosh"]),
                )
                yield from _measure_service(workspace, pages)


def measure_queries(setup: Setup) -> Iterator[Measurement]:
    """Measure queries of all operators by kind, with the lists compared."""
    pages = list(read(setup.options.pages, setup.options.limit))
    with _indexed(pages) as (_, index, reference, _seconds):
        yield from compare_random(index, reference, pages, setup.options.random)


@contextmanager
def _indexed(
    pages: list[PageRow],
) -> Iterator[tuple[Workspace, StoredIndex, Path, dict[str, float]]]:
    """A workspace of the pages, its index, Whoosh's own, and the seconds to build them."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        workspace = Workspace.create(Path(folder) / "ws")
        fill(workspace, pages)
        seconds = {
            "Whoosh": duration(lambda: build_reference(pages, Path(folder))),
            "Pagetrail": duration(lambda: ensure_index(workspace)),
        }
        yield workspace, ensure_index(workspace), Path(folder), seconds


def read(path: Path, limit: int | None) -> Iterator[PageRow]:
    """The pages of a text file, in its order."""
    opened: IO[str]
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as opened:
        for number, line in enumerate(opened):
            if limit is not None and number >= limit:
                return
            page = json.loads(line)
            yield page["file"], page["page_number"], page["total_pages"], page["text"]


def fill(workspace: Workspace, pages: list[PageRow]) -> None:
    """Register the pages as the corpus; there are no PDF files, which search does not need."""
    with workspace.engine.connect() as connection:
        before = connection.execute(select(func.count()).select_from(Document)).scalar_one()
        first = connection.execute(select(func.count()).select_from(Page)).scalar_one()
    documents: dict[str, int] = {}
    rows = []
    for order, (file, number, _, text) in enumerate(pages, start=first):
        key = documents.setdefault(file, before + len(documents) + 1)
        rows.append(
            {"document_id": key, "number": number, "order": order, "text": clean_text(text)[0]}
        )
    totals = {file: total for file, _, total, _ in pages}
    page = {"width": 612.0, "height": 792.0, "rotation": 0, "crop_x0": 0.0, "crop_y0": 0.0}
    document = {"size_bytes": 0, "extractor": "benchmark", "ingested_at": ""}
    with write_transaction(workspace.engine) as connection:
        connection.execute(
            insert(Document),
            [
                {"id": key, "sha256": f"{key:064x}", "name": file, "n_pages": totals[file]}
                | document
                for file, key in documents.items()
            ],
        )
        connection.execute(insert(Page), [row | page | {"text_source": "jsonl"} for row in rows])
        connection.execute(delete(Meta).where(Meta.key == REVISION_KEY))
        connection.execute(insert(Meta), [{"key": REVISION_KEY, "value": str(1 + bool(before))}])


def sample(pages: list[PageRow], count: int, seed: int = 11) -> list[str]:
    """Queries of two to four words from one page each; every fifth is a phrase of that page."""
    rng = random.Random(seed)
    queries: list[str] = []
    while len(queries) < count:
        words = re.findall(r"[A-Za-z]{3,}", rng.choice(pages)[3])
        size = rng.randint(2, 4)
        if len(words) < 20:
            continue
        if len(queries) % 5 == 4:
            start = rng.randrange(len(words) - size)
            queries.append('"' + " ".join(words[start : start + size]) + '"')
        else:
            queries.append(" ".join(w.lower() for w in rng.sample(words, size)))
    # A page may spell AND, OR or NOT in capitals; as words they are not queries of this sample.
    return [re.sub(r"\b(AND|OR|NOT)\b", lambda m: m.group().lower(), q) for q in queries]


def compare(
    label: str, stored: StoredIndex, reference: Path, queries: list[str], target: float
) -> Measurement:
    """Both ways over the same queries, in turns, with the lists compared.

    Args:
        target: share of the benchmark's median time.

    Raises:
        SystemExit: a list differs.
    """
    index = WhooshIndex(stored.folder, stored.identity)
    reference_index = open_dir(reference)

    def search_benchmark(query: str) -> Hits:
        with reference_index.searcher() as searcher:
            parsed = QueryParser("text", schema=reference_index.schema).parse(query)
            results = searcher.search(parsed, limit=TOP_K)
            return [(hit["file"], hit["page_number"], hit.score) for hit in results]

    def search_pagetrail(query: str) -> Hits:
        outcome = index.search(query, TOP_K)
        return [(hit.file, hit.page, hit.score) for hit in outcome.results]

    searches = (search_benchmark, search_pagetrail)
    seconds: dict[Callable[[str], Hits], list[float]] = {search: [] for search in searches}
    different = refused = 0
    for number, query in enumerate(queries):
        lists: dict[Callable[[str], Hits], Hits] = {}
        try:
            for search in searches if number % 2 else searches[::-1]:
                started = time.perf_counter()
                lists[search] = search(query)
                seconds[search].append(time.perf_counter() - started)
        except QueryRefused:
            refused += 1
            continue
        different += lists[search_benchmark] != lists[search_pagetrail]
    index.close()
    reference_index.close()
    if different:
        raise SystemExit(f"{different} lists are not those of the reference engine.")
    benchmark_s = seconds[search_benchmark]
    return Measurement.of_durations(
        f"search, {label}, {len(queries) - refused} equal lists",
        seconds[search_pagetrail],
        target_ms=target * median(benchmark_s) * 1000,
        reference=("searcher for each query", benchmark_s),
    )


def compare_random(
    stored: StoredIndex, reference: Path, pages: list[PageRow], count: int
) -> Iterator[Measurement]:
    """Queries of all operators, by kind, with an open Whoosh searcher as the reference.

    Both run each query once, in turns. Queries that are refused as too broad are left out.

    Raises:
        SystemExit: a list, score or total differs.
    """
    index = WhooshIndex(stored.folder, stored.identity)
    reference_index = open_dir(reference)
    parser = QueryParser("text", schema=reference_index.schema)
    seconds: dict[str, dict[str, list[float]]] = {}
    different, refused = [], Counter[str]()
    with reference_index.searcher() as searcher:

        def search_whoosh(query: str) -> tuple[Hits, int] | str:
            try:
                results = searcher.search(parser.parse(query), limit=TOP_K)
                hits = [(hit["file"], hit["page_number"], hit.score) for hit in results]
                return hits, len(results)
            except Exception:  # noqa: BLE001 - Whoosh raises anything
                return "failed"

        def search_pagetrail(query: str) -> tuple[Hits, int] | str:
            try:
                outcome = index.search(query, TOP_K)
            except QueryRefused as error:
                if error.code != "query_failed":
                    raise
                return "failed"
            hits = [(hit.file, hit.page, hit.score) for hit in outcome.results]
            return hits, outcome.total_hits

        searches = {"Whoosh": search_whoosh, "Pagetrail": search_pagetrail}
        drawn = queries(count, 11, [page[3] for page in pages])
        for number, query in enumerate(drawn + queries_of_files(pages, count // 10)):
            answers, elapsed = {}, {}
            try:
                index.highlight_terms(query)  # refuses what is too broad
                for name in searches if number % 2 else reversed(searches):
                    started = time.perf_counter()
                    answers[name] = searches[name](query)
                    elapsed[name] = time.perf_counter() - started
            except QueryRefused as error:
                refused[error.code] += 1
                continue
            for kind in ("all", kind_of(query)):
                for name, duration_s in elapsed.items():
                    seconds.setdefault(kind, {}).setdefault(name, []).append(duration_s)
            if answers["Whoosh"] != answers["Pagetrail"]:
                different.append(query)
    index.close()
    if different:
        raise SystemExit("Not those of the reference engine: " + " | ".join(different[:10]))
    for kind, durations in sorted(seconds.items()):
        is_all = kind == "all"
        whoosh_p95_ms = milliseconds(durations["Whoosh"])[1]
        yield Measurement.of_durations(
            f"{len(durations['Whoosh'])} queries of all operators, equal"
            if is_all
            else f"… {kind}, {len(durations['Whoosh'])}, p95 of Whoosh {whoosh_p95_ms:.1f} ms",
            durations["Pagetrail"],
            target_p95_ms=TARGET_P95_MS if is_all else TARGET_P95_SHARE * whoosh_p95_ms,
            target_longest_ms=TARGET_LONGEST_MS if is_all else None,
            reference=("open Whoosh searcher", durations["Whoosh"]),
        )


def queries_of_files(pages: list[PageRow], count: int, seed: int = 12) -> list[str]:
    """Queries for files by name or pattern, two thirds of them with a word of a page."""
    rng = random.Random(seed)
    files = sorted({page[0] for page in pages})
    drawn = []
    for _ in range(count):
        name = rng.choice(files)
        file = rng.choice((f'file:"{name}"', f'file:"{name}"', f"file:{name[:4].split(' ')[0]}*"))
        words = re.findall(r"[a-z]{4,}", rng.choice(pages)[3]) or ["the"]
        forms = (file, f"{rng.choice(words)} {file}", f"{rng.choice(words)} NOT {file}")
        drawn.append(rng.choice(forms))
    return drawn


def kind_of(query: str) -> str:
    """The costliest kind of part in a query; those for files are a kind of their own."""
    if "file:" in query:
        return "file"
    if re.search(r"\b(OR|NOT|AND[A-Z]*|REQUIRE)\b", query):
        return "operator"
    for mark, kind in (("[*?]", "pattern"), (r"\[|\w:", "field"), ('"', "phrase")):
        if re.search(mark, query):
            return kind
    return "words"


def _measure_service(workspace: Workspace, pages: list[PageRow]) -> Iterator[Measurement]:
    """Costly queries, one after the other; then normal searches alone and next to such queries."""
    service = SearchService(workspace)
    try:
        service.start()
        seconds = [search_seconds(service, query) for query in costly(pages)]
        yield Measurement.of_durations(
            "costly query, answered or refused", seconds, target_longest_ms=2_000
        )
        undisturbed, next_to_costly = share(service, sample(pages, 60))
        yield Measurement.of_durations(
            "normal searches next to costly ones", next_to_costly, reference=("alone", undisturbed)
        )
    finally:
        service.close()


def costly(pages: list[PageRow]) -> list[str]:
    """Queries that take the bare engine many seconds, fail, or come close to a limit."""
    longest = max(pages, key=lambda page: len(page[3]))[3]
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    frequent = re.findall(r"[a-z]{3,}", " ".join(page[3] for page in pages[:200]).lower())
    common = [word for word, _ in Counter(sorted(frequent)).most_common(60)]
    return [
        "a* OR b* OR c*", "*e*", "**", "*", longest, longest[:1990], "*tion", "con*", "re*", "s*",
        "e*", "?????", "*a*b*c*", " OR ".join(f"{letter}*" for letter in letters),
        " OR ".join(common[:33]), " ".join(common), "NOT zzz", "NOT " * 100 + "x", "(" * 900,
        '"' + " ".join([common[0]] * 8) + '"', '"' + " ".join(common[:6]) + '"~900',
        "[a TO b]", "[a TO]", "page_number:[1 TO]", "*:*", "company NOT (pre* OR con*)",
        " ".join(f"*{letter}{letter}*" for letter in letters),
    ]  # fmt: skip


def search_seconds(service: SearchService, query: str) -> float:
    """Seconds until a query is answered or refused."""
    started = time.perf_counter()
    with suppress(QueryRefused):
        service.search(query, TOP_K)
    return time.perf_counter() - started


def share(service: SearchService, queries: list[str]) -> tuple[list[float], list[float]]:
    """Seconds of searches alone, and while another person runs queries near the limit."""

    def run() -> list[float]:
        return [search_seconds(service, query) for query in queries]

    run()
    undisturbed = run()
    stop = Event()

    def hog() -> None:
        while not stop.is_set():
            search_seconds(service, "re*")
            search_seconds(service, "e*")

    thread = Thread(target=hog)
    thread.start()
    try:
        return undisturbed, run()
    finally:
        stop.set()
        thread.join()


def _add_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--queries", type=int, default=200, help="queries that are compared")


def _add_query_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--random", type=int, default=2_000, help="number of queries")
    group.add_argument("--limit", type=int, help="use the first N pages only")


BENCHMARK = Benchmark("search", measure, add_options=_add_options)
QUERIES = Benchmark("queries", measure_queries, is_default=False, add_options=_add_query_options)
