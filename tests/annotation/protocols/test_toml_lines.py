"""Lines of TOML keys, on the presets and on what TOML allows."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from pagetrail.annotation.protocols.protocol import preset_names
from pagetrail.annotation.protocols.toml_lines import line_of, lines

TEXT = '''# a protocol
name = "x" # not "y" = 3
title = """
[not.a.header]
name = 'neither'
"""
search.top_k = 5
"quoted key" = 1

[boxes]
enabled = true
labels = [
    { name = "Text", help = "a ] and a }" }, # first
    # between
    { name = 'Table' }, { name = "Chart" },
]

[[fields]]
name = "one"
when = { field = "zero", values = ["a",
    "b"] }
[[fields.options]]
value = "p"
[[fields.options]]
value = "q"

[[fields]]
name = "two"
[[fields.options]]
value = "r"
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("title",), 3),
        (("search", "top_k"), 7),
        (("search",), 7),
        (("quoted key",), 8),
        (("boxes",), 10),
        (("boxes", "labels"), 12),
        (("boxes", "labels", 0, "help"), 13),
        (("boxes", "labels", 1), 15),
        (("boxes", "labels", 2, "name"), 15),
        (("fields", 0), 18),
        (("fields", 0, "when", "values", 1), 21),
        (("fields", 0, "options", 1, "value"), 25),
        (("fields", 1, "name"), 28),
        (("fields", 1, "options", 0, "value"), 30),
    ],
)
def test_each_key_has_its_line(path: tuple[str | int, ...], line: int) -> None:
    """Dotted keys, inline tables, arrays over several lines, strings that look like TOML."""
    tomllib.loads(TEXT)
    assert lines(TEXT)[path] == line


def test_a_missing_key_stands_where_it_should_be() -> None:
    """The nearest thing around it; nothing for a text without it."""
    key_lines = lines(TEXT)
    assert line_of(key_lines, ("fields", 1, "label")) == 27
    assert line_of(key_lines, ("nothing", "at", "all")) is None
    assert lines("") == {}


def _paths(node: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    entries = node.items() if isinstance(node, dict) else enumerate(node)
    paths = []
    for key, value in entries:
        paths.append((*path, key))
        if isinstance(value, dict | list):
            paths += _paths(value, (*path, key))
    return paths


@pytest.mark.parametrize("name", preset_names())
def test_every_key_of_every_preset_is_found_on_its_line(name: str) -> None:
    """What the parser reads is what has a line, and the line holds the key or the value."""
    text = (files("pagetrail.annotation.protocols") / "presets" / f"{name}.toml").read_text(
        encoding="utf-8"
    )
    key_lines, rows = lines(text), text.splitlines()
    for path in _paths(tomllib.loads(text)):
        line = rows[key_lines[path] - 1]
        if isinstance(path[-1], str):
            assert path[-1] in line, (path, line)
