"""``pagetrail users``."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.terminal import say, show_json, show_table
from storage import people
from storage.credentials import check_name
from storage.workspace import Workspace

PASSWORD_VARIABLE = "PAGETRAIL_PASSWORD"
_ACTOR = "command line"

_Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]
_Stdin = Annotated[
    bool,
    typer.Option("--password-stdin", help="Read the password from the first line of stdin."),
]
_PASSWORD_HELP = (
    f"The password is asked for twice, or read from stdin (--password-stdin) or from the "
    f"environment variable {PASSWORD_VARIABLE}."
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    users = typer.Typer(
        help="Manage the accounts of annotators, supervisors and admins.",
        epilog="Example: pagetrail users my-workspace add Ada --role annotator",
        no_args_is_help=True,
    )
    users.callback()(_keep)
    for name, run, example, help_ in (
        ("add", add, "add Ada --role annotator", f"Make an account. {_PASSWORD_HELP}"),
        ("list", list_, "list --json", "List the accounts; passwords are not shown."),
        (
            "password",
            password,
            "password Ada",
            f"Give a new password and sign the person out everywhere. {_PASSWORD_HELP}",
        ),
        (
            "deactivate",
            deactivate,
            "deactivate Ada",
            "Bar somebody from signing in; what they did stays.",
        ),
        ("activate", activate, "activate Ada", "Let somebody sign in again."),
    ):
        users.command(name, help=help_, epilog=f"Example: pagetrail users my-workspace {example}")(
            run
        )
    app.add_typer(users, name="users")


def _keep(
    context: typer.Context,
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
) -> None:
    # Opened by the commands, so that their --help does without a workspace.
    context.obj = workspace


def _workspace(context: typer.Context) -> Workspace:
    return Workspace.open(context.obj)


def add(
    context: typer.Context,
    name: _Name,
    role: Annotated[people.Role, typer.Option(help="What the person may do.")],
    password_stdin: _Stdin = False,
) -> None:
    workspace = _workspace(context)
    check_name(name)
    person = people.add_user(workspace, name, role, _password(password_stdin))
    people.audit(workspace, _ACTOR, "user_added", f"{person.name} as {person.role}")
    say(f"{person.name} can sign in as {person.role}; exports say {person.pseudonym}.")


def list_(
    context: typer.Context,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the list as JSON on standard output.")
    ] = False,
) -> None:
    found = people.list_people(_workspace(context))
    if as_json:
        show_json([asdict(person) for person in found])
    elif not found:
        say("There are no users yet. Add one with `pagetrail users WS add NAME --role ROLE`.")
    else:
        show_table(
            ("name", "role", "pseudonym", "active"),
            [(p.name, p.role, p.pseudonym, "yes" if p.active else "no") for p in found],
        )


def password(context: typer.Context, name: _Name, password_stdin: _Stdin = False) -> None:
    workspace = _workspace(context)
    person = people.find_person(workspace, name)
    people.set_password(workspace, name, _password(password_stdin))
    people.audit(workspace, _ACTOR, "password_set", person.name)
    say(f"{person.name} has a new password and is signed out everywhere.")


def deactivate(context: typer.Context, name: _Name) -> None:
    workspace = _workspace(context)
    person = people.deactivate(workspace, name)
    people.audit(workspace, _ACTOR, "user_deactivated", person.name)
    say(f"{person.name} can no longer sign in.")


def activate(context: typer.Context, name: _Name) -> None:
    workspace = _workspace(context)
    person = people.activate(workspace, name)
    people.audit(workspace, _ACTOR, "user_activated", person.name)
    say(f"{person.name} can sign in again.")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if PASSWORD_VARIABLE in os.environ:
        return os.environ[PASSWORD_VARIABLE]
    entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return entered
