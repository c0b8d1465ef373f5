"""The documents that a workspace has while more are taken in, by name and by content."""

from __future__ import annotations

from sqlalchemy import select

from pagetrail.storage.corpus.aliases import add_alias, aliases
from pagetrail.storage.database.tables import DOCUMENTS
from pagetrail.storage.database.workspace import Workspace


class KnownDocuments:
    """Names, sizes and SHA-256 sums (hexadecimal) of documents, and other names of their files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        with workspace.engine.connect() as connection:
            columns = (DOCUMENTS.c.name, DOCUMENTS.c.sha256, DOCUMENTS.c.size_bytes)
            rows = connection.execute(select(*columns)).all()
        self._sizes = {row.size_bytes for row in rows}
        self._sums = {row.name: row.sha256 for row in rows}
        self._names = {row.sha256: row.name for row in rows}
        self._aliases = aliases(workspace)

    def resemble(self, name: str, size: int) -> bool:
        """Whether one has this name, or so many bytes: only then can it have the same content."""
        return size in self._sizes or self._aliases.get(name, name) in self._sums

    def name(self, sha256: str) -> str | None:
        """The name of the document with this content; None if there is none."""
        return self._names.get(sha256)

    def add(self, name: str, sha256: str) -> None:
        """A document was registered."""
        self._sums[name] = sha256
        self._names[sha256] = name

    def name_problem(self, name: str, sha256: str) -> str | None:
        """Why a file with new content cannot have this name; None where it can."""
        other = self._sums.get(self._aliases.get(name, name))
        if other is None:
            return None
        return (
            f"has the name of another document: {name} in the workspace has SHA-256 "
            f"{other[:12]}…, this file {sha256[:12]}…. Rename one of them."
        )

    def came_again(self, name: str, sha256: str) -> str:
        """Store the name under which a known content came again; says what came of it."""
        document = self._names[sha256]
        if name == document:
            return "is in the workspace already."
        same = f"has the same content as {document}"
        if name in self._sums:
            return f"{same}; {name} is the name of another document."
        add_alias(self._workspace, name, document)
        self._aliases[name] = document
        return f"{same}, which is known by this name as well."
