"""The carried box cases, see ``box_cases.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TOLERANCE = 1e-12


def load(kind: str) -> list[dict[str, Any]]:
    """The cases of one kind."""
    path = Path(__file__).with_name("box_cases.json")
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["kind"] == kind]


def shared() -> list[dict[str, Any]] | None:
    """The same file where the shared folder is beside this repository; else None."""
    path = Path(__file__).parents[4] / "shared" / "cases" / "box_cases.json"
    if not path.is_file():
        return None
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return cases
