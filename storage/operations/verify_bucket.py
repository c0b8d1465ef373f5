"""Checking the bucket against what the database names. Changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import select

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.corpus.local_files import corpus_key
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import MARK, Bucket, FileDamaged
from pagetrail.storage.operations.stored_files import SUFFIXES, StoredFiles
from pagetrail.storage.search.generations import present_generation


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        unit: what was looked at, in the plural where there are several.
        count: how many of them.
        problems: a sentence for each thing that is wrong.
    """

    name: str
    unit: str
    count: int
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class _Named(NamedTuple):
    sha256: str
    what: str
    way_out: str


def check_bucket(
    workspace: Workspace, files: Bucket, progress: Callable[[int, int], None]
) -> Check:
    """Read every object and compare its hash; name objects that the database does not.

    What is stored or removed meanwhile is no difference.
    """
    wrong: dict[str, str] = {}
    named: dict[str, _Named] = {}
    try:
        files.check()
        there = files.keys("")
        named = _named(workspace)
        for done, (key, one) in enumerate(named.items(), start=1):
            if said := _problem(files, key, one.sha256):
                wrong[key] = f"{one.what}: {said} {one.way_out}"
            progress(done, len(named))
        still = _named(workspace)
        problems = [said for key, said in wrong.items() if key in still]
        unknown = there.keys() - still.keys() - {MARK}
        unknown &= files.keys("").keys() if unknown else set()
        problems += [
            f"{files.address}/{key} is nothing that the database names. If nothing is being "
            "stored just now, it may be deleted."
            for key in sorted(unknown)
        ]
    except (StorageError, WorkspaceError) as error:
        problems = [*wrong.values(), error.message]
    return Check("bucket", "files", len(named), problems)


def _named(workspace: Workspace) -> dict[str, _Named]:
    """What has to be in the bucket, by key."""
    with workspace.engine.connect() as connection:
        rows = connection.execute(select(Document.sha256, Document.name).order_by(Document.name))
        found = {
            corpus_key(row.sha256): _Named(row.sha256, row.name, "Put the original back.")
            for row in rows
        }
    for kind in SUFFIXES:
        for key, sha256 in StoredFiles(workspace, kind).objects().items():
            found[key] = _Named(sha256, f"An {kind}", "Delete it on the screen; make it again.")
    index = present_generation(workspace)
    if index is not None:
        way_out = "Servers build their own; pagetrail index --force stores one."
        found[index.key] = _Named(index.sha256, "The index", way_out)
    return found


def _problem(files: Bucket, key: str, sha256: str) -> str:
    digest = hashlib.sha256()
    try:
        for part in files.parts(key):
            digest.update(part)
    except FileDamaged as error:
        return error.message
    same = digest.hexdigest() == sha256
    return "" if same else f"{files.address}/{key} is not what was stored."
