"""Administration of the collection: contents, search index, disk usage, adding PDFs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import show_messages
from pagetrail.app.admin.collection.disk_usage import disk_card
from pagetrail.app.admin.collection.document_list import document_list
from pagetrail.app.admin.collection.pdf_files import show_files
from pagetrail.app.admin.collection.search_index import index_card
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.corpus.overview import CollectionState, collection_state
from pagetrail.storage.corpus.page_values import DOCUMENT_WARNINGS
from pagetrail.storage.people.accounts import Person


def show(app: Services, person: Person) -> None:
    """Show this section of the screen."""
    show_messages(toasts=True)
    state = collection_state(app.workspace)
    if not state.documents:  # nothing to show but the upload
        show_files(app, person)
        return
    with st.container(horizontal=True):
        share = f" ({state.ocr_pages / state.pages:.0%})" if state.pages else ""
        st.metric(gettext("Documents"), format_number(state.documents), border=True)
        st.metric(gettext("Pages"), format_number(state.pages), border=True)
        st.metric(
            gettext("Pages read by OCR"), f"{format_number(state.ocr_pages)}{share}", border=True
        )
        st.metric(
            gettext("Documents to check"),
            format_number(len(state.unreadable_documents)),
            border=True,
        )
    index, disk = st.columns(2, gap="medium")
    with index:
        index_card(app, state)
    with disk:
        disk_card(app)
    show_files(app, person)
    _unreadable_documents(state)
    document_list(app, person)


def _unreadable_documents(state: CollectionState) -> None:
    if not state.unreadable_documents:
        return
    st.header(gettext("Documents to check"), anchor=False)
    st.caption(
        gettext(
            "Search cannot find pages without text, or scans with only a stamp or page number as "
            "text. If they show more, upload the files again above, with OCR on pages without text."
        )
    )
    show_table(
        pd.DataFrame(
            {
                N_("Document"): [entry.document for entry in state.unreadable_documents],
                N_("Pages"): [entry.pages for entry in state.unreadable_documents],
                N_("Without text"): [entry.without_text for entry in state.unreadable_documents],
                N_("Only a stamp"): [entry.partial for entry in state.unreadable_documents],
                N_("Not readable"): [entry.unreadable for entry in state.unreadable_documents],
                N_("Warning"): [
                    gettext(DOCUMENT_WARNINGS[entry.warning]) if entry.warning else ""
                    for entry in state.unreadable_documents
                ],
            }
        ),
        column_config={"Warning": st.column_config.TextColumn(width="large")},
        width="stretch",
        max_height=220,
    )
    # Whole, since the column cuts what to do.
    warnings = {entry.warning: None for entry in state.unreadable_documents if entry.warning}
    for warning in warnings:
        st.caption(literal(gettext(DOCUMENT_WARNINGS[warning])))
