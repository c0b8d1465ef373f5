"""What imported runs were read from: the row or sample of the file, kept beside the attempt.

Compressed, under its SHA-256, in the database, so that backups and moves have it. Several attempts
may share one content, such as the header of a log.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from pagetrail.annotation.errors import StorageError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import in_list, insert_into
from pagetrail.storage.database.tables import OriginalContent, RunOriginal

Part = Literal["row", "header"]
"""The row or sample itself; what a log says of all its samples."""

_LEVEL = 6


class Original(NamedTuple):
    """A part of what an attempt was read from."""

    part: Part
    data: bytes

    @property
    def sha256(self) -> str:
        """Under which it is stored."""
        return hashlib.sha256(self.data).hexdigest()


class OriginalCheck(NamedTuple):
    """What ``check_originals`` found.

    Attributes:
        contents: that are stored, each once.
        deleted: parts of withdrawn runs whose content was deleted.
        problems: sentences.
    """

    contents: int
    deleted: int
    problems: list[str]


def store_originals(engine: Engine, attempt_id: str, originals: Sequence[Original]) -> None:
    """Keep what an attempt was read from, unless it is stored or was deleted on purpose."""
    if not originals:
        return
    with write_transaction(engine) as connection:
        for original in originals:
            stored_parts = connection.execute(
                select(RunOriginal.id).where(
                    RunOriginal.attempt_id == attempt_id,
                    RunOriginal.part == original.part,
                )
            ).first()
            if stored_parts is not None:
                continue
            insertion = insert_into(connection, OriginalContent).values(
                sha256=original.sha256,
                size=len(original.data),
                content=zlib.compress(original.data, _LEVEL),
            )
            connection.execute(insertion.on_conflict_do_nothing(index_elements=["sha256"]))
            connection.execute(
                insert(RunOriginal).values(
                    attempt_id=attempt_id, part=original.part, sha256=original.sha256
                )
            )


def originals_of(connection: Connection, attempt_id: str) -> list[Original]:
    """What an attempt was read from; nothing where it was deleted, or imported before it was kept.

    Raises:
        StorageError: a content is damaged.
    """
    rows = connection.execute(
        select(RunOriginal.part, OriginalContent)
        .join(OriginalContent, OriginalContent.sha256 == RunOriginal.sha256)
        .where(RunOriginal.attempt_id == attempt_id)
        .order_by(RunOriginal.part)
    )
    return [Original(row.part, _unpacked(row.sha256, row.size, row.content)) for row in rows]


def delete_originals(connection: Connection, attempts: Sequence[str], at: str) -> int:
    """Delete what these attempts were read from; contents that others share stay.

    Returns:
        How many parts were deleted.
    """
    is_of_attempts = in_list(RunOriginal.attempt_id, attempts)
    deletion = update(RunOriginal).where(is_of_attempts, RunOriginal.deleted_at.is_(None))
    count = connection.execute(deletion.values(deleted_at=at)).rowcount
    used = select(RunOriginal.sha256).where(RunOriginal.deleted_at.is_(None))
    connection.execute(delete(OriginalContent).where(OriginalContent.sha256.not_in(used)))
    return count


def check_originals(connection: Connection) -> OriginalCheck:
    """Whether every original is there and is what was stored."""
    problems = [f"{problem} Restore a backup." for problem in _damaged(connection)]
    missing = connection.execute(
        select(RunOriginal.attempt_id)
        .outerjoin(OriginalContent, OriginalContent.sha256 == RunOriginal.sha256)
        .where(RunOriginal.deleted_at.is_(None), OriginalContent.sha256.is_(None))
        .order_by(RunOriginal.attempt_id)
    ).scalars()
    problems += [
        f"What attempt {attempt} was read from is missing. Restore a backup." for attempt in missing
    ]
    count = connection.execute(select(func.count()).select_from(OriginalContent)).scalar_one()
    deleted = connection.execute(
        select(func.count()).where(RunOriginal.deleted_at.is_not(None))
    ).scalar_one()
    return OriginalCheck(count, deleted, problems)


def _damaged(connection: Connection) -> Iterator[str]:
    rows = connection.execution_options(yield_per=10).execute(
        select(OriginalContent).order_by(OriginalContent.sha256)
    )
    for row in rows:
        try:
            _unpacked(row.sha256, row.size, row.content)
        except StorageError as error:
            yield error.message


def _unpacked(sha256: str, size: int, content: bytes) -> bytes:
    """The bytes; never more than ``size``, whatever the content would unpack to."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(content, size + 1)
    except zlib.error:
        data = b""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise StorageError(f"The original {sha256[:12]}… of an imported run is damaged.")
    return data
