"""Types and formats of questions are drawn in the proportions of the campaign."""

from __future__ import annotations

from collections import Counter

from pagetrail.annotation.tasks.drawn_requests import draw_requests, drawn_options

WEIGHTS = {"extractive": 2.0, "boolean": 1.0, "numerical": 1.0}
KEYS = [f"q{number}" for number in range(20)]


def test_quotas_are_met_and_the_draw_can_be_repeated() -> None:
    """Twice as many of double weight; the order of the keys does not matter, the seed does."""
    options = draw_requests(KEYS, "query_type", WEIGHTS, [], 7)
    assert Counter(options.values()) == {"extractive": 10, "boolean": 5, "numerical": 5}
    assert options == draw_requests(KEYS[::-1], "query_type", WEIGHTS, [], 7)
    assert options != draw_requests(KEYS, "query_type", WEIGHTS, [], 8)
    assert options != draw_requests(KEYS, "other", WEIGHTS, [], 7), "fields are independent"


def test_later_tasks_continue_the_quota() -> None:
    """What was drawn before counts, so that the campaign as a whole keeps the proportions."""
    first = draw_requests(KEYS[:3], "query_type", WEIGHTS, [], 7)
    later = draw_requests(KEYS[3:8], "query_type", WEIGHTS, first.values(), 7)
    counts = Counter([*first.values(), *later.values()])
    assert counts == {"extractive": 4, "boolean": 2, "numerical": 2}


def test_only_what_was_drawn_is_listed() -> None:
    """A given value is the brief's own."""
    record = {"query_type": "boolean", "query_format": "keyword", "drawn": ["query_type"]}
    assert drawn_options(record) == {"query_type": "boolean"}
    assert drawn_options({"query_type": "boolean"}) == {}
    assert drawn_options({"drawn": "query_type"}) == {}
