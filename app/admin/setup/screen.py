"""The way from an empty workspace to a running campaign, as a checklist."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.setup.steps import is_set_up, steps
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.setup_state import setup_state

_ICONS = {
    "done": ":green[:material/check_circle:]",
    "missing": ":orange[:material/radio_button_unchecked:]",
    "optional": ":gray[:material/radio_button_unchecked:]",
}


def show(app: Services, _person: Person) -> None:
    """Draw the steps, each with a way to where it is done."""
    found = steps(setup_state(app.workspace))
    left = sum(step.state == "missing" for step in found)
    if is_set_up(found):
        st.caption("Everything is there for annotators to work.")
    else:
        st.caption(f"{left} of {len(found)} steps left before annotators can work.")
    for number, step in enumerate(found, start=1):
        with st.container(border=True):
            title, said, act = st.columns([3, 7, 3], vertical_alignment="center")
            optional = " :gray[(optional)]" if step.state == "optional" else ""
            title.markdown(f"{_ICONS[step.state]} **{number}. {step.title}**{optional}")
            said.markdown(literal(step.said))
            act.button(
                step.action, key=f"setup-{step.title}", on_click=_go, args=(step.part,),
                width="stretch",
            )  # fmt: skip


def _go(part: str) -> None:
    """Callback: open a section of the administration."""
    st.session_state["part"] = part
