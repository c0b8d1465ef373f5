"""Other names of documents: those under which the same bytes came again.

A document has one name, which everything stored and shown uses. Files that are imported may use
any of its names; they are replaced where they are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Document, DocumentAlias
from pagetrail.storage.database.workspace import Workspace

Aliases = Mapping[str, str]
"""Another name → the document's name."""

_LISTS = ("evidence", "answer_locations", "candidates", "elements")
_GOLD_LISTS = ("pages", "boxes")


def aliases_in(connection: Connection) -> dict[str, str]:
    """All other names of the workspace's documents."""
    query = select(DocumentAlias.name, Document.name.label("document")).join(
        Document, Document.id == DocumentAlias.document_id
    )
    return {row.name: row.document for row in connection.execute(query)}


def aliases(workspace: Workspace) -> dict[str, str]:
    """The same, over a connection of its own."""
    with workspace.engine.connect() as connection:
        return aliases_in(connection)


def add_alias(workspace: Workspace, name: str, document: str) -> None:
    """Store another name of a document; once more changes nothing."""
    with write_transaction(workspace.engine) as connection:
        id_ = connection.execute(select(Document.id).where(Document.name == document)).scalar_one()
        added = insert_into(connection, DocumentAlias).values(name=name, document_id=id_)
        connection.execute(added.on_conflict_do_nothing())


def with_document_names(record: dict[str, Any], known: Aliases) -> dict[str, Any]:
    """A task's record as a file has it, with each document under its own name.

    The record itself where it names none by another name; what is malformed stays.
    """
    if not known:
        return record
    changed = {name: _renamed(record.get(name), known) for name in _LISTS if name in record}
    gold = record.get("gold")
    if isinstance(gold, dict):
        lists = {name: _renamed(gold[name], known) for name in _GOLD_LISTS if name in gold}
        changed["gold"] = {**gold, **lists}
    renamed = {**record, **changed}
    return record if renamed == record else renamed


def _renamed(items: Any, known: Aliases) -> Any:
    if not isinstance(items, list):
        return items
    return [_item(item, known) if isinstance(item, dict) else item for item in items]


def _item(item: dict[str, Any], known: Aliases) -> dict[str, Any]:
    return {
        key: known.get(value, value)
        if key in ("document", "file") and isinstance(value, str)
        else value
        for key, value in item.items()
    }
