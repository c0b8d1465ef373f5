"""A new campaign or pilot: name, protocol with settings, guidelines, task files."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.app.admin.actions import ask, asked, dialog
from pagetrail.app.admin.campaigns.campaign_summary import later_changes
from pagetrail.app.admin.campaigns.draft import begin_draft, draft_values, end_draft
from pagetrail.app.admin.campaigns.file_imports import show_new_elements
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice, choose_protocol
from pagetrail.app.admin.campaigns.question_sources import question_sources
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES
from pagetrail.app.admin.campaigns.settings_form import chosen_seed
from pagetrail.app.admin.campaigns.task_import import Import, import_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import shown_markdown
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.campaigns.guidelines import MAX_CHARACTERS, checked
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, needs_predictions
from pagetrail.storage.importers.tasks.campaign_settings import (
    MAX_CAMPAIGN_NAME,
    check_campaign_name,
)
from pagetrail.storage.importers.tasks.element_importer import takes_elements
from pagetrail.storage.people.accounts import Person

CREATE = "create"
Kind = Literal["campaign", "pilot"]
_KIND = "new-kind"
_NAME = "campaign-name"
_TEXT = "new-guidelines"
_KINDS: dict[Kind, str] = {"campaign": "Campaign", "pilot": "Pilot"}
_ABOUT: dict[Kind, str] = {
    "campaign": later_changes(pilot=False),
    "pilot": "Tasks with known answers, which show who has understood the guidelines. Everybody "
    "takes a pilot, and a campaign can be closed to those who have not passed it: choose the "
    f"pilot when you create that campaign. {later_changes(pilot=True)}",
}


def open_new_campaign(kind: Kind = "campaign", name: str = "") -> None:
    """Callback: to an empty form of that kind, with a name that is already known."""
    begin_draft()
    st.session_state.pop(_TEXT, None)
    st.session_state[_KIND] = kind
    draft_values("campaign")["name"] = name


def show_new(
    app: Services, person: Person, taken: list[str], pilots: list[str], sources: list[str]
) -> None:
    """Draw the form.

    Args:
        taken: names of all campaigns, archived ones too.
        sources: campaigns that hidden gold may come from.
    """
    kind = _header()
    name, problem = _name(taken)
    choice = choose_protocol(app, pilots, sources, pilot=kind == "pilot")
    protocol = None if choice is None else choice.protocol
    guidelines = _guidelines(choice)
    files = question_sources(app, protocol, "campaign-files")
    predictions = []
    if protocol is not None and needs_predictions(protocol):
        predictions = st.file_uploader(
            "Results of systems, one file each",
            type=TABLE_TYPES,
            accept_multiple_files=True,
            key="campaign-predictions",
            help="Rows with id and answer. The file name without its ending names the system.",
        )
    if choice is not None and takes_elements(choice.protocol):
        show_new_elements(
            app, name, choice, chosen_seed(), guidelines or "",
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
            on_click=ask, args=(CREATE, name),
        )  # fmt: skip
        if missing:
            st.caption(f"Still needed: {', '.join(missing)}.")
    open_ = asked(CREATE)
    if open_ is None or (missing and open_.result is None):
        return
    wanted = CampaignImport(
        campaign=open_.about, protocol=protocol, seed=chosen_seed(), guidelines=guidelines
    )
    wish = Import(wanted, files, predictions, choice)
    dialog(
        f"Create “{open_.about}”?",
        open_,
        lambda asked: import_dialog(app, person, asked, wish),
        width="large",
    )


def _header() -> Kind:
    """The heading, the choice between campaign and pilot, and what cannot be changed later."""
    title, back = st.columns([8, 2], vertical_alignment="bottom")
    kind: Kind = "pilot" if st.session_state.get(_KIND) == "pilot" else "campaign"
    title.header(f"New {kind}")
    back.button(
        "Back to the list", icon=":material/arrow_back:", key="campaign-back",
        on_click=end_draft,
    )  # fmt: skip
    st.session_state[_KIND] = kind  # also where another part of the screen was shown meanwhile
    st.segmented_control(
        "Kind", list(_KINDS), format_func=_KINDS.__getitem__, required=True, key=_KIND,
        label_visibility="collapsed",
    )  # fmt: skip
    st.caption(_ABOUT[kind])
    return kind


def _name(taken: list[str]) -> tuple[str, str]:
    """The name, and what is wrong with it."""
    kept = draft_values("campaign")
    typed = st.text_input(
        "Name", value=kept.get("name", ""), key=_NAME, max_chars=MAX_CAMPAIGN_NAME
    )
    kept["name"] = typed
    name = (typed or "").strip()
    problem = _name_problem(name, taken)
    if typed and problem:
        st.error(literal(problem))
    return name, problem


def _name_problem(name: str, taken: list[str]) -> str:
    try:
        check_campaign_name(name)
    except PagetrailError as error:
        return error.message
    known = next((each for each in taken if each.casefold() == name.casefold()), None)
    if known is not None:
        return f"A campaign {known} already exists. Choose another name."
    return ""


def _guidelines(choice: ProtocolChoice | None) -> str | None:
    """The campaign's first guidelines; None where they cannot be stored.

    Until somebody writes some they are the preset's, or those for pilots.
    """
    kept = draft_values("guidelines")
    folded = st.expander(
        "Guidelines", icon=":material/menu_book:", key="new-guidelines-folded", on_change="rerun"
    )
    if folded.open and _TEXT in st.session_state:
        kept["text"] = st.session_state[_TEXT] or ""
    if choice is not None:
        begin = protocols.campaign_guidelines(choice.protocol)
        if kept.get("text") == kept.get("began"):
            kept["text"] = begin
        kept["began"] = begin
    if folded.open:
        st.session_state[_TEXT] = kept.get("text") or ""
        with folded:
            _edit_guidelines()
    else:
        st.session_state.pop(_TEXT, None)
    text = kept.get("text") or ""
    own = text != (kept.get("began") or "")
    if own and not folded.open:
        st.caption(f"Guidelines of your own, {format_number(len(text))} characters.")
    elif choice is not None and choice.labels_differ and not own:
        st.caption("The guidelines still describe the labels of before. Edit them, too.")
    try:
        return checked(text)
    except PagetrailError as error:
        st.error(literal(error.message))
        return None


def _edit_guidelines() -> None:
    write, look = st.columns(2)
    text = write.text_area("Guidelines in Markdown", height=380, key=_TEXT)
    look.caption("As annotators see them")
    look.container(height=380).markdown(shown_markdown(text or "") or "Nothing is written yet.")
    write.caption(
        f"At most {format_number(MAX_CHARACTERS)} characters. They can be changed at any time."
    )
