"""Generated files: schema of events, the browser's types, tables of pages, message catalogue."""

from __future__ import annotations

from scripts.check_english import ROOT
from scripts.generate import outdated


def test_every_generated_file_is_current() -> None:
    """What is committed is what the code says."""
    files = [path.relative_to(ROOT).as_posix() for path in outdated()]
    assert not files, "run `.venv/bin/python -m scripts.generate` and commit what it writes"
