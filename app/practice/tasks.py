"""The shipped practice tasks, one of each preset."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import preset

EDITION_FILE = "edition"
_TASKS = Path(__file__).with_name("tasks.json")
_DOCUMENTS = Path(__file__).parents[1] / "demo" / "files"
_NAMES = ("brochure-martlet-cargo-bicycles-2025.pdf", "minutes-town-centre-committee-2025-01.pdf")


@cache
def practice_tasks() -> dict[str, dict[str, Any]]:
    """Preset → the record of its practice task, with gold and the reasons of the feedback."""
    tasks: dict[str, dict[str, Any]] = json.loads(_TASKS.read_text(encoding="utf-8"))
    return tasks


def practice_documents() -> list[Path]:
    """The documents of the tasks."""
    return [_DOCUMENTS / name for name in _NAMES]


def campaign_name(name: str) -> str:
    """Name of a preset's campaign in the practice workspace."""
    return gettext("Practice: {title}", title=preset(name).title)


@cache
def practice_edition() -> str:
    """Hash of the tasks; a practice workspace of another edition is replaced."""
    return sha256(_TASKS.read_bytes()).hexdigest()
