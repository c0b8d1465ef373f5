"""Administration of the collection: what is in it, its index, its size, and taking PDFs in."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.admin.acting import show_said
from app.admin.collection_disk import disk_card
from app.admin.collection_files import files_part
from app.admin.collection_index import index_card
from app.wiring import Services
from storage.collection_state import CollectionState, collection_state
from storage.people import Person

ROW_PX, MOST_PX = 35, 220


def show(app: Services, person: Person) -> None:
    """Draw this part of the screen."""
    show_said(toasts=True)
    state = collection_state(app.workspace)
    with st.container(horizontal=True):
        share = f" ({state.ocr_pages / state.pages:.0%})" if state.pages else ""
        st.metric("Documents", f"{state.documents:,}", border=True)
        st.metric("Pages", f"{state.pages:,}", border=True)
        st.metric("Pages read by OCR", f"{state.ocr_pages:,}{share}", border=True)
        st.metric("Documents with empty pages", f"{len(state.lacking):,}", border=True)
    index, disk = st.columns(2, gap="medium")
    with index:
        index_card(app, state)
    with disk:
        disk_card(app)
    files_part(app, person)
    _lacking(state)


def _lacking(state: CollectionState) -> None:
    if not state.lacking:
        return
    st.subheader("Documents with empty pages", anchor=False)
    st.caption(
        "No search finds a page without text. Pages that show text are read when the files are "
        "ingested again with OCR: `pagetrail ingest WS FILE`."
    )
    st.dataframe(
        pd.DataFrame(
            {
                "Document": [entry.document for entry in state.lacking],
                "Pages": [entry.pages for entry in state.lacking],
                "Without text": [entry.without_text for entry in state.lacking],
                "Not readable": [entry.unreadable for entry in state.lacking],
            }
        ),
        hide_index=True,
        width="stretch",
        height=min(MOST_PX, ROW_PX * (len(state.lacking) + 1) + 3),
    )
