"""Exports and uploads in the bucket: uploaded first, then named in the database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, delete, select

from pagetrail.annotation.errors import NotFoundError, StorageError
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.digests import file_sha256

Kind = Literal["export", "upload"]
SUFFIXES: dict[Kind, str] = {"export": "zip", "upload": "pdf"}


@dataclass(frozen=True)
class StoredFiles:
    """The files of one kind; none without a bucket.

    In ``meta`` a file's key has its kind and name; in the bucket its key has its hash.
    """

    workspace: Workspace
    kind: Kind

    def all(self) -> dict[str, dict[str, Any]]:
        """Facts of each file by name, as given to ``store``."""
        if self.workspace.files is None:
            return {}
        with self.workspace.engine.connect() as connection:
            return {name: row["facts"] for name, row in self._rows(connection).items()}

    def store(self, name: str, path: Path, facts: Mapping[str, Any]) -> None:
        """Upload a file, replacing the one of the same name.

        Args:
            facts: JSON values.

        Raises:
            StorageError: bucket or database failed; the earlier file is unchanged.
            WorkspaceError: the bucket is another workspace's.
        """
        assert self.workspace.files is not None
        sha256 = file_sha256(path)
        self.workspace.files.upload(path, self._object(sha256))
        text = json.dumps({"sha256": sha256, "facts": dict(facts)})
        with write_transaction(self.workspace.engine) as connection:
            old = self._rows(connection).get(name)
            row = insert_into(connection, Meta).values(key=self._key(name), value=text)
            connection.execute(
                row.on_conflict_do_update(index_elements=["key"], set_={"value": text})
            )
        self._remove_unless_used(old)

    def fetch(self, name: str, target: Path) -> None:
        """Download the file of that name.

        Raises:
            NotFoundError: no such file.
            CorpusError: it is missing in the bucket, or damaged there.
            StorageError: the bucket does not answer.
        """
        with self.workspace.engine.connect() as connection:
            row = self._rows(connection).get(name)
        if self.workspace.files is None or row is None:
            raise NotFoundError(f"There is no {self.kind} {name!r} any more.")
        self.workspace.files.fetch(self._object(row["sha256"]), row["sha256"], target)

    def remove(self, name: str) -> bool:
        """Remove the file of that name; returns whether there was one.

        If the bucket does not answer, its object stays unused and may be deleted there.
        """
        if self.workspace.files is None:
            return False
        with write_transaction(self.workspace.engine) as connection:
            old = self._rows(connection).get(name)
            connection.execute(delete(Meta).where(Meta.key == self._key(name)))
        self._remove_unless_used(old)
        return old is not None

    def objects(self) -> dict[str, str]:
        """The hash of each file by its key in the bucket."""
        with self.workspace.engine.connect() as connection:
            hashes = [row["sha256"] for row in self._rows(connection).values()]
        return {self._object(sha256): sha256 for sha256 in hashes}

    def _remove_unless_used(self, old: Mapping[str, Any] | None) -> None:
        if self.workspace.files is None or old is None:
            return
        key = self._object(old["sha256"])
        if key not in self.objects():  # equal files are one object
            with suppress(StorageError):
                self.workspace.files.remove(key)

    def _rows(self, connection: Connection) -> dict[str, dict[str, Any]]:
        start = self._key("")
        rows = connection.execute(select(Meta.key, Meta.value).where(Meta.key.startswith(start)))
        return {row.key[len(start) :]: json.loads(row.value) for row in rows}

    def _key(self, name: str) -> str:
        return f"{self.kind}/{name}"

    def _object(self, sha256: str) -> str:
        return f"{self.kind}s/{sha256}.{SUFFIXES[self.kind]}"
