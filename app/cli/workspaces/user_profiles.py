"""``pagetrail users … profile``: a person's tags, e-mail address and absence."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.terminal import print_message
from pagetrail.storage.people.absences import Days, set_absence
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.email_addresses import set_address
from pagetrail.storage.people.profiles import Profile, set_profile


def profile(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="A language; may be repeated. '' removes all."),
    ] = None,
    skill: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="A skill; may be repeated. '' removes all."),
    ] = None,
    group: Annotated[
        str | None, typer.Option(metavar="TAG", help="The group; '' removes it.")
    ] = None,
    email: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="E-mail address for reminders; '' removes it."),
    ] = None,
    away: Annotated[
        str | None,
        typer.Option(
            metavar="DAYS", help="Absence, such as 2026-12-01/2026-12-24, in UTC; '' removes it."
        ),
    ] = None,
) -> None:
    workspace = workspace_of(context)
    person = find_person(workspace, name)
    if away is not None:
        set_absence(workspace, None, name, _days(away))
    if email is not None:
        set_address(workspace, None, name, email)
    user_profile = set_profile(workspace, None, name, languages=language, skills=skill, group=group)
    changed = {"e-mail": email, "away": away}
    changes = [
        f"{attribute} {value or 'removed'}"
        for attribute, value in changed.items()
        if value is not None
    ]
    print_message(f"{person.name}: {'; '.join([profile_words(user_profile), *changes])}.")


def _days(text: str) -> Days | None:
    if not text:
        return None
    first, _, last = text.partition("/")
    try:
        return date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        raise typer.BadParameter("Give --away as 2026-12-01/2026-12-24.") from None


def profile_words(profile: Profile) -> str:
    """A profile in words, for the terminal."""
    phrases = [
        f"languages {', '.join(profile.languages)}" if profile.languages else "",
        f"skills {', '.join(profile.skills)}" if profile.skills else "",
        f"group {profile.group}" if profile.group else "",
    ]
    return "; ".join(filter(None, phrases)) or "no languages, skills or group"


PROFILE = Member(
    "profile",
    profile,
    "profile Ada --language de --language fr --skill charts --group north",
    "Set a person's languages, skills and group (free tags for assigning work), e-mail address "
    "for reminders, and days of absence. Options that are left out change nothing.",
)
