"""A checklist from an empty workspace to a running campaign."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import open_dialog
from pagetrail.app.admin.campaigns.new_campaign import open_new_campaign
from pagetrail.app.admin.setup.steps import Step, is_set_up, next_step, setup_steps
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.setup_state import setup_state

_ICONS = {
    "done": ":green[:material/check_circle:]",
    "missing": ":orange[:material/radio_button_unchecked:]",
    "optional": ":gray[:material/radio_button_unchecked:]",
}
_TITLE_PX, _DESCRIPTION_PX, _BUTTON_PX = 200, 620, 190
"""The same in every row, so that these form columns; in a narrow window they are stacked."""


def show(app: Services, _person: Person) -> None:
    """Show the steps, each with a button that leads to its form."""
    checklist = setup_steps(setup_state(app.workspace))
    missing = sum(step.state == "missing" for step in checklist)
    if is_set_up(checklist):
        st.caption(gettext("Everything is there for annotators to work."))
    else:
        st.caption(
            gettext(
                "{missing} of {steps} steps left before annotators can work.",
                missing=missing,
                steps=len(checklist),
            )
        )
    for number, step in enumerate(checklist, start=1):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            heading = f"{_ICONS[step.state]} **{number}. {gettext(step.title)}**"
            if step.state == "optional":
                heading += " :gray[" + gettext("(optional)") + "]"
            st.markdown(heading, width=_TITLE_PX)
            st.markdown(literal(step.description), width=_DESCRIPTION_PX)
            st.button(
                step.action, key=f"setup-{step.title}", on_click=_open_part, args=(step,),
                width=_BUTTON_PX,
            )  # fmt: skip


def show_next(app: Services, part: str) -> None:
    """The next missing step, shown in the other sections until annotators can work."""
    checklist = setup_steps(setup_state(app.workspace))
    step = next_step(checklist)
    if step is None:
        return
    with st.container(
        border=True, key="setup-next-step", horizontal=True, vertical_alignment="center"
    ):
        number = checklist.index(step) + 1
        st.markdown(
            gettext(
                "**Next: {step}. {title}** – {description}",
                step=number,
                title=gettext(step.title),
                description=literal(step.description),
            ),
            width=_TITLE_PX + _DESCRIPTION_PX,
        )
        if step.part != part:
            st.button(
                step.action, key="setup-next", type="primary", width=_BUTTON_PX, args=(step,),
                on_click=_open_part,
            )  # fmt: skip


def _open_part(step: Step) -> None:
    """Callback: open a section of the administration, with the form that the step needs."""
    st.session_state["part"] = step.part
    if step.form == "campaign" or step.form == "pilot":
        open_new_campaign(step.form, step.name)
    elif step.form == "invite":
        open_dialog("invite")
