"""Files of a workspace in an S3-compatible bucket, below the prefix of ``PAGETRAIL_FILES_URL``.

Objects are named by the hash of their content and appear complete or not at all. Credentials,
region and endpoint come from the usual environment variables (``AWS_ACCESS_KEY_ID``, …).
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
from typing import Any

from pagetrail.annotation.errors import CorpusError, StorageError, WorkspaceError
from pagetrail.storage.files.location import FILES_URL, parse_address

_log = logging.getLogger("pagetrail.files")
OWNER_KEY = "pagetrail.json"
"""The object that names the workspace that owns the prefix."""
UNFINISHED = ".fetching"
"""Suffix of files that are being downloaded."""

_PART_BYTES = 8 << 20
_CONCURRENT_PARTS = 4
_CALL_LIMIT_S = 20.0
"""Time limit of a call, or of a part of ``_PART_BYTES``."""
_MIN_BYTES_PER_S = 256 * 1024
"""Slower uploads time out."""
_CHECK_LIMIT_S = 2.0
_DOWN_S = 5.0
_MAX_OWNER_BYTES = 10_000


class FilesUnavailable(StorageError):
    """The bucket did not answer, or refused; nothing was stored."""

    code = "files_unavailable"


class FileDamaged(CorpusError):
    """An object is missing in the bucket, or its content has another hash."""

    code = "file_damaged"


class Bucket:
    """The objects below one prefix. Thread-safe; every call has a time limit.

    For five seconds after a failed call, others are refused at once, so that callers do not queue
    for a bucket that is down.

    Args:
        address: ``s3://bucket/prefix``.
        workspace_id: the owner of the files.

    Raises:
        WorkspaceError: the address is invalid, or s3fs is not installed.
    """

    def __init__(self, address: str, workspace_id: str) -> None:
        self.address, self._root = parse_address(address)
        self._workspace_id = workspace_id
        self._lock = threading.Lock()
        self._filesystem_of_process: tuple[int, Any] | None = None
        self._is_owner_checked = False
        self._down_until, self._down_message = 0.0, ""

    def claim(self) -> None:
        """Make this workspace the owner of the prefix.

        Raises:
            WorkspaceError: another workspace owns it.
            FilesUnavailable: the bucket does not answer.
        """
        if self._owner(_CALL_LIMIT_S) is None:
            content = json.dumps({"product": "Pagetrail", "workspace_id": self._workspace_id})
            try:
                self._call("_pipe_file", f"{self._root}/{OWNER_KEY}", content.encode())
            except FileDamaged:
                raise WorkspaceError(
                    f"There is no bucket for {self.address}. Make it, or name another one."
                ) from None
        self._require_owner()

    def upload(self, path: Path, key: str) -> None:
        """Store a file under a key, completely.

        Tried even after a failed call: a short outage costs an ingest one file.

        Raises:
            FilesUnavailable: the bucket does not accept it.
            WorkspaceError: another workspace owns the prefix.
            OSError: the file cannot be read.
        """
        self._down_until, self._down_message = 0.0, ""
        if not self._is_owner_checked:
            self._require_owner()
        size = path.stat().st_size
        object_path = f"{self._root}/{key}"
        limit = _CALL_LIMIT_S + size / _MIN_BYTES_PER_S
        self._call(
            "_put_file",
            str(path),
            object_path,
            limit_s=limit,
            chunksize=_PART_BYTES,
            max_concurrency=_CONCURRENT_PARTS,
        )
        if self._call("_info", object_path)["size"] != size:
            raise FilesUnavailable(f"{self.address} does not have all of {key}. Try again.")

    def fetch(self, key: str, sha256: str, target: Path) -> None:
        """Download an object to a file, which appears once it is complete and has that hash.

        Raises:
            FileDamaged: it is missing, or has other content.
            FilesUnavailable: the bucket does not answer.
            OSError: the file cannot be written.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        name = f".{target.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}"
        unfinished = target.with_name(name)
        digest = hashlib.sha256()
        try:
            with open(unfinished, "wb", opener=_open_private) as file:
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
        """The bytes of an object, in parts of a few megabytes.

        Raises:
            FileDamaged: it is missing, or ends early.
            FilesUnavailable: the bucket does not answer.
        """
        object_path = f"{self._root}/{key}"
        size = int(self._call("_info", object_path)["size"])
        for start in range(0, size, _PART_BYTES):
            end = min(size, start + _PART_BYTES)
            part: bytes = self._call("_cat_file", object_path, start=start, end=end)
            if len(part) != end - start:
                raise FileDamaged(f"{self.address}/{key} ended before its end.")
            yield part

    def keys(self, folder: str) -> dict[str, int]:
        """Sizes of all objects below a folder, by key.

        Raises:
            FilesUnavailable: the bucket does not answer.
        """
        objects = self._call(
            "_find", f"{self._root}/{folder}".rstrip("/"), detail=True, limit_s=10 * _CALL_LIMIT_S
        )
        start = len(self._root) + 1
        return {name[start:]: int(info["size"]) for name, info in objects.items()}

    def remove(self, key: str) -> None:
        """Remove an object, if it exists.

        Raises:
            FilesUnavailable: the bucket does not answer.
        """
        if not self._is_owner_checked:
            self._require_owner()
        try:
            self._call("_rm_file", f"{self._root}/{key}")
        except FileDamaged:
            return

    def check(self) -> None:
        """Check that the bucket answers, and that this workspace owns the prefix.

        Raises:
            WorkspaceError: another workspace owns the prefix.
            FilesUnavailable: the bucket does not answer.
        """
        self._require_owner(_CHECK_LIMIT_S)

    def problem(self) -> str | None:
        """Why files can be neither stored nor fetched now, or None."""
        try:
            self.check()
        except (StorageError, WorkspaceError) as error:
            return error.message
        return None

    def _require_owner(self, limit_s: float = _CALL_LIMIT_S) -> None:
        owner = self._owner(limit_s)
        if owner is None:
            raise WorkspaceError(
                f"{self.address} has no {OWNER_KEY}: these are not this workspace's files, or they "
                f"were removed. Nothing was changed; name the right bucket and prefix in "
                f"{FILES_URL}."
            )
        if owner != self._workspace_id:
            raise WorkspaceError(
                f"{self.address} has the files of another workspace. Nothing was changed; name "
                f"the right bucket and prefix in {FILES_URL}."
            )
        self._is_owner_checked = True

    def _owner(self, limit_s: float) -> str | None:
        """Id of the workspace that owns the prefix; None if unclaimed."""
        object_path = f"{self._root}/{OWNER_KEY}"
        try:
            content = json.loads(
                self._call("_cat_file", object_path, start=0, end=_MAX_OWNER_BYTES, limit_s=limit_s)
            )
            return str(content["workspace_id"])
        except FileDamaged:
            return None
        except (ValueError, KeyError, TypeError):
            return "nobody that can be read"

    def _call(self, method: str, *args: Any, limit_s: float = _CALL_LIMIT_S, **options: Any) -> Any:
        """Call a method of the file system, with a time limit."""
        if time.monotonic() < self._down_until:
            raise FilesUnavailable(self._down_message)
        files, run = self._filesystem()
        with self._translated_errors(str(args[-1] if method == "_put_file" else args[0])):
            return run(files.loop, getattr(files, method), *args, timeout=limit_s, **options)

    @contextmanager
    def _translated_errors(self, object_path: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise FileDamaged(f"s3://{object_path} is missing.") from error
        except PermissionError as error:
            raise self._mark_down("refuses access: its credentials may be wrong", error) from error
        except TimeoutError as error:
            raise self._mark_down("does not answer in time", error) from error
        except OSError as error:
            raise self._mark_down("failed", error) from error
        except Exception as error:
            # botocore's errors have no base class but Exception.
            if not type(error).__module__.startswith(("botocore", "aiobotocore", "aiohttp")):
                raise
            raise self._mark_down("does not answer", error) from error

    def _mark_down(self, problem: str, error: BaseException) -> FilesUnavailable:
        _log.warning("%s %s: %r", self.address, problem, error)
        self._down_message = f"The bucket {self.address} {problem}. Try again in a moment."
        self._down_until = time.monotonic() + _DOWN_S
        return FilesUnavailable(self._down_message)

    def _filesystem(self) -> tuple[Any, Callable[..., Any]]:
        """This process's file system, and fsspec's function that runs its coroutines."""
        run: Callable[..., Any] = importlib.import_module("fsspec.asyn").sync
        with self._lock:
            if self._filesystem_of_process is None or self._filesystem_of_process[0] != os.getpid():
                filesystem = importlib.import_module("s3fs").S3FileSystem(
                    skip_instance_cache=True,
                    use_listings_cache=False,
                    config_kwargs={
                        "connect_timeout": 5,
                        "read_timeout": _CALL_LIMIT_S,
                        "retries": {"max_attempts": 1},
                    },
                )
                filesystem.retries = 2
                self._filesystem_of_process = (os.getpid(), filesystem)
            return self._filesystem_of_process[1], run


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
