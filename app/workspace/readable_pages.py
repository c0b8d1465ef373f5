"""Decides which documents and pages an attempt may read, for routes and payloads."""

from __future__ import annotations

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.tasks.shown_record import unset_fields
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.queries import AttemptRow


def check_readable(app: Services, row: AttemptRow, document: str, page: int | None) -> None:
    """Check that the attempt may read the document (and the page) now.

    Raises:
        Forbidden: it may not; recorded in the audit log.
    """
    reason = why_unreadable(app, row, document, page)
    if reason is not None:
        target = document if page is None else f"page {page} of {document}"
        app.security_log.record(row.user_name, "forbidden page", f"{row.attempt_id}: {target}")
        raise Forbidden(reason)


def why_unreadable(app: Services, row: AttemptRow, document: str, page: int | None) -> str | None:
    """Why the attempt may not read it; None if it may."""
    if row.protocol.pages_after:
        form = row.context().form(app.log.state(row.attempt_id))
        waits = unset_fields(form, row.protocol.pages_after)
        if waits:
            return gettext(
                "Judge “{field}” first; the pages can be opened after that.", field=waits[0]
            )
    readable = row.readable()
    if readable is None:
        return None
    allowed = (
        any(name == document for name, _ in readable)
        if page is None
        else (document, page) in readable
    )
    return None if allowed else gettext("This page does not belong to the task.")
