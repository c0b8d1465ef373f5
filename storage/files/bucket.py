"""Files of a workspace in an S3-compatible bucket, below the prefix of ``PAGETRAIL_FILES_URL``.

Objects are named by the hash of what they hold and appear whole or not at all. Credentials, region
and endpoint are the environment's, as all programs for S3 read them (``AWS_ACCESS_KEY_ID``, …).
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pagetrail.annotation.errors import CorpusError, StorageError, WorkspaceError
from pagetrail.storage.files.location import FILES_URL, root_of

T = TypeVar("T")

_log = logging.getLogger("pagetrail.files")
MARK = "pagetrail.json"
"""The object that says whose files these are."""
UNFINISHED = ".fetching"
"""The end of the names of files that are not fetched yet."""

_PART = 8 << 20
_PARTS_AT_ONCE = 4
_ANSWER_S = 20.0
"""For an answer, or for a part of ``_PART`` bytes."""
_SLOWEST = 256 * 1024
"""Bytes per second below which an upload is given up."""
_LOOK_S = 2.0
_DOWN_FOR_S = 5.0
_MAX_MARK = 10_000


class FilesUnavailable(StorageError):
    """The bucket did not answer, or refused; nothing of what was asked for was stored."""

    code = "files_unavailable"


class FileDamaged(CorpusError):
    """An object is missing in the bucket, or does not hold what its name says."""

    code = "file_damaged"


class Bucket:
    """The objects below one prefix. Thread-safe; every call has a time limit.

    After a call that failed, others are refused at once for five seconds, so that nobody waits in
    turn for a bucket that is away.

    Args:
        address: ``s3://bucket/prefix``.
        workspace_id: whose files these are.

    Raises:
        WorkspaceError: not such an address, or s3fs is not installed.
    """

    def __init__(self, address: str, workspace_id: str) -> None:
        self.address, self._root = root_of(address)
        self._workspace_id = workspace_id
        self._lock = threading.Lock()
        self._opened: tuple[int, Any] | None = None
        self._ours = False
        self._down = (0.0, "")

    def claim(self) -> None:
        """Mark the prefix as this workspace's.

        Raises:
            WorkspaceError: it is another's.
            FilesUnavailable: the bucket does not answer.
        """
        if self._owner(_ANSWER_S) is None:
            mark = json.dumps({"product": "Pagetrail", "workspace_id": self._workspace_id})
            try:
                self._call("_pipe_file", f"{self._root}/{MARK}", mark.encode())
            except FileDamaged:
                raise WorkspaceError(
                    f"There is no bucket for {self.address}. Make it, or name another one."
                ) from None
        self._require_ours()

    def put(self, path: Path, key: str) -> None:
        """Store a file under a key; it is there, whole, when this returns.

        It is tried even where a call has just failed: a moment's trouble costs an ingest one file.

        Raises:
            FilesUnavailable: the bucket does not take it.
                WorkspaceError: the prefix is not this workspace's.
            OSError: the file cannot be read.
        """
        self._down = (0.0, "")
        if not self._ours:
            self._require_ours()
        size = path.stat().st_size
        where = f"{self._root}/{key}"
        limit = _ANSWER_S + size / _SLOWEST
        self._call(
            "_put_file",
            str(path),
            where,
            limit_s=limit,
            chunksize=_PART,
            max_concurrency=_PARTS_AT_ONCE,
        )
        if self._call("_info", where)["size"] != size:
            raise FilesUnavailable(f"{self.address} does not have all of {key}. Try again.")

    def fetch(self, key: str, sha256: str, target: Path) -> None:
        """Write an object to a file, which exists once all of it is there and has that hash.

        Raises:
            FileDamaged: it is missing, or holds something else.
            FilesUnavailable: the bucket does not answer.
            OSError: the file cannot be written.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        name = f".{target.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}"
        unfinished = target.with_name(name)
        digest = hashlib.sha256()
        try:
            with open(unfinished, "wb", opener=_private) as file:
                for part in self.parts(key):
                    digest.update(part)
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            if digest.hexdigest() != sha256:
                raise FileDamaged(
                    f"{self.address}/{key} is not what was stored: its content has another hash."
                )
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)

    def parts(self, key: str) -> Iterator[bytes]:
        """The bytes of an object, some megabytes at a time.

        Raises:
            FileDamaged: it is missing, or ends early.
            FilesUnavailable: the bucket does not answer.
        """
        where = f"{self._root}/{key}"
        size = int(self._call("_info", where)["size"])
        for start in range(0, size, _PART):
            end = min(size, start + _PART)
            part: bytes = self._call("_cat_file", where, start=start, end=end)
            if len(part) != end - start:
                raise FileDamaged(f"{self.address}/{key} ended before its end.")
            yield part

    def keys(self, folder: str) -> dict[str, int]:
        """Sizes of all objects below a folder, by key.

        Raises:
            FilesUnavailable: the bucket does not answer.
        """
        found = self._call(
            "_find", f"{self._root}/{folder}".rstrip("/"), detail=True, limit_s=10 * _ANSWER_S
        )
        start = len(self._root) + 1
        return {name[start:]: int(info["size"]) for name, info in found.items()}

    def remove(self, key: str) -> None:
        """Remove an object, if it is there.

        Raises:
            FilesUnavailable: the bucket does not answer.
        """
        if not self._ours:
            self._require_ours()
        try:
            self._call("_rm_file", f"{self._root}/{key}")
        except FileDamaged:
            return

    def check(self) -> None:
        """Make sure that it answers, with this workspace's files.

        Raises:
            WorkspaceError: the prefix is not this workspace's.
            FilesUnavailable: the bucket does not answer.
        """
        self._require_ours(_LOOK_S)

    def problem(self) -> str | None:
        """Why files can be neither stored nor fetched at the moment, or None."""
        try:
            self.check()
        except (StorageError, WorkspaceError) as error:
            return error.message
        return None

    def _require_ours(self, limit_s: float = _ANSWER_S) -> None:
        owner = self._owner(limit_s)
        if owner is None:
            raise WorkspaceError(
                f"{self.address} has no {MARK}: these are not this workspace's files, or they were "
                f"removed. Nothing was changed; name the right bucket and prefix in {FILES_URL}."
            )
        if owner != self._workspace_id:
            raise WorkspaceError(
                f"{self.address} has the files of another workspace. Nothing was changed; name "
                f"the right bucket and prefix in {FILES_URL}."
            )
        self._ours = True

    def _owner(self, limit_s: float) -> str | None:
        """Whose files these are; None where nobody has claimed the prefix."""
        where = f"{self._root}/{MARK}"
        try:
            mark = json.loads(
                self._call("_cat_file", where, start=0, end=_MAX_MARK, limit_s=limit_s)
            )
            return str(mark["workspace_id"])
        except FileDamaged:
            return None
        except (ValueError, KeyError, TypeError):
            return "nobody that can be read"

    def _call(self, method: str, *args: Any, limit_s: float = _ANSWER_S, **options: Any) -> Any:
        """A method of the file system, within a time limit."""
        until, said = self._down
        if time.monotonic() < until:
            raise FilesUnavailable(said)
        files, run = self._filesystem()
        with self._translated(str(args[-1] if method == "_put_file" else args[0])):
            return run(files.loop, getattr(files, method), *args, timeout=limit_s, **options)

    @contextmanager
    def _translated(self, where: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise FileDamaged(f"s3://{where} is missing.") from error
        except PermissionError as error:
            raise self._away("refuses access: its credentials may be wrong", error) from error
        except TimeoutError as error:
            raise self._away("does not answer in time", error) from error
        except OSError as error:
            raise self._away("failed", error) from error
        except Exception as error:
            # botocore's errors have no base of their own but Exception.
            if not type(error).__module__.startswith(("botocore", "aiobotocore", "aiohttp")):
                raise
            raise self._away("does not answer", error) from error

    def _away(self, what: str, error: BaseException) -> FilesUnavailable:
        _log.warning("%s %s: %r", self.address, what, error)
        said = f"The bucket {self.address} {what}. Try again in a moment."
        self._down = (time.monotonic() + _DOWN_FOR_S, said)
        return FilesUnavailable(said)

    def _filesystem(self) -> tuple[Any, Callable[..., Any]]:
        """The file system of this process, and fsspec's function that waits for its answers."""
        run: Callable[..., Any] = importlib.import_module("fsspec.asyn").sync
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                made = importlib.import_module("s3fs").S3FileSystem(
                    skip_instance_cache=True,
                    use_listings_cache=False,
                    config_kwargs={
                        "connect_timeout": 5,
                        "read_timeout": _ANSWER_S,
                        "retries": {"max_attempts": 1},
                    },
                )
                made.retries = 2
                self._opened = (os.getpid(), made)
            return self._opened[1], run


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
