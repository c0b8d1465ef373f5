"""One key, one meaning: the workspace's keys under every preset, in every mode of the screen."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from pagetrail.annotation.protocols.hot_keys import key_collisions, replaced_keys
from pagetrail.annotation.protocols.key_bindings import (
    SCREEN_KEYS,
    KeyBinding,
    conflicts,
    protocol_conditions,
    workspace_letters,
)
from pagetrail.annotation.protocols.protocol import Protocol, parse, preset, preset_names
from pagetrail.app.components.screen_keys import screen_keys
from tests.contract.test_browser_rules import javascript

SWITCHES = (
    *("paused", "edits", "changes", "review", "page", "given", "drawing", "selected", "held"),
    "patches",
)
CLAIMING = """name = "claiming"
title = "Claims keys of the viewer"
[[fields]]
name = "fits"
label = "Fits"
kind = "choice"
options = [
    { value = "well", label = "Well", key = "W" },
    { value = "not", label = "Not", key = "g" },
]
"""


@pytest.mark.parametrize("screen", SCREEN_KEYS)
def test_no_key_has_two_commands_at_a_time(screen: str) -> None:
    """Bindings of one key have conditions of which only one holds."""
    assert not list(conflicts(SCREEN_KEYS[screen]))


def test_a_key_with_two_commands_is_found() -> None:
    """Also where only one of them minds the Shift key."""
    fit, flag = (
        KeyBinding("Page", "Fit", {"w": "fit"}, ("page",), shift=True),
        KeyBinding("Answer", "Flag", {"w": "flag"}, ("edits",)),
    )
    assert [key for key, *_ in conflicts((fit, flag))] == ["w"]


def modes(protocol: Protocol) -> list[dict[str, Any]]:
    """Every mode of the screen, with what its keys could choose then."""
    modes_of_protocol = []
    for values in product((False, True), repeat=len(SWITCHES)):
        mode: dict[str, Any] = dict(zip(SWITCHES, values, strict=True))
        if mode["held"] > mode["selected"] or mode["changes"] > mode["edits"]:
            continue
        mode |= {"pans": not mode["drawing"], "back": mode["page"], "undoable": True}
        mode["selecting"] = not mode["drawing"] and not mode["patches"]
        mode["proposes"] = mode["selected"] and not protocol.boxes.seed
        is_labelling = mode["page"] and mode["changes"] and (mode["drawing"] or mode["selected"])
        label_keys = protocol.boxes.keys() if protocol.boxes.enabled and is_labelling else {}
        mode["labels"] = [{"key": key, "label": name} for name, key in label_keys.items() if key]
        scopes = {"task"}
        scopes |= {"page"} if mode["page"] else set()
        scopes |= {"box"} if mode["selected"] else set()
        mode["options"] = [
            {
                "spec": {"label": field.label},
                "option": {"label": option.label, "key": option.key},
            }
            for field in protocol.fields
            if field.scope in scopes and mode["edits"]
            for option in field.options
            if option.key
        ]
        modes_of_protocol.append(mode)
    return modes_of_protocol


def tables(
    protocol: Protocol, chosen: dict[str, str] | None = None
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The keys that work in each mode."""
    every = modes(protocol)
    attempt = {
        "keys": screen_keys("Workspace", chosen or {}),
        "conditions": protocol_conditions(protocol),
        "protocol": protocol.model_dump(mode="json"),
        "labelKeys": protocol.boxes.keys(),
    }
    key_tables = javascript("keysIn", {"attempt": attempt, "modes": every})
    return list(zip(every, key_tables, strict=True))


@pytest.mark.parametrize("name", preset_names())
def test_no_key_has_two_meanings_in_any_mode(name: str) -> None:
    """Each key once per mode; digits are options and labels only; a paused task takes one key."""
    screen_letters: set[str] = set()
    for mode, table in tables(preset(name)):
        pressed: set[tuple[str, bool, bool, bool]] = set()
        for entry in table:
            if entry["command"] is None:
                continue
            shifts = (False, True) if entry["shift"] is None else (entry["shift"],)
            for shift in shifts:
                press = (
                    entry["key"].lower(),
                    entry["ctrl"],
                    entry["alt"],
                    shift,
                )
                assert press not in pressed, (mode, entry)
                pressed.add(press)
            chooses_option = entry["command"] == "optionKey"
            assert chooses_option or not entry["key"].isdigit(), entry
            is_letter = entry["key"].isalpha() and len(entry["key"]) == 1
            if not chooses_option and is_letter and not entry["alt"]:
                screen_letters |= {entry["key"]} - ({"z", "y", "d"} if entry["ctrl"] else set())
        if mode["paused"]:
            assert {entry["command"] for entry in table} == {"pause"}
    assert screen_letters == set(workspace_letters(preset(name)))
    assert not list(key_collisions(preset(name)))
    assert not replaced_keys(preset(name))


def test_arrows_turn_pages_until_a_box_is_held() -> None:
    """A selected box moves by keys only once it was chosen on purpose; Enter does that."""
    for mode, table in tables(preset("relevance")):
        does = {
            entry["key"]: entry["command"]
            for entry in table
            if not (entry["ctrl"] or entry["alt"] or entry["shift"])
        }
        if mode["paused"] or not mode["page"]:
            assert "nudge" not in does.values()
            continue
        moves_box = mode["held"] and mode["changes"]
        assert does["ArrowRight"] == ("nudge" if moves_box else "nextPage")
        ready = mode["selected"] and mode["changes"] and not moves_box
        assert (does.get("Enter") == "holdBox") == ready


def test_labels_and_grades_share_digits_only_in_different_modes() -> None:
    """1 grades the page; in box mode, or with a box selected, it labels. 0 always grades."""
    for mode, table in tables(preset("relevance")):
        meanings = {e["key"]: e["label"] for e in table if e["command"] == "optionKey"}
        if mode["paused"] or not mode["page"] or not mode["changes"]:
            continue
        labels = mode["drawing"] or mode["selected"]
        assert meanings["1"].startswith("Label: " if labels else "Relevance")
        assert not meanings["0"].startswith("Label: ")


def test_stored_protocol_may_claim_a_screen_key() -> None:
    """The option's key wins and the viewer's is not offered; only new protocols are refused."""
    protocol = parse(CLAIMING, source="claiming.toml")
    assert [collision.key for collision in key_collisions(protocol)] == [
        "fields.0.options.0.key",
        "fields.0.options.1.key",
    ]
    assert replaced_keys(protocol) == [
        "The key W chooses “Well” in “Fits”, so where it does, it no longer means “Fit width”.",
        "The key g chooses “Not” in “Fits”, so where it does, it no longer means “Go to a page by "
        "number”.",
    ]
    for mode, table in tables(protocol):
        assert not {"fitWidth", "goToPage"} & {entry["command"] for entry in table}
        if mode["edits"] and not mode["paused"]:
            assert {"W", "g"} <= {e["key"] for e in table if e["command"] == "optionKey"}


def test_a_persons_key_gives_way_to_the_protocol() -> None:
    """Where an option has it, the key by default works instead; elsewhere the person's does."""
    chosen = {"Workspace.cite.c": "W", "Workspace.fitWidth.w": "F2"}
    for protocol, key in ((preset("search"), "w"), (parse(CLAIMING, source="own.toml"), "c")):
        cite_keys = {
            entry["key"]
            for _, table in tables(protocol, chosen)
            for entry in table
            if entry["command"] == "cite"
        }
        assert cite_keys <= {key}
    with_cite = {entry["name"] for _, t in tables(preset("search"), chosen) for entry in t}
    assert {"w", "F2"} <= with_cite
