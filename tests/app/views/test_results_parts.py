"""What the results page is made of: labels that stay text, the cache, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any, cast

import pytest

from pagetrail.app.results import report_computation as results_compute
from pagetrail.app.results.empty_results import what_to_do
from pagetrail.app.results.report_computation import Wanted, _build
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.model import Report
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import CampaignState


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


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Report]]:
    """The reports that were computed, and not taken from the cache."""
    made: list[Report] = []

    def compute(_source: object, by: str | None) -> Report:
        if by == "fails":
            raise ValueError("no")
        made.append(report(by or "Some"))
        return made[-1]

    monkeypatch.setattr(results_compute, "opened", lambda *_, **__: nullcontext())
    monkeypatch.setattr(results_compute, "agreement", compute)
    _build.cache_clear()
    yield made
    _build.cache_clear()


def report_by(by: str) -> Report:
    """The report of that breakdown, from the cache or computed."""
    wanted = Wanted(Path("ws"), "Otters", (1,), agreement=True, by=by)
    return _build(cast("Workspace", None), wanted, None)


def test_a_report_is_computed_once(computed: list[Report]) -> None:
    """The second who asks gets the same object; another key is another report."""
    made = report_by("a")
    assert report_by("a") is made
    assert computed == [made]
    assert report_by("b").title == "b"


def test_two_at_once_compute_it_once(
    computed: list[Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions that want the same at the same moment wait for one computation."""
    together = Barrier(2, timeout=10)
    begun = Event()
    quick = results_compute.agreement

    def slow(source: Any, by: str | None) -> Report:
        # The other session has this long to begin a computation of its own.
        begun.wait(0.2)
        begun.set()
        return quick(source, by=by)

    monkeypatch.setattr(results_compute, "agreement", slow)
    got: list[Report] = []

    def session() -> None:
        together.wait()
        got.append(report_by("a"))

    threads = [Thread(target=session) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(computed) == 1
    assert got[0] is got[1] is computed[0]


def test_a_failure_is_not_kept(computed: list[Report], monkeypatch: pytest.MonkeyPatch) -> None:
    """After an error the next one who asks gets a new try."""
    with pytest.raises(ValueError, match="no"):
        report_by("fails")
    monkeypatch.setattr(results_compute, "agreement", lambda _source, by: report(by))
    assert report_by("fails").title == "fails"


@pytest.mark.parametrize(
    ("changes", "agreement", "says"),
    [
        ({}, True, None),
        ({}, False, None),
        ({"shared": 0}, True, "by two people"),
        ({"shared": 0}, False, None),
        ({"people": 1, "shared": 0}, True, "Only one person"),
        ({"submitted": 0, "people": 0, "shared": 0}, True, "No person has submitted"),
        ({"submitted": 0, "people": 0, "shared": 0}, False, "Nothing has been submitted"),
        ({"submitted": 0, "people": 0, "attempts": 0}, False, "This campaign has not started"),
        ({"submitted": 0, "people": 0, "systems": ("agent",)}, False, None),
    ],
)
def test_what_to_do_next(changes: dict[str, object], agreement: bool, says: str | None) -> None:
    """Where there is nothing to show, a sentence says what is missing; otherwise nothing."""
    advice = what_to_do(state(**changes), agreement=agreement)
    assert (advice is None) if says is None else (advice is not None and says in advice)
