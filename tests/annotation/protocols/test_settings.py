"""The settings that a form offers are the protocol's own, and each can be put back in."""

from __future__ import annotations

import pytest

from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.protocols.settings import settings


@pytest.mark.parametrize("name", preset_names())
def test_every_setting_can_be_given_back(name: str) -> None:
    """All values at once, as a form sends them, make the same protocol again."""
    base = preset(name)
    given = {
        each.key: list(each.value) if each.kind == "names" else each.value
        for each in settings(base)
    }
    assert with_overrides(base, given) == base


def test_kinds_bounds_and_words_are_those_of_the_model() -> None:
    """One of each kind, with what the model says of it."""
    found = {each.key: each for each in settings(preset("author"))}
    top_k = found["search.top_k"]
    assert (top_k.kind, top_k.low, top_k.high, top_k.group) == ("whole", 1, 100, "search")
    assert top_k.description == "pages per search"
    assert found["answer.kind"].options == ("off", "list", "text")
    assert found["question.blocking"].kind == "names"
    assert "giveaway" in found["question.blocking"].options
    target = found["question.multi_hop_target"]
    assert (target.kind, target.optional, target.high) == ("number", True, 1)
    assert (found["requires"].kind, found["requires"].optional, found["requires"].high) == (
        "text",
        True,
        100,
    )
    assert found["clock.limit_s"].optional and found["clock.limit_s"].low == 10
    assert all(each.description for each in found.values())


def test_what_has_an_inner_structure_is_left_to_toml() -> None:
    """No setting for lists of tables and conditions; everything else of the protocol has one."""
    keys = {each.key for each in settings(preset("relevance"))}
    missing = []
    for name, info in Protocol.model_fields.items():
        if name in keys or any(key.startswith(f"{name}.") for key in keys):
            continue
        missing.append(name)
        assert info is not None
    assert missing == ["name", "ends", "pages_after", "material", "fields"]
    assert not keys & {"boxes.labels", "boxes.when"}
