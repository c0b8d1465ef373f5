"""Wall, active and dwell times, against values worked out by hand (docs/metrics.md, Time)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.timing.durations import active_ms, dwell, gaps, timing, wall_ms
from tests.support.factory import cited, events_at, searched, viewed

OPEN = ev.Opened(session="tab-1")
EDIT = ev.AnswerEdited(text="42")
SUBMIT = ev.Submitted(outcome="answered")


def test_no_event_and_one_event_take_no_time() -> None:
    """Times of an attempt without a gap are zero, and what never happened is None."""
    for log in ([], events_at((0, OPEN))):
        times = timing(log)
        assert times.wall_ms == 0
        assert times.active_ms == {60: 0, 100: 0, 120: 0}
        assert times.submit_elapsed_ms is None
        assert times.first_search_ms is None
        assert dwell(log) == []


def test_gaps_are_capped_one_by_one() -> None:
    """0–10 s counts 10 s, 10–200 s counts the cap, under each of the three caps."""
    times = timing(events_at((0, OPEN), (10, EDIT), (200, SUBMIT)))
    assert times.wall_ms == 200_000
    assert times.active_ms == {60: 70_000, 100: 110_000, 120: 130_000}
    assert times.work_ms == 200_000
    assert times.submit_elapsed_ms == 200_000


def test_a_gap_of_exactly_the_cap_counts_whole() -> None:
    """The cap is inclusive."""
    log = events_at((0, OPEN), (60, EDIT), (120.001, EDIT))
    assert active_ms(log, 60) == 120_000


def test_a_pause_is_taken_out_until_resumed() -> None:
    """Events within the pause do not end it; only ``resumed`` does."""
    log = events_at(
        (0, OPEN),
        (10, ev.Paused()),
        (20, ev.TabHidden()),
        (30, ev.TabShown()),
        (310, ev.Resumed()),
        (315, EDIT),
    )
    times = timing(log)
    assert times.paused_ms == 300_000
    assert times.hidden_ms == 0
    assert times.active_ms[60] == 15_000


def test_hidden_time_ends_when_the_tab_is_shown() -> None:
    """``tab_hidden`` to ``tab_shown`` is not working time."""
    log = events_at((0, OPEN), (10, ev.TabHidden()), (40, ev.TabShown()), (45, EDIT))
    times = timing(log)
    assert (times.hidden_ms, times.active_ms[60], times.wall_ms) == (30_000, 15_000, 45_000)


def test_work_in_a_second_tab_ends_hidden_time() -> None:
    """Two tabs: the first goes to the background because the second is worked in."""
    log = events_at(
        (0, OPEN),
        (10, ev.TabHidden()),
        (12, ev.Opened(session="tab-2")),
        (30, EDIT),
        (35, ev.TabHidden()),
        (36, ev.Reconnected(offline_ms=10)),
        (50, ev.TabShown()),
    )
    times = timing(log)
    assert times.hidden_ms == 2_000 + 1_000 + 14_000
    assert times.active_ms[60] == 10_000 + 18_000 + 5_000


def test_time_after_hand_in_is_not_work() -> None:
    """A week between submitting and reopening, or until the batch is closed, is nobody's work."""
    week = 7 * 86_400
    log = events_at(
        (0, OPEN),
        (30, SUBMIT),
        (30 + week, ev.Reopened()),
        (50 + week, ev.Skipped(reason="unreadable")),
        (50 + 2 * week, ev.BatchClosed()),
    )
    times = timing(log)
    assert times.handed_in_ms == 2 * week * 1000
    assert times.active_ms[60] == 50_000
    assert times.submit_elapsed_ms is None


def test_submit_time_is_the_last_submission() -> None:
    """A reopened attempt has no submit time until it is submitted again."""
    steps = [(0.0, OPEN), (30.0, SUBMIT), (90.0, ev.Reopened()), (100.0, SUBMIT)]
    assert timing(events_at(*steps[:2])).submit_elapsed_ms == 30_000
    assert timing(events_at(*steps[:3])).submit_elapsed_ms is None
    assert timing(events_at(*steps)).submit_elapsed_ms == 100_000


def test_first_times() -> None:
    """A refused query is not the first search."""
    refused = ev.SearchRefused(search_id="s0", query="", reason="query_refused", message="Empty.")
    log = events_at(
        (0, OPEN), (3, refused), (5, searched()), (8, searched(n=2)), (9, viewed()), (11, cited())
    )
    times = timing(log)
    assert (times.first_search_ms, times.first_page_ms, times.first_citation_ms) == (
        5_000,
        9_000,
        11_000,
    )


