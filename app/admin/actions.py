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
from pagetrail.annotation.messages import gettext
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.app.ui import current_user as identity
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person

DONE_KEY = "done"
"""Key of the button that closes a dialog with a result; Streamlit drops it with the screen."""

_DIALOG_KEY = "admin-asked"
_MESSAGES_KEY = "admin-said"
_ICONS = {
    "success": ":material/check:",
    "info": ":material/info:",
    "warning": ":material/warning:",
    "error": ":material/error:",
}
Action = Callable[[Services, Person], str | None]
"""An action; returns the sentence that reports it."""


@dataclass
class DialogState:
    """An open dialog.

    Attributes:
        kind: which dialog.
        subject: the name of the person or thing it is about.
        details: further arguments it was opened with.
        result: what the action returned, if the dialog stays open to show it.
        problem: why the action failed, as a sentence.
        is_result_shown: whether the result has been on the screen.
    """

    kind: str
    subject: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    problem: str = ""
    is_result_shown: bool = False


def open_dialog(kind: str, subject: str = "", /, **details: Any) -> None:
    """Callback: open a dialog in the next run."""
    st.session_state[_DIALOG_KEY] = DialogState(kind, subject, details)


def dialog_button(
    label: str,
    key: str,
    kind: str,
    subject: str = "",
    *,
    icon: str | None = None,
    help: str | None = None,
    disabled: bool = False,
    is_primary: bool = False,
    **details: Any,
) -> None:
    """A button that opens a dialog."""
    st.button(
        label,
        key=key,
        icon=icon,
        help=help,
        type="primary" if is_primary else "secondary",
        disabled=disabled,
        on_click=open_dialog,
        args=(kind, subject),
        kwargs=details,
    )


def current_dialog(*kinds: str) -> DialogState | None:
    """The open dialog, if it is of one of these kinds.

    A result is shown once, even to somebody who left the screen without clicking “Done”.
    """
    state: DialogState | None = st.session_state.get(_DIALOG_KEY)
    if state is not None and state.is_result_shown and DONE_KEY not in st.session_state:
        close_dialog()
        return None
    return state if state is not None and state.kind in kinds else None


def close_dialog() -> None:
    """Callback: close the dialog and forget what it showed, without doing anything."""
    st.session_state.pop(_DIALOG_KEY, None)


def show_dialog(
    title: str,
    state: DialogState,
    draw: Callable[[DialogState], None],
    *,
    width: Literal["small", "medium", "large"] = "small",
) -> None:
    """Show a dialog; a click on one of its buttons may have closed it."""

    def body() -> None:
        if st.session_state.get(_DIALOG_KEY) is not state:
            st.rerun()  # a dialog's run draws the dialog alone
        draw(state)
        state.is_result_shown = state.result is not None
        if state.problem:
            st.error(literal(state.problem))

    st.dialog(literal(title), width=width, on_dismiss=close_dialog)(body)()


