"""The reader of MADQA results: what a row says, in the benchmark's spelling and in looser ones."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.importers.runs.madqa import FORMAT
from pagetrail.storage.importers.runs.search_tools import SearchTools
from tests.storage.importers.runs.run_data import PAGES, acts, at, bare, madqa


def read(**fields: Any) -> RunRecord:
    """The run in a full row with these fields."""
    return read_row(1, madqa(**fields))


def read_row(line: int, row: dict[str, Any]) -> RunRecord:
    """The run in a row."""
    return FORMAT.read(line, row, SearchTools())


def searches(record: RunRecord) -> list[ev.Searched]:
    """The searches of a run."""
    return [step.payload for step in acts(record) if isinstance(step.payload, ev.Searched)]


def test_a_whole_row_is_read() -> None:
    """Answer, citations, searches with results, other tools, what was written, effort, times."""
    record = read()
    assert (record.task, record.answer, record.outcome) == ("t/1", ("42",), "answered")
    assert record.citations == (("annual report.pdf", 3),)
    assert (record.model, record.iterations, record.results_known) == ("model-1", 3, True)
    text_step, search, tool = (step.payload for step in acts(record))
    assert isinstance(text_step, ev.AgentStep) and text_step.text == "I look for otters."
    assert isinstance(search, ev.Searched)
    assert (search.search_id, search.query) == ("c1", "otters")
    assert [(h.rank, h.file, h.page, h.score) for h in search.results] == [
        (1, "annual report.pdf", 3, None),
        (2, "b.pdf", 1, None),
    ]
    assert isinstance(tool, ev.AgentStep)
    assert (tool.tool, tool.arguments) == ("calculator", '{"sum": "40+2"}')
    assert (
        record.times().steps == (2_000, 2_000, 2_000, 5_500, 5_500) and record.times().end == 9_000
    )
    assert record.notes == ()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("42", ("42",)),
        (["a", "b"], ("a", "b")),
        ([], ()),
        (None, ()),
        ("  ", ()),
        (42, ("42",)),
        ([1.5, None, True], ("1.5", "yes")),
    ],
)
def test_answers_in_any_spelling(answer: Any, expected: tuple[str, ...]) -> None:
    """Text, a number, a list of them, or none; without one nothing was found."""
    record = read_row(1, bare(answer=answer))
    assert record.answer == expected
    assert record.outcome == ("answered" if expected else "not_found")


@pytest.mark.parametrize("spelling", [
    {"file": "b.pdf", "page": "3"}, {"document": "b.pdf", "page": 3.0},
    {"file": "b.pdf", "page_number": 3}, {"document": "b.pdf", "file": "x", "page": " 3 "},
])  # fmt: skip
def test_citations_in_any_spelling(spelling: dict[str, Any]) -> None:
    """file or document, and the page as a number or as its digits; each page once."""
    assert read(citations=[spelling, spelling]).citations == (("b.pdf", 3),)


@pytest.mark.parametrize("page", [0, -1, "0", 0.0])
def test_pages_before_the_first_are_left_out_as_they_are_of_gold(page: Any) -> None:
    """The other citations stay, and a note says what is missing."""
    record = read(citations=[{"file": "b.pdf", "page": page}, {"file": "b.pdf", "page": 2}])
    assert record.citations == (("b.pdf", 2),)
    assert record.notes == (
        "a citation of a page before page 1 is left out: pages are counted from 1",
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"citations": ["b.pdf, page 3"]}, 'citations[0]: must be an object such as {"file"'),
        ({"citations": "b.pdf"}, "citations: must be a list such as"),
        ({"citations": [{"file": "b.pdf"}]}, "citations[0].page"),
        ({"citations": [{"file": "b.pdf", "page": 1.5}]}, "citations[0].page: must be a whole"),
        ({"citations": [{"page": 1}]}, "citations[0].document"),
        ({"answer": {"text": "42"}}, "answer: must be text or a list of texts, not an object"),
        ({"answer": [["42"]]}, "answer: must be text or a list of texts, not a list"),
        ({"id": "\ud800"}, "id: holds half of a surrogate pair"),
        ({"id": ["t/1"]}, "id: must be text or a whole number"),
        ({"trajectory": "search"}, "trajectory: must be a list, not 'search'"),
        ({"search_history": [{"query": 7}], "trajectory": []}, "search_history[0].query: must"),
        (
            {"trajectory": [{"tool_calls": [{"name": 1}]}]},
            "trajectory[0].tool_calls[0].name: must be text",
        ),
    ],
)
def test_what_breaks_the_format_is_said(fields: dict[str, Any], message: str) -> None:
    """The sentence names the field, what is wrong, and how it would be right."""
    with pytest.raises(ValueError, match=re.escape(message)):
        read(**fields)


def test_a_row_without_an_answer_is_refused_unless_the_run_failed() -> None:
    """A forgotten answer is no wrong answer; a run that ended in an error has none."""
    row = {"id": "t/1", "citations": []}
    with pytest.raises(ValueError, match="answer: is missing"):
        read_row(1, row)
    failed = read_row(1, row | {"error": {"message": "out of tokens"}})
    assert (failed.answer, failed.failed) == ((), "out of tokens")


def test_the_answer_may_stand_in_the_last_step_alone() -> None:
    """``parsed_answer`` counts where the row has no answer of its own."""
    row = madqa()
    del row["answer"], row["citations"]
    row["trajectory"][-1]["parsed_answer"] = {"answer": "7", "citations": PAGES}
    record = read_row(1, row)
    assert record.answer == ("7",)
    assert record.citations == (("annual report.pdf", 3), ("b.pdf", 1))


def test_without_a_trajectory_the_history_tells_of_the_searches() -> None:
    """Its results where it has them; a search that returned nothing is known as well."""
    history: list[dict[str, Any]] = [
        {"iteration": 1, "query": "a", "num_results": 1, "results": PAGES[:1], "total_hits": 8},
        {"iteration": 2, "query": "b", "num_results": 0},
    ]
    record = read_row(1, bare(search_history=history))
    assert [(s.query, len(s.results), s.total_hits) for s in searches(record)] == [
        ("a", 1, 8),
        ("b", 0, 0),
    ]
    assert record.results_known
    history[1]["num_results"] = 5
    assert not read_row(1, bare(search_history=history)).results_known


def test_a_row_that_tells_of_no_search_does_not_say_that_there_was_none() -> None:
    """Its searches are not known; with an empty history they are."""
    assert not read_row(1, bare()).results_known
    assert read_row(1, bare(search_history=[])).results_known


def test_history_and_trajectory_that_differ_are_said_and_the_trajectory_counts() -> None:
    """The searches of the trajectory are kept, and the sentence has both numbers."""
    record = read(search_history=[{"query": "otters"}, {"query": "rivers"}])
    assert [s.query for s in searches(record)] == ["otters"]
    assert record.notes == (
        "search_history (2 searches) and trajectory (1) differ; the trajectory counts",
    )


def test_the_history_lends_times_and_totals_to_the_trajectory() -> None:
    """As in this project's own export, where the trajectory has the results alone."""
    row = madqa(search_history=[{"query": "otters", "timestamp": at(1), "total_hits": 30}])
    del row["trajectory"][0]["timestamp"]
    record = read_row(1, row)
    assert searches(record)[0].total_hits == 30
    assert acts(record)[1].at is not None and acts(record)[1].at.isoformat() == at(1)


