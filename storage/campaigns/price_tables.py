"""The workspace's price table; the audit log says when it was replaced."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, delete, select

from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_in
from pagetrail.storage.people.roles import require_supervisor_in

PRICE_TABLE_KEY = "price_table"

_STORED = select(Meta.value).where(Meta.key == PRICE_TABLE_KEY)


def read_price_table(path: Path) -> PriceTable:
    """Read a price table's file.

    Raises:
        InputFileError: it cannot be read, or is not a price table.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputFileError(
            gettext("{path} cannot be read: {error}.", path=path, error=error.strerror)
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(
            gettext("{path} is not UTF-8. Save it as UTF-8.", path=path)
        ) from error
    return PriceTable.parse(text, path.name)


def price_table_in(connection: Connection) -> PriceTable | None:
    """The stored price table."""
    text = connection.execute(_STORED).scalar()
    return None if text is None else PriceTable.parse(text, "the workspace's price table")


def stored_price_table(workspace: Workspace) -> PriceTable | None:
    """The workspace's price table; None where there is none."""
    with workspace.engine.connect() as connection:
        return price_table_in(connection)


def set_price_table(workspace: Workspace, by: Person | None, prices: PriceTable | None) -> None:
    """Replace the workspace's price table; None removes it.

    Raises:
        Forbidden: ``by`` may not.
    """
    with write_transaction(workspace.engine) as connection:
        require_supervisor_in(connection, by, N_("Only supervisors may set prices."))
        if prices is None:
            connection.execute(delete(Meta).where(Meta.key == PRICE_TABLE_KEY))
            detail = "removed"
        else:
            row = insert_into(connection, Meta).values(key=PRICE_TABLE_KEY, value=prices.text)
            connection.execute(
                row.on_conflict_do_update(index_elements=["key"], set_={"value": prices.text})
            )
            detail = str(prices)
        audit_in(connection, by, "prices_changed", detail)
