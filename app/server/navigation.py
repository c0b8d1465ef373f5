"""The pages a person has, by role."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pagetrail.annotation.messages import gettext
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.roles import is_supervisor

SCREENS = (
    "",
    "batches",
    "progress",
    "review",
    "reviewing",
    "gold",
    "results",
    "trajectory",
    "pilots",
    "administration",
    "task",
    "guide",
    "account",
)
"""Paths of the screens below the app's base path."""

_VIEWS = Path(__file__).parents[1] / "views"


def pages_for(person: Person) -> StreamlitPage:
    """Register the pages and return the one that was asked for.

    Every page is registered for everybody, so that addresses typed by hand get an answer; the view
    itself checks the person's rights.
    """
    supervisor = is_supervisor(person)

    def supervisors_page(
        name: str, title: str, icon: str, *, default: bool = False
    ) -> StreamlitPage:
        return st.Page(
            _VIEWS / f"{name}.py",
            title=title,
            icon=f":material/{icon}:",
            url_path=name,
            default=default,
            visibility="visible" if supervisor else "hidden",
        )

    batches = st.Page(
        _VIEWS / "batches.py",
        title=gettext("My batches"),
        icon=":material/inventory_2:",
        url_path="batches",
        default=not supervisor,
    )
    overseeing = [
        supervisors_page("progress", gettext("Progress"), "monitoring", default=supervisor),
        supervisors_page("review", gettext("Review"), "rule"),
        supervisors_page("results", gettext("Results"), "query_stats"),
        supervisors_page("trajectory", gettext("Replay"), "timeline"),
        supervisors_page("pilots", gettext("Pilots"), "school"),
        supervisors_page("administration", gettext("Administration"), "settings"),
    ]
    reviewing = st.Page(
        _VIEWS / "reviewing.py",
        title=gettext("Under review"),
        url_path="reviewing",
        visibility="hidden",
    )
    gold = st.Page(
        _VIEWS / "gold.py", title=gettext("Suspect gold"), url_path="gold", visibility="hidden"
    )
    task = st.Page(_VIEWS / "task.py", title=gettext("Task"), url_path="task", visibility="hidden")
    guide = st.Page(
        _VIEWS / "guide.py", title=gettext("Guide"), icon=":material/help:", url_path="guide"
    )
    account = st.Page(
        _VIEWS / "account.py",
        title=literal(person.name),
        icon=":material/account_circle:",
        url_path="account",
    )
    pages = [batches, *overseeing, reviewing, gold, task, guide, account]
    return st.navigation(pages, position="top")
