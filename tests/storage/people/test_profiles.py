"""Languages, skills and groups: who is meant by them, what is stored, and who may change it."""

from __future__ import annotations

import pytest

from pagetrail.annotation.errors import Forbidden, PagetrailError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import anonymise
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.profiles import (
    MAX_TAG,
    MAX_TAGS,
    Profile,
    StaffingRequirements,
    all_profiles,
    clean_tags,
    set_profile,
    tags_in_use,
)
from tests.storage.task_data import add_people

ADA = Profile(("de", "French"), ("charts", "law"), "North")


@pytest.mark.parametrize(
    ("requirements", "fits"),
    [
        (StaffingRequirements(), True),
        (StaffingRequirements(languages=("DE", "it")), True),
        (StaffingRequirements(languages=("it",)), False),
        (StaffingRequirements(skills=("law", "Charts")), True),
        (StaffingRequirements(skills=("law", "maths")), False),
        (StaffingRequirements(groups=("south", "north")), True),
        (StaffingRequirements(groups=("south",)), False),
        (StaffingRequirements(("de",), ("law",), ("south",)), False),
    ],
)
def test_one_of_the_languages_all_skills_one_of_the_groups(
    requirements: StaffingRequirements, fits: bool
) -> None:
    """Each condition alone, whatever the case of letters, and all of them at once."""
    assert requirements.fits(ADA) is fits
    assert requirements.fits(Profile()) is (requirements == StaffingRequirements())


@pytest.mark.parametrize("bad", [["x" * (MAX_TAG + 1)], ["a\nb"], [str(n) for n in range(31)]])
def test_tags_are_cleaned_or_refused(bad: list[str]) -> None:
    """Space, empty ones and repetitions go; what cannot be shown, or too much, is refused."""
    assert clean_tags([" de ", "", "DE", "fr"]) == ["de", "fr"]
    assert len(bad) == 1 or len(bad) > MAX_TAGS
    with pytest.raises(PagetrailError) as refused:
        clean_tags(bad)
    assert refused.value.code == "invalid_tag"


def test_a_profile_is_stored_noted_and_gone_with_the_name(workspace: Workspace) -> None:
    """What is not given stays; nothing is noted where nothing changes; an anonymous account has
    none; annotators may not change any.
    """
    add_people(workspace, ["Ada", "Bo"])
    set_profile(workspace, None, "ada", languages=["de", "French"], group="North")
    set_profile(workspace, None, "Ada", skills=["charts", "law"])
    set_profile(workspace, None, "Ada", skills=["charts", "law"])
    assert all_profiles(workspace) == {"Ada": ADA, "Bo": Profile()}
    assert tags_in_use(all_profiles(workspace).values()) == StaffingRequirements(
        ("de", "French"), ("charts", "law"), ("North",)
    )
    assert [entry.detail for entry in audit_entries(workspace)] == [
        "Ada: de, French, North → de, French, charts, law, North",
        "Ada: nothing → de, French, North",
    ]
    with pytest.raises(Forbidden):
        set_profile(workspace, find_person(workspace, "Bo"), "Ada", group="South")
    anonymise(workspace, None, "Ada")
    assert all_profiles(workspace)["pseudonym of Ada"] == Profile()
