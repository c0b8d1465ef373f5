"""The workspace's disk usage, and clearing its page cache."""

from __future__ import annotations

import time

import streamlit as st

from pagetrail.app.admin.actions import act, ask, asked, confirm
from pagetrail.app.admin.exporting.export_list import size_words
from pagetrail.app.services.composition import Services
from pagetrail.storage.corpus.overview import FolderSizes, clear_cache, folder_sizes
from pagetrail.storage.people.accounts import Person, audit

_KEPT = "collection-sizes"
_FRESH_S = 30.0


def disk_card(app: Services) -> None:
    """Draw it."""
    with st.container(border=True, height="stretch"):
        st.header("Size on disk", anchor=False)
        now = _sizes(app)
        documents, index, cache = st.columns(3)
        documents.metric("PDF files", size_words(now.corpus))
        index.metric("Index", size_words(now.index))
        cache.metric("Page cache", size_words(now.cache))
        st.caption(
            f"The page cache takes at most {size_words(app.cache_limit)}; images that nobody has "
            "opened for the longest time are removed first."
        )
        st.button(
            "Clear the page cache…",
            key="clear-cache",
            icon=":material/cleaning_services:",
            disabled=not now.cache,
            on_click=ask,
            args=("clear_cache",),
        )
    open_ = asked("clear_cache")
    if open_ is not None:
        confirm(
            open_,
            "Clear the page cache?",
            [
                f"{size_words(now.cache)} of page images are removed. They are rendered again when "
                "somebody opens the page, which takes a moment the first time."
            ],
            "Clear",
            "clear-cache",
            _clear_cache,
        )


def _sizes(app: Services) -> FolderSizes:
    """Sizes, measured when documents or index have changed and otherwise at most twice a minute:
    walking a large cache takes a while."""
    last = app.jobs.last("index")
    stand = (app.corpus.revision, None if last is None else (last.id, last.state))
    measured, of, found = st.session_state.get(_KEPT, (None, None, None))
    if measured is None or of != stand or time.monotonic() - measured > _FRESH_S:
        found = folder_sizes(app.workspace)
        st.session_state[_KEPT] = (time.monotonic(), stand, found)
    kept: FolderSizes = found
    return kept


def _clear_cache() -> None:
    def do(app: Services, person: Person) -> str:
        freed = size_words(clear_cache(app.workspace))
        st.session_state.pop(_KEPT, None)
        audit(app.workspace, person.name, "page_cache_cleared", freed)
        return f"The page cache is cleared: {freed} freed."

    act("clear cache", do)
