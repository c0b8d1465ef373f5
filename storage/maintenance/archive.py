"""Format of a backup: an uncompressed tar archive that starts with its manifest."""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.storage.database.location import DATABASE_NAME

FORMAT = "pagetrail-backup"
VERSION = 1
MANIFEST = "manifest.json"
_NAME = rf"^(?:{re.escape(DATABASE_NAME)}|corpus/[0-9a-f]{{64}}\.pdf)$"

Progress = Callable[[int, int], None]
"""Called with the bytes done and their total."""


class BackupFile(BaseModel):
    """A file of a backup: its path in the workspace, its size in bytes and its SHA-256."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    path: str = Field(pattern=_NAME)
    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Manifest(BaseModel):
    """The first member of a backup: its table of contents."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    format: str = Field(pattern=f"^{FORMAT}$")
    version: int = Field(ge=1, le=VERSION)
    created_at: str
    workspace_id: str
    events: int = Field(ge=0)
    documents: int = Field(ge=0)
    files: list[BackupFile]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


class HashingFile(io.RawIOBase):
    """Hashes the bytes read from or written to a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def write(self, data: Any, /) -> int:
        self._hash.update(data)
        return self._file.write(data)

    def hexdigest(self) -> str:
        """The SHA-256 so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()


def open_private(path: str, flags: int) -> int:
    """``opener`` for files that only their owner may read."""
    return os.open(path, flags, 0o600)


def sync_folder(folder: Path) -> None:
    """Sync the folder, so that a new name in it survives a power cut."""
    descriptor = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
