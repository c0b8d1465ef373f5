"""A protocol in TOML holds up nobody: neither the server nor the command that checks it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import ProtocolError
from pagetrail.annotation.protocols.lint import lint
from pagetrail.annotation.protocols.protocol import parse, preset_names
from pagetrail.annotation.protocols.toml_text import MAX_CHARS, MAX_KEYS, TomlError, read_toml
from pagetrail.app.admin.campaigns.protocol_choice import preset_toml
from pagetrail.app.cli.main import app

DOTTED = '"a"' + ".a" * 49_990 + " = 1"
"""``tomllib`` takes 26 s for it."""

HOSTILE = {
    "a dotted key": (DOTTED, "nested deeper than the 16 levels"),
    "quoted parts": ("a" + ' . "a"' * 15_000 + " = 1", "nested deeper"),
    "a header": ("[" + "a." * 40_000 + "a]", "nested deeper"),
    "headers of tables": ("[[" + "a." * 40_000 + "a]]", "nested deeper"),
    "lists": ("a = " + "[" * 45_000 + "]" * 45_000, "nested deeper"),
    "tables": ("a = " + "{a=" * 30_000, "nested deeper"),
    "behind a text": ('t = """\n"" \\""" ""[[[["""\nx' + ".a" * 40_000 + " = 1", "nested deeper"),
    "behind a literal": ("t = '''\n'' [['''\nx" + ".a" * 40_000 + " = 1", "nested deeper"),
    "many keys": ("".join(f"a{n}=1\n" for n in range(10_000)), "more than the 5,000 keys"),
    "many keys of one table": (
        "a={" + ",".join(f"b{n}=1" for n in range(9_000)) + "}",
        "more than the 5,000 keys",
    ),
    "many lists": ("a=[" + "[]," * 30_000 + "]", "more than the 5,000 keys"),
    "digits": ("a = " + "1" * 90_000, "a number has too many digits"),
    "length": ("#" * (MAX_CHARS + 1), "more than the 100,000 characters"),
    "an open text": ('a = "' + "\\\\" * 45_000, "is not TOML"),
    "an open long text": ('a = """' + '""x' * 30_000, "is not TOML"),
    "unknown keys": (
        "".join(f"titel{n}=1\n" for n in range(MAX_KEYS - 1)),
        "there is no such key",
    ),
    "a long unknown key": ("search_" * 14_000 + "=1", "there is no such key"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_expensive_protocol_is_refused_by_its_shape(name: str, tmp_path: Path) -> None:
    """In the check of the screen, of the command, and where a protocol is used: a typed problem,
    without any wait; a generous limit of time stands for the seconds and minutes it took."""
    text, reason = HOSTILE[name]
    started = time.process_time()
    assert any(reason in problem.message for problem in lint(text))
    with pytest.raises(ProtocolError):
        parse(text, source="mine.toml")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["protocol", "check", str(path)])
    assert result.exit_code == 1
    assert "mine.toml" in result.output
    assert time.process_time() - started < 20


def test_the_line_is_named() -> None:
    """Of the place that is too deep."""
    with pytest.raises(TomlError) as caught:
        read_toml("a = 1\nb = '''\n\n'''\nc = " + "[" * 20)
    assert caught.value.line == 5


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_far_from_the_limits(name: str) -> None:
    """Ten of them in one file would still be read."""
    text = preset_toml(name)
    assert len(text) < MAX_CHARS / 10
    assert text.count("=") < MAX_KEYS / 10
    assert lint(text) == []


def test_no_screen_reads_a_protocol_in_the_servers_process() -> None:
    """Only the function that runs in a worker process does, and commands."""
    reading = re.compile(
        r"protocols\.lint import .*\blint\b|protocols\.protocol import .*\bparse\b"
    )
    folder = Path(__file__).parents[2] / "app"
    readers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if reading.search(path.read_text(encoding="utf-8"))
    }
    assert readers == {"admin/campaigns/protocol_computation.py"}
