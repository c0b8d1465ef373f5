"""Trajectories in words."""

from __future__ import annotations

from typing import get_args

from pagetrail.annotation import events as ev
from pagetrail.annotation.replay.timeline import timeline
from tests.support.factory import events_at, viewed


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
