"""Conditions of a study: what may differ, and who gets which."""

from __future__ import annotations

from collections import Counter

import pytest

from pagetrail.annotation.errors import ProtocolError
from pagetrail.annotation.protocols.conditions import (
    condition_of,
    drawn_condition,
    setting_name,
    under_condition,
)
from pagetrail.annotation.protocols.protocol import preset, with_overrides

CONDITIONS = {
    "plain": {"search.snippets": False, "clock.limit_s": 60},
    "aided": {"search.snippets": True, "browse": False},
    "c": {},
}
PROTOCOL = with_overrides(preset("search"), {"study.conditions": CONDITIONS})


def test_people_see_their_condition_and_none_of_the_others() -> None:
    """Aids and time differ; the rest, and what is asked, is the campaign's."""
    aided = under_condition(PROTOCOL, setting_name(PROTOCOL.name, "aided"))
    plain = under_condition(PROTOCOL, setting_name(PROTOCOL.name, "plain"))
    assert (aided.search.snippets, aided.browse, aided.clock.limit_s) == (True, False, None)
    assert (plain.search.snippets, plain.browse, plain.clock.limit_s) == (False, True, 60)
    assert aided.study.conditions == plain.study.conditions == {}
    assert aided.answer == plain.answer == PROTOCOL.answer
    assert condition_of("search", "search+aided") == "aided"
    assert condition_of("search", "search") is None
    assert under_condition(preset("search"), "search") == preset("search")


def test_nobody_at_work_sees_which_systems_there_are() -> None:
    """The families of systems by which suspect gold is found; the other rules of review stay."""
    settings = {"review.families": {"small": ["secret-system-1*"]}, "review.check_share": 0.5}
    protocol = under_condition(with_overrides(preset("judge"), settings), "judge")
    assert "secret-system" not in protocol.model_dump_json()
    assert protocol.review.check_share == 0.5


def test_numbers_differ_by_one_at_most() -> None:
    """Whoever comes gets one that the fewest people have, and not always the first."""
    people: Counter[str] = Counter()
    order = []
    for number in range(60):
        condition = drawn_condition(PROTOCOL, people, "campaign", f"person {number}")
        assert condition is not None
        people[condition] += 1
        order.append(condition)
        numbers = [people[name] for name in CONDITIONS]
        assert max(numbers) - min(numbers) <= 1
    rounds = {tuple(order[start : start + 3]) for start in range(0, 60, 3)}
    assert len(rounds) > 3
    assert drawn_condition(preset("search"), {}, "campaign", "person") is None


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"one": {}}, "one condition alone"),
        ({"a": {"answer.kind": "off"}, "b": {}}, "'answer.kind' cannot differ"),
        ({"a": {"search.nothing": True}, "b": {}}, "'search.nothing' cannot differ"),
        ({"a": {"search.top_k": 0}, "b": {}}, "'search.top_k' must be at least 1, not 0"),
        ({"a": {"browse": "maybe"}, "b": {}}, "'browse' cannot differ"),
        ({"a b": {}, "b": {}}, "should match pattern"),
    ],
)
def test_what_cannot_be_a_condition(conditions: dict[str, object], message: str) -> None:
    """The message names the condition and the setting."""
    with pytest.raises(ProtocolError, match=message):
        with_overrides(preset("search"), {"study.conditions": conditions})
