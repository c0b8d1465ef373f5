"""Waiting for a computation on a screen: progress and a way to cancel after a second."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import Services, services
from pagetrail.app.services.computations import Computation, Key, Progress
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.people.stored_names import renamings

_SHOWN_AFTER_S = 1.0
_LOOK_S = 0.2
_CANCELLED = "cancelled-computation"
_SESSION = "computation-session"


def computed(app: Services, key: Key, function: str, *args: Any, what: str = "") -> Any:
    """The result of a computation that all who look share, see ``Computations.get``.

    What is on the screen changes while it goes on for more than a second. Where there is no result,
    the run of the screen ends here with the reason and a button to compute again.

    Args:
        key: what the result depends on; the function's name is part of it already.
        what: is computed, for those who wait: a noun.
    """
    key = _named(app, key, function)
    if st.session_state.get(_CANCELLED) == key:
        st.info("Cancelled: nothing is computed.", icon=":material/cancel:")
        st.button("Compute", key="compute-again", on_click=_go_on)
        st.stop()
    computation = app.computations.get(key, function, *args)
    who = _session()
    app.computations.add_waiter(computation, who)
    try:
        with services().screen_turns.pause():
            if not computation.wait(_SHOWN_AFTER_S):
                _watch(app, key, computation, what)
    finally:
        app.computations.remove_waiter(computation, who)
    try:
        return computation.result()
    except PagetrailError as error:
        st.error(literal(error.message))
        st.button(
            "Try again",
            key="compute-again",
            on_click=app.computations.forget,
            args=(key, computation),
        )
        st.stop()


def start_ahead(app: Services, key: Key, function: str, *args: Any) -> None:
    """Start what is likely to be wanted next, as ``computed`` would; nobody waits for it."""
    if st.session_state.get(_CANCELLED) != _named(app, key, function):
        app.computations.get(_named(app, key, function), function, *args)


def _named(app: Services, key: Key, function: str) -> Key:
    """Reports have names in them: whoever is anonymised is so in those computed before, too."""
    return function, key, renamings(app.workspace.engine)


def _watch(app: Services, key: Key, computation: Computation, what: str) -> None:
    """Show how far it is until it has ended; a click ends this run of the screen."""
    heading = f"Computing {literal(what)}".strip()
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=f"{heading} …")
        st.button(
            "Cancel",
            key=f"cancel-computation-{hash(key)}",  # a run may wait for several, one by one
            icon=":material/cancel:",
            on_click=_cancel,
            args=(app, key, computation),
        )
    while not computation.wait(_LOOK_S):
        bar.progress(*progress_shown(heading, computation.progress))
    place.empty()


def progress_shown(heading: str, progress: Progress | None) -> tuple[float, str]:
    """How full the bar is, and what is said beside it."""
    if progress is None:
        return 0.0, f"{heading} …"
    done, of, steps = progress
    if not of:
        return 1.0, f"{heading}: {format_number(done)} {steps}"
    return min(1.0, done / of), f"{heading}: {format_number(done)} of {format_number(of)} {steps}"


def _cancel(app: Services, key: Key, computation: Computation) -> None:
    st.session_state[_CANCELLED] = key
    # The run that showed the button may still wait: Streamlit starts the next one beside it.
    app.computations.cancel(key, computation, _session())


def _session() -> str:
    """Tells this tab from others."""
    who: str = st.session_state.setdefault(_SESSION, uuid4().hex)
    return who


def _go_on() -> None:
    st.session_state.pop(_CANCELLED, None)
