"""The guidelines editor with preview, conflict handling and versions."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import log_refusal, queue_message, still_signed_in
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import streamlit_markdown
from pagetrail.app.ui.notation import format_clock, format_minute, zone_name_at
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.guidelines import (
    Guidelines,
    StaleGuidelines,
    Version,
    checked_text,
    difference,
    guideline_versions,
    guidelines_of,
    save_guidelines,
    version_text,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person

_HEIGHT = 460


def show_guidelines(app: Services, person: Person, campaign: str, *, archived: bool) -> None:
    """Show editor, preview and versions."""
    guidelines = guidelines_of(app.workspace, campaign)
    if archived:
        st.info(gettext("This campaign is archived: its guidelines can only be read."))
        with st.container(height=_HEIGHT):
            st.markdown(streamlit_markdown(guidelines.text) or gettext("There are none."))
        return
    draft = _draft(guidelines)
    key = f"guidelines-text-{campaign}"
    if key not in st.session_state:
        st.session_state[key] = draft.text
    write, preview = st.columns(2)
    write.text_area(
        gettext("Guidelines in Markdown"),
        key=key,
        height=_HEIGHT,
        on_change=_keep_text,
        args=(draft, key),
    )
    preview.caption(
        gettext("As annotators see them; updated when you leave the box or press Ctrl+Enter.")
    )
    try:
        rendered = streamlit_markdown(checked_text(draft.text))
        preview.container(height=_HEIGHT).markdown(rendered or gettext("Nothing written yet."))
    except PagetrailError as error:
        preview.error(literal(error.message))
    if draft.conflicting is not None:
        _conflict(app, person, draft, key, draft.conflicting)
    else:
        _buttons(app, person, draft, key)
    show_versions(app.workspace, campaign, draft, key)


def _draft(guidelines: Guidelines) -> Draft:
    """This tab's draft; an unchanged one follows what others save."""
    drafts: dict[str, Draft] = st.session_state.setdefault("guidelines-drafts", {})
    draft = drafts.get(guidelines.campaign)
    if draft is None or (not draft.changed and draft.base != guidelines):
        draft = drafts[guidelines.campaign] = Draft(guidelines)
        st.session_state[f"guidelines-text-{guidelines.campaign}"] = draft.text
    return draft


def _keep_text(draft: Draft, key: str) -> None:
    draft.text = str(st.session_state[key] or "").replace("\r\n", "\n")


def _buttons(app: Services, person: Person, draft: Draft, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            gettext("Save"), type="primary", icon=":material/save:", key="guidelines-save",
            disabled=not draft.changed, on_click=_save, args=(app, person, draft),
        )  # fmt: skip
        st.button(
            gettext("Discard changes"), key="guidelines-discard", disabled=not draft.changed,
            on_click=_replace_draft, args=(draft, key, draft.base),
        )  # fmt: skip
        if draft.changed:
            st.caption(
                gettext("Not saved yet. Annotators see the new text when they open the next task.")
            )
        elif draft.saved:
            st.caption(gettext("Saved at {saved}.", saved=draft.saved))


def _save(app: Services, person: Person, draft: Draft) -> None:
    """Callback: save the text, unless somebody else saved first."""
    try:
        still_signed_in(app, person)
        saved = save_guidelines(
            app.workspace, person, draft.base.campaign, draft.text, based_on=draft.base.mark,
            restored=draft.restored,
        )  # fmt: skip
    except StaleGuidelines as error:
        draft.conflicting, draft.message = error.current, error.message
    except PagetrailError as error:
        log_refusal(app, person, error)
        queue_message("error", error.message)
    else:
        draft.base, draft.text, draft.conflicting, draft.restored = saved, saved.text, None, None
        now = app.clock.now()
        draft.saved = f"{format_clock(now, seconds=True)} {zone_name_at(now)}"


