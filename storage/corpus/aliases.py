"""Aliases of documents: other names under which the same file was ingested again.

Everything stored and shown uses a document's one name. Imported files may use any alias; it is
replaced when the file is read.
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
"""Alias → the document's name."""

_LISTS = ("evidence", "answer_locations", "candidates", "elements")
_GOLD_LISTS = ("pages", "boxes")


def aliases_in(connection: Connection) -> dict[str, str]:
    """All aliases of the workspace's documents."""
    query = select(DocumentAlias.name, Document.name.label("document")).join(
        Document, Document.id == DocumentAlias.document_id
    )
    return {row.name: row.document for row in connection.execute(query)}


def aliases(workspace: Workspace) -> dict[str, str]:
    """Like ``aliases_in``, with a new connection."""
    with workspace.engine.connect() as connection:
        return aliases_in(connection)


def add_alias(workspace: Workspace, name: str, document: str) -> None:
    """Store an alias of a document, unless it is stored already."""
    with write_transaction(workspace.engine) as connection:
        id_ = connection.execute(select(Document.id).where(Document.name == document)).scalar_one()
        row = insert_into(connection, DocumentAlias).values(name=name, document_id=id_)
        connection.execute(row.on_conflict_do_nothing())


def with_document_names(record: dict[str, Any], names: Aliases) -> dict[str, Any]:
    """A copy of an imported task record with aliases replaced by document names.

    Returns the record itself if it has no alias. Malformed parts stay as they are.
    """
    if not names:
        return record
    changed = {name: _replace_in_list(record.get(name), names) for name in _LISTS if name in record}
    gold = record.get("gold")
    if isinstance(gold, dict):
        lists = {name: _replace_in_list(gold[name], names) for name in _GOLD_LISTS if name in gold}
        changed["gold"] = {**gold, **lists}
    renamed = {**record, **changed}
    return record if renamed == record else renamed


def _replace_in_list(items: Any, names: Aliases) -> Any:
    if not isinstance(items, list):
        return items
    return [_replace_in_item(item, names) if isinstance(item, dict) else item for item in items]


def _replace_in_item(item: dict[str, Any], names: Aliases) -> dict[str, Any]:
    return {
        key: names.get(value, value)
        if key in ("document", "file") and isinstance(value, str)
        else value
        for key, value in item.items()
    }
