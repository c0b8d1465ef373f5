"""The documents of the collection, searchable by name, with links to their pages."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.exporting.export_list import size_words
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.notation import format_number, time_column
from pagetrail.app.ui.page import public_url
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.corpus.overview import DocumentRow, find_documents
from pagetrail.storage.people.accounts import Person

MAX_LISTED = 500


def document_list(app: Services, person: Person) -> None:
    """Show the search, and the table or why there is none."""
    st.header(gettext("Documents"), anchor=False)
    text = st.text_input(
        gettext("Find documents"), key="documents-text", icon=":material/search:", width=320,
        placeholder=gettext("Part of a name"), max_chars=200,
    )  # fmt: skip
    total, rows = find_documents(app.workspace, (text or "").strip(), limit=MAX_LISTED)
    if not rows:
        st.info(
            gettext("No document name contains this text.")
            if text
            else gettext("There are no documents yet.")
        )
        return
    if total > len(rows):
        st.caption(
            gettext(
                "The first {rows} of {total}, by name.",
                rows=format_number(len(rows)),
                total=format_number(total),
            )
        )
    token = oversight_token(app, person)
    show_table(
        # Styled, because a column of numbers sorts by size and one of texts does not.
        pd.DataFrame([_row(row, token) for row in rows]).style.format({N_("Size"): size_words}),
        width="stretch",
        max_height=390,
        key="documents-table",
        column_config={
            "Link": st.column_config.LinkColumn(
                display_text=gettext("All pages"),
                width="small",
                help=gettext("Opens in a new tab."),
            ),
            "Added": time_column(),
        },
    )


def _row(row: DocumentRow, token: str) -> dict[str, object]:
    return {
        N_("Document"): row.name,
        N_("Link"): public_url(f"{PREFIX}/document/{row.sha256}?v={token}"),
        N_("Pages"): row.pages,
        N_("Read by OCR"): row.ocr_pages,
        N_("Without text"): row.empty_pages,
        N_("Size"): row.bytes,
        N_("Added"): pd.Timestamp(row.added_at),
    }
