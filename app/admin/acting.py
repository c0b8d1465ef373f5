"""Acts of supervisors: rights looked at anew, errors as sentences, and what was done shown once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from annotation.errors import PagetrailError
from app import identity, wiring
from app.literal import literal
from app.oversight import overseeing
from app.wiring import Services
from storage.people import Person

_SAID = "admin-said"
_ASKED = "admin-asked"
_ICONS = {
    "success": ":material/check:",
    "info": ":material/info:",
    "warning": ":material/warning:",
    "error": ":material/error:",
}
Act = Callable[[Services, Person], str | None]
"""What is done; returns the sentence about it."""


def act(what: str, do: Act) -> None:
    """Run an act from a callback. Whoever asks is looked up anew: callbacks run before the screen.

    Args:
        what: how a refused try is called in the audit log.
    """
    app = wiring.services()
    st.session_state.pop(_ASKED, None)
    person = identity.person_of(app, st.context.cookies)
    if person is None:
        say("error", "You are signed out. Sign in again to go on.")
        return
    try:
        overseeing(app, person, what)
        message = do(app, person)
    except PagetrailError as error:
        say("error", error.message)
        return
    if message:
        say("success", message)


def say(kind: str, message: str) -> None:
    """Keep a message for the next run: ``success``, ``info``, ``warning`` or ``error``."""
    st.session_state.setdefault(_SAID, []).append((kind, message))


def show_said() -> None:
    """The messages of the acts before this run; at the top, and where one has scrolled to."""
    for kind, message in st.session_state.pop(_SAID, []):
        getattr(st, kind)(literal(message))
        st.toast(literal(message), icon=_ICONS[kind])


def ask(dialog: str, /, **details: Any) -> None:
    """Callback: open a dialog before something is done."""
    st.session_state[_ASKED] = (dialog, details)


def asked(dialog: str) -> dict[str, Any] | None:
    """What a dialog was opened with; None where it was not."""
    found = st.session_state.get(_ASKED)
    return found[1] if found is not None and found[0] == dialog else None


def never_mind() -> None:
    """Callback: close the dialog; nothing is done."""
    st.session_state.pop(_ASKED, None)


def confirm(
    title: str,
    sentences: list[str],
    label: str,
    key: str,
    on_click: Callable[..., None],
    *args: Any,
    body: Callable[[], None] | None = None,
    wide: bool = False,
) -> None:
    """A dialog that names what will happen, with one button for it and one to leave it."""

    @st.dialog(title, width="medium" if wide else "small", on_dismiss=never_mind)
    def dialog() -> None:
        for sentence in sentences:
            st.markdown(literal(sentence))
        if body is not None:
            body()
        with st.container(horizontal=True, horizontal_alignment="right"):
            left = st.button("Cancel", key=f"{key}-cancel", on_click=never_mind)
            done = st.button(label, key=f"{key}-do", type="primary", on_click=on_click, args=args)
        if left or done:
            st.rerun()  # a dialog's run draws the dialog alone

    dialog()
