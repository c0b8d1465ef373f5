"""The workspace's disk usage, and clearing its page cache."""

from __future__ import annotations

import time

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.exporting.export_list import size_words
from pagetrail.app.services.composition import Services
from pagetrail.storage.corpus.overview import FolderSizes, clear_cache, folder_sizes
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit

_SIZES_KEY = "collection-sizes"
_FRESH_S = 30.0


def disk_card(app: Services) -> None:
    """Show how much disk space the workspace uses."""
    with st.container(border=True, height="stretch"):
        st.header(gettext("Size on disk"), anchor=False)
        disk_sizes = _sizes(app)
        images = disk_sizes.cache + disk_sizes.thumbnails
        documents, index, cache = st.columns(3)
        documents.metric(gettext("PDF files"), size_words(disk_sizes.corpus))
        index.metric(gettext("Index"), size_words(disk_sizes.index))
        cache.metric(gettext("Page cache"), size_words(disk_sizes.cache))
        st.caption(
            gettext(
                "The page cache takes at most {cache_limit}; the images unused for the longest "
                "time are removed first. Thumbnails take another {thumbnails}.",
                cache_limit=size_words(app.cache_limit),
                thumbnails=size_words(disk_sizes.thumbnails),
            )
        )
        dialog_button(
            gettext("Clear the page cache…"),
            "clear-cache",
            "clear_cache",
            icon=":material/cleaning_services:",
            disabled=not images,
        )
    state = current_dialog("clear_cache")
    if state is not None:
        show_confirmation(
            state,
            gettext("Clear the page cache?"),
            [
                gettext(
                    "{cache} of page images and thumbnails are removed. They are rendered again "
                    "when somebody opens the page, which takes a moment the first time.",
                    cache=size_words(images),
                )
            ],
            gettext("Clear"),
            "clear-cache",
            _clear_cache,
        )


def _sizes(app: Services) -> FolderSizes:
    """Sizes, measured after changes of documents or index and otherwise at most twice a minute,
    since walking a large cache takes a while."""
    last = app.jobs.last("index")
    version = (app.corpus.revision, None if last is None else (last.id, last.state))
    measured_at, measured_version, disk_sizes = st.session_state.get(_SIZES_KEY, (None, None, None))
    if (
        measured_at is None
        or measured_version != version
        or time.monotonic() - measured_at > _FRESH_S
    ):
        disk_sizes = folder_sizes(app.workspace)
        st.session_state[_SIZES_KEY] = (time.monotonic(), version, disk_sizes)
    current_sizes: FolderSizes = disk_sizes
    return current_sizes


def _clear_cache() -> None:
    def act(app: Services, person: Person) -> str:
        freed = size_words(clear_cache(app.workspace))
        st.session_state.pop(_SIZES_KEY, None)
        audit(app.workspace, person, "page_cache_cleared", freed)
        return gettext("The page cache is cleared: {freed} freed.", freed=freed)

    run_supervisor_action("clear cache", act)
