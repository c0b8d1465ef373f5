"""Reads members of zip archives with size limits; sizes stated in the archive are not trusted."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from struct import error as StructError
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, LargeZipFile, ZipFile, ZipInfo

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.files.system_files import is_system_file
from pagetrail.storage.importers.files.rows import refuse

MAX_MEMBERS = 100_000
MAX_MEMBER_BYTES = 256 * 2**20
MAX_TOTAL_BYTES = 8 * 2**30
MAX_RATIO, _SMALL_BYTES = 100, 64 * 2**20
"""Times its own size that an archive may unpack to on disk, beyond a size that does not matter."""
_CHUNK = 4096
"""Bytes unpacked at a time, since a member of a few bytes may expand to gigabytes."""
_METHODS = (ZIP_STORED, ZIP_DEFLATED, 93)
"""Accepted compression; 93 is Zstandard. With others a single chunk may exceed memory."""

DAMAGE_ERRORS: tuple[type[Exception], ...] = (
    BadZipFile,
    LargeZipFile,
    zlib.error,
    StructError,
    EOFError,
    NotImplementedError,
)
"""Raised by the standard library for damaged archives (RuntimeError if password-protected)."""

_READ_ERRORS: tuple[type[Exception], ...] = (
    *DAMAGE_ERRORS,
    ValueError,
    OverflowError,
    RuntimeError,
)


@dataclass(frozen=True)
class Member:
    """A file in an archive.

    Attributes:
        number: 1-based, among the selected members.
        data: content; None if it cannot be read.
        problem: reason why it cannot be read.
    """

    number: int
    name: str
    data: bytes | None
    problem: str = ""


def is_zip(path: Path) -> bool:
    """Whether the file starts like a zip archive."""
    with path.open("rb") as file:
        return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")


def member_names(path: Path) -> list[str]:
    """Names of all members but the system's.

    Raises:
        InputFileError: the archive is damaged.
    """
    with _open_archive(path) as archive:
        return [info.filename for info in _file_entries(path, archive)]


def unpacked_size(path: Path) -> int:
    """Total unpacked size as stated in the archive; 0 if it cannot be read."""
    try:
        with ZipFile(path) as archive:
            return sum(info.file_size for info in archive.infolist())
    except _READ_ERRORS:
        return 0


def read_members(
    path: Path, select: Callable[[str], bool], damage_errors: tuple[type[Exception], ...] = ()
) -> Iterator[Member]:
    """Selected members in archive order; damaged ones come with their problem instead of data.

    A member without a name counts as damaged and is always included.

    Args:
        damage_errors: further exceptions that mean damaged data, such as those of Zstandard.

    Raises:
        InputFileError: the archive as a whole is damaged or too large.
    """
    total_bytes = 0
    with _open_archive(path) as archive:
        infos = [
            info
            for info in _file_entries(path, archive)
            if not info.filename or select(info.filename)
        ]
        for number, info in enumerate(infos, start=1):
            member = _unpack(archive, info, number, damage_errors)
            total_bytes += len(member.data or b"")
            if total_bytes > MAX_TOTAL_BYTES:
                refuse(path, f"holds more than {MAX_TOTAL_BYTES // 2**30} GiB. Split it.")
            yield member


def unpack_members(path: Path, folder: Path, suffixes: tuple[str, ...]) -> None:
    """Write the members with these suffixes below ``folder``, for use in a worker process.

    Of a member's path only its own name and that of its folder are kept, so that no path leads out
    of ``folder``.

    Raises:
        InputFileError: the archive or a member is damaged or too large, or two members would be
            the same file.
    """
    most_bytes = max(_SMALL_BYTES, MAX_RATIO * path.stat().st_size)
    files: set[Path] = set()
    total_bytes = 0
    for member in read_members(path, lambda name: name.lower().endswith(suffixes)):
        parts = PurePosixPath(member.name.replace("\\", "/")).parts[-2:]
        if member.data is None:
            refuse(path, f"{printable(member.name)} {member.problem}. Unpack the archive.")
        if any(part in ("..", "/", ".") for part in parts):
            continue
        total_bytes += len(member.data)
        if total_bytes > most_bytes:
            refuse(path, f"unpacks to more than {MAX_RATIO} times its size. Unpack it yourself.")
        file = folder.joinpath(*parts)
        if file in files:
            name = printable("/".join(parts))
            refuse(path, f"holds several files {name}. Unpack the archive, and keep one of them.")
        files.add(file)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(member.data)


def _open_archive(path: Path) -> ZipFile:
    try:
        return ZipFile(path)
    except (ValueError, OverflowError, RuntimeError) as error:
        refuse(path, f"cannot be unpacked: {error}.")
    except DAMAGE_ERRORS as error:
        refuse(path, f"is a damaged archive: {error}. Copy it again.")


def _file_entries(path: Path, archive: ZipFile) -> list[ZipInfo]:
    # ZipInfo.is_dir raises IndexError on an empty name.
    entries = [
        info
        for info in archive.infolist()
        if not info.filename.endswith("/") and not is_system_file(info.filename)
    ]
    if len(entries) > MAX_MEMBERS:
        refuse(path, f"holds {len(entries):,} files; at most {MAX_MEMBERS:,} are read.")
    return entries


def _unpack(
    archive: ZipFile, info: ZipInfo, number: int, damage_errors: tuple[type[Exception], ...]
) -> Member:
    if not info.filename:
        return Member(number, "(no name)", None, "has no name in the archive")
    if info.compress_type not in _METHODS:
        method = f"compression method {info.compress_type}"
        return Member(number, info.filename, None, f"is packed with {method}, which is not read")
    data = bytearray()
    try:
        with archive.open(info) as file:
            while chunk := file.read(_CHUNK):
                data += chunk
                if len(data) > MAX_MEMBER_BYTES:
                    limit = MAX_MEMBER_BYTES // 2**20
                    return Member(number, info.filename, None, f"is larger than {limit} MiB")
    except RuntimeError as error:
        return Member(number, info.filename, None, f"cannot be unpacked: {error}")
    except DAMAGE_ERRORS + damage_errors + (ValueError, OSError) as error:
        return Member(number, info.filename, None, f"is damaged: {error}")
    return Member(number, info.filename, bytes(data))
