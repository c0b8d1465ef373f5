"""Replay scripts: at every event what the fold says, at every time what the times say."""

from __future__ import annotations

import json
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import given_table
from pagetrail.annotation.attempts.state import AttemptState, apply, fold
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.replay.builder import STEP_MS, script
from pagetrail.annotation.replay.lifetimes import FEWEST_RESULTS, RESULTS_SHOWN, edit
from pagetrail.annotation.replay.script import SearchShown
from pagetrail.annotation.tables.grid import Grid
from pagetrail.annotation.timing.durations import active_ms, dwell, gaps
from tests.annotation.attempts.trajectories import STEPS, play
from tests.annotation.replay.script_reader import expected, rewritten, shown_at
from tests.support.factory import events_at, searched
from tests.support.random_work import ALL_KINDS, states
from tests.support.randomness import examples

REPORT = "annual report.pdf"


def view(page: int) -> ev.PageViewed:
    """A look at a page of the annual report."""
    return ev.PageViewed(document=REPORT, page=page, via="next")


@examples(60)
@given(STEPS)
def test_a_script_shows_at_every_event_what_the_fold_holds(steps: list) -> None:
    """Searches, page, citations and texts of any recorded trajectory, after each of its events."""
    events = play(steps).events
    replay_script = script(events)
    state = AttemptState()
    for event in events:
        state = apply(state, event)
        assert shown_at(replay_script, event.seq) == expected(state)


@pytest.mark.parametrize("seed", range(4))
def test_boxes_and_fields_live_as_the_fold_says(seed: int) -> None:
    """400 random events on boxes and fields, undone and redone ones too."""
    protocol = (ALL_KINDS, *map(preset, ("author", "relevance", "verify")))[seed]
    history = list(states(Random(seed), protocol, 400))
    replay_script = script(event for event, _ in history)
    for event, state in history:
        assert shown_at(replay_script, event.seq) == expected(state)
    assert any(len(life.states) > 2 for life in replay_script.boxes), "no box ever changed"


@examples(60)
@given(STEPS)
def test_looks_and_spans_never_count_the_same_time_twice(steps: list) -> None:
    """Looks do not overlap each other or a pause, and hold their dwell; spans add up to what is
    not active."""
    events = play(steps).events
    replay_script = script(events)
    assert [look.dwell_ms for look in replay_script.looks] == [
        look.dwell_ms for look in dwell(events)
    ]
    for look, following in zip(replay_script.looks, replay_script.looks[1:], strict=False):
        assert look.begin_ms + look.dwell_ms <= look.end_ms <= following.begin_ms
    for look in replay_script.looks:
        absences = [s for s in replay_script.spans if s.kind != "idle"]
        assert not any(s.begin_ms < look.end_ms and look.begin_ms < s.end_ms for s in absences)
    for span, after in zip(replay_script.spans, replay_script.spans[1:], strict=False):
        assert span.begin_ms < span.end_ms <= after.begin_ms
    inactive = sum(gap.ms for gap in gaps(events)) - active_ms(events)
    assert sum(span.end_ms - span.begin_ms for span in replay_script.spans) == inactive


def test_a_citation_taken_back_and_made_again_has_two_lives() -> None:
    """From the event that cited to the one that undid, and from the next one to the end."""
    cited_page = {"document": REPORT, "page": 3}
    events = events_at(
        (0, ev.Opened(session="tab")),
        (1, ev.CitationAdded(**cited_page)),
        (2, ev.CitationAdded(**cited_page)),
        (3, ev.CitationRemoved(**cited_page)),
        (4, ev.CitationAdded(**cited_page)),
    )
    lives = [(c.page, c.begin, c.end) for c in script(events).citations]
    assert lives == [((REPORT, 3), 2, 4), ((REPORT, 3), 5, None)]


def test_the_clock_begins_with_the_first_event() -> None:
    """An attempt whose first event came with an age starts at zero all the same."""
    events = events_at((7.5, ev.Opened(session="tab")), (9, view(1)), (69, view(2)), (140, view(1)))
    replay_script = script(events)
    assert [step.t_ms for step in replay_script.moments] == [0, 1_500, 61_500, 132_500]
    assert replay_script.duration_ms == 132_500
    assert [(s.kind, s.begin_ms, s.end_ms) for s in replay_script.spans] == [
        ("idle", 121_500, 132_500)
    ]


def test_a_run_without_times_is_played_by_step() -> None:
    """One event per step, none of them idle, and no time is made up for dwelling."""
    imported = ev.RunImported(
        format="madqa", file="run.jsonl", sha256="0" * 64, record=1, timed=False, results_known=True
    )
    events = events_at(
        (0, imported), (0, searched()), (0, ev.CitationAdded(document=REPORT, page=3))
    )
    replay_script = script(events)
    assert not replay_script.timed
    assert [step.t_ms for step in replay_script.moments] == [0, STEP_MS, 2 * STEP_MS]
    assert replay_script.spans == () and replay_script.looks == ()
    views = [(view.seq, view.page, view.basis) for view in replay_script.views]
    assert views == [(2, replay_script.searches[0].results[0], "first"), (3, (REPORT, 3), "cited")]


