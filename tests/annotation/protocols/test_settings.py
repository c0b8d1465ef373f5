"""The settings that a form offers are the protocol's own, and each can be put back in."""

from __future__ import annotations

import pytest

from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.protocols.settings import settings


@pytest.mark.parametrize("name", preset_names())
def test_every_setting_can_be_given_back(name: str) -> None:
    """All values at once, as a form sends them, make the same protocol again."""
    base = preset(name)
    overrides = {
        setting.key: list(setting.value) if setting.kind == "names" else setting.value
        for setting in settings(base)
    }
    assert with_overrides(base, overrides) == base


def test_kinds_bounds_and_words_are_those_of_the_model() -> None:
    """One of each kind, with what the model says of it."""
    by_key = {setting.key: setting for setting in settings(preset("author"))}
    top_k = by_key["search.top_k"]
    assert (top_k.kind, top_k.low, top_k.high, top_k.group) == ("whole", 1, 100, "search")
    assert top_k.description == "pages per search"
    assert by_key["answer.kind"].options == ("off", "list", "text")
    assert by_key["question.blocking"].kind == "names"
    assert "giveaway" in by_key["question.blocking"].options
    target = by_key["question.multi_hop_target"]
    assert (target.kind, target.optional, target.high) == ("number", True, 1)
    assert (by_key["requires"].kind, by_key["requires"].optional, by_key["requires"].high) == (
        "text",
        True,
        100,
    )
    assert by_key["clock.limit_s"].optional and by_key["clock.limit_s"].low == 10
    assert all(setting.description for setting in by_key.values())


def test_what_has_an_inner_structure_is_left_to_toml() -> None:
    """No setting for lists of tables and conditions; everything else of the protocol has one."""
    keys = {setting.key for setting in settings(preset("relevance"))}
    missing = []
    for name, info in Protocol.model_fields.items():
        if name in keys or any(key.startswith(f"{name}.") for key in keys):
            continue
        missing.append(name)
        assert info is not None
    assert missing == ["name", "ends", "pages_after", "material", "fields"]
    assert not keys & {"boxes.labels", "boxes.when"}
