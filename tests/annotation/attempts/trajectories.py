"""Random trajectories that the recorder accepted, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from tests.support.factory import AttemptDriver, memory_driver, searched

DOCUMENTS = st.sampled_from(["annual report.pdf", "b.pdf", "absent.pdf"])
PAGES = st.integers(1, 13)
TEXTS = st.text(max_size=30)

PAYLOADS: st.SearchStrategy[ev.Payload] = st.one_of(
    st.builds(ev.Opened, session=st.sampled_from(["tab-1", "tab-2"])),
    st.builds(searched, query=TEXTS, n=st.integers(1, 5)),
    st.builds(
        ev.SearchRefused,
        search_id=st.just("s9"),
        query=TEXTS,
        reason=st.just("query_refused"),
        message=TEXTS,
    ),
    st.builds(
        ev.PageViewed, document=DOCUMENTS, page=PAGES, via=st.sampled_from(["next", "result"])
    ),
    st.builds(
        ev.ViewChanged,
        fit=st.sampled_from(["width", "none"]),
        zoom=st.floats(5, 1600),
        rotation=st.sampled_from([0, 90]),
    ),
    st.builds(ev.CitationAdded, document=DOCUMENTS, page=PAGES),
    st.builds(ev.CitationRemoved, document=DOCUMENTS, page=PAGES),
    st.builds(ev.AnswerEdited, text=TEXTS),
    st.builds(ev.NoteEdited, text=TEXTS),
    st.builds(ev.Flagged, comment=TEXTS),
    st.builds(ev.Submitted, outcome=st.sampled_from(["answered", "not_found", "unanswerable"])),
    st.builds(ev.Skipped, reason=st.text(min_size=1, max_size=9)),
    st.sampled_from(
        [
            ev.Unflagged(),
            ev.Paused(),
            ev.Resumed(),
            ev.TabHidden(),
            ev.TabShown(),
            ev.Reconnected(offline_ms=10),
            ev.GuidelinesOpened(),
            ev.GuidelinesClosed(),
            ev.Reopened(),
        ]
    ),
)

STEPS = st.lists(
    st.tuples(PAYLOADS, st.integers(0, 200), st.integers(0, 90_000)), min_size=1, max_size=30
)
"""(payload, seconds since the last step, age in ms); many of them the recorder will refuse."""


def play(steps: list[tuple[ev.Payload, int, int]]) -> AttemptDriver:
    """A driver after these steps, refused ones included."""
    driver = memory_driver()
    for payload, after_s, age_ms in steps:
        driver.do(payload, after_s=after_s, age_ms=age_ms)
    return driver