def test_a_total_below_what_was_returned_is_not_believed() -> None:
    """Whether the history says so of the trajectory's results, or of its own."""
    no_results = {"query": "otters", "num_results": 0}
    fewer = {"query": "otters", "results": PAGES, "total_hits": 1}
    for row in (madqa(search_history=[no_results]), bare(search_history=[fewer])):
        (search,) = searches(read_row(1, row))
        assert len(search.results) == 2 and search.total_hits is None


def test_only_a_run_with_both_ends_is_timed() -> None:
    """Stamps of searches alone are kept, and do not make a time that the task took."""
    row = bare(search_history=[{"query": "a", "timestamp": at(1)}, {"query": "b"}])
    record = read_row(1, row)
    assert acts(record)[0].at is not None
    assert not record.times().timed and set(record.times().steps) == {0}
    assert read_row(1, row | {"finished_at": at(4)}).times().timed


def test_calls_in_the_spelling_of_chat_completions() -> None:
    """``function`` with arguments as JSON text, and results as JSON text without ids."""
    call = {"type": "function", "function": {"name": "search_documents"}}
    call["function"] = {"name": "search_documents", "arguments": '{"query": "otters"}'}
    step = {"tool_calls": [call], "tool_results": [{"content": '[{"file": "b.pdf", "page": 2}]'}]}
    record = read_row(1, bare(trajectory=[step]))
    assert [(s.query, s.results[0].page) for s in searches(record)] == [("otters", 2)]