def show_confirmation(
    state: DialogState,
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

    def draw(_state: DialogState) -> None:
        for sentence in sentences:
            st.markdown(literal(sentence))
        if body is not None:
            body()
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.button(gettext("Cancel"), key=f"{key}-cancel", on_click=close_dialog)
            st.button(
                label,
                key=f"{key}-do",
                type="primary",
                on_click=run_dialog_action,
                args=(state, on_click, *args),
            )

    show_dialog(title, state, draw, width="medium" if wide else "small")


def run_dialog_action(state: DialogState, action: Callable[..., None], *args: Any) -> None:
    """Callback: run a dialog's action, unless an earlier click has closed the dialog."""
    if st.session_state.get(_DIALOG_KEY) is state:
        close_dialog()
        action(*args)


def answer_button(
    label: str,
    key: str,
    app: Services,
    person: Person,
    state: DialogState,
    action: Callable[[], Any],
    *,
    success_message: str = "",
    keep_open: bool = False,
    disabled: bool = False,
    is_primary: bool = True,
) -> None:
    """A button that runs a dialog's action once; the action checks rights itself.

    Args:
        success_message: message to show once the dialog has closed.
        keep_open: keep the dialog open, showing what ``action`` returned.
    """
    st.button(
        label,
        key=key,
        type="primary" if is_primary else "secondary",
        disabled=disabled,
        on_click=_answer_dialog,
        args=(app, person, state, action, success_message, keep_open),
    )


def _answer_dialog(
    app: Services,
    person: Person,
    state: DialogState,
    action: Callable[[], Any],
    success_message: str,
    keep_open: bool,
) -> None:
    """Callback; does nothing if an earlier click has closed the dialog."""
    if st.session_state.get(_DIALOG_KEY) is not state or state.result is not None:
        return
    state.problem = ""
    try:
        still_signed_in(app, person)
        result = action()
    except PagetrailError as error:
        log_refusal(app, person, error)
        state.problem = error.message
        return
    if keep_open:
        state.result = result
        return
    close_dialog()
    if success_message:
        queue_message("success", success_message)


def action_button(
    label: str,
    key: str,
    app: Services,
    person: Person,
    action: Callable[[], Any],
    success_message: str,
    *,
    icon: str | None = None,
    disabled: bool = False,
    is_primary: bool = False,
) -> None:
    """A button that runs an action and reports the outcome; the action checks rights itself."""
    st.button(
        label,
        key=key,
        icon=icon,
        type="primary" if is_primary else "secondary",
        disabled=disabled,
        on_click=run_action,
        args=(app, person, action, success_message),
    )


def run_action(
    app: Services, person: Person, action: Callable[[], Any], success_message: str
) -> None:
    """Callback: run an action that checks rights itself, and report the outcome."""
    try:
        still_signed_in(app, person)
        action()
    except PagetrailError as error:
        log_refusal(app, person, error)
        queue_message("error", error.message)
        return
    queue_message("success", success_message)


def run_supervisor_action(audit_name: str, action: Action) -> None:
    """Callback: close the dialog and run an action that only supervisors may take.

    Args:
        audit_name: what a refused attempt is called in the audit log.
    """
    app = wiring.services()
    close_dialog()
    try:
        person = _signed_in(app)
        require_supervisor(app, person, audit_name)
        message = action(app, person)
    except PagetrailError as error:
        queue_message("error", error.message)
        return
    if message:
        queue_message("success", message)


def queue_message(kind: str, message: str) -> None:
    """Keep a message for the next run: ``success``, ``info``, ``warning`` or ``error``."""
    st.session_state.setdefault(_MESSAGES_KEY, []).append((kind, message))


def show_messages(*, toasts: bool = False) -> None:
    """Show the messages queued by actions before this run, once.

    Args:
        toasts: also as toasts, which stay visible when a long screen is scrolled.
    """
    for kind, message in st.session_state.pop(_MESSAGES_KEY, []):
        getattr(st, kind)(literal(message))
        if toasts:
            st.toast(literal(message), icon=_ICONS[kind])


def still_signed_in(app: Services, person: Person) -> None:
    """Refuse people who have signed out, or been signed out, since the screen was shown.

    Raises:
        PagetrailError: with the code ``signed_out``.
    """
    if _signed_in(app).id != person.id:
        raise _signed_out()


def _signed_in(app: Services) -> Person:
    """The person signed in now; callbacks run before the screen's own check."""
    person = identity.person_of(app, st.context.cookies)
    if person is None:
        raise _signed_out()
    return person


def _signed_out() -> PagetrailError:
    return PagetrailError(
        gettext("You are signed out. Sign in again to continue."), code="signed_out"
    )


def log_refusal(app: Services, person: Person, error: PagetrailError) -> None:
    """Note a refused action in the security log."""
    if isinstance(error, Forbidden):
        app.security_log.record(person.name, "forbidden act", error.message)
