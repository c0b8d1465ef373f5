"""Rounds of tables: whether a task is with its annotator or a model.

The annotator corrects or flags cells; a model answers the flags, and the next round begins with its
tables. A task that is submitted without a flag is done (ParseBench, Zhang et al. 2026, appendix
A.1).
"""

from __future__ import annotations

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.transcript_rounds import PageStage


def tables_stage(state: AttemptState) -> PageStage:
    """Where a task is in its current round; ``waiting`` is submitted with flags."""
    if state.status == "skipped":
        return "skipped"
    tables = state.tables
    if state.status == "submitted":
        return "waiting" if tables.n_flags else "accepted"
    is_changed = bool(tables.n_flags) or any(table.edited for table in tables.tables)
    return "changed" if is_changed else "untouched"
