"""Shows the guidelines before a person's first task and after changes."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.personal_keys import bound_keys, press_name
from pagetrail.annotation.protocols.preset_texts import translate_guidelines
from pagetrail.app.services.composition import Services, services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import streamlit_markdown
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.batches.my_batches import guidelines_unread
from pagetrail.storage.campaigns.guidelines import text_digest
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.preferences import preferences_of

_READ = "guidelines-read"


def show_guidelines_first(app: Services, person: Person, row: AttemptRow) -> bool:
    """Show the guidelines if they are due; returns whether they replace the task.

    This tab remembers that they were read until the task's first event is stored, which then
    proves that work started after the last change.
    """
    if not row.protocol.study.guidelines_first or row.is_gold or not row.guidelines.strip():
        return False
    version = (row.campaign_id, text_digest(row.guidelines))
    if st.session_state.get(_READ) == version:
        return False
    if not guidelines_unread(app.workspace.engine, row.campaign_id, person.id):
        return False
    with st.container(width=820):
        st.title(gettext("Read this first"))
        st.caption(
            literal(
                gettext(
                    "Guidelines of {campaign}. The clock is not running.", campaign=row.campaign
                )
            )
        )
        st.markdown(streamlit_markdown(translate_guidelines(row.guidelines)))
        st.button(
            gettext("Start working"),
            type="primary",
            key="guidelines-start",
            icon=":material/play_arrow:",
            on_click=_mark_read,
            args=(version,),
        )
        st.caption(
            gettext(
                "You can read them again at any time: key {key} in a task, or “Guide”.",
                key=literal(_guidelines_key(person)),
            )
        )
    return True


def _guidelines_key(person: Person) -> str:
    chosen = preferences_of(services().workspace, person.id).keys
    keys = bound_keys("Workspace", chosen)
    return next(press_name(key.press) for key in keys if key.command == "guidelines")


def _mark_read(version: tuple[int, str]) -> None:
    """Callback: continue to the task."""
    st.session_state[_READ] = version
