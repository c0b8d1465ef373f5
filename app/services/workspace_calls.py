"""Calls functions with the workspace, in a worker process of ``Computations``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.worker_main import call_by_name


def on_workspace(root: Path, function: str, *args: Any) -> Any:
    """Call the function ``"module:function"`` with the opened workspace and the arguments."""
    return call_by_name(function, _opened(root), *args)


@lru_cache(1)
def _opened(root: Path) -> Workspace:
    return Workspace.open(root)
