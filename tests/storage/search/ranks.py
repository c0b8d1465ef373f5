"""Compares ranks with Whoosh's own, in a process of its own: the seed of hashes is a process's.

    python -m tests.storage.search.ranks PAGES FOLDER --queries 2000 --seed 1

prints ``{"compared": 1694, "different": [[query, limit], …]}``. The folder has both indexes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from whoosh.index import open_dir
from whoosh.qparser import QueryParser

from pagetrail.annotation.errors import QueryRefused
from pagetrail.storage.search.arrays import IndexArrays
from pagetrail.storage.search.engine import WhooshIndex
from tests.storage.search.generated_corpus import Row, optional_patterns, queries

Answer = tuple[list[tuple[str, int, float | None]], int] | None
LIMITS = (1, 2, 3, 5, 10, 20, 50)
_MEDIUM_WORDS = slice(300, 1500)
"""Of the words by frequency: Whoosh needs many seconds for patterns of the most frequent ones."""


def read_rows(path: Path) -> Iterator[Row]:
    """The pages of a compressed file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            yield page["file"], page["page_number"], page["total_pages"], page["text"]


def draw(texts: list[str], words: list[str], count: int, seed: int) -> list[tuple[str, int]]:
    """Queries of all kinds with limits; every tenth has optional parts and patterns."""
    rng = random.Random(seed)
    medium = words[_MEDIUM_WORDS]
    starts = sorted({word[:4] for word in medium})
    return optional_patterns(count // 10, medium, starts, seed) + [
        (query, rng.choice(LIMITS)) for query in queries(count - count // 10, seed, texts)
    ]


def compare(folder: Path, searches: list[tuple[str, int]]) -> tuple[int, list[tuple[str, int]]]:
    """How many were compared, and those that differ in pages, scores, number or failure."""
    index = WhooshIndex(folder, "")
    reference_index = open_dir(folder)
    parser = QueryParser("text", schema=reference_index.schema)
    compared, different = 0, []
    with reference_index.searcher() as searcher:

        def answer_of_whoosh(query: str, limit: int) -> Answer:
            try:
                results = searcher.search(parser.parse(query), limit=limit)
                hits = [(hit["file"], hit["page_number"], hit.score) for hit in results]
                return hits, len(results)
            except Exception:  # noqa: BLE001 - Whoosh raises anything
                return None

        for query, limit in searches:
            answer: Answer = None
            try:
                outcome = index.search(query, limit)
                hits = [(hit.file, hit.page, hit.score) for hit in outcome.results]
                answer = hits, outcome.total_hits
            except QueryRefused as refused:
                if refused.code not in ("query_syntax", "query_failed"):
                    continue
            compared += 1
            if answer != answer_of_whoosh(query, limit):
                different.append((query, limit))
    return compared, different


def main() -> None:
    """Compare the drawn queries."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts = [text for *_, text in read_rows(options.pages)]
    arrays = IndexArrays.load(options.folder)
    frequent_first = np.argsort(-np.diff(arrays.first), kind="stable").tolist()
    words = [word for number in frequent_first if (word := arrays.terms[number]).isalpha()]
    searches = draw(texts, words, options.queries, options.seed)
    compared, different = compare(options.folder, searches)
    sys.stdout.write(json.dumps({"compared": compared, "different": different}) + "\n")


if __name__ == "__main__":
    main()
