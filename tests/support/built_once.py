"""Folders that take long to fill: one worker of a run does it, and all of them read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pagetrail.app.demo.build import build_demo
from pagetrail.storage.database.workspace import Workspace

try:
    import fcntl
except ImportError:  # on Windows each worker fills its own
    fcntl = None  # type: ignore[assignment]


def closed(build: Callable[[Path], Workspace]) -> Callable[[Path], None]:
    """The same, with the workspace closed in the end."""

    def built(folder: Path) -> None:
        build(folder).engine.dispose()

    return built


def built_once(
    tmp_path_factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]
) -> Path:
    """The folder of that name; ``build`` fills it when it is first asked for in a run.

    It is read only: whoever writes copies it.
    """
    base = tmp_path_factory.getbasetemp()
    if fcntl is not None and "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # that of all workers
    folder, marker = base / "built" / name, base / "built" / f"{name}.done"
    folder.parent.mkdir(exist_ok=True)
    with marker.with_suffix(".lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not marker.exists():
            folder.mkdir(exist_ok=True)
            build(folder)
            marker.touch()
    return folder


def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo in ``ws``, and in ``steps`` what its build told whoever waits."""

    def build(folder: Path) -> None:
        steps: list[str] = []
        build_demo(folder / "ws", steps.append)
        (folder / "steps").write_text("\n".join(steps), encoding="utf-8")

    return built_once(tmp_path_factory, "demo", build)
