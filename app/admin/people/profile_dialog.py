"""The dialog for a person's languages, skills, group, e-mail address and absence."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.actions import Asked, answer
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import day_format
from pagetrail.storage.people.absences import absence_of, set_absence
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.email_addresses import MAX_ADDRESS, address_of, set_address
from pagetrail.storage.people.profiles import (
    MAX_TAGS,
    Profile,
    all_profiles,
    set_profile,
    tags_in_use,
)


def profile_form(app: Services, person: Person, asked: Asked) -> None:
    """Tags to choose from those in use, or to write."""
    known = all_profiles(app.workspace)
    tags, own = tags_in_use(known.values()), known.get(asked.about, Profile())
    st.caption("Free tags, by which batches can be assigned. Choose one, or type a new one.")
    languages = st.multiselect(
        "Languages", tags.languages, own.languages, accept_new_options=True,
        max_selections=MAX_TAGS, key="profile-languages", placeholder="de, French, …",
    )  # fmt: skip
    skills = st.multiselect(
        "Skills", tags.skills, own.skills, accept_new_options=True, max_selections=MAX_TAGS,
        key="profile-skills", placeholder="charts, law, …",
    )  # fmt: skip
    group = st.selectbox(
        "Group", tags.groups, index=tags.groups.index(own.group) if own.group else None,
        accept_new_options=True, key="profile-group", placeholder="None",
    )  # fmt: skip
    stored = absence_of(app.workspace, asked.about) or (None, None)
    first_place, last_place = st.columns(2)
    # Two fields: what is half filled in a field for a range is not sent, and would be lost.
    first = first_place.date_input(
        "Away from", stored[0], key="profile-away-from", format=day_format(),
        help="Batches are not assigned to them on these days, in UTC.",
    )  # fmt: skip
    last = last_place.date_input(
        "Last day away", stored[1], key="profile-away-until", format=day_format(),
    )  # fmt: skip
    half = (first is None) != (last is None)
    if half:
        st.caption("Choose both days, or none.")
    email = st.text_input(
        "E-mail", address_of(app.workspace, asked.about), key="profile-email",
        max_chars=MAX_ADDRESS, placeholder="Optional; for reminders only",
        help="Reminders of deadlines go there when the server sends them. No export has it.",
    )  # fmt: skip

    def save() -> None:
        set_address(app.workspace, person, asked.about, email or "")
        set_profile(
            app.workspace, person, asked.about, languages=languages, skills=skills,
            group=group or "",
        )  # fmt: skip
        set_absence(
            app.workspace,
            person,
            asked.about,
            None if first is None or last is None else (first, last),
        )

    st.button(
        "Save", type="primary", key="profile-go", on_click=answer, disabled=half,
        args=(app, person, asked, save),
        kwargs={"done": f"The profile of {asked.about} is saved."},
    )  # fmt: skip
