"""One server per workspace: a lock held while it runs, released by the system when it ends."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.errors import WorkspaceError

FILE = "serve.lock"


@contextmanager
def serve_lock(workspace: Path, purpose: str) -> Iterator[None]:
    """Hold the workspace for a server or for work that no server may see; kill -9 releases it.

    Args:
        purpose: what holds it, for the message of whoever finds it taken ("a server on port 8501").

    Raises:
        WorkspaceError: another process on this machine holds it.
    """
    with (workspace / FILE).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkspaceError(
                f"{workspace} is in use by {_holder(workspace)}. Stop it first, then try again.",
                code="workspace_in_use",
            ) from None
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "purpose": purpose}))
        file.flush()
        yield


def _holder(workspace: Path) -> str:
    try:
        found = json.loads((workspace / FILE).read_text(encoding="utf-8"))
        return f"{found['purpose']} (process {found['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
