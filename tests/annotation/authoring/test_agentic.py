"""One search that returns the whole evidence."""

from __future__ import annotations

from pagetrail.annotation.authoring.agentic import MAX_SEARCHES, candidates, check
from tests.annotation.authoring.drafts import A1, A2, B1, Engine, draft, read

TEXTS = {
    A1: "otters live in rivers lakeland grey",
    A2: "badgers dig setts lakeland in winter",
    B1: "stoats hunt at night",
}
QUESTION = "Do the otters or the badgers of Lakeland sleep in winter?"


def test_the_query_that_finds_everything_is_shown() -> None:
    """With AND only a word of both pages can; it is found and named, with the pages."""
    task_draft = draft(QUESTION, [], [A1, A2])
    engine = Engine(TEXTS, refuse=[query for query in candidates(task_draft) if " OR " in query])
    finding = check(task_draft, read(task_draft, TEXTS), engine, 5)
    assert (finding.status, finding.query, finding.pages) == ("warning", "lakeland", (A1, A2))
    assert "“lakeland”" in finding.message and "all 2 cited pages" in finding.message


def test_words_joined_with_or_are_tried() -> None:
    """A solver can ask for any of the words."""
    task_draft = draft("Do otters or stoats sleep?", [], [A1, B1])
    finding = check(task_draft, read(task_draft, TEXTS), Engine(TEXTS), 5)
    assert (finding.status, finding.query) == ("warning", "otters OR stoats OR sleep")


def test_pairs_and_triples_are_tried_rarest_words_first() -> None:
    """After all common words together and each alone."""
    evidence_texts = {("d", 1): "red green blue end", ("d", 2): "red green blue start"}
    # The ranking puts other pages before them for each single word and for all three.
    noise = {
        ("n", n): text
        for n, text in enumerate(["red"] * 4 + ["green", "blue"] * 3 + ["red green"] * 3, start=1)
    }
    three = {("t", n): "red green blue" for n in (1, 2)}
    engine = Engine({**noise, **three, **evidence_texts})
    task_draft = draft("red green blue dusk?", [], list(evidence_texts))
    assert check(task_draft, read(task_draft, evidence_texts), engine, 3).status == "ok"
    pairs = ["green blue", "red green", "red blue"]
    assert {"red", "green", "blue", *pairs} < set(engine.queries)
    order = [query for query in engine.queries if query in pairs]
    assert order[-1] == "red green"  # the two words with the most pages
    assert max(map(engine.queries.index, ("red", "green", "blue"))) < engine.queries.index(order[0])


def test_a_pair_that_finds_everything_is_shown() -> None:
    """Neither word alone brings both pages among the first two; the pair does."""
    evidence_texts = {("d", 1): "red green", ("d", 2): "red green"}
    engine = Engine({("n", 1): "red", ("n", 2): "green", **evidence_texts})
    task_draft = draft("red green dusk?", [], list(evidence_texts))
    finding = check(task_draft, read(task_draft, evidence_texts), engine, 2)
    assert (finding.status, finding.query) == ("warning", "red green")


def test_searches_of_the_author_count_unless_they_use_the_answer() -> None:
    """An own search is tried, newest first; one with a word of the answer is not."""
    task_draft = draft("Who?", ["Grey"], [A1, A2], queries=["lakeland", "grey OR badgers"])
    engine = Engine(TEXTS)
    finding = check(task_draft, read(task_draft, TEXTS), engine, 5)
    assert (finding.status, finding.query) == ("warning", "lakeland")
    assert not any("grey" in query for query in engine.queries)


def test_one_page_of_evidence_is_expected_to_be_found() -> None:
    """The query is named and nothing is wrong with it."""
    task_draft = draft("Where do otters live?", [], [A1])
    finding = check(task_draft, read(task_draft, TEXTS), Engine(TEXTS), 5)
    assert (finding.status, finding.query) == ("ok", "otters live")
    assert "to be expected" in finding.message


def test_evidence_that_no_search_returns_passes() -> None:
    """The number of searches is told, and a page without text is named."""
    task_draft = draft("Who?", [], [A1, B1])
    engine = Engine(TEXTS)
    finding = check(task_draft, read(task_draft, TEXTS), engine, 5)
    assert finding.status == "ok" and f"({len(engine.queries)})" in finding.message
    scan = draft("Who?", [], [A1, ("scan.pdf", 2)])
    finding = check(scan, read(scan, TEXTS), Engine(TEXTS), 5)
    assert finding.status == "ok" and finding.pages == (("scan.pdf", 2),)
    assert "page 2 of scan.pdf has no text" in finding.message


def test_more_evidence_than_a_search_returns() -> None:
    """Nothing is searched for."""
    task_draft = draft("lakeland?", [], [A1, A2])
    engine = Engine(TEXTS)
    finding = check(task_draft, read(task_draft, TEXTS), engine, 1)
    assert finding.status == "ok" and engine.queries == []


def test_refused_queries_and_a_broken_engine() -> None:
    """A refused query is passed over; where nothing can be run there is no verdict."""
    task_draft = draft("lakeland?", [], [A1, A2])
    evidence = read(task_draft, TEXTS)
    finding = check(task_draft, evidence, Engine(TEXTS, refuse=["lakeland?"]), 5)
    assert (finding.status, finding.query) == ("warning", "lakeland")
    assert check(task_draft, evidence, Engine(TEXTS, refuse=None), 5).status == "skipped"
    broken = check(task_draft, evidence, Engine(TEXTS, broken=True), 5)
    assert broken.status == "skipped" and "do not start" in broken.message


def test_the_number_of_searches_is_bounded() -> None:
    """However many words and own searches there are."""
    question = " ".join(f"word{n}" for n in range(40))
    texts = {A1: question, A2: question}
    task_draft = draft(question, [], [A1, A2], queries=[f"word{n} word{n + 1}" for n in range(30)])
    engine = Engine({A1: "nothing"})
    assert check(task_draft, read(task_draft, texts), engine, 5).status == "ok"
    assert len(engine.queries) == len(set(engine.queries)) == MAX_SEARCHES


def test_what_is_missing_is_named() -> None:
    """Question, evidence, search."""
    evidence = read(draft(evidence=[A1]), TEXTS)
    assert check(draft(), evidence, Engine(TEXTS), 5).message == "Write the question first."
    assert check(draft("Who?"), [], Engine(TEXTS), 5).message.startswith("Cite the pages")
    unanswerable_finding = check(draft("Who?", unanswerable=True), [], Engine(TEXTS), 5)
    assert "no answer" in unanswerable_finding.message
    assert "no search" in check(draft("Who?"), evidence, None, 5).message
