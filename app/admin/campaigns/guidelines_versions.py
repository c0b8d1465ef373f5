"""The versions of a campaign's guidelines: who saved what, differences, and restoring one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.admin.campaigns.guidelines_draft import Draft, put_into_editor
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_minute, zone_name_at
from pagetrail.storage.campaigns.guidelines import (
    Version,
    difference,
    guidelines_of,
    version_text,
    versions,
)
from pagetrail.storage.database.workspace import Workspace


def show_versions(workspace: Workspace, campaign: str, draft: Draft, key: str) -> None:
    """An expander with the versions, a choice of one, and what can be done with it."""
    found = versions(workspace, campaign)
    with st.expander(f"Versions ({len(found)})", icon=":material/history:"):
        if not found:
            st.caption("The guidelines have not changed since the campaign was created.")
            return
        st.dataframe(
            pd.DataFrame(
                [(_when(v), v.by, v.characters, "current" if v.in_force else "") for v in found],
                columns=[f"saved ({zone_name_at()})", "by", "characters", "state"],
            ),
            hide_index=True,
            height=min(220, 36 + 35 * len(found) + 2),
        )
        chosen = st.selectbox(
            "Version",
            found,
            index=None,
            format_func=lambda v: f"{_when(v)} by {v.by}",
            key=f"version-{campaign}",
            placeholder="Choose one to compare or restore",
        )
        if chosen is not None:
            _show_version(workspace, campaign, chosen, draft, key)


def _show_version(
    workspace: Workspace, campaign: str, version: Version, draft: Draft, key: str
) -> None:
    try:
        text = version_text(workspace, campaign, version.id)
    except PagetrailError as error:
        st.error(literal(error.message))
        return
    st.caption("From this version to the current text")
    now = guidelines_of(workspace, campaign).text
    st.code(difference(text, now) or "No differences.", language="diff")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Load into the editor", key="version-restore", icon=":material/restore:",
            disabled=draft.changed or version.in_force,
            help="Save or discard your changes first." if draft.changed else None,
            on_click=put_into_editor, args=(draft, key, text, version.id),
        )  # fmt: skip
        st.download_button(
            "Download (Markdown)", text, file_name=f"guidelines-{version.id}.md",
            mime="text/markdown", on_click="ignore", icon=":material/download:",
            key="version-download",
        )  # fmt: skip


def _when(version: Version) -> str:
    return format_minute(version.at, seconds=True)
