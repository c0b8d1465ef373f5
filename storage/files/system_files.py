"""Files that macOS and Windows leave in folders and archives, which nobody means to give."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath

_FOLDER = "__macosx"
_NAMES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


def is_system_file(path: PurePath | str) -> bool:
    """Whether a file below a given folder, or a member of an archive, was made by the system.

    Args:
        path: relative to the folder or archive; a member's may have backslashes.
    """
    path = PurePosixPath(path.replace("\\", "/")) if isinstance(path, str) else path
    *folders, name = (part.lower() for part in path.parts or ("",))
    return name.startswith("._") or name in _NAMES or _FOLDER in folders
