"""Search: one open searcher against the benchmark's way, and what costly queries do to others.

Run: python benchmarks/search.py --pages pages.jsonl.gz [--limit 2000]

The benchmark's class opens a searcher for each query. Both ways run here in the same process, in
turns, over the same queries, and their lists are compared. Then costly queries go through the
search service, first alone, then while another thread searches normally.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import IO

from sqlalchemy import delete, func, insert, select, update
from whoosh.index import open_dir
from whoosh.qparser import QueryParser

from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.corpus.documents import DOCUMENTS, META, PAGES, REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.service import SearchService
from pagetrail.storage.search.store import StoredIndex, ensure_index
from tests.storage.search.generated_corpus import build_reference, queries

Hits = list[tuple[str, int, float]]
PageRow = tuple[str, int, int, str]
PASTED = "a pasted page"
ADDED = "added later.pdf"


def main() -> None:
    """Build, compare, provoke; print results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=Path, required=True, help="OCR JSONL, plain or .gz")
    parser.add_argument("--limit", type=int, help="use the first N pages only")
    parser.add_argument("--queries", type=int, default=200, help="queries compared")
    parser.add_argument("--top-k", type=int, default=5)
    parser.add_argument(
        "--random",
        type=int,
        metavar="N",
        help="only: N queries of all operators against an open Whoosh searcher, by kind",
    )
    options = parser.parse_args()
    pages = list(read(options.pages, options.limit))
    print(f"{len(pages):,} pages, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        workspace = Workspace.create(Path(folder) / "ws")
        fill(workspace, pages)
        stored = builds(workspace, pages, Path(folder))
        if options.random:
            compare_random(stored, Path(folder), pages, options.random, options.top_k)
            return
        compare(stored, Path(folder), sample(pages, options.queries), options.top_k)
        service = SearchService(workspace)
        try:
            service.start()
            provoke(service, pages)
            share(service, sample(pages, 60))
        finally:
            service.close()


def medians(path: Path, limit: int | None, queries: int = 200) -> dict[str, float]:
    """Only the comparison: median milliseconds of ``ours`` and of ``benchmark``, a new index."""
    pages = list(read(path, limit))
    with tempfile.TemporaryDirectory(prefix="pagetrail-bench-") as folder:
        workspace = Workspace.create(Path(folder) / "ws")
        fill(workspace, pages)
        reference = build_reference(pages, Path(folder))
        return compare(ensure_index(workspace), reference, sample(pages, queries), 5)


def builds(workspace: Workspace, pages: list[PageRow], folder: Path) -> StoredIndex:
    """Time Whoosh's own writer (into ``folder``), our build, and one document more."""
    started = time.perf_counter()
    build_reference(pages, folder)
    theirs = time.perf_counter() - started
    started = time.perf_counter()
    ensure_index(workspace)
    ours = time.perf_counter() - started
    added: list[PageRow] = [(ADDED, n, 10, page[3]) for n, page in enumerate(pages[:10], start=1)]
    fill(workspace, added)
    started = time.perf_counter()
    ensure_index(workspace)
    print(
        f"index built in {ours:.1f} s, by Whoosh's writer in {theirs:.1f} s "
        f"({theirs / ours:.1f} times); with one document more in "
        f"{time.perf_counter() - started:.1f} s"
    )
    with write_transaction(workspace.engine) as connection:
        gone = select(DOCUMENTS.c.id).where(DOCUMENTS.c.name == ADDED).scalar_subquery()
        connection.execute(delete(PAGES).where(PAGES.c.document_id == gone))
        connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.name == ADDED))
        connection.execute(update(META).where(META.c.key == REVISION_KEY).values(value="3"))
    return ensure_index(workspace)


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
        before = connection.execute(select(func.count()).select_from(DOCUMENTS)).scalar_one()
        first = connection.execute(select(func.count()).select_from(PAGES)).scalar_one()
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
            insert(DOCUMENTS),
            [
                {"id": key, "sha256": f"{key:064x}", "name": file, "n_pages": totals[file]}
                | document
                for file, key in documents.items()
            ],
        )
        connection.execute(insert(PAGES), [row | page | {"text_source": "jsonl"} for row in rows])
        connection.execute(delete(META).where(META.c.key == REVISION_KEY))
        connection.execute(insert(META), [{"key": REVISION_KEY, "value": str(1 + bool(before))}])


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
    stored: StoredIndex, reference: Path, queries: list[str], top_k: int
) -> dict[str, float]:
    """Both ways over the same queries, in turns, with the lists checked; medians in ms."""
    index = WhooshIndex(stored.folder, stored.identity)
    schema_index = open_dir(reference)

    def benchmark_way(query: str) -> Hits:
        with schema_index.searcher() as searcher:
            parsed = QueryParser("text", schema=schema_index.schema).parse(query)
            results = searcher.search(parsed, limit=top_k)
            return [(hit["file"], hit["page_number"], hit.score) for hit in results]

    def ours(query: str) -> Hits:
        outcome = index.search(query, top_k)
        return [(hit.file, hit.page, hit.score) for hit in outcome.results]

    times: dict[str, list[float]] = {"benchmark": [], "ours": []}
    compared = different = refused = 0
    for number, query in enumerate(queries):
        pair: list[tuple[str, Callable[[str], Hits]]] = [
            ("benchmark", benchmark_way),
            ("ours", ours),
        ]
        lists: dict[str, Hits] = {}
        try:
            for name, way in pair if number % 2 else pair[::-1]:
                started = time.perf_counter()
                lists[name] = way(query)
                times[name].append((time.perf_counter() - started) * 1000)
        except QueryRefused as error:
            refused += 1
            print(f"  refused: {query!r}: {error.code}")
            continue
        compared += 1
        different += lists["ours"] != lists["benchmark"]
    index.close()
    schema_index.close()
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(f"{compared} queries compared, {different} lists differ, {refused} refused")
    for name, values in times.items():
        tail = statistics.quantiles(values, n=20)[-1]
        print(f"  {name:<10} median {medians[name]:7.2f} ms   p95 {tail:7.2f} ms")
    print(f"  ratio of medians {medians['ours'] / medians['benchmark']:.3f}")
    if different:
        raise SystemExit("The lists are not those of the reference engine.")
    return medians