def _conflict(app: Services, person: Person, draft: Draft, key: str, saved: Guidelines) -> None:
    """Both sets of changes, to choose one."""
    st.warning(literal(draft.message))
    left, right = st.columns(2)
    left.caption(gettext("Changed by somebody else"))
    left.code(difference(draft.base.text, saved.text) or gettext("Nothing."), language="diff")
    right.caption(gettext("Changed by you"))
    right.code(difference(draft.base.text, draft.text) or gettext("Nothing."), language="diff")
    with st.container(horizontal=True):
        st.button(
            gettext("Continue with my text"),
            key="guidelines-mine",
            on_click=_rebase,
            args=(draft, saved),
            help=gettext("Merge the other changes, then save. Theirs stays as a version."),
        )
        st.button(
            gettext("Discard mine, use theirs"), key="guidelines-theirs", on_click=_replace_draft,
            args=(draft, key, saved),
        )  # fmt: skip


def _rebase(draft: Draft, saved: Guidelines) -> None:
    """Callback: base the unchanged draft on the newly saved text."""
    draft.base, draft.conflicting = saved, None


def _replace_draft(draft: Draft, key: str, text: Guidelines) -> None:
    """Callback: start again from a saved text."""
    draft.base, draft.text, draft.conflicting, draft.restored = text, text.text, None, None
    st.session_state[key] = text.text


def show_versions(workspace: Workspace, campaign: str, draft: Draft, key: str) -> None:
    """An expander with the versions, a choice of one, and what can be done with it."""
    saved_versions = guideline_versions(workspace, campaign)
    with st.expander(
        gettext("Versions ({number})", number=len(saved_versions)),
        icon=":material/history:",
    ):
        if not saved_versions:
            st.caption(gettext("The guidelines have not changed since the campaign was created."))
            return
        show_table(
            pd.DataFrame(
                [
                    (_saved_at(v), v.by, v.characters, gettext("current") if v.in_force else "")
                    for v in saved_versions
                ],
                columns=[
                    gettext("saved ({zone})", zone=zone_name_at()),
                    N_("by"),
                    N_("characters"),
                    N_("state"),
                ],
            ),
            max_height=220,
        )
        version = st.selectbox(
            gettext("Version"),
            saved_versions,
            index=None,
            format_func=lambda v: gettext("{time} by {person}", time=_saved_at(v), person=v.by),
            key=f"version-{campaign}",
            placeholder=gettext("Choose one to compare or restore"),
        )
        if version is not None:
            _show_version(workspace, campaign, version, draft, key)


def _show_version(
    workspace: Workspace, campaign: str, version: Version, draft: Draft, key: str
) -> None:
    try:
        text = version_text(workspace, campaign, version.id)
    except PagetrailError as error:
        st.error(literal(error.message))
        return
    st.caption(gettext("From this version to the current text"))
    current_text = guidelines_of(workspace, campaign).text
    st.code(difference(text, current_text) or gettext("No differences."), language="diff")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            gettext("Load into the editor"), key="version-restore", icon=":material/restore:",
            disabled=draft.changed or version.in_force,
            help=gettext("Save or discard your changes first.") if draft.changed else None,
            on_click=load_into_editor, args=(draft, key, text, version.id),
        )  # fmt: skip
        st.download_button(
            gettext("Download (Markdown)"), text, file_name=f"guidelines-{version.id}.md",
            mime="text/markdown", on_click="ignore", icon=":material/download:",
            key="version-download",
        )  # fmt: skip


def _saved_at(version: Version) -> str:
    return format_minute(version.at, seconds=True)


class Draft:
    """A draft and the text it started from.

    Attributes:
        base: the guidelines when the editor was opened.
        text: the draft; a text area loses its value while it is off the screen.
        conflicting: what somebody else saved in the meantime, if that blocked saving.
        message: why saving was refused.
        restored: the version the text was restored from.
        saved: time of day when this tab last saved, with its time zone; may be empty.
    """

    def __init__(self, base: Guidelines) -> None:
        self.base = base
        self.text = base.text
        self.conflicting: Guidelines | None = None
        self.message = ""
        self.restored: str | None = None
        self.saved = ""

    @property
    def changed(self) -> bool:
        """Whether there is anything to save."""
        return self.text != self.base.text


def load_into_editor(draft: Draft, key: str, text: str, version: str) -> None:
    """Callback: write an earlier version into the editor; saving makes it current."""
    draft.text, draft.restored = text, version
    st.session_state[key] = text
