"""``tests/long_tests.txt`` names tests that exist."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_entry_is_there() -> None:
    """A renamed test would otherwise run in every change again, without a word."""
    lines = (ROOT / "tests" / "long_tests.txt").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    assert entries == sorted(set(entries))
    for entry in entries:
        path, _, name = entry.partition("::")
        assert (ROOT / path).exists(), entry
        assert f"def {name}(" in (ROOT / path).read_text("utf-8") if name else True, entry
