"""The index in a bucket: one server builds and uploads a generation, the others download it.

A generation is one archive, named by its hash. The database names the current one as soon as it is
completely uploaded.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pagetrail.annotation.errors import PagetrailError, StorageError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.postgresql import hold_job
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.search.index import BuildProgress

GENERATION_KEY = "index_generation"
"""Key in ``meta``: the current generation as JSON."""

_BUILD_LOCK = "building the index"
_POLL_INTERVAL_S = 0.2
_FILE = re.compile(r"\w[\w.-]{0,99}")
_log = logging.getLogger("pagetrail.search")


class Generation(NamedTuple):
    """An index in the bucket.

    Attributes:
        sha256: of its archive.
        identity: of the index.
        revision: the corpus revision that it is the index of.
    """

    sha256: str
    identity: str
    revision: int

    @property
    def key(self) -> str:
        """Key of its archive in the bucket."""
        return f"index/{self.sha256}.tar"


@contextmanager
def one_builder(workspace: Workspace, waiting: BuildProgress | None = None) -> Iterator[None]:
    """Wait for the exclusive right to build or fetch, among servers with folders of their own.

    The lock ends with its process. Servers on one folder use a lock of the folder.

    Args:
        waiting: called with 0 several times a second while another server builds.
    """
    if workspace.files is None or workspace.engine.dialect.name != "postgresql":
        yield
        return
    while (hold := hold_job(workspace.engine, _BUILD_LOCK)) is None:
        if waiting is not None:
            waiting(0)
        time.sleep(_POLL_INTERVAL_S)
    try:
        yield
    finally:
        hold.release()


def current_generation(workspace: Workspace) -> Generation | None:
    """The generation named in the database, or None."""
    stored = workspace.meta(GENERATION_KEY)
    if workspace.files is None or stored is None:
        return None
    facts = json.loads(stored)
    return Generation(facts["sha256"], facts["identity"], facts["revision"])


def fetch_generation(workspace: Workspace, revision: int, folder: Path) -> str | None:
    """Fetch the generation of a corpus revision into an empty folder.

    Returns:
        The identity of the index; None where there is none, or it cannot be had. Whoever unpacks it
        checks its signature.
    """
    row = current_generation(workspace)
    if workspace.files is None or row is None or row.revision != revision:
        return None
    archive = folder / "index.tar"
    try:
        workspace.files.fetch(row.key, row.sha256, archive)
        _unpack(archive, folder)
    except (PagetrailError, OSError, tarfile.TarError) as error:
        _log.warning("the index in the bucket cannot be used, and is built here: %s", error)
        for path in folder.iterdir():
            path.unlink()
        return None
    archive.unlink()
    return row.identity


def store_generation(workspace: Workspace, folder: Path, identity: str, revision: int) -> None:
    """Upload an index, name it in the database, and remove earlier ones.

    A bucket that does not answer is only logged: this server has the index, others build their own.
    """
    if workspace.files is None:
        return
    archive = folder.with_name(f".{folder.name}.tar")
    try:
        generation = Generation(_pack(folder, archive), identity, revision)
        workspace.files.upload(archive, generation.key)
        _store_name(workspace, generation)
        with suppress(StorageError):  # the next one removes the rest
            for key in workspace.files.keys("index"):
                if key != generation.key:
                    workspace.files.remove(key)
    except (PagetrailError, OSError) as error:
        _log.warning("the index is not in the bucket, and other servers build their own: %s", error)
    finally:
        archive.unlink(missing_ok=True)


def _store_name(workspace: Workspace, generation: Generation) -> None:
    text = json.dumps(generation._asdict())
    with write_transaction(workspace.engine) as connection:
        row = insert_into(connection, Meta).values(key=GENERATION_KEY, value=text)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": text}))


def _pack(folder: Path, archive: Path) -> str:
    """Write the folder's files into an archive, and return its hash."""
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as packed:
        for path in sorted(folder.iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size, member.mode = path.stat().st_size, 0o600
            with path.open("rb") as file:
                packed.addfile(member, file)
    return file_sha256(archive)


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive, "r:") as packed:
        for member in packed:
            file: Any = packed.extractfile(member)
            if not member.isreg() or not _FILE.fullmatch(member.name) or file is None:
                raise tarfile.TarError(f"{member.name!r} is not a file of an index")
            with file, (folder / member.name).open("xb") as target:
                shutil.copyfileobj(file, target)
