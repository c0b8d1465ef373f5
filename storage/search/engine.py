"""The reference engine behind one lock: the same result lists as the benchmark's class, faster.

The benchmark opens a searcher for each query, which copies the index's tables. Here one searcher
stays open. Shared without the lock, it would silently return wrong results. How equal scores are
ordered is said in ``storage.search.collector``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from whoosh import query as wq
from whoosh.qparser import QueryParser
from whoosh.searching import Searcher

from pagetrail.annotation.errors import QueryRefused
from pagetrail.annotation.events.search_results import NO_INDEXED_WORD, SearchHit, SearchOutcome
from pagetrail.annotation.messages import gettext
from pagetrail.storage.search.arrays import IndexArrays
from pagetrail.storage.search.collector import ArrayCollector
from pagetrail.storage.search.guard import check_parsed, check_text
from pagetrail.storage.search.index import schema
from pagetrail.storage.search.lexicon import Lexicon
from pagetrail.storage.search.patterns import read_from_arrays
from pagetrail.storage.search.phrases import ArrayPhrase
from pagetrail.storage.search.reader import open_reader, vocabulary
from pagetrail.storage.search.suggestions import Suggester

_LEXICON_FIELDS = ("text", "file")
MAX_TOP_K = 1000
_MAX_HIGHLIGHTS = 500


class WhooshIndex:
    """Implements ``SearchIndex`` over one index folder. Thread-safe."""

    def __init__(self, folder: Path, identity: str) -> None:
        """Open an index built by this program.

        Raises:
            OSError, ValueError: a file of it is missing or damaged.
        """
        self._identity = identity
        self._lock = Lock()
        self._parser = _parser(schema())
        arrays = IndexArrays.load(folder)
        self._searcher = Searcher(open_reader(arrays, schema()))
        self._lexicons = {name: Lexicon(*vocabulary(arrays, name)) for name in _LEXICON_FIELDS}
        self._pages: int = self._searcher.doc_count_all()
        self._suggester = Suggester(self._searcher, self._lexicons["text"])

    @property
    def identity(self) -> str:
        """Hash over engine version, schema, page texts and their order."""
        return self._identity

    def search(self, query: str, top_k: int) -> SearchOutcome:
        """The first ``top_k`` pages, exactly as the reference engine ranks them.

        Raises:
            QueryRefused: empty, not parseable, or too broad to answer in time.
        """
        _check_limit(top_k)
        with self._lock:
            started = time.perf_counter()
            parsed = self._parse(query)
            hits, total = self._run(parsed, top_k)
            return self._outcome(query, parsed, top_k, hits, total, started)

    def more(self, query: str, top_k: int, n: int) -> SearchOutcome:
        """The first ``top_k`` pages like ``search``, then others, ``n`` in total.

        The limit affects the engine's ranking (it skips blocks of postings by it), so a longer list
        does not extend a shorter one. What follows the first ``top_k`` comes from the longer list,
        without duplicates.

        Raises:
            QueryRefused: as ``search``.
        """
        _check_limit(top_k)
        _check_limit(n)
        with self._lock:
            started = time.perf_counter()
            parsed = self._parse(query)
            hits, total = self._run(parsed, top_k)
            if n > top_k and len(hits) == top_k:
                first_pages = {(file, page) for file, page, _ in hits}
                longer, total = self._run(parsed, n)
                hits += [hit for hit in longer if hit[:2] not in first_pages][: n - top_k]
            return self._outcome(query, parsed, top_k, hits, total, started)

    def highlight_terms(self, query: str) -> list[str]:
        """The query's words that occur in the index, with patterns expanded, sorted.

        Raises:
            QueryRefused: as ``search``.
        """
        with self._lock:
            return sorted(set(self._searched_words(self._parse(query))))[:_MAX_HIGHLIGHTS]

    def suggest(self, query: str) -> str | None:
        """Another spelling of the query that finds something, or None.

        Raises:
            QueryRefused: as ``search``.
        """
        with self._lock:
            other = self._suggester.suggest(query, self._parse(query))
            if other is None or other == query:
                return None
            try:
                hits, _ = self._run(self._parse(other), 1)
            except QueryRefused:
                return None
            return other if hits else None

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            self._searcher.close()

    def _parse(self, query: str) -> Any:
        check_text(query)
        try:
            parsed = self._parser.parse(query)
        except QueryRefused:
            raise
        except Exception as error:
            # Whoosh raises anything: IndexError for a chain of NOT, Exception, RecursionError. The
            # reference fails on these queries as well.
            raise QueryRefused(
                gettext(
                    "The search engine cannot read this query. Check its operators (AND, "
                    "OR, NOT), quotes and brackets."
                ),
                code="query_syntax",
            ) from error
        check_parsed(query, parsed, self._lexicons, self._pages)
        read_from_arrays(parsed, self._lexicons)
        return parsed

    def _run(self, parsed: Any, limit: int) -> tuple[list[tuple[str, int, float]], int]:
        """The first hits, and the number of all."""
        try:
            collector: Any = None
            if limit < self._pages:
                collector = ArrayCollector(limit)
            else:
                collector = self._searcher.collector(limit)
            self._searcher.search_with_collector(parsed, collector)
            results = collector.results()
            total = len(results)
        except QueryRefused:  # the time limit of the search process
            raise
        except Exception as error:
            raise QueryRefused(
                gettext("The search engine failed on this query. Write it in another way."),
                code="query_failed",
            ) from error
        hits = []
        for hit in results:
            fields = hit.fields()
            hits.append((fields["file"], int(fields["page_number"]), float(hit.score)))
        return hits, total

    def _outcome(
        self,
        query: str,
        parsed: Any,
        top_k: int,
        hits: list[tuple[str, int, float]],
        total: int,
        started: float,
    ) -> SearchOutcome:
        return SearchOutcome(
            query=query,
            parsed=_readable(parsed),
            total_hits=total,
            took_ms=(time.perf_counter() - started) * 1000,
            top_k=top_k,
            index_id=self._identity,
            results=tuple(
                SearchHit(rank=rank, file=file, page=page, score=score)
                for rank, (file, page, score) in enumerate(hits, start=1)
            ),
        )

    def _searched_words(self, parsed: Any) -> Iterator[str]:
        match parsed:
            case wq.Not():
                return
            case wq.AndNot():
                yield from self._searched_words(parsed.a)
            case wq.Term(fieldname="text"):
                yield parsed.text
            case wq.Phrase(fieldname="text"):
                yield from map(str, parsed.words)
            case (
                wq.Prefix(fieldname="text")
                | wq.Wildcard(fieldname="text")
                | wq.TermRange(fieldname="text")
            ):
                lexicon = self._lexicons["text"]
                for index in lexicon.matching(parsed):
                    yield lexicon.terms[index]
            case _:
                for part in parsed.children():
                    yield from self._searched_words(part)


def _parser(schema: Any) -> Any:
    """The reference's parser; its plugins are sorted once instead of for each query."""
    parser = QueryParser("text", schema, phraseclass=ArrayPhrase)
    taggers, filters = parser.taggers(), parser.filters()
    parser.taggers = lambda: taggers
    parser.filters = lambda: filters
    return parser


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MAX_TOP_K:
        raise QueryRefused(
            gettext(
                "{limit} results cannot be asked for; choose a number from 1 to {max_top_k:,}.",
                limit=limit,
                max_top_k=MAX_TOP_K,
            ),
            code="query_top_k",
        )


def _readable(parsed: Any) -> str:
    if parsed == wq.NullQuery:
        return f"{NO_INDEXED_WORD} ({parsed.error})" if parsed.error else NO_INDEXED_WORD
    return str(parsed).replace("<_NullQuery>", NO_INDEXED_WORD)
