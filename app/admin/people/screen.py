"""Administration of people: accounts with role and work, and changing them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import dialog_button, run_action, show_messages
from pagetrail.app.admin.csv_files import mapping_csv
from pagetrail.app.admin.people.audit_log import show_audit
from pagetrail.app.admin.people.dialogs import show_people_dialog
from pagetrail.app.admin.people.hours_view import show_hours
from pagetrail.app.admin.people.invitations_view import open_invitations
from pagetrail.app.admin.people.rates_view import show_rates
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import time_column
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.administration import (
    name_mapping,
    set_active,
)
from pagetrail.storage.people.identities import identities_of
from pagetrail.storage.people.overview import PersonRow, people_overview
from pagetrail.storage.people.profiles import Profile, all_profiles
from pagetrail.storage.people.roles import ADMIN, may_manage

Profiles = Mapping[str, Profile]
_PERSON_KEY = "people-who"
_STATES = (N_("Active"), N_("Inactive"), N_("All"))


def show(app: Services, person: Person) -> None:
    """Show this section of the screen."""
    rows, profiles = people_overview(app.workspace), all_profiles(app.workspace)
    show_messages()
    visible = _filter_bar([row for row in rows if row.person.role in ROLES], profiles)
    _people_table(visible, profiles)
    _person_actions(app, person, visible)
    open_invitations(app, person)
    _systems([row for row in rows if row.person.role not in ROLES])
    show_hours(app)
    show_audit(app.workspace)
    if person.role == ADMIN:
        _mapping(app, person)
    show_people_dialog(app, person, rows)
    show_rates(app, person, rows)


def _filter_bar(rows: list[PersonRow], profiles: Profiles) -> list[PersonRow]:
    find, roles, states, add = st.columns([3, 3, 3, 5], vertical_alignment="bottom")
    text = find.text_input(
        gettext("Find"), key="people-find", placeholder=gettext("name, language, skill, …")
    )
    selected_roles = roles.multiselect(
        gettext("Roles"),
        ROLES,
        format_func=gettext,
        key="people-roles",
        placeholder=gettext("all roles"),
    )
    state = states.segmented_control(
        gettext("State"),
        _STATES,
        format_func=gettext,
        default="All",
        required=True,
        key="people-state",
    )
    with add.container(horizontal=True, horizontal_alignment="right"):
        dialog_button(
            gettext("Invite"),
            "invite",
            "invite",
            icon=":material/mail:",
            help=gettext("Make links with which people create their own accounts."),
        )
        dialog_button(gettext("Add several"), "add-many", "add-many", icon=":material/group_add:")
        dialog_button(
            gettext("Add a person"),
            "add-person",
            "add",
            icon=":material/person_add:",
            is_primary=True,
        )
    needle = (text or "").casefold().strip()
    return [
        row
        for row in rows
        if needle in _searched(row.person, profiles[row.person.name])
        and (not selected_roles or row.person.role in selected_roles)
        and (state == "All" or row.person.active == (state == "Active"))
    ]


def _searched(person: Person, profile: Profile) -> str:
    tags = (*profile.languages, *profile.skills, profile.group)
    return "\n".join((person.name, person.pseudonym, *tags)).casefold()


def _people_table(rows: list[PersonRow], profiles: Profiles) -> None:
    if not rows:
        st.info(
            gettext("No people match. Change the filter, or add a person."), icon=":material/group:"
        )
        return
    frame = _frame(rows)
    visible_profiles = [profiles[row.person.name] for row in rows]
    frame.insert(4, N_("Languages"), [list(profile.languages) for profile in visible_profiles])
    frame.insert(5, N_("Skills"), [list(profile.skills) for profile in visible_profiles])
    frame.insert(6, N_("Group"), [profile.group for profile in visible_profiles])
    show_table(
        frame,
        max_height=440,
        placeholder="–",
        on_select=partial(
            store_clicked, "people-table", _PERSON_KEY, [row.person.name for row in rows]
        ),
        selection_mode="single-row",
        key="people-table",
        column_config=_columns(),
    )


def _columns() -> dict[str, Any]:
    return {
        "Submitted": st.column_config.NumberColumn(
            help=gettext("Tasks submitted, in all campaigns.")
        ),
        "Skipped": st.column_config.NumberColumn(help=gettext("Tasks skipped, in all campaigns.")),
        "Open batches": st.column_config.NumberColumn(help=gettext("Assigned and not closed.")),
        "Pseudonym": st.column_config.TextColumn(help=gettext("The name that exports use.")),
        "Last work": time_column(),
    }


def _frame(rows: list[PersonRow]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            N_("Name"): [row.person.name for row in rows],
            N_("Role"): [gettext(row.person.role) for row in rows],
            N_("Pseudonym"): [row.person.pseudonym for row in rows],
            N_("Active"): [gettext("yes") if row.person.active else gettext("no") for row in rows],
            N_("Open batches"): [row.open_batches for row in rows],
            N_("Submitted"): [row.submitted for row in rows],
            N_("Skipped"): [row.skipped for row in rows],
            N_("Last work"): [
                pd.Timestamp(row.last_work) if row.last_work else pd.NaT for row in rows
            ],
        }
    )


def _person_actions(app: Services, person: Person, rows: list[PersonRow]) -> None:
    """The selected person, and buttons for what can be changed."""
    names = [row.person.name for row in rows]
    if not names:
        return
    if st.session_state.get(_PERSON_KEY) not in names:
        st.session_state[_PERSON_KEY] = None
    person_column, buttons = st.columns([3, 8], vertical_alignment="bottom")
    name = person_column.selectbox(
        gettext("Person to change"),
        names,
        index=None,
        key=_PERSON_KEY,
        placeholder=gettext("Choose, or click a row"),
    )
    row = next((row for row in rows if row.person.name == name), None)
    if row is None:
        return
    other = row.person
    reason = _reason_unmanageable(person, other)
    with buttons.container(horizontal=True, vertical_alignment="center"):
        dialog_button(
            gettext("Profile"),
            "profile",
            "profile",
            other.name,
            icon=":material/translate:",
            disabled=not may_manage(person, other.role),
            help=gettext("Languages, skills and group"),
        )
        dialog_button(
            gettext("Change role"),
            "change-role",
            "role",
            other.name,
            icon=":material/badge:",
            disabled=bool(reason) or person.role != "admin",
            help=gettext("Only admins can change roles.")
            if not reason and person.role != "admin"
            else None,
        )
        dialog_button(
            gettext("Reset password"),
            "reset-password",
            "password",
            other.name,
            icon=":material/key:",
            disabled=bool(reason),
        )
        if identities_of(app.workspace, other):
            dialog_button(
                gettext("Single sign-on"),
                "identities",
                "identities",
                other.name,
                icon=":material/login:",
                disabled=bool(reason),
            )
        dialog_button(
            gettext("Rename"),
            "rename",
            "rename",
            other.name,
            icon=":material/edit:",
            disabled=bool(reason),
        )
        if person.role == ADMIN:
            dialog_button(
                gettext("Anonymise"),
                "anonymise",
                "anonymise",
                other.name,
                icon=":material/visibility_off:",
                disabled=bool(reason),
            )
        if other.active:
            dialog_button(
                gettext("Deactivate"),
                "deactivate",
                "deactivate",
                other.name,
                icon=":material/person_off:",
                disabled=bool(reason),
            )
        else:
            st.button(
                gettext("Activate"), icon=":material/person_check:", on_click=_activate,
                args=(app, person, other.name), key="activate", disabled=bool(reason),
            )  # fmt: skip
        if reason:
            st.caption(reason)


def _activate(app: Services, person: Person, name: str) -> None:
    run_action(
        app,
        person,
        lambda: set_active(app.workspace, person, name, True),
        gettext("{name} can sign in again.", name=name),
    )


def _reason_unmanageable(person: Person, other: Person) -> str:
    if person.id == other.id:
        return gettext(
            "This is your own account: change your password on the page under your name."
        )
    if not may_manage(person, other.role):
        return gettext("Only admins can change supervisors and admins.")
    return ""


def _mapping(app: Services, person: Person) -> None:
    st.download_button(
        gettext("Pseudonyms and names (CSV)"),
        lambda: mapping_csv(name_mapping(app.workspace, person)),
        file_name="pseudonyms.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="mapping-csv",
        help=gettext(
            "Identifies people: keep it apart from exports. The download is in the audit log."
        ),
    )


def _systems(rows: list[PersonRow]) -> None:
    if not rows:
        return
    st.header(gettext("Agents and imported runs"))
    st.caption(gettext("They cannot sign in and cannot be changed here."))
    frame = _frame(rows).drop(columns=["Role", "Open batches"])
    show_table(
        frame,
        max_height=260,
        placeholder="–",
        column_config=_columns(),
        key="systems-table",
    )
