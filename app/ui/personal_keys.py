"""The part of Account in which a person changes keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.personal_keys import (
    BoundKey,
    UnusableKeyError,
    bound_keys,
    changeable_keys,
    press_name,
    press_text,
    with_key,
)
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.preferences import preferences_of, set_preferences
from pagetrail.storage.people.roles import is_supervisor

_SCREENS = {
    "Workspace": N_("Tasks"),
    "Batches": N_("My batches"),
    "Review": N_("Review"),
    "Replay": N_("Replay"),
}
_OF_ANNOTATORS = ("Workspace", "Batches")
_SCREEN, _CHANGED_KEY, _NEW_KEY, _MESSAGE = (
    "keys-screen",
    "keys-changed",
    "keys-new",
    "keys-message",
)


def show_keys(workspace: Workspace, person: Person) -> None:
    """Choose a key, type another one, and reset those that were changed."""
    st.header(gettext("Keys"))
    st.caption(
        gettext(
            "Digits choose options and labels, and Esc leaves fields and dialogs; these cannot be "
            "changed. Where a campaign uses one of your keys itself, the original key works "
            "instead. Reload tasks that are open."
        )
    )
    screen = st.segmented_control(
        gettext("Screen"),
        list(_SCREENS if is_supervisor(person) else _OF_ANNOTATORS),
        default="Workspace",
        required=True,
        format_func=lambda name: gettext(_SCREENS[name]),
        key=_SCREEN,
    )
    keys = {key.id: key for key in changeable_keys(screen, _chosen(workspace, person))}
    with st.form("keys", width=620, enter_to_submit=True):
        st.selectbox(
            gettext("What the key does"),
            list(keys),
            format_func=lambda id_: f"{_label(keys[id_])} ({press_name(keys[id_].standard)})",
            key=_CHANGED_KEY,
        )
        st.text_input(
            gettext("New key"),
            placeholder=gettext("Such as o, é, F2, Shift+N or Ctrl+O"),
            autocomplete="off",
            key=_NEW_KEY,
        )
        st.form_submit_button(
            gettext("Change key"), on_click=partial(_change, workspace, person, screen)
        )
    if _MESSAGE in st.session_state:
        is_refusal, message = st.session_state.pop(_MESSAGE)
        (st.error if is_refusal else st.success)(literal(message))
    for key in keys.values():
        if key.is_changed:
            _show_changed(workspace, person, key)


def _show_changed(workspace: Workspace, person: Person, key: BoundKey) -> None:
    label, original = _label(key), press_name(key.standard)
    with st.container(horizontal=True, vertical_alignment="center", width=620):
        st.markdown(
            gettext(
                "{label}: **{key}** instead of {original}",
                label=literal(label),
                key=literal(press_name(key.press)),
                original=literal(original),
            )
        )
        st.button(
            gettext("Reset to {key}", key=literal(original)),
            key=f"reset {key.id}",
            help=literal(label),
            on_click=partial(_reset, workspace, person, key),
        )


def _change(workspace: Workspace, person: Person, screen: str) -> None:
    keys = changeable_keys(screen, _chosen(workspace, person))
    changed = next(key for key in keys if key.id == st.session_state[_CHANGED_KEY])
    if _store(workspace, person, changed, st.session_state[_NEW_KEY]):
        st.session_state[_NEW_KEY] = ""


def _reset(workspace: Workspace, person: Person, key: BoundKey) -> None:
    _store(workspace, person, key, press_text(key.standard))


def _store(workspace: Workspace, person: Person, key: BoundKey, text: str) -> bool:
    """Change a key, or leave the reason why not as a message."""
    try:
        keys = with_key(_chosen(workspace, person), key, text)
    except UnusableKeyError as error:
        st.session_state[_MESSAGE] = True, error.message
        return False
    set_preferences(workspace, person.id, keys=keys)
    current = next(bound.press for bound in changeable_keys(key.screen, keys) if bound.id == key.id)
    message = gettext("{label}: {key}", label=_label(key), key=press_name(current))
    st.session_state[_MESSAGE] = False, message
    return True


def shortcut(screen: str, command: str, chosen: Mapping[str, str]) -> str:
    """The key of a command as Streamlit's buttons take it.

    Args:
        chosen: the keys that the person has changed, by id.
    """
    press = next(key.press for key in bound_keys(screen, chosen) if key.command == command)
    return "+".join((*press.modifiers, press.key)).lower()


def _chosen(workspace: Workspace, person: Person) -> dict[str, str]:
    return preferences_of(workspace, person.id).keys


def _label(key: BoundKey) -> str:
    return gettext(key.label)
