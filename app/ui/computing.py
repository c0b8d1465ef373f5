"""Waits for a computation, and after a second shows progress and a button to cancel."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.computations import Computation, Key, Progress
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.people.stored_names import renamings

_PROGRESS_DELAY_S = 1.0
_POLL_S = 0.2
_CANCELLED = "cancelled-computation"
_SESSION = "computation-session"


def shared_result(app: Services, key: Key, function: str, *args: Any, title: str = "") -> Any:
    """The result of a computation that sessions share, see ``Computations.get``.

    If it takes more than a second, progress is shown. Without a result, the script run ends here
    with the reason and a button to compute again.

    Args:
        key: what the result depends on, besides the function.
        title: what is computed, as a noun; shown while waiting.
    """
    key = _full_key(app, key, function)
    if st.session_state.get(_CANCELLED) == key:
        st.info(gettext("Cancelled: nothing is computed."), icon=":material/cancel:")
        st.button(gettext("Compute"), key="compute-again", on_click=_resume)
        st.stop()
    computation = app.computations.get(key, function, *args)
    session = _session()
    app.computations.add_waiter(computation, session)
    try:
        with services().screen_turns.pause():
            if not computation.wait(_PROGRESS_DELAY_S):
                _watch(app, key, computation, title)
    finally:
        app.computations.remove_waiter(computation, session)
    try:
        return computation.result()
    except PagetrailError as error:
        st.error(literal(error.message))
        st.button(
            gettext("Try again"),
            key="compute-again",
            on_click=app.computations.forget,
            args=(key, computation),
        )
        st.stop()


def prefetch_result(app: Services, key: Key, function: str, *args: Any) -> None:
    """Start a computation that is likely to be needed next, without waiting for it."""
    if st.session_state.get(_CANCELLED) != _full_key(app, key, function):
        app.computations.get(_full_key(app, key, function), function, *args)


def _full_key(app: Services, key: Key, function: str) -> Key:
    """The key with all renamings, since cached reports must follow an anonymisation."""
    return function, key, renamings(app.workspace.engine)


def _watch(app: Services, key: Key, computation: Computation, title: str) -> None:
    """Show progress until the computation ends; a click ends this script run."""
    heading = gettext("Computing {title}", title=literal(title)) if title else gettext("Computing")
    container = st.empty()
    with container.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=f"{heading} …")
        st.button(
            gettext("Cancel"),
            key=f"cancel-computation-{hash(key)}",  # a run may wait for several in turn
            icon=":material/cancel:",
            on_click=_cancel,
            args=(app, key, computation),
        )
    while not computation.wait(_POLL_S):
        bar.progress(*progress_bar_state(heading, computation.progress))
    container.empty()


def progress_bar_state(heading: str, progress: Progress | None) -> tuple[float, str]:
    """Fill level and text of the progress bar."""
    if progress is None:
        return 0.0, f"{heading} …"
    completed, total, steps = progress
    steps = gettext(steps) if steps else ""
    if not total:
        return 1.0, f"{heading}: {format_number(completed)} {steps}"
    return min(1.0, completed / total), gettext(
        "{heading}: {completed} of {total} {steps}",
        heading=heading,
        completed=format_number(completed),
        total=format_number(total),
        steps=steps,
    )


def _cancel(app: Services, key: Key, computation: Computation) -> None:
    st.session_state[_CANCELLED] = key
    # The run that drew the button may still be waiting: Streamlit starts the next in parallel.
    app.computations.cancel(key, computation, _session())


def _session() -> str:
    """Identifies this tab."""
    session: str = st.session_state.setdefault(_SESSION, uuid4().hex)
    return session


def _resume() -> None:
    st.session_state.pop(_CANCELLED, None)
