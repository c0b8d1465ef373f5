"""Reads the names of all documents, with the other names under which their files came."""

from __future__ import annotations

from sqlalchemy import Connection, select

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Document, DocumentAlias
from pagetrail.storage.database.workspace import Workspace


def read_document_names(connection: Connection) -> DocumentNames:
    """The resolver of names for the documents that are registered now."""
    documents = select(Document.name, Document.n_pages)
    aliases = select(DocumentAlias.name, Document.name.label("document")).join(
        Document, Document.id == DocumentAlias.document_id
    )
    return DocumentNames(
        {row.name: row.n_pages for row in connection.execute(documents)},
        {row.name: row.document for row in connection.execute(aliases)},
    )


def add_alias(workspace: Workspace, name: str, document: str) -> None:
    """Store another name of a document, unless it is stored already."""
    with write_transaction(workspace.engine) as connection:
        id_ = connection.execute(select(Document.id).where(Document.name == document)).scalar_one()
        row = insert_into(connection, DocumentAlias).values(name=name, document_id=id_)
        connection.execute(row.on_conflict_do_nothing())
