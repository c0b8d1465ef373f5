"""Width, addresses and shared choices of Streamlit pages, and the page without campaigns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import streamlit as st

from pagetrail.annotation.messages import gettext


def use_full_width() -> None:
    """Use the full width, for tables with a dozen numbers and their intervals."""
    st.html("<style>.stMainBlockContainer { max-width: 100rem; }</style>")


def show_no_campaign() -> None:
    """Link to the setup of the first campaign, and end the run."""
    st.info(
        gettext("There is no campaign yet. Administration guides you through the setup."),
        icon=":material/inbox:",
    )
    st.page_link(
        "views/administration.py",
        label=gettext("Set up this workspace"),
        icon=":material/settings:",
        query_params={"part": "Setup"},
    )
    st.stop()


def note_no_campaign() -> None:
    """The same within administration."""
    st.info(
        gettext("There is no campaign yet. Create one under Campaigns."), icon=":material/inbox:"
    )


@contextmanager
def lazy_expander(label: str, key: str, icon: str | None = None) -> Iterator[bool]:
    """An expander whose content is drawn only while it is open; yields whether it is."""
    expander = st.expander(label, icon=icon, key=key, on_change="rerun")
    with expander:
        yield bool(expander.open)


def reload_page() -> None:
    """Have the browser load the page again; the run that follows starts from nothing."""
    st.components.v2.component(
        "pagetrail.reload", js="export default () => window.location.reload()"
    )()


def drop_unavailable_choice(key: str, options: Collection[str]) -> None:
    """Forget a choice that another screen stored under this key and that is unavailable here.

    Call it before drawing the widget with that key.
    """
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]


def follow_english_link(key: str, options: Collection[str]) -> None:
    """Make the choice that a link names in English; in other languages addresses name it in these.

    Call it before drawing the widget with that key.
    """
    option = st.query_params.get(key, "")
    if option in options and gettext(option) != option:
        st.session_state[key] = option


def public_url(path: str) -> str:
    """The full address of a path on this server, as the browser reaches it."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else path
