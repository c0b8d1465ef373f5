"""Languages, skills and groups of people, and requirements on them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.administration import managed_account
from pagetrail.storage.people.audit import PersonName, audit_in

MAX_TAG = 40
MAX_TAGS = 30


@dataclass(frozen=True)
class Profile:
    """A person's languages, skills and group.

    Attributes:
        languages, skills: free tags, in the order they were given.
        group: "" for none.
    """

    languages: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True)
class StaffingRequirements:
    """Requirements on annotators: one of the languages, all skills, one of the groups.

    Empty ones require nothing. Case is ignored.
    """

    languages: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def fits(self, profile: Profile) -> bool:
        """Whether a profile meets the requirements."""
        languages, skills = _folded(profile.languages), _folded(profile.skills)
        return (
            (not self.languages or bool(_folded(self.languages) & languages))
            and _folded(self.skills) <= skills
            and (not self.groups or profile.group.casefold() in _folded(self.groups))
        )

    def words(self) -> str:
        """The requirements in words, such as “language de or fr, skill charts”; empty if none."""
        parts = []
        if self.languages:
            parts.append(f"language {' or '.join(self.languages)}")
        if self.skills:
            parts.append(f"skill {' and '.join(self.skills)}")
        if self.groups:
            parts.append(f"group {' or '.join(self.groups)}")
        return ", ".join(parts)


NO_REQUIREMENTS = StaffingRequirements()


def profiles(connection: Connection) -> dict[str, Profile]:
    """Everybody's profiles, by name."""
    rows = connection.execute(select(User.name, *_COLUMNS).order_by(User.id))
    return {
        name: Profile(tuple(languages), tuple(skills), group)
        for name, languages, skills, group in rows
    }


def all_profiles(workspace: Workspace) -> dict[str, Profile]:
    """``profiles`` of a workspace."""
    with workspace.engine.connect() as connection:
        return profiles(connection)


def tags_in_use(profiles: Iterable[Profile]) -> StaffingRequirements:
    """All languages, skills and groups in use, in alphabetical order."""
    listed_profiles = list(profiles)
    return StaffingRequirements(
        languages=_sorted(tag for profile in listed_profiles for tag in profile.languages),
        skills=_sorted(tag for profile in listed_profiles for tag in profile.skills),
        groups=_sorted(profile.group for profile in listed_profiles if profile.group),
    )


def set_profile(
    workspace: Workspace,
    by: Person | None,
    name: str,
    *,
    languages: Sequence[str] | None = None,
    skills: Sequence[str] | None = None,
    group: str | None = None,
) -> Profile:
    """Change a person's profile; None leaves a part unchanged.

    Raises:
        PagetrailError: a tag is too long or cannot be seen, or there are too many (code
            ``invalid_tag``).
        NotFoundError: no such person.
        ConflictError: a system.
        Forbidden: ``by`` may not do this.
    """
    values: dict[str, object] = {}
    if languages is not None:
        values["languages"] = clean_tags(languages)
    if skills is not None:
        values["skills"] = clean_tags(skills)
    if group is not None:
        values["group"] = next(iter(clean_tags([group])), "")
    with write_transaction(workspace.engine) as connection:
        row = managed_account(
            connection,
            by,
            name,
            N_(
                "As {role} you may not change the profile of {person}, who is {rank}. Ask an admin."
            ),
        )
        before = profiles(connection)[row.name]
        if values:
            connection.execute(update(User).where(User.id == row.id).values(values))
        after = profiles(connection)[row.name]
        if after != before:
            detail = [PersonName(row.name), f": {_in_words(before)} → {_in_words(after)}"]
            audit_in(connection, by, "profile_changed", detail)
    return after


def clean_tags(tags: Iterable[str]) -> list[str]:
    """The tags without surrounding space, duplicates (ignoring case) and empty ones.

    Raises:
        PagetrailError: with the code ``invalid_tag``.
    """
    first_spellings: dict[str, str] = {}
    for each in tags:
        tag = unicodedata.normalize("NFC", each).strip()
        if tag:
            first_spellings.setdefault(tag.casefold(), tag)
    unique_tags = list(first_spellings.values())
    for tag in unique_tags:
        if len(tag) > MAX_TAG or not tag.isprintable():
            raise PagetrailError(
                gettext(
                    "{tag!r} is no tag: it has at most {max_tag} characters that can be seen.",
                    tag=tag[:60],
                    max_tag=MAX_TAG,
                ),
                code="invalid_tag",
            )
    if len(unique_tags) > MAX_TAGS:
        raise PagetrailError(
            gettext(
                "These are {unique_tags} tags; a person has {max_tags} at most.",
                unique_tags=len(unique_tags),
                max_tags=MAX_TAGS,
            ),
            code="invalid_tag",
        )
    return unique_tags


_COLUMNS = (User.languages, User.skills, User.group)


def _in_words(profile: Profile) -> str:
    tags = [*profile.languages, *profile.skills, *([profile.group] if profile.group else [])]
    return ", ".join(tags) or "nothing"


def _folded(tags: Iterable[str]) -> set[str]:
    return {tag.casefold() for tag in tags}


def _sorted(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(tags), key=str.casefold))