def compare_random(
    stored: StoredIndex, reference: Path, pages: list[PageRow], count: int, top_k: int
) -> None:
    """Queries of all operators: lists, scores and totals, and times beside an open Whoosh searcher.

    Both run each query once, in turns. Queries that are refused as too broad are left out.
    """
    index = WhooshIndex(stored.folder, stored.identity)
    opened = open_dir(reference)
    parser = QueryParser("text", schema=opened.schema)
    times: dict[str, dict[str, list[float]]] = {}
    different, refused = [], Counter[str]()
    with opened.searcher() as searcher:

        def whoosh(query: str) -> tuple[Hits, int] | str:
            try:
                return found_by_whoosh(query)
            except Exception:  # noqa: BLE001 - Whoosh raises anything
                return "failed"

        def found_by_whoosh(query: str) -> tuple[Hits, int]:
            results = searcher.search(parser.parse(query), limit=top_k)
            return [(hit["file"], hit["page_number"], hit.score) for hit in results], len(results)

        def ours(query: str) -> tuple[Hits, int] | str:
            try:
                outcome = index.search(query, top_k)
            except QueryRefused as error:
                if error.code != "query_failed":
                    raise
                return "failed"
            return [(h.file, h.page, h.score) for h in outcome.results], outcome.total_hits

        ways: list[tuple[str, Callable[[str], tuple[Hits, int] | str]]]
        ways = [("Whoosh", whoosh), ("Pagetrail", ours)]
        for number, query in enumerate(queries(count, 11, [page[3] for page in pages])):
            answers, elapsed = {}, {}
            try:
                index.highlight_terms(query)  # refuses what is too broad
                for name, way in ways if number % 2 else ways[::-1]:
                    started = time.perf_counter()
                    answers[name] = way(query)
                    elapsed[name] = (time.perf_counter() - started) * 1000
            except QueryRefused as error:
                refused[error.code] += 1
                continue
            for kind in ("all", kind_of(query)):
                for name, ms in elapsed.items():
                    times.setdefault(kind, {}).setdefault(name, []).append(ms)
            if answers["Whoosh"] != answers["Pagetrail"]:
                different.append(query)
    compared = len(times["all"]["Whoosh"])
    print(f"{compared} queries compared, {len(different)} differ, refused: {dict(refused)}")
    for kind, by_way in sorted(times.items()):
        for name, values in by_way.items():
            spread = f"p50 {statistics.median(values):7.1f}  p95 {quantile(values):7.1f}"
            print(f"  {kind:<8} {len(values):5} {name:<10} {spread}  max {max(values):7.1f} ms")
    index.close()
    if different:
        raise SystemExit("Not those of the reference engine: " + " | ".join(different[:10]))


