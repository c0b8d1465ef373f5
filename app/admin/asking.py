"""Dialogs of the administration: one at a time, kept over reruns, each carried out once.

What is asked stands in the session until it is answered or dismissed. A callback that finds it
gone, since the first of two clicks has answered it, does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from annotation.errors import Forbidden, PagetrailError
from app import identity
from app.literal import literal
from app.wiring import Services
from storage.people import Person

DONE = "done"
"""Key of the button that closes a dialog with a result; Streamlit forgets it with the screen."""

_ASKED = "accounts-asked"
_SAID = "accounts-said"


@dataclass
class Asked:
    """A dialog that is open.

    Attributes:
        kind: which one.
        about: the name of whom or what it is about.
        result: what came of it, where the dialog stays open to show it.
        problem: why it could not be done, as a sentence.
        shown: whether the result has been on the screen.
    """

    kind: str
    about: str = ""
    result: Any = None
    problem: str = ""
    shown: bool = False


def ask(kind: str, about: str = "") -> None:
    """Callback: open a dialog with the next run."""
    st.session_state[_ASKED] = Asked(kind, about)


def asked(*kinds: str) -> Asked | None:
    """The open dialog, if it is one of these.

    A result is shown once: who has left the screen without “Done” does not find it there again.
    """
    found: Asked | None = st.session_state.get(_ASKED)
    if found is not None and found.shown and DONE not in st.session_state:
        dismiss()
        return None
    return found if found is not None and found.kind in kinds else None


def dismiss() -> None:
    """Callback: close the dialog, and forget what it showed."""
    st.session_state.pop(_ASKED, None)


def dialog(
    title: str,
    asked: Asked,
    draw: Callable[[Asked], None],
    *,
    width: Literal["small", "medium", "large"] = "small",
) -> None:
    """Draw a dialog; a button in it may have answered it, which closes it."""

    def body() -> None:
        if st.session_state.get(_ASKED) is not asked:
            st.rerun()
        draw(asked)
        asked.shown = asked.result is not None
        if asked.problem:
            st.error(literal(asked.problem))

    st.dialog(literal(title), width=width, on_dismiss=dismiss)(body)()


def answer(
    app: Services,
    person: Person,
    asked: Asked,
    act: Callable[[], Any],
    *,
    done: str = "",
    stay: bool = False,
) -> None:
    """Callback: do what a dialog asked for, once.

    Args:
        done: the sentence that is shown afterwards, where the dialog closes.
        stay: keep the dialog open, with what ``act`` returned as its result.
    """
    if st.session_state.get(_ASKED) is not asked or asked.result is not None:
        return
    asked.problem = ""
    try:
        still_signed_in(app, person)
        result = act()
    except PagetrailError as error:
        noted(app, person, error)
        asked.problem = error.message
        return
    if stay:
        asked.result = result
        return
    dismiss()
    if done:
        say(done)


def do(app: Services, person: Person, act: Callable[[], Any], *, done: str = "") -> None:
    """Callback: do something that needs no asking, and say that it is done."""
    try:
        still_signed_in(app, person)
        act()
    except PagetrailError as error:
        noted(app, person, error)
        say(error.message, wrong=True)
        return
    say(done)


def say(sentence: str, *, wrong: bool = False) -> None:
    """Show a sentence with the next run, once."""
    st.session_state.setdefault(_SAID, []).append((sentence, wrong))


def show_said() -> None:
    """What there is to say."""
    for sentence, wrong in st.session_state.pop(_SAID, []):
        (st.error if wrong else st.success)(literal(sentence))


def still_signed_in(app: Services, person: Person) -> None:
    """Refuse who has signed out, or was signed out, since the screen was drawn.

    Callbacks run before the screen looks who is there. Rights are looked at by the act itself.

    Raises:
        PagetrailError: with the code ``signed_out``.
    """
    now = identity.person_of(app, st.context.cookies)
    if now is None or now.id != person.id:
        raise PagetrailError("You are signed out. Sign in again to go on.", code="signed_out")


def noted(app: Services, person: Person, error: PagetrailError) -> None:
    """Write a refused act down."""
    if isinstance(error, Forbidden):
        app.notes.note(person.name, "forbidden act", error.message)
