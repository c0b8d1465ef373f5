"""The guidelines that come with the presets say what the presets ask."""

from __future__ import annotations

import itertools
import re

import pytest

from pagetrail.annotation.protocols.protocol import (
    campaign_guidelines,
    guidelines,
    preset,
    preset_names,
    with_overrides,
)


@pytest.mark.parametrize("name", preset_names())
def test_every_option_and_key_is_explained(name: str) -> None:
    """What has to be filled in appears in the text: labels, columns, and the keys in code."""
    text, protocol = guidelines(name), preset(name)
    folded = text.casefold()
    assert text.startswith("# How to ")
    for spec in protocol.fields:
        for column in spec.columns:
            assert column.label.casefold() in folded, column.label
        for option in spec.options if spec.required else ():
            assert option.label.casefold() in folded, option.label
            assert option.key is None or f"`{option.key}`" in text, option.key
    if protocol.boxes.enabled:
        keys = list(protocol.boxes.keys().values())
        for label in protocol.boxes.labels:
            assert label.name.casefold() in folded, label.name
        # Either each key or the range of them.
        every = all(f"`{key}`" in text for key in keys)
        assert every or f"`{keys[0]}` to `{keys[-1]}`" in text


@pytest.mark.parametrize("name", preset_names())
def test_guidelines_fit_the_screen(name: str) -> None:
    """Headings in steps, tables with a row of dashes under the head, no HTML, no bare address."""
    text = guidelines(name)
    levels = [len(mark) for mark in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert all(later - before <= 1 for before, later in itertools.pairwise(levels))
    assert not re.search(r"<[a-z/!]|https?://", text)
    for head, dashes in re.findall(r"\n\n(\|.*\|)\n(.*)", text):
        assert re.fullmatch(r"\|(-+\|)+", dashes)
        assert head.count("|") == dashes.count("|")


@pytest.mark.parametrize("name", preset_names())
def test_a_pilot_says_that_it_is_one(name: str) -> None:
    """Only there, and after the preset's own text."""
    plain = campaign_guidelines(preset(name))
    assert plain == guidelines(name)
    assert "pilot" not in plain.casefold()
    pilot = campaign_guidelines(with_overrides(preset(name), {"pilot.enabled": True}))
    assert pilot.startswith(plain)
    assert "## This is a pilot" in pilot


def test_a_protocol_of_ones_own_has_no_guidelines_yet() -> None:
    """Nothing is borrowed from another preset; a pilot of it still says that it is one."""
    protocol = preset("search").model_copy(update={"name": "mine"})
    assert campaign_guidelines(protocol) == ""
    assert campaign_guidelines(with_overrides(protocol, {"pilot.enabled": True})).startswith(
        "## This is"
    )
