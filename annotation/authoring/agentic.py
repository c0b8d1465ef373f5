"""Agentic: no single search returns the whole evidence.

Source: MADQA, section 2 and appendix C.1: a question is agentic when it takes several searches to
bring its evidence together. It cannot be proved that no query exists; ``candidates`` are the ones
that a solver would try first, in this order, at most ``MAX_SEARCHES`` in all:

1. the question as it is typed, and without its final mark ("?" is a wildcard to the engine);
2. the searches that the author ran, newest first (``MAX_OWN``);
3. the question's words of content, all together (AND, the engine's default), then any (OR);
4. of these words, those on every cited page, since with AND only they can return all of
   them: all together; each alone; and pairs and triples, the rarest words first.

The answer is never searched for: who solves the question does not know it. An own search that has
a word which is in the answer and not in the question is therefore left out.

With one page of evidence nearly every good question is found by one search, so the finding names
the query and does not warn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from pagetrail.annotation.authoring.draft import Draft, EvidencePage, clipped, finding, join_pages
from pagetrail.annotation.authoring.preconditions import needs_evidence
from pagetrail.annotation.authoring.tokens import STOP_WORDS, engine_words
from pagetrail.annotation.errors import PagetrailError, QueryRefused
from pagetrail.annotation.ports import SearchIndex
from pagetrail.annotation.protocols.check_results import Finding

MAX_SEARCHES = 32
MAX_OWN = 8
MAX_ALONE = 8
MAX_QUERY = 2_000
"""Characters; the engine refuses more."""


class _Trial:
    """Runs queries until one returns the whole evidence."""

    def __init__(
        self, search: SearchIndex, top_k: int, cited_pages: frozenset[tuple[str, int]]
    ) -> None:
        self._search = search
        self._top_k = top_k
        self._wanted = cited_pages
        self._hits: dict[str, int | None] = {}

    @property
    def run(self) -> int:
        """Queries that were answered."""
        return sum(hits is not None for hits in self._hits.values())

    @property
    def left(self) -> int:
        """Queries that may still be tried."""
        return MAX_SEARCHES - len(self._hits)

    def hits(self, query: str) -> int:
        """Pages that a tried query matches; a refused one comes last."""
        hits = self._hits.get(query)
        return 1 << 62 if hits is None else hits

    def finds_all(self, query: str) -> bool:
        """Whether the query's first results hold the evidence; False for one tried before."""
        if not query.strip() or query in self._hits or self.left <= 0:
            return False
        try:
            outcome = self._search.search(query, self._top_k)
        except QueryRefused:
            self._hits[query] = None
            return False
        self._hits[query] = outcome.total_hits
        return self._wanted <= {(hit.file, hit.page) for hit in outcome.results}


def check(
    draft: Draft, evidence: Sequence[EvidencePage], search: SearchIndex | None, top_k: int
) -> Finding:
    """Try the queries that a solver would try first.

    Returns:
        A warning with the first query that returns every cited page (``query``, ``pages``); ok with
        the query where one page is cited.
    """
    if not draft.question.strip():
        return finding("agentic", "skipped", "Write the question first.")
    absent = needs_evidence("agentic", draft, evidence)
    if absent is not None:
        return absent
    if search is None:
        return finding("agentic", "skipped", "This campaign has no search to try the question on.")
    cited_pages = frozenset(page.key for page in evidence)
    if len(cited_pages) > top_k:
        return finding(
            "agentic",
            "ok",
            f"A search returns {top_k} pages, and {len(cited_pages)} are cited: one is not enough.",
        )
    trial = _Trial(search, top_k, cited_pages)
    try:
        query = _first_that_finds_all(trial, draft, evidence)
    except PagetrailError as error:
        return finding("agentic", "skipped", f"The search cannot be used now. {error.message}")
    if query is None:
        return _none_found(trial, evidence)
    pages = [page.key for page in evidence]
    if len(cited_pages) == 1:
        return finding(
            "agentic",
            "ok",
            f"The search “{clipped(query, 200)}” finds the cited page; with one page of evidence "
            "that is to be expected.",
            query=query,
            pages=pages,
        )
    return finding(
        "agentic",
        "warning",
        f"One search is enough: “{clipped(query, 200)}” returns all {len(cited_pages)} cited pages "
        f"among its first {top_k}. Ask so that a page must be read to know what to search next.",
        query=query,
        pages=pages,
    )


def candidates(draft: Draft) -> Iterator[str]:
    """The queries that need nothing but the draft, likeliest first."""
    question = " ".join(draft.question.split())
    yield question[:MAX_QUERY]
    yield question.rstrip("?!.… ")[:MAX_QUERY]
    in_question = set(engine_words(draft.question))
    in_answer = {word for answer in draft.answers for word in engine_words(answer)} - in_question
    fair = (
        query
        for query in reversed(draft.queries)
        if len(query) <= MAX_QUERY and in_answer.isdisjoint(engine_words(query))
    )
    yield from islice(dict.fromkeys(fair), MAX_OWN)
    telling = _content(draft)
    yield " ".join(telling)[:MAX_QUERY]
    if 1 < len(telling) <= 30:  # the engine takes 32 operators
        yield " OR ".join(telling)


def _first_that_finds_all(
    trial: _Trial, draft: Draft, evidence: Sequence[EvidencePage]
) -> str | None:
    for query in candidates(draft):
        if trial.finds_all(query):
            return query
    everywhere = set.intersection(*(set(engine_words(page.text)) for page in evidence))
    common = [word for word in _content(draft) if word in everywhere]
    if trial.finds_all(" ".join(common)[:MAX_QUERY]):
        return " ".join(common)[:MAX_QUERY]
    single_words = common[:MAX_ALONE]
    for word in single_words:
        if trial.finds_all(word):
            return word
    single_words.sort(key=trial.hits)
    word_sets = [*combinations(single_words, 2), *combinations(single_words, 3)]
    word_sets.sort(
        key=lambda word_set: sum(single_words.index(word) for word in word_set) / len(word_set)
    )
    for word_set in word_sets:
        query = " ".join(word for word in common if word in word_set)
        if trial.finds_all(query):
            return query
        if trial.left <= 0:
            break
    return None


def _content(draft: Draft) -> list[str]:
    """The question's words of content, as the engine reads them, in their order."""
    return [word for word in engine_words(draft.question) if word not in STOP_WORDS]


def _none_found(trial: _Trial, evidence: Sequence[EvidencePage]) -> Finding:
    if not trial.run:
        return finding(
            "agentic",
            "skipped",
            "None of the searches that were tried could be run. Try again in a moment.",
        )
    not_returned = f"None of the searches that were tried ({trial.run}) returns all cited pages"
    unread = [page.key for page in evidence if not page.text.strip()]
    if unread:
        return finding(
            "agentic",
            "ok",
            f"{not_returned}; {join_pages(unread)} has no text, so that no search for words finds "
            "it.",
            pages=unread,
        )
    return finding("agentic", "ok", f"{not_returned}.")
