"""The pages a person has, by role."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.identity import SUPERVISORS
from storage.people import Person

SCREENS = ("", "batches", "progress", "results", "trajectory", "task", "guide", "account")
"""Paths of the screens below the app's base path."""

_VIEWS = Path(__file__).parent / "views"


def pages_for(person: Person) -> StreamlitPage:
    """Register the pages and return the one that was asked for.

    Every page is registered for everybody, so that an address typed by hand gets an answer; the
    view itself refuses who may not see it.
    """
    supervisor = person.role in SUPERVISORS
    batches = st.Page(
        _VIEWS / "batches.py",
        title="My batches",
        icon=":material/inventory_2:",
        url_path="batches",
        default=not supervisor,
    )
    progress = st.Page(
        _VIEWS / "progress.py",
        title="Progress",
        icon=":material/monitoring:",
        url_path="progress",
        default=supervisor,
        visibility="visible" if supervisor else "hidden",
    )
    results = st.Page(
        _VIEWS / "results.py",
        title="Results",
        icon=":material/query_stats:",
        url_path="results",
        visibility="visible" if supervisor else "hidden",
    )
    trajectory = st.Page(
        _VIEWS / "trajectory.py",
        title="Trajectory",
        icon=":material/timeline:",
        url_path="trajectory",
        visibility="visible" if supervisor else "hidden",
    )
    task = st.Page(_VIEWS / "task.py", title="Task", url_path="task", visibility="hidden")
    guide = st.Page(_VIEWS / "guide.py", title="Guide", icon=":material/help:", url_path="guide")
    account = st.Page(
        _VIEWS / "account.py",
        title=person.name,
        icon=":material/account_circle:",
        url_path="account",
    )
    pages = [batches, progress, results, trajectory, task, guide, account]
    return st.navigation(pages, position="top")
