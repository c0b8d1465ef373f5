"""Trajectories in words."""

from __future__ import annotations

from typing import get_args

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.replay.timeline import timeline
from tests.annotation.events.review_examples import REVIEW_EXAMPLES
from tests.annotation.events.work_examples import WORK_EXAMPLES
from tests.support.factory import cited, events_at, searched, viewed

EXAMPLES: list[tuple[ev.AnyPayload, str]] = [
    (ev.Opened(session="t"), "Opened the task"),
    (searched("otters", total_hits=1234), "Searched for “otters”: 1,234 pages found, 5 shown"),
    (searched("x", total_hits=1, pages=(3,)), "Searched for “x”: 1 page found, 1 shown"),
    (
        searched("x").model_copy(update={"rerun_of": "s0"}),
        "Searched again for “x”: 7 pages found, 5 shown",
    ),
    (
        ev.SearchRefused(search_id="s", query="", reason="r", message="Type a word."),
        "Search for “” was refused: Type a word.",
    ),
    (viewed(3, rank=2), "Viewed annual report.pdf page 3, from the results, rank 2"),
    (viewed(4, "next"), "Viewed annual report.pdf page 4, with “next”"),
    (
        ev.ViewChanged(fit="none", zoom=150, rotation=90),
        "Changed the view: zoom 150 %, turned by 90°",
    ),
    (ev.ViewChanged(fit="width", zoom=80, rotation=0), "Changed the view: page width"),
    (cited(3), "Cited annual report.pdf page 3"),
    (
        ev.CitationRemoved(document="b.pdf", page=1),
        "Removed the citation of b.pdf page 1",
    ),
    (ev.AnswerEdited(text="42\n\nforty-two"), "Wrote the answer “42 / forty-two”"),
    (ev.AnswerEdited(text=" \n"), "Emptied the answer"),
    (ev.NoteEdited(text="see\tpage"), "Wrote the note “see�page”"),
    (ev.Flagged(comment="two spellings"), "Flagged the task: “two spellings”"),
    (ev.Unflagged(), "Removed the flag"),
    (ev.Paused(), "Paused the clock"),
    (ev.Resumed(), "Started the clock again"),
    (ev.Resumed(implicit=True), "Started the clock again by working in another tab"),
    (ev.TabHidden(), "Left the tab"),
    (ev.TabShown(), "Came back to the tab"),
    (ev.Reconnected(offline_ms=1500), "Came back online after 1.5 s"),
    (ev.GuidelinesOpened(), "Opened the guidelines"),
    (ev.GuidelinesClosed(), "Closed the guidelines"),
    (ev.Skipped(reason="unreadable"), "Skipped the task: “unreadable”"),
    (ev.Submitted(outcome="answered"), "Submitted with an answer"),
    (ev.Submitted(outcome="not_found"), "Submitted: no answer found"),
    (ev.Submitted(outcome="unanswerable"), "Submitted: the question cannot be answered"),
    (ev.Submitted(outcome="completed"), "Submitted as done"),
    (ev.Reopened(), "Reopened the task"),
    (ev.BatchClosed(), "The batch was closed"),
    (
        searched("x").model_copy(update={"total_hits": None}),
        "Searched for “x”: 5 shown",
    ),
    (
        ev.RunImported(
            format="madqa",
            file="run.jsonl",
            sha256="0" * 64,
            record=12,
            model="m",
            timed=False,
            results_known=True,
        ),
        "Imported run of m: record 12 of run.jsonl",
    ),
    (
        ev.AgentStep(text="Let me see.", tool="python", arguments='{"code": "1"}'),
        'Called python with “{"code": "1"}”; wrote “Let me see.”',
    ),
    (ev.AgentStep(text="Done."), "Wrote “Done.”"),
    (
        ev.AgentTurn(
            model="m-2",
            reasoning="Hm.",
            usage=ev.ModelUsage(input_tokens=900, output_tokens=100, cost_usd=0.5),
            details={"temperature": 0.5},
        ),
        "A turn of m-2: 1,000 tokens; thought “Hm.”",
    ),
    (ev.AgentTurn(), "A turn of the agent"),
    *WORK_EXAMPLES,
    *REVIEW_EXAMPLES,
]


@pytest.mark.parametrize(("payload", "words"), EXAMPLES, ids=lambda v: getattr(v, "type", ""))
def test_each_event_in_words(payload: ev.AnyPayload, words: str) -> None:
    """The sentence of every kind of event."""
    assert payload.sentence() == words


def test_the_examples_cover_the_union() -> None:
    """No kind of event is missing above, so none is without words."""
    assert {type(payload) for payload, _ in EXAMPLES} == set(ev.PAYLOADS)


def test_every_way_to_a_page_has_words() -> None:
    """All values of ``via`` have words."""
    for via in get_args(ev.Via):
        assert "page 3, " in viewed(3, via).sentence()


def test_long_text_is_cut_and_kept_on_one_line() -> None:
    """A pasted page does not flood the terminal, and control characters do not reach it."""
    words = ev.AnswerEdited(text="\x1b[31m" + "x" * 500 + "\u2028y").sentence()
    assert len(words) < 120
    assert "\x1b" not in words
    assert "\n" not in words
    assert words.endswith("…”")


def test_gaps_idle_and_dwell_stand_at_their_event() -> None:
    """An entry carries the time to the next event, its kind, the idle part and the dwell."""
    log = events_at(
        (0, ev.Opened(session="t")),
        (5, viewed(3)),
        (95, ev.Paused()),
        (695, ev.Resumed()),
    )
    opened, view, paused, resumed = timeline(log, 60)
    assert (opened.next_ms, opened.next_kind, opened.idle_ms, opened.dwell_ms) == (
        5_000,
        "work",
        0,
        None,
    )
    assert (view.next_ms, view.idle_ms, view.dwell_ms) == (90_000, 30_000, 60_000)
    assert (paused.next_ms, paused.next_kind, paused.idle_ms) == (600_000, "paused", 0)
    assert (resumed.next_ms, resumed.next_kind, resumed.dwell_ms) == (None, None, 0)


def test_no_events_make_no_timeline() -> None:
    """An attempt that was never opened has nothing to tell."""
    assert timeline([]) == []
