"""Actions on the administration screen: check rights again, confirm where needed, report after.

One dialog is open at a time. It is kept in the session, so that it survives reruns until it is
answered or dismissed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from pagetrail.annotation.errors import Forbidden, PagetrailError
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import overseeing
from pagetrail.app.ui import current_user as identity
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person

DONE = "done"
"""Key of the button that closes a dialog with a result; Streamlit forgets it with the screen."""

_ASKED = "admin-asked"
_SAID = "admin-said"
_ICONS = {
    "success": ":material/check:",
    "info": ":material/info:",
    "warning": ":material/warning:",
    "error": ":material/error:",
}
Act = Callable[[Services, Person], str | None]
"""An action; returns the sentence that reports it."""


@dataclass
class Asked:
    """An open dialog.

    Attributes:
        kind: which dialog.
        about: the name of the person or thing it is about.
        details: other arguments it was opened with.
        result: what the action returned, where the dialog stays open to show it.
        problem: why the action failed, as a sentence.
        shown: whether the result has been on the screen.
    """

    kind: str
    about: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    problem: str = ""
    shown: bool = False


def ask(kind: str, about: str = "", /, **details: Any) -> None:
    """Callback: open a dialog in the next run."""
    st.session_state[_ASKED] = Asked(kind, about, details)


def asked(*kinds: str) -> Asked | None:
    """The open dialog, if it is one of these.

    A result is shown once: it is gone for somebody who left the screen without “Done”.
    """
    found: Asked | None = st.session_state.get(_ASKED)
    if found is not None and found.shown and DONE not in st.session_state:
        dismiss()
        return None
    return found if found is not None and found.kind in kinds else None


def dismiss() -> None:
    """Callback: close the dialog and forget what it showed, without doing anything."""
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
            st.rerun()  # a dialog's run draws the dialog alone
        draw(asked)
        asked.shown = asked.result is not None
        if asked.problem:
            st.error(literal(asked.problem))

    st.dialog(literal(title), width=width, on_dismiss=dismiss)(body)()


def confirm(
    asked: Asked,
    title: str,
    sentences: list[str],
    label: str,
    key: str,
    on_click: Callable[..., None],
    *args: Any,
    body: Callable[[], None] | None = None,
    wide: bool = False,
) -> None:
    """A dialog that says what will happen, with a button to confirm and one to cancel."""

    def draw(_asked: Asked) -> None:
        for sentence in sentences:
            st.markdown(literal(sentence))
        if body is not None:
            body()
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.button("Cancel", key=f"{key}-cancel", on_click=dismiss)
            st.button(
                label, key=f"{key}-do", type="primary", on_click=once, args=(asked, on_click, *args)
            )

    dialog(title, asked, draw, width="medium" if wide else "small")


def once(asked: Asked, act: Callable[..., None], *args: Any) -> None:
    """Callback: do what the dialog is for, unless an earlier click has closed it."""
    if st.session_state.get(_ASKED) is asked:
        dismiss()
        act(*args)


def answer(
    app: Services,
    person: Person,
    asked: Asked,
    act: Callable[[], Any],
    *,
    done: str = "",
    stay: bool = False,
) -> None:
    """Callback: do what a dialog asked for, once; the action checks rights itself.

    Does nothing if the dialog is gone because an earlier click has answered it.

    Args:
        done: the sentence to show afterwards, where the dialog closes.
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
        say("success", done)


def do(app: Services, person: Person, act: Callable[[], Any], *, done: str = "") -> None:
    """Callback: do something that checks rights itself, and report that it is done."""
    try:
        still_signed_in(app, person)
        act()
    except PagetrailError as error:
        noted(app, person, error)
        say("error", error.message)
        return
    say("success", done)


def act(what: str, do: Act) -> None:
    """Callback: run an action that is for supervisors; closes an open dialog.

    Args:
        what: what a refused attempt is called in the audit log.
    """
    app = wiring.services()
    dismiss()
    try:
        person = _signed_in(app)
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


def show_said(*, toasts: bool = False) -> None:
    """Show the messages of the actions before this run, once.

    Args:
        toasts: also as toasts, which are visible wherever a long screen has been scrolled to.
    """
    for kind, message in st.session_state.pop(_SAID, []):
        getattr(st, kind)(literal(message))
        if toasts:
            st.toast(literal(message), icon=_ICONS[kind])


def still_signed_in(app: Services, person: Person) -> None:
    """Refuse somebody who has signed out, or been signed out, since the screen was drawn.

    Raises:
        PagetrailError: with the code ``signed_out``.
    """
    if _signed_in(app).id != person.id:
        raise _signed_out()


def _signed_in(app: Services) -> Person:
    """The signed-in person now: callbacks run before the screen checks."""
    person = identity.person_of(app, st.context.cookies)
    if person is None:
        raise _signed_out()
    return person


def _signed_out() -> PagetrailError:
    return PagetrailError("You are signed out. Sign in again to continue.", code="signed_out")


def noted(app: Services, person: Person, error: PagetrailError) -> None:
    """Note a refused action in the security log."""
    if isinstance(error, Forbidden):
        app.security_log.record(person.name, "forbidden act", error.message)
