"""Administration of exports: writing them beside the server, and those that are finished."""

from __future__ import annotations

import streamlit as st

from app.admin.acting import show_said
from app.admin.export_form import export_form
from app.admin.export_list import export_list
from app.admin.job_view import job_view
from app.wiring import Services
from storage.campaigns import list_campaigns
from storage.people import Person


def show(app: Services, person: Person) -> None:
    """Draw this part of the screen."""
    show_said(toasts=True)
    names = [campaign.name for campaign in list_campaigns(app.workspace)]
    if not names:
        st.info("There is no campaign yet. Make one under Campaigns.", icon=":material/inbox:")
        return
    going = job_view(app, "export")
    form, lying = st.columns([6, 5], gap="large")
    with form:
        export_form(app, names, going=going)
    with lying:
        export_list(app, person, going=going)
