"""The documents of the collection, searchable by name, with links to their pages."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.exporting.export_list import size_words
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, time_column
from pagetrail.app.ui.page import public_url
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.corpus.overview import DocumentRow, find_documents
from pagetrail.storage.ingest.document_uses import document_uses
from pagetrail.storage.ingest.removal import removal_sentence, remove_document
from pagetrail.storage.people.accounts import Person

MAX_LISTED = 500
_TABLE_KEY = "documents-table"
_DOCUMENT_KEY = "document-selected"


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
    names = [row.name for row in rows]
    show_table(
        # Styled, because a column of numbers sorts by size and one of texts does not.
        pd.DataFrame([_row(row, token) for row in rows]).style.format({N_("Size"): size_words}),
        width="stretch",
        max_height=390,
        key=_TABLE_KEY,
        on_select=partial(store_clicked, _TABLE_KEY, _DOCUMENT_KEY, names),
        selection_mode="single-row",
        column_config={
            "Link": st.column_config.LinkColumn(
                display_text=gettext("All pages"),
                width="small",
                help=gettext("Opens in a new tab."),
            ),
            "Added": time_column(),
        },
    )
    selected = st.session_state.get(_DOCUMENT_KEY)
    if selected in names:
        _panel(app, selected)
    else:
        st.caption(gettext("Click a row to see what refers to a document, or to remove it."))


def _panel(app: Services, name: str) -> None:
    uses = document_uses(app.workspace, name)
    with st.container(border=True):
        st.markdown(f"**{literal(name)}**")
        if uses:
            st.markdown(literal(gettext("Work refers to it, so it cannot be removed:")))
        for of_campaign in uses:
            st.markdown(f"- {literal(of_campaign.sentence())}")
        if not uses:
            st.markdown(literal(gettext("No task, gold, draft or work refers to it.")))
        dialog_button(
            gettext("Remove…"),
            "document-remove",
            "document_remove",
            name,
            icon=":material/delete:",
            disabled=bool(uses),
        )
    state = current_dialog("document_remove")
    if state is not None and state.subject == name:
        show_confirmation(
            state,
            gettext("Remove {document}?", document=name),
            [
                gettext("No task, gold, draft or work refers to it."),
                gettext(
                    "Its file, texts and images are deleted, and searches no longer find it. To "
                    "have it again, it must be ingested again."
                ),
            ],
            gettext("Remove"),
            "document-remove",
            _remove,
            name,
        )


def _remove(name: str) -> None:
    def act(app: Services, person: Person) -> str:
        return removal_sentence(remove_document(app.workspace, person, name))

    run_supervisor_action("remove a document", act)


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
