"""The documents of a workspace during an ingest, by name and by content."""

from __future__ import annotations

from sqlalchemy import select

from pagetrail.annotation.document_names import composed
from pagetrail.storage.corpus.document_names import add_alias, read_document_names
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace


class KnownDocuments:
    """Names, sizes and SHA-256 sums (hexadecimal) of documents, and other names of their files."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        with workspace.engine.connect() as connection:
            columns = (Document.name, Document.sha256, Document.size_bytes)
            rows = connection.execute(select(*columns)).all()
            self._aliases = dict(read_document_names(connection).aliases)
        self._sizes = {row.size_bytes for row in rows}
        self._hash_by_name = {row.name: row.sha256 for row in rows}
        self._name_by_hash = {row.sha256: row.name for row in rows}

    def may_contain(self, name: str, size: int) -> bool:
        """Whether a document has this name or size: only then can its content be the same."""
        return size in self._sizes or self._aliases.get(name, name) in self._hash_by_name

    def name(self, sha256: str) -> str | None:
        """The name of the document with this content, or None."""
        return self._name_by_hash.get(sha256)

    def replaced_by(self, name: str) -> str | None:
        """The document of which a file of this name is a new version, or None."""
        document = self._aliases.get(name, name)
        return document if document in self._hash_by_name else None

    def add(self, name: str, sha256: str) -> None:
        """Add a registered document, or its new version."""
        before = self._hash_by_name.get(name)
        self._name_by_hash = {h: n for h, n in self._name_by_hash.items() if h != before}
        self._hash_by_name[name] = sha256
        self._name_by_hash[sha256] = name

    def name_problem(self, name: str, sha256: str) -> str | None:
        """Why a file with new content cannot have this name, or None."""
        other_hash = self._hash_by_name.get(self._aliases.get(name, name))
        if other_hash is None:
            return None
        return (
            f"has the name of another document: {name} in the workspace has SHA-256 "
            f"{other_hash[:12]}…, this file {sha256[:12]}…. Rename one of them."
        )

    def register_again(self, name: str, sha256: str) -> str:
        """Store another name of known content; returns the outcome as a sentence."""
        document = self._name_by_hash[sha256]
        if composed(name) == composed(document):
            return "is in the workspace already."
        reason = f"has the same content as {document}"
        if name in self._hash_by_name:
            return f"{reason}; {name} is the name of another document."
        add_alias(self._workspace, name, document)
        self._aliases[name] = document
        return f"{reason}, which is known by this name as well."
