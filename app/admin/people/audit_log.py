"""The latest entries of the audit log, with a filter and a download."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.ui.notation import format_minute, zone_name_at
from pagetrail.app.ui.page import lazy_expander
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import AuditEntry, audit_actions, audit_entries

MAX_SHOWN = 200
_COLUMNS = ("when (UTC)", N_("who"), N_("action"), N_("detail"))


def show_audit(workspace: Workspace) -> None:
    """An expander; entries are read only while it is open."""
    with lazy_expander(
        gettext("Audit: who did what"), "audit-open", ":material/history:"
    ) as is_open:
        if is_open:
            _entries(workspace)


def _entries(workspace: Workspace) -> None:
    text_column, action_column = st.columns([2, 3])
    text = text_column.text_input(
        gettext("Search the log"),
        key="audit-text",
        placeholder=gettext("a name, a word"),
        max_chars=100,
    )
    actions = action_column.multiselect(
        gettext("Actions"),
        audit_actions(workspace),
        key="audit-actions",
        placeholder=gettext("all actions"),
    )
    entries = audit_entries(workspace, text=text or "", actions=actions, limit=MAX_SHOWN)
    if not entries:
        st.caption(gettext("No entries match."))
        return
    columns = [gettext("when ({zone})", zone=zone_name_at()), *_COLUMNS[1:]]
    show_table(
        pd.DataFrame([_audit_row(entry) for entry in entries], columns=columns),
        max_height=420,
        column_config={"detail": st.column_config.TextColumn(width="large")},
        key="audit-table",
    )
    if len(entries) == MAX_SHOWN:
        st.caption(
            gettext(
                "The latest {number}; the download has every entry that matches.",
                number=MAX_SHOWN,
            )
        )
    st.download_button(
        gettext("Audit log (CSV)"),
        partial(_download, workspace, text or "", actions),
        file_name="audit.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="audit-csv",
    )


def _download(workspace: Workspace, text: str, actions: list[str]) -> bytes:
    entries = audit_entries(workspace, text=text, actions=actions, limit=None)
    return spreadsheet_csv(_COLUMNS, [(entry.at, *_audit_row(entry)[1:]) for entry in entries])


def _audit_row(entry: AuditEntry) -> tuple[str, str, str, str]:
    return format_minute(entry.at, seconds=True), entry.actor, entry.action, entry.text
