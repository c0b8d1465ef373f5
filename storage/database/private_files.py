"""Keeping a workspace from the other users of the machine: it holds everybody's work."""

from __future__ import annotations

import logging
import os
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
_OTHERS_MASK = 0o077
_log = logging.getLogger(__name__)


def is_private(root: Path) -> bool:
    """Whether other users are kept out of the folder, and so out of everything in it."""
    return not root.stat().st_mode & _OTHERS_MASK


def make_private(root: Path) -> None:
    """Let only their owner into the folder and everything in it; what links point to stays.

    The folder itself comes last, so that ``is_private`` means that this was completed. Somebody
    else's folder, shared with us on purpose, cannot be changed and stays as it is.
    """
    try:
        for folder, _, files in os.walk(root, topdown=False):
            for name in files:
                _restrict(Path(folder, name), FILE_MODE)
            _restrict(Path(folder), FOLDER_MODE)
    except PermissionError as error:
        _log.warning("other users of this machine may read the workspace: %s", error)


def _restrict(path: Path, mode: int) -> None:
    try:
        if not path.is_symlink():
            path.chmod(mode)
    except FileNotFoundError:
        pass  # a server beside us removed it
