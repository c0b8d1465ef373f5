"""What the results page is made of: labels that stay text, and what to do next."""

from __future__ import annotations

import pytest

from pagetrail.app.results.empty_results import next_step
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.model import Report
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
    ("text", "expected"),
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
def test_no_markdown_character_keeps_its_meaning(text: str, expected: str | None) -> None:
    """Every sign of Markdown is escaped, lines are joined, and nothing but signs is added."""
    escaped = literal(text)
    if expected is not None:
        assert escaped == expected
        return
    plain = escaped.replace("\\", "").replace("\u2060", "")
    assert plain == " ".join(text.replace("\\", "").split())
    for position, sign in enumerate(escaped):
        if sign in "*_[]<>`$":
            assert escaped[position - 1] == "\\", escaped
    assert "\n" not in escaped


def test_directives_and_addresses_are_broken_up() -> None:
    """What the client replaces after escapes are gone has an invisible joiner in it."""
    assert ":\u2060" in literal("see :tada:")
    assert "www\u2060" in literal("www.example.org")
    assert "://" not in literal("https://example.org")


@pytest.mark.parametrize(
    ("changes", "agreement", "expected_advice"),
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
def test_what_to_do_next(
    changes: dict[str, object], agreement: bool, expected_advice: str | None
) -> None:
    """Where there is nothing to show, a sentence says what is missing; otherwise nothing."""
    advice = next_step(state(**changes), agreement=agreement)
    assert (
        (advice is None)
        if expected_advice is None
        else (advice is not None and expected_advice in advice)
    )
