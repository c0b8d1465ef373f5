"""Decides whether a table can be changed, flagged and confirmed."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.table_state import applies
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext

TABLE_DIFFERS = "table_differs"


def check_table_work(context: AttemptContext, state: AttemptState, payload: ev.TableWork) -> None:
    """Refuse a change that the table does not fit, or that the campaign does not take."""
    part = context.protocol.tables
    table = state.tables.table(payload.table)
    if not part.enabled or table is None:
        raise Refusal(
            gettext("There is no table {table} in this task.", table=payload.table),
            code="unknown_table",
            field="tables",
        )
    if (payload.document, payload.page) != (table.document, table.page):
        raise Refusal(
            gettext(
                "The table is on page {page} of {document}.",
                page=table.page,
                document=table.document,
            ),
            code="page_not_given",
            field="tables",
        )
    if isinstance(payload, ev.TableEdited) and not part.edit:
        raise Refusal(
            gettext("Tables of this campaign are flagged, not changed."),
            code="no_table_edit",
            field="tables",
        )
    if not applies(table, payload):
        raise Refusal(
            gettext(
                "This table was changed elsewhere meanwhile; your last change of it was not "
                "stored. Make it again."
            ),
            code=TABLE_DIFFERS,
            field="tables",
        )
