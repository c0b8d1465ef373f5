"""``pagetrail users … profile``: languages, skills and group of a person."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.terminal import say
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.profiles import Profile, set_profile


def profile(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="A language; may be repeated. '' for none."),
    ] = None,
    skill: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="A skill; may be repeated. '' for none."),
    ] = None,
    group: Annotated[
        str | None, typer.Option(metavar="TAG", help="The group; '' for none.")
    ] = None,
) -> None:
    workspace = workspace_of(context)
    person = find_person(workspace, name)
    found = set_profile(workspace, None, name, languages=language, skills=skill, group=group)
    say(f"{person.name}: {profile_words(found)}.")


def profile_words(profile: Profile) -> str:
    """A profile in words, for the terminal."""
    said = [
        f"languages {', '.join(profile.languages)}" if profile.languages else "",
        f"skills {', '.join(profile.skills)}" if profile.skills else "",
        f"group {profile.group}" if profile.group else "",
    ]
    return "; ".join(filter(None, said)) or "no languages, skills or group"


PROFILE = Member(
    "profile",
    profile,
    "profile Ada --language de --language fr --skill charts --group north",
    "Set somebody's languages, skills and group: free tags, by which work can be assigned. What is "
    "not given stays as it is.",
)
