"""A batch's deadline as its annotator sees it."""

from __future__ import annotations

from datetime import date

from pagetrail.annotation.messages import gettext
from pagetrail.app.ui.notation import format_day
from pagetrail.storage.batches.my_batches import AssignmentRow


def deadline_words(row: AssignmentRow, today: date) -> list[str]:
    """The deadline in Markdown; empty without one or if nothing is left to do."""
    if row.due_on is None or row.status != "open" or row.handled >= row.tasks:
        return []
    day = format_day(row.due_on)
    if row.due_on < today.isoformat():
        return [gettext("**Overdue since {day}**", day=day)]
    if row.due_on == today.isoformat():
        return [gettext("**Due today**")]
    return [gettext("Due {day}", day=day)]