def test_a_search_says_what_it_found() -> None:
    """Results, matching pages, what is cut, nothing, and a refusal."""
    pages = tuple((REPORT, page) for page in range(1, 4))
    search_shown = partial(SearchShown, seq=1, query="otters", refusal=None)
    assert [
        search.outcome
        for search in (
            search_shown(total=None, results=pages[:1], n_results=1),
            search_shown(total=1_200, results=pages, n_results=10),
            search_shown(total=0, results=(), n_results=0),
            search_shown(total=None, results=(), n_results=0),
            search_shown(total=None, results=(), n_results=0, refusal="Too broad."),
        )
    ] == [
        "1 result",
        "1,200 matching pages, 10 shown, the first 3 here",
        "No page matches",
        "Results unknown",
        "Refused: Too broad.",
    ]


def test_only_rows_of_the_timeline_that_hold_something_are_drawn() -> None:
    """From top to bottom; without any, the row of pages."""
    assert list(script(events_at((0, searched()), (1, view(2)))).lanes) == ["search", "page"]
    assert script([]).lanes == {"page": "Pages"}


def test_results_are_ids_and_bounded() -> None:
    """A long list is cut and its length told; a run of very many searches keeps fewer of each."""
    long_search = script(events_at((0, searched(pages=range(1, 200)))))
    assert len(long_search.searches[0].results) == RESULTS_SHOWN
    assert long_search.searches[0].n_results == 199
    events = events_at(*((n, searched(n=n, pages=range(1, 40))) for n in range(5_000)))
    result_counts = [len(search.results) for search in script(events).searches]
    assert FEWEST_RESULTS <= max(result_counts) < 39
    assert sum(result_counts) <= 100_000


@given(st.text(max_size=40), st.text(max_size=40))
def test_an_edit_leads_from_one_text_to_the_next(before: str, after: str) -> None:
    """Also where characters take two units, as browsers count them."""
    assert rewritten([edit(1, "", before), edit(2, before, after)]) == after


def test_an_edit_holds_what_was_typed_only() -> None:
    """A long answer is not repeated by each of its edits."""
    long = "🦦 otters " * 1_000
    change = edit(2, long, long + "and badgers")
    assert change.insert == "and badgers"
    assert (change.start, change.end) == (10 * 1_000, 0)


def test_tables_are_shown_as_they_were_with_changes_and_flags() -> None:
    """Only what an event changed is in the script again."""
    page = {"document": REPORT, "page": 3}
    grid = Grid.from_texts([["River", "2004"], ["Saale 🦦", "1O"]], n_header_rows=1)
    change = {"kind": "text", "row": 1, "column": 1, "was": "1O", "text": "10"}
    edited = {**page, "table": "t1", "structure": 0, "change": change}
    flagged = {**page, "table": "t1", "structure": 0, "row": 1, "column": 0, "kind": "text"}
    events = events_at(
        (0, ev.TablesGiven(**page, round=1, tables=(given_table("t1", grid),))),
        (1, ev.Opened(session="tab")),
        (2, ev.TableEdited.model_validate(edited)),
        (3, ev.CellFlagged.model_validate(flagged)),
    )
    replay_script = script(events)
    for seq in range(1, 5):
        assert shown_at(replay_script, seq) == expected(fold(events[:seq]))
    (table,) = json.loads(shown_at(replay_script, 4)["texts"]["tables"])
    assert table["rows"] == [
        [{"text": "River", "header": True}, {"text": "2004", "header": True}],
        [
            {"text": "Saale 🦦", "flag": "Text or number is wrong"},
            {"text": "10", "changed": True},
        ],
    ]
    assert len(replay_script.texts["tables"][1].insert) < 40


def test_an_attempt_without_events_has_an_empty_script() -> None:
    """Nothing to play, and no failure."""
    replay_script = script([])
    assert replay_script.moments == () and replay_script.duration_ms == 0


def test_merged_gold_replaces_the_previous_draft() -> None:
    """In a gold stream: the draft's boxes go, the merged ones come, a model's elements stay."""
    rng = Random(5)
    history = [event for event, _ in states(rng, ALL_KINDS, 60)]
    merged = ev.GoldMerged(
        sources=(),
        choices=(),
        outcome="answered",
        answer_text="forty-two",
        evidence=(ev.KeptPage(document="a.pdf", page=2, annotators=2),),
        boxes=(
            ev.GoldElement(id="g-1", document="a.pdf", page=1, rect=(1, 2, 30, 40), label="Text"),
        ),
    )
    later = ev.BoxMoved(box="g-1", rect=(5, 6, 34, 44))
    last = history[-1]
    for payload in (merged, later):
        last = last.model_copy(
            update={"seq": last.seq + 1, "client_event_id": f"g{last.seq}", "payload": payload}
        )
        history.append(last)
    replay_script = script(history)
    assert shown_at(replay_script, last.seq) == expected(fold(history))
    assert shown_at(replay_script, last.seq)["boxes"]["g-1"][1] == (5, 6, 34, 44)
    assert shown_at(replay_script, last.seq - 2) == expected(fold(history[:-2]))