def test_dwell_lasts_until_the_next_page() -> None:
    """Each look ends at the next page; other work in between belongs to the page."""
    log = events_at(
        (0, OPEN),
        (2, viewed(3, rank=1)),
        (10, cited(3)),
        (12, viewed(4, "next")),
        (112, viewed(3, "previous")),
        (115, SUBMIT),
        (900, ev.Reopened()),
    )
    looks = dwell(log, 60)
    assert [(look.page, look.seq, look.via, look.rank, look.dwell_ms) for look in looks] == [
        (3, 2, "result", 1, 10_000),
        (4, 4, "next", None, 60_000),
        (3, 5, "previous", None, 3_000),
    ]


def test_dwell_caps_each_gap_of_a_look() -> None:
    """Ten minutes on a page with a sign of life each 50 s are ten minutes, not one cap."""
    steps = [(0.0, viewed(3))] + [(50.0 * n, EDIT) for n in range(1, 13)]
    assert [look.dwell_ms for look in dwell(events_at(*steps), 60)] == [600_000]


def test_focus_events_end_a_look_and_its_return_begins_another() -> None:
    """A page under a hidden tab or the open guidelines is not looked at."""
    log = events_at(
        (0, viewed(3, rank=2)),
        (10, ev.TabHidden()),
        (40, ev.TabShown()),
        (45, ev.GuidelinesOpened()),
        (55, ev.GuidelinesClosed()),
        (57, ev.Paused()),
        (100, ev.Resumed()),
        (101, EDIT),
    )
    looks = dwell(log, 60)
    assert [(look.seq, look.via, look.dwell_ms) for look in looks] == [
        (1, "result", 10_000),
        (3, "restored", 5_000),
        (5, "restored", 2_000),
        (7, "restored", 1_000),
    ]
    assert {(look.page, look.rank, look.search_id) for look in looks} == {(3, 2, "s1")}


def test_a_reload_ends_a_look() -> None:
    """After ``opened`` the viewer itself says which page it shows."""
    log = events_at((0, viewed(3)), (5, OPEN), (9, viewed(3, "restored")), (10, EDIT))
    assert [look.dwell_ms for look in dwell(log)] == [5_000, 1_000]


@pytest.mark.parametrize("cap", [0, -1, float("nan")])
def test_a_cap_must_be_positive(cap: float) -> None:
    """A cap that would make every time zero is an error, not a result."""
    with pytest.raises(ValueError, match="idle cap"):
        active_ms([], cap)
    with pytest.raises(ValueError, match="idle cap"):
        dwell([], cap)


ANY = st.sampled_from(
    [
        OPEN,
        EDIT,
        SUBMIT,
        viewed(3),
        viewed(4, "next"),
        cited(3),
        searched(),
        ev.Paused(),
        ev.Resumed(),
        ev.TabHidden(),
        ev.TabShown(),
        ev.Reconnected(offline_ms=5),
        ev.GuidelinesOpened(),
        ev.GuidelinesClosed(),
        ev.Skipped(reason="x"),
        ev.Reopened(),
        ev.BatchClosed(),
    ]
)
LOGS = st.lists(st.tuples(st.integers(0, 300), ANY), max_size=25).map(
    lambda steps: events_at(
        *((sum(gap for gap, _ in steps[: n + 1]), payload) for n, (_, payload) in enumerate(steps))
    )
)


@given(LOGS)
def test_the_parts_make_the_whole(log: list[ev.Event]) -> None:
    """work + paused + hidden + submitted = wall = last less first, to the millisecond."""
    times = timing(log)
    parts = times.work_ms + times.paused_ms + times.hidden_ms + times.handed_in_ms
    assert parts == times.wall_ms == wall_ms(log)
    assert times.wall_ms == (log[-1].elapsed_ms - log[0].elapsed_ms if log else 0)


@given(LOGS)
def test_active_time_grows_with_the_cap_up_to_work(log: list[ev.Event]) -> None:
    """Active is monotone in the cap and never more than working time."""
    times = timing(log)
    values = [active_ms(log, cap) for cap in (1, 60, 100, 120, 1e6)]
    assert values == sorted(values)
    assert values[-1] == times.work_ms <= times.wall_ms
    assert [times.active_ms[cap] for cap in (60, 100, 120)] == values[1:4]


@given(LOGS, st.data())
def test_active_time_is_additive(log: list[ev.Event], data: st.DataObject) -> None:
    """Later events never change the time that was counted before them."""
    cut = data.draw(st.integers(0, len(log)))
    later = [gap.active_ms(60_000) for gap in gaps(log)][max(0, cut - 1) :]
    assert active_ms(log[:cut], 60) + sum(later) == active_ms(log, 60)


@given(LOGS)
def test_looks_never_exceed_active_time(log: list[ev.Event]) -> None:
    """Dwell is a share of active time; each page view has exactly one look of its own."""
    looks = dwell(log, 60)
    assert sum(look.dwell_ms for look in looks) <= active_ms(log, 60)
    assert all(look.dwell_ms >= 0 for look in looks)
    views = [e.seq for e in log if isinstance(e.payload, ev.PageViewed)]
    assert [look.seq for look in looks if look.seq in views] == views
