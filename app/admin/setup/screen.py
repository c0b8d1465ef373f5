"""The way from an empty workspace to a running campaign, as a checklist."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.actions import ask
from pagetrail.app.admin.campaigns.new_campaign import open_new_campaign
from pagetrail.app.admin.setup.steps import Step, is_set_up, next_step, steps
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
                step.action, key=f"setup-{step.title}", on_click=_go, args=(step,),
                width="stretch",
            )  # fmt: skip


def show_next(app: Services, part: str) -> None:
    """In the other sections: what is still missing, until annotators can work."""
    found = steps(setup_state(app.workspace))
    step = next_step(found)
    if step is None:
        return
    with st.container(border=True, key="setup-next-step"):
        said, act = st.columns([9, 3], vertical_alignment="center")
        number = found.index(step) + 1
        said.markdown(f"**Next: {number}. {step.title}** – {literal(step.said)}")
        if step.part != part:
            act.button(
                step.action, key="setup-next", type="primary", width="stretch", on_click=_go,
                args=(step,),
            )  # fmt: skip


def _go(step: Step) -> None:
    """Callback: open a section of the administration, with the form that the step needs."""
    st.session_state["part"] = step.part
    if step.form == "campaign" or step.form == "pilot":
        open_new_campaign(step.form, step.name)
    elif step.form == "invite":
        ask("invite")
