"""A new campaign or pilot: name, protocol with settings, guidelines, task files."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.app.admin.actions import current_dialog, dialog_button, show_dialog
from pagetrail.app.admin.campaigns.campaign_summary import later_changes
from pagetrail.app.admin.campaigns.draft import begin_draft, draft_values, end_draft
from pagetrail.app.admin.campaigns.file_imports import show_new_elements
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice, choose_protocol
from pagetrail.app.admin.campaigns.question_sources import question_sources
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES
from pagetrail.app.admin.campaigns.settings_form import chosen_seed
from pagetrail.app.admin.campaigns.task_import import TaskImport, import_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import streamlit_markdown
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.campaigns.guidelines import MAX_CHARACTERS, checked_text
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
_KINDS: dict[Kind, str] = {"campaign": N_("Campaign"), "pilot": N_("Pilot")}


def open_new_campaign(kind: Kind = "campaign", name: str = "") -> None:
    """Callback: open an empty form of that kind, with the name filled in if known."""
    begin_draft()
    st.session_state.pop(_TEXT, None)
    st.session_state[_KIND] = kind
    draft_values("campaign")["name"] = name


def show_new(
    app: Services, person: Person, existing_names: list[str], pilots: list[str], sources: list[str]
) -> None:
    """Show the form.

    Args:
        existing_names: names of all campaigns, archived ones too.
        sources: campaigns that hidden gold may come from.
    """
    kind = _header()
    name, problem = _name_input(existing_names)
    choice = choose_protocol(app, pilots, sources, pilot=kind == "pilot")
    protocol = None if choice is None else choice.protocol
    guidelines = _guidelines_input(choice)
    files = question_sources(app, protocol, "campaign-files")
    predictions = []
    if protocol is not None and needs_predictions(protocol):
        predictions = st.file_uploader(
            gettext("Results of systems, one file each"),
            type=TABLE_TYPES,
            accept_multiple_files=True,
            key="campaign-predictions",
            help=gettext(
                "Rows with id and answer. The file name without its ending names the system."
            ),
        )
    if choice is not None and takes_elements(choice.protocol):
        show_new_elements(
            app, name, choice, chosen_seed(), guidelines or "",
            ready=not problem and guidelines is not None,
        )  # fmt: skip
    missing = [
        *([gettext("a name")] if problem else []),
        *([gettext("a valid protocol")] if protocol is None else []),
        *([gettext("valid guidelines")] if guidelines is None else []),
        *([gettext("at least one question")] if not files else []),
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        dialog_button(
            gettext("Check and create…"),
            "campaign-create",
            CREATE,
            name,
            disabled=bool(missing),
            is_primary=True,
        )
        if missing:
            st.caption(gettext("Still needed: {missing}.", missing=", ".join(missing)))
    opened = current_dialog(CREATE)
    if opened is None or (missing and opened.result is None):
        return
    request = CampaignImport(
        campaign=opened.subject, protocol=protocol, seed=chosen_seed(), guidelines=guidelines
    )
    task_import = TaskImport(request, files, predictions, choice)
    show_dialog(
        gettext("Create “{subject}”?", subject=opened.subject),
        opened,
        lambda state: import_dialog(app, person, state, task_import),
        width="large",
    )


def _header() -> Kind:
    """The heading, the choice of campaign or pilot, and what cannot be changed later."""
    title, back_column = st.columns([8, 2], vertical_alignment="bottom")
    kind: Kind = "pilot" if st.session_state.get(_KIND) == "pilot" else "campaign"
    is_pilot = kind == "pilot"
    title.header(gettext("New pilot") if is_pilot else gettext("New campaign"))
    back_column.button(
        gettext("Back to the list"), icon=":material/arrow_back:", key="campaign-back",
        on_click=end_draft,
    )  # fmt: skip
    st.session_state[_KIND] = kind  # Streamlit drops it while another part is shown
    st.segmented_control(
        gettext("Kind"),
        list(_KINDS),
        format_func=lambda kind: gettext(_KINDS[kind]),
        required=True,
        key=_KIND,
        label_visibility="collapsed",
    )
    if is_pilot:
        explanation = gettext(
            "Tasks with known answers, which show who has understood the guidelines. Everybody "
            "takes a pilot, and a campaign can be closed to those who have not passed it: choose "
            "the pilot when you create that campaign."
        )
        st.caption(f"{explanation} {later_changes(pilot=True)}")
    else:
        st.caption(later_changes(pilot=False))
    return kind


def _name_input(existing_names: list[str]) -> tuple[str, str]:
    """The name, and its problem if it has one."""
    draft = draft_values("campaign")
    typed = st.text_input(
        gettext("Name"), value=draft.get("name", ""), key=_NAME, max_chars=MAX_CAMPAIGN_NAME
    )
    draft["name"] = typed
    name = (typed or "").strip()
    problem = _name_problem(name, existing_names)
    if typed and problem:
        st.error(literal(problem))
    return name, problem


def _name_problem(name: str, existing_names: list[str]) -> str:
    try:
        check_campaign_name(name)
    except PagetrailError as error:
        return error.message
    duplicate = next(
        (existing for existing in existing_names if existing.casefold() == name.casefold()), None
    )
    if duplicate is not None:
        return gettext(
            "A campaign {duplicate} already exists. Choose another name.", duplicate=duplicate
        )
    return ""


def _guidelines_input(choice: ProtocolChoice | None) -> str | None:
    """The campaign's first guidelines; None if they are invalid.

    They default to the preset's, or to those for pilots.
    """
    draft = draft_values("guidelines")
    expander = st.expander(
        gettext("Guidelines"),
        icon=":material/menu_book:",
        key="new-guidelines-folded",
        on_change="rerun",
    )
    if expander.open and _TEXT in st.session_state:
        draft["text"] = st.session_state[_TEXT] or ""
    if choice is not None:
        default = protocols.campaign_guidelines(choice.protocol)
        if draft.get("text") == draft.get("began"):
            draft["text"] = default
        draft["began"] = default
    if expander.open:
        st.session_state[_TEXT] = draft.get("text") or ""
        with expander:
            _edit_guidelines()
    else:
        st.session_state.pop(_TEXT, None)
    text = draft.get("text") or ""
    is_custom = text != (draft.get("began") or "")
    if is_custom and not expander.open:
        st.caption(
            gettext(
                "Guidelines of your own, {characters} characters.",
                characters=format_number(len(text)),
            )
        )
    elif choice is not None and choice.labels_differ and not is_custom:
        st.caption(gettext("The guidelines still describe the previous labels. Edit them, too."))
    try:
        return checked_text(text)
    except PagetrailError as error:
        st.error(literal(error.message))
        return None


def _edit_guidelines() -> None:
    write, look = st.columns(2)
    text = write.text_area(gettext("Guidelines in Markdown"), height=380, key=_TEXT)
    look.caption(gettext("As annotators see them"))
    look.container(height=380).markdown(
        streamlit_markdown(text or "") or gettext("Nothing is written yet.")
    )
    write.caption(
        gettext(
            "At most {most} characters. They can be changed at any time.",
            most=format_number(MAX_CHARACTERS),
        )
    )
