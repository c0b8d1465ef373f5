"""A new campaign: name, protocol with settings, guidelines, task files."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.admin.actions import ask, asked, dialog
from pagetrail.app.admin.campaigns.file_imports import show_new_elements
from pagetrail.app.admin.campaigns.protocol_choice import choose_protocol
from pagetrail.app.admin.campaigns.question_sources import question_sources
from pagetrail.app.admin.campaigns.sent_files import TASK_TYPES
from pagetrail.app.admin.campaigns.task_import import Import, import_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.local_time import grouped
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import shown_markdown
from pagetrail.storage.campaigns.guidelines import MAX_CHARACTERS, checked
from pagetrail.storage.importers.tasks.campaign_import import Wanted, needs_predictions
from pagetrail.storage.importers.tasks.campaign_settings import (
    MAX_CAMPAIGN_NAME,
    check_campaign_name,
)
from pagetrail.storage.importers.tasks.element_importer import takes_elements
from pagetrail.storage.importers.tasks.importer import MAX_SEED
from pagetrail.storage.importers.tasks.store import DEFAULT_SEED
from pagetrail.storage.people.accounts import Person

CREATE = "create"
_TEXT = "new-guidelines"
_BEGAN = "new-guidelines-began"


def show_new(app: Services, person: Person, taken: list[str], pilots: list[str]) -> None:
    """Draw the form; ``taken`` are the names of all campaigns, archived ones too."""
    title, back = st.columns([8, 2], vertical_alignment="bottom")
    title.header("New campaign")
    back.button(
        "Back to the list", icon=":material/arrow_back:", key="campaign-back", on_click=_back
    )
    called, seeded = st.columns([8, 2])
    name = called.text_input("Name", key="campaign-name", max_chars=MAX_CAMPAIGN_NAME)
    seed = seeded.number_input(
        "Seed", min_value=0, max_value=MAX_SEED, value=DEFAULT_SEED, key="campaign-seed",
        help="Determines the order of tasks and who gets which batch.",
    )  # fmt: skip
    problem = _name_problem((name or "").strip(), taken)
    if name and problem:
        st.error(literal(problem))
    protocol = choose_protocol(pilots, taken)
    # Drawn even when something above is wrong: a widget that is not drawn loses its value.
    guidelines = _guidelines(protocol)
    files = question_sources(app, protocol, "campaign-files")
    predictions = []
    if protocol is not None and needs_predictions(protocol):
        predictions = st.file_uploader(
            "Results of systems, one file each",
            type=TASK_TYPES,
            accept_multiple_files=True,
            key="campaign-predictions",
            help="Rows with id and answer. The file name without its ending names the system.",
        )
    if protocol is not None and takes_elements(protocol):
        show_new_elements(
            app, (name or "").strip(), protocol, int(seed or 0), guidelines or "",
            ready=not problem and guidelines is not None,
        )  # fmt: skip
    missing = [
        *(["a name"] if problem else []),
        *(["a valid protocol"] if protocol is None else []),
        *(["valid guidelines"] if guidelines is None else []),
        *(["at least one question"] if not files else []),
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Check and create…", type="primary", key="campaign-create", disabled=bool(missing),
            on_click=ask, args=(CREATE, (name or "").strip()),
        )  # fmt: skip
        if missing:
            st.caption(f"Still needed: {', '.join(missing)}.")
    open_ = asked(CREATE)
    if open_ is None or (missing and open_.result is None):
        return
    wanted = Wanted(
        campaign=open_.about, protocol=protocol, seed=int(seed or 0), guidelines=guidelines
    )
    wish = Import(wanted, files, predictions)
    dialog(
        f"Create “{open_.about}”?",
        open_,
        lambda asked: import_dialog(app, person, asked, wish),
        width="large",
    )


def _back() -> None:
    """Callback: to the list of campaigns."""
    st.session_state["campaign-new"] = False


def _name_problem(name: str, taken: list[str]) -> str:
    try:
        check_campaign_name(name)
    except PagetrailError as error:
        return error.message
    known = next((each for each in taken if each.casefold() == name.casefold()), None)
    if known is not None:
        return f"A campaign {known} already exists. Choose another name."
    return ""


def _guidelines(protocol: Protocol | None) -> str | None:
    """The campaign's first guidelines; None where they cannot be stored.

    Until somebody writes some they are the preset's, or those for pilots.
    """
    begin = "" if protocol is None else protocols.campaign_guidelines(protocol)
    if protocol is not None and st.session_state.get(_TEXT) in (None, st.session_state.get(_BEGAN)):
        st.session_state[_TEXT] = begin
    if protocol is not None:
        st.session_state[_BEGAN] = begin
    with st.expander("Guidelines", icon=":material/menu_book:"):
        write, look = st.columns(2)
        text = write.text_area(
            "Guidelines in Markdown",
            height=380,
            key=_TEXT,
        )
        look.caption("As annotators see them")
        try:
            found = checked(text or "")
        except PagetrailError as error:
            write.error(literal(error.message))
            return None
        look.container(height=380).markdown(shown_markdown(found) or "Nothing is written yet.")
        write.caption(
            f"At most {grouped(MAX_CHARACTERS)} characters. They can be changed at any time."
        )
    return found
