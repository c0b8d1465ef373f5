"""Names of uploaded files, as they are written to disk."""

from __future__ import annotations

from pathlib import Path

from pagetrail.storage.database.storable_text import printable

_LONGEST_NAME = 120


def safe_name(name: str) -> str:
    """A file's name without folders and control characters, short enough for any disk."""
    plain = Path(printable(name).replace("\\", "/")).name or "file"
    stem, suffix = Path(plain).stem, Path(plain).suffix
    while len(f"{stem}{suffix}".encode()) > _LONGEST_NAME and len(stem) > 1:
        stem = stem[:-1]
    return f"{stem}{suffix}"
