"""Flagged and skipped attempts: the comments, and links to the replay."""

from __future__ import annotations

import math

import streamlit as st

from pagetrail.app.progress.data import notable_of
from pagetrail.app.progress.report_computation import Shown
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal

AT_ONCE = 5


@st.fragment
def show_notable(app: Services, wanted: Shown) -> None:
    """A few of them at a time, the latest first."""
    key = f"notable-page-{wanted.campaign.id}-{wanted.batch}-{wanted.person}"
    page = int(st.session_state.get(key, 1))
    rows, total = notable_of(app, wanted, AT_ONCE, page)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(gap=None, width="stretch"):
            st.subheader("Flagged and skipped", anchor=False)
            st.caption(
                f"What needs a look? {total:,} tasks, the latest first."
                if total
                else "Nothing is flagged or skipped."
            )
        if total > AT_ONCE:
            st.number_input(
                "Page",
                min_value=1,
                max_value=math.ceil(total / AT_ONCE),
                value=page,
                key=key,
                width=130,
                help=f"{AT_ONCE} on a page.",
            )
    for row in rows:
        with st.container(border=True, gap="small"):
            with st.container(horizontal=True, vertical_alignment="center"):
                what = "flagged, " if row.flagged else ""
                st.markdown(
                    f"**{literal(row.code_name)} · {literal(row.user_name)}** · "
                    f"{what}{literal(row.status)} · {row.updated_at[:16].replace('T', ' ')} UTC",
                    width="stretch",
                )
                st.page_link(
                    "views/trajectory.py",
                    label="Replay",
                    icon=":material/timeline:",
                    query_params={"attempt": row.attempt_id},
                )
            st.text(row.question)
            st.text(row.remark)
