"""What the results page is made of: labels that stay text, the cache, and what to do next."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from app.literal import literal
from app.results_cache import ReportCache
from app.results_empty import what_to_do
from exports.reports.model import Report
from storage.campaign_state import CampaignState


def report(title: str = "Some") -> Report:
    """An empty report."""
    return Report(
        kind="agreement",
        title=title,
        campaign="Otters",
        protocol="search",
        facts={},
        choices={},
        sections=[],
    )


def state(**changes: object) -> CampaignState:
    """A campaign on which two people have worked on two tasks."""
    values: dict[str, object] = {
        "protocol": "search",
        "events": 12,
        "tasks": 2,
        "attempts": 4,
        "submitted": 4,
        "people": 2,
        "shared": 2,
        "systems": (),
    }
    return CampaignState(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Transport", "Transport"),
        ("**bold** [x](javascript:alert(1))", None),
        ("<script>alert(1)</script>", None),
        (":material/home: :red[x] $x^2$ `code`", None),
        ("a\n# heading\n\n* item", "a # heading \\* item"),
        ("# heading", "\\# heading"),
        ("- item", "\\- item"),
        ("12. item", "12\\. item"),
        ("1) item, 3.5 (b); what?", "1\\) item, 3.5 (b); what?"),
    ],
)
def test_no_sign_keeps_its_meaning(text: str, shown: str | None) -> None:
    """Every sign of Markdown is escaped, lines are joined, and nothing but signs is added."""
    made = literal(text)
    if shown is not None:
        assert made == shown
        return
    plain = made.replace("\\", "").replace("\u2060", "")
    assert plain == " ".join(text.replace("\\", "").split())
    for place, sign in enumerate(made):
        if sign in "*_[]<>`$":
            assert made[place - 1] == "\\", made
    assert "\n" not in made


def test_directives_and_addresses_are_broken_up() -> None:
    """What the client replaces after escapes are gone has an invisible joiner in it."""
    assert ":\u2060" in literal("see :tada:")
    assert "www\u2060" in literal("www.example.org")
    assert "://" not in literal("https://example.org")


def test_a_report_is_computed_once() -> None:
    """The second who asks gets the same object; another key is another report."""
    cache = ReportCache()
    made = report()
    assert not cache.holds("a")
    assert cache.get("a", lambda: made) is made
    assert cache.holds("a")
    assert cache.get("a", lambda: pytest.fail("computed twice")) is made
    assert cache.get("b", lambda: report("Other")).title == "Other"


def test_two_at_once_compute_it_once() -> None:
    """Sessions that want the same at the same moment wait for one computation."""
    cache = ReportCache()
    together = Barrier(2, timeout=10)
    computed: list[Report] = []
    got: list[Report] = []

    def compute() -> Report:
        computed.append(report())
        return computed[-1]

    def session() -> None:
        together.wait()
        got.append(cache.get("key", compute))

    threads = [Thread(target=session) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(computed) == 1
    assert got == [computed[0]] * 2


def test_the_oldest_report_is_dropped() -> None:
    """No more than the size are kept; what was looked at lately stays."""
    cache = ReportCache(size=2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, report)
    assert [cache.holds(key) for key in "abc"] == [True, False, True]


def test_a_failure_is_not_kept() -> None:
    """After an error the next one who asks gets a new try."""
    cache = ReportCache()

    def fail() -> Report:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get("a", fail)
    assert not cache.holds("a")
    made = report()
    assert cache.get("a", lambda: made) is made


@pytest.mark.parametrize(
    ("changes", "agreement", "says"),
    [
        ({}, True, None),
        ({}, False, None),
        ({"shared": 0}, True, "by two people"),
        ({"shared": 0}, False, None),
        ({"people": 1, "shared": 0}, True, "Only one person"),
        ({"submitted": 0, "people": 0, "shared": 0}, True, "No person has handed"),
        ({"submitted": 0, "people": 0, "shared": 0}, False, "Nothing has been handed in"),
        ({"submitted": 0, "people": 0, "attempts": 0}, False, "Nobody has begun"),
        ({"submitted": 0, "people": 0, "systems": ("agent",)}, False, None),
    ],
)
def test_what_to_do_next(changes: dict[str, object], agreement: bool, says: str | None) -> None:
    """Where there is nothing to show, a sentence says what is missing; otherwise nothing."""
    advice = what_to_do(state(**changes), agreement=agreement)
    assert (advice is None) if says is None else (advice is not None and says in advice)