def kind_of(query: str) -> str:
    """The costliest kind of part in a query."""
    if re.search(r"\b(OR|NOT|AND[A-Z]*|REQUIRE)\b", query):
        return "operator"
    for mark, kind in (("[*?]", "pattern"), (r"\[|\w:", "field"), ('"', "phrase")):
        if re.search(mark, query):
            return kind
    return "words"


def quantile(values: list[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


def provoke(service: SearchService, pages: list[PageRow]) -> None:
    """Costly queries, one after the other."""
    print("costly queries through the service:")
    worst = 0.0
    for query in costly(pages):
        seconds, result = timed(service, query)
        worst = max(worst, seconds)
        print(f"  {seconds * 1000:7.0f} ms  {result:<22} {query[:60]!r}")
    print(f"  worst {worst * 1000:.0f} ms")


def costly(pages: list[PageRow]) -> list[str]:
    """Queries that take the bare engine many seconds, fail, or come close to a limit."""
    longest = max(pages, key=lambda page: len(page[3]))[3]
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    frequent = re.findall(r"[a-z]{3,}", " ".join(page[3] for page in pages[:200]).lower())
    common = [word for word, _ in _most(frequent, 60)]
    return [
        "a* OR b* OR c*", "*e*", "**", "*", longest, longest[:1990], "*tion", "con*", "re*", "s*",
        "e*", "?????", "*a*b*c*", " OR ".join(f"{letter}*" for letter in letters),
        " OR ".join(common[:33]), " ".join(common), "NOT zzz", "NOT " * 100 + "x", "(" * 900,
        '"' + " ".join([common[0]] * 8) + '"', '"' + " ".join(common[:6]) + '"~900',
        "[a TO b]", "[a TO]", "page_number:[1 TO]", "*:*", "company NOT (pre* OR con*)",
        " ".join(f"*{letter}{letter}*" for letter in letters),
    ]  # fmt: skip


def _most(words: list[str], count: int) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:count]


def timed(service: SearchService, query: str) -> tuple[float, str]:
    """Seconds that a person waits, and the outcome in a word."""
    started = time.perf_counter()
    try:
        result = f"{service.search(query, 5).total_hits:,} hits"
    except QueryRefused as refused:
        result = refused.code
    return time.perf_counter() - started, result


def share(service: SearchService, queries: list[str]) -> None:
    """Normal searches alone, then while another person runs queries near the limit."""

    def run() -> list[float]:
        return [timed(service, query)[0] * 1000 for query in queries]

    run()
    alone = run()
    stop = Event()

    def hog() -> None:
        while not stop.is_set():
            timed(service, "re*")
            timed(service, "e*")

    other = Thread(target=hog)
    other.start()
    try:
        beside = run()
    finally:
        stop.set()
        other.join()
    for name, values in (("alone", alone), ("beside slow queries", beside)):
        tail = statistics.quantiles(values, n=20)[-1]
        per_second = 1000 * len(values) / sum(values)
        print(
            f"normal searches {name}: median {statistics.median(values):.1f} ms, "
            f"p95 {tail:.1f} ms, max {max(values):.1f} ms, {per_second:.0f} queries/s"
        )


if __name__ == "__main__":
    main()
