"""Administration of exports: starting them in the background, and the finished ones."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.actions import show_messages
from pagetrail.app.admin.exporting.export_form import export_form
from pagetrail.app.admin.exporting.export_list import export_list
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.page import note_no_campaign
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import Person


def show(app: Services, person: Person) -> None:
    """Show this section of the screen."""
    show_messages(toasts=True)
    names = [campaign.name for campaign in list_campaigns(app.workspace)]
    if not names:
        note_no_campaign()
        return
    is_running = job_view(app, "export")
    form, finished = st.columns([6, 5], gap="large")
    with form:
        export_form(names, is_running=is_running)
    with finished:
        export_list(app, person)
