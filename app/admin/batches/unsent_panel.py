"""Changes that came too late for the log, for a supervisor to read."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, format_time
from pagetrail.storage.attempts.unsent_work import UnsentEvent


def unsent_panel(events: Sequence[UnsentEvent], annotator: str) -> None:
    """Draw them below the annotator's batch, folded; nothing where there are none."""
    if not events:
        return
    count = "1 change" if len(events) == 1 else f"{format_number(len(events))} changes"
    with st.expander(f"{count} not accepted", icon=":material/inbox_customize:"):
        st.caption(
            f"From {literal(annotator)}, received after the batch was withdrawn or the campaign "
            "archived. They are no part of the work, and no export has them."
        )
        for event in events:
            when = format_time(event.at)
            said = literal(event.payload.sentence())
            st.markdown(f"**{literal(event.task)}** · {said} :gray[{when}]")