def test_a_search_whose_results_cannot_be_read_is_a_search_with_unknown_results() -> None:
    """The query is kept; what it returned is not made up."""
    step = {
        "tool_calls": [{"id": "c", "name": "search_documents", "arguments": {"query": "q"}}],
        "tool_results": [{"tool_call_id": "c", "results": [{"title": "Otters"}]}],
    }
    record = read_row(1, bare(trajectory=[step]))
    assert searches(record)[0].results == () and searches(record)[0].total_hits is None
    assert not record.results_known


def test_characters_that_cannot_be_stored_are_replaced_and_said() -> None:
    """Control characters go, half surrogates become U+FFFD, and a note counts them."""
    record = read_row(1, bare(answer="4\x002\ud800"))
    assert record.answer == ("4\ufffd2\ufffd",)
    assert len(record.notes) == 1 and "control characters" in record.notes[0]


def test_an_outcome_without_an_answer_is_kept_and_one_beside_an_answer_is_not() -> None:
    """ "Unanswerable" is more than "not found"; an answer that is there was given."""
    assert read_row(1, bare(answer=[], outcome="unanswerable")).outcome == "unanswerable"
    record = read_row(1, bare(answer="42", outcome="unanswerable"))
    assert record.outcome == "answered" and "unanswerable" in record.notes[0]
    assert read_row(1, bare(answer=[], outcome="answered")).outcome == "not_found"


@pytest.mark.parametrize("value", [-1, "many", True, 1.5, [1]])
def test_iterations_that_are_no_number_are_said_and_not_used(value: Any) -> None:
    """Effort falls back to the number of searches instead of to nonsense."""
    record = read(iterations=value)
    assert record.iterations is None and "iterations" in record.notes[0]


@pytest.mark.parametrize("value", [0, 1, 0.85, "0.85"])
def test_confidence_is_kept(value: Any) -> None:
    """Of the row, or of the answer in its last step."""
    assert read(confidence=value).confidence == float(value)
    row = bare(trajectory=[{"parsed_answer": {"answer": "42", "confidence": value}}])
    assert read_row(1, row).confidence == float(value)
    assert read(confidence=None).confidence is None and not read(confidence=None).notes


@pytest.mark.parametrize("value", [-0.1, 85, "high", True, [1], float("nan")])
def test_a_confidence_outside_0_to_1_is_said_and_not_used(value: Any) -> None:
    record = read(confidence=value)
    assert record.confidence is None and "confidence" in record.notes[0]


def test_long_queries_and_texts_are_cut_where_the_log_ends() -> None:
    """What is too long for an event is cut, and of a query it is said."""
    row = bare(search_history=[{"query": "q" * 20_001}], trajectory=[{"content": "w" * 20_001}])
    record = read_row(1, row)
    assert len(searches(record)[0].query) == 20_000 and "cut" in record.notes[0]
    text_step = acts(record)[-1].payload
    assert isinstance(text_step, ev.AgentStep) and len(text_step.text) == 20_000
