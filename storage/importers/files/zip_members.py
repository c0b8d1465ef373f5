"""Members of a zip archive, each within limits: what an archive says of itself is not believed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import error as StructError
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, LargeZipFile, ZipFile, ZipInfo

from pagetrail.storage.importers.files.rows import refuse

MAX_MEMBERS = 100_000
MAX_MEMBER_BYTES = 256 * 2**20
MAX_TOTAL_BYTES = 8 * 2**30
_CHUNK = 4096
"""Unpacked bit by bit: a member of a few bytes may hold gigabytes."""
_METHODS = (ZIP_STORED, ZIP_DEFLATED, 93)
"""The last is Zstandard. Of others, a chunk alone may unpack to more than memory holds."""

BROKEN: tuple[type[Exception], ...] = (
    BadZipFile,
    LargeZipFile,
    zlib.error,
    StructError,
    EOFError,
    NotImplementedError,
)
"""What the standard library raises for a damaged archive; RuntimeError for one with a password."""

_UNREADABLE: tuple[type[Exception], ...] = (*BROKEN, ValueError, OverflowError, RuntimeError)


@dataclass(frozen=True)
class Member:
    """A file of an archive.

    Attributes:
        place: among those that were asked for, from 1.
        data: its bytes; None where they cannot be read.
        problem: why not.
    """

    place: int
    name: str
    data: bytes | None
    problem: str = ""


def is_zip(path: Path) -> bool:
    """Whether the file begins as an archive does."""
    with path.open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def names(path: Path) -> list[str]:
    """The names of all members.

    Raises:
        InputFileError: the archive is damaged.
    """
    with _opened(path) as archive:
        return [info.filename for info in _file_entries(path, archive)]


def unpacked_size(path: Path) -> int:
    """Bytes that the archive's directory claims for all members; 0 where it cannot be read."""
    try:
        with ZipFile(path) as archive:
            return sum(info.file_size for info in archive.infolist())
    except _UNREADABLE:
        return 0


def members(
    path: Path, wanted: Callable[[str], bool], broken: tuple[type[Exception], ...] = ()
) -> Iterator[Member]:
    """The wanted members in the order of the archive; a damaged one is there with its problem.

    A member without a name is damaged, whatever is wanted.

    Args:
        broken: what else is raised for damaged data, by methods of compression from elsewhere.

    Raises:
        InputFileError: the archive as a whole is damaged, or holds too much.
    """
    total = 0
    with _opened(path) as archive:
        infos = [
            info
            for info in _file_entries(path, archive)
            if not info.filename or wanted(info.filename)
        ]
        for place, info in enumerate(infos, start=1):
            member = _unpacked(archive, info, place, broken)
            total += len(member.data or b"")
            if total > MAX_TOTAL_BYTES:
                refuse(path, f"holds more than {MAX_TOTAL_BYTES // 2**30} GiB. Split it.")
            yield member


def _opened(path: Path) -> ZipFile:
    try:
        return ZipFile(path)
    except (ValueError, OverflowError, RuntimeError) as error:
        refuse(path, f"cannot be unpacked: {error}.")
    except BROKEN as error:
        refuse(path, f"is a damaged archive: {error}. Copy it again.")


def _file_entries(path: Path, archive: ZipFile) -> list[ZipInfo]:
    # ZipInfo.is_dir raises IndexError on an empty name.
    found = [info for info in archive.infolist() if not info.filename.endswith("/")]
    if len(found) > MAX_MEMBERS:
        refuse(path, f"holds {len(found):,} files; at most {MAX_MEMBERS:,} are read.")
    return found


def _unpacked(
    archive: ZipFile, info: ZipInfo, place: int, broken: tuple[type[Exception], ...]
) -> Member:
    if not info.filename:
        return Member(place, "(no name)", None, "has no name in the archive")
    if info.compress_type not in _METHODS:
        method = f"compression method {info.compress_type}"
        return Member(place, info.filename, None, f"is packed with {method}, which is not read")
    data = bytearray()
    try:
        with archive.open(info) as file:
            while chunk := file.read(_CHUNK):
                data += chunk
                if len(data) > MAX_MEMBER_BYTES:
                    limit = MAX_MEMBER_BYTES // 2**20
                    return Member(place, info.filename, None, f"is larger than {limit} MiB")
    except RuntimeError as error:
        return Member(place, info.filename, None, f"cannot be unpacked: {error}")
    except BROKEN + broken + (ValueError, OSError) as error:
        return Member(place, info.filename, None, f"is damaged: {error}")
    return Member(place, info.filename, bytes(data))
