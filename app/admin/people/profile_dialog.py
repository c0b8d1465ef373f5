"""The dialog for a person's languages, skills and group."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.admin.actions import Asked, answer
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import Person
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
    st.button(
        "Save", type="primary", key="profile-go", on_click=answer,
        args=(
            app, person, asked,
            lambda: set_profile(
                app.workspace, person, asked.about, languages=languages, skills=skills,
                group=group or "",
            ),
        ),
        kwargs={"done": f"The languages, skills and group of {asked.about} are saved."},
    )  # fmt: skip
