"""The guidelines editor: preview, saving without overwriting anybody's changes, versions."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.admin.actions import noted, say, still_signed_in
from pagetrail.app.admin.campaigns.guidelines_draft import Draft
from pagetrail.app.admin.campaigns.guidelines_versions import show_versions
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import shown_markdown
from pagetrail.app.ui.notation import format_clock, zone_name_at
from pagetrail.storage.campaigns.guidelines import (
    Guidelines,
    StaleGuidelines,
    checked,
    difference,
    guidelines_of,
    save_guidelines,
)
from pagetrail.storage.people.accounts import Person

_HEIGHT = 460


def show_guidelines(app: Services, person: Person, campaign: str, *, archived: bool) -> None:
    """Draw editor, preview and versions."""
    now = guidelines_of(app.workspace, campaign)
    if archived:
        st.info("This campaign is archived: its guidelines can only be read.")
        with st.container(height=_HEIGHT):
            st.markdown(shown_markdown(now.text) or "There are none.")
        return
    draft = _draft(now)
    key = f"guidelines-text-{campaign}"
    if key not in st.session_state:
        st.session_state[key] = draft.text
    write, look = st.columns(2)
    write.text_area(
        "Guidelines in Markdown", key=key, height=_HEIGHT, on_change=_typed, args=(draft, key)
    )
    look.caption("As annotators see them; updated when you leave the box or press Ctrl+Enter.")
    try:
        shown = shown_markdown(checked(draft.text))
        look.container(height=_HEIGHT).markdown(shown or "Nothing is written yet.")
    except PagetrailError as error:
        look.error(literal(error.message))
    if draft.theirs is not None:
        _both(app, person, draft, key, draft.theirs)
    else:
        _buttons(app, person, draft, key)
    show_versions(app.workspace, campaign, draft, key)


def _draft(now: Guidelines) -> Draft:
    """This tab's draft; while it is unchanged it follows what others save."""
    drafts: dict[str, Draft] = st.session_state.setdefault("guidelines-drafts", {})
    draft = drafts.get(now.campaign)
    if draft is None or (not draft.changed and draft.base != now):
        draft = drafts[now.campaign] = Draft(now)
        st.session_state[f"guidelines-text-{now.campaign}"] = draft.text
    return draft


def _typed(draft: Draft, key: str) -> None:
    draft.text = str(st.session_state[key] or "").replace("\r\n", "\n")


def _buttons(app: Services, person: Person, draft: Draft, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Save", type="primary", icon=":material/save:", key="guidelines-save",
            disabled=not draft.changed, on_click=_save, args=(app, person, draft),
        )  # fmt: skip
        st.button(
            "Discard changes", key="guidelines-discard", disabled=not draft.changed,
            on_click=_replace_draft, args=(draft, key, draft.base),
        )  # fmt: skip
        if draft.changed:
            st.caption("Not saved yet. Annotators see the new text when they open the next task.")
        elif draft.saved:
            st.caption(f"Saved at {draft.saved}.")


def _save(app: Services, person: Person, draft: Draft) -> None:
    """Callback: save the text, unless somebody else saved first."""
    try:
        still_signed_in(app, person)
        saved = save_guidelines(
            app.workspace, person, draft.base.campaign, draft.text, seen=draft.base.mark,
            restored=draft.restored,
        )  # fmt: skip
    except StaleGuidelines as error:
        draft.theirs, draft.message = error.current, error.message
    except PagetrailError as error:
        noted(app, person, error)
        say("error", error.message)
    else:
        draft.base, draft.text, draft.theirs, draft.restored = saved, saved.text, None, None
        now = app.clock.now()
        draft.saved = f"{format_clock(now, seconds=True)} {zone_name_at(now)}"


def _both(app: Services, person: Person, draft: Draft, key: str, theirs: Guidelines) -> None:
    """Both sets of changes, and the choice between them."""
    st.warning(literal(draft.message))
    left, right = st.columns(2)
    left.caption("Changed by somebody else")
    left.code(difference(draft.base.text, theirs.text) or "Nothing.", language="diff")
    right.caption("Changed by you")
    right.code(difference(draft.base.text, draft.text) or "Nothing.", language="diff")
    with st.container(horizontal=True):
        st.button(
            "Continue with my text", key="guidelines-mine", on_click=_rebase, args=(draft, theirs),
            help="Merge the other changes, then save. Theirs stays as a version.",
        )  # fmt: skip
        st.button(
            "Discard mine, use theirs", key="guidelines-theirs", on_click=_replace_draft,
            args=(draft, key, theirs),
        )  # fmt: skip


def _rebase(draft: Draft, theirs: Guidelines) -> None:
    """Callback: base the draft on what was saved meanwhile, without changing it."""
    draft.base, draft.theirs = theirs, None


def _replace_draft(draft: Draft, key: str, text: Guidelines) -> None:
    """Callback: start again from that text."""
    draft.base, draft.text, draft.theirs, draft.restored = text, text.text, None, None
    st.session_state[key] = text.text
