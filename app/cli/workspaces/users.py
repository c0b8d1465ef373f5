"""``pagetrail users``."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.errors import InputFileError, OutputError
from pagetrail.app.admin.csv_files import mapping_csv
from pagetrail.app.cli.group import Member, add_group, workspace_of
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.cli.workspaces.user_hours import HOURS, RATE
from pagetrail.app.cli.workspaces.user_invitations import INVITATION_MEMBERS
from pagetrail.app.cli.workspaces.user_profiles import PROFILE
from pagetrail.app.cli.workspaces.user_sign_ins import SIGN_INS
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.maintenance.archive import open_private
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people import administration as people_admin
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.bulk_accounts import NewAccount, add_lines, read_lines
from pagetrail.storage.people.confusable_names import check_new_name
from pagetrail.storage.people.profiles import all_profiles

PASSWORD_VARIABLE = "PAGETRAIL_PASSWORD"

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
    members = (
        Member("add", add, "add Ada --role annotator", f"Create an account. {_PASSWORD_HELP}"),
        Member("list", list_, "list --json", "List the accounts; passwords are not shown."),
        Member(
            "password",
            password,
            "password Ada",
            f"Set a new password and sign the person out everywhere. {_PASSWORD_HELP}",
        ),
        Member(
            "deactivate",
            deactivate,
            "deactivate Ada",
            "Stop a person from signing in; their work stays.",
        ),
        Member("activate", activate, "activate Ada", "Let a person sign in again."),
        Member(
            "role",
            role,
            "role Ada supervisor",
            "Change a person's role, effective immediately. The last active admin stays an admin.",
        ),
        SIGN_INS,
        PROFILE,
        *INVITATION_MEMBERS,
        HOURS,
        RATE,
        Member(
            "rename",
            rename,
            "rename Ada 'Ada L.'",
            "Rename a person everywhere the name is stored, and sign them out. The pseudonym "
            "stays.",
        ),
        Member(
            "anonymise",
            anonymise,
            "anonymise Ada --yes",
            (
                "Replace a person's name with the pseudonym permanently, and close the account. "
                "The work stays."
            ),
        ),
        Member(
            "mapping",
            mapping,
            "mapping mapping.csv",
            "Write a CSV file of pseudonyms and names. It identifies people: keep it apart from "
            "exports. This is recorded in the audit log.",
        ),
        Member(
            "add-many",
            add_many,
            "add-many team.txt",
            "Create an account for each line NAME or NAME,ROLE, each with a generated password, "
            "shown only once. Lines that cannot be added are listed with the reason; the others "
            "are added. Exit code: 0 when every line was added, else 1.",
        ),
        Member(
            "audit",
            audit,
            "audit --about Ada",
            "Show changes and refused access, newest first.",
        ),
    )
    add_group(
        app,
        "users",
        help="Manage the accounts of annotators, supervisors and admins.",
        example="add Ada --role annotator",
        members=members,
    )


def add(
    context: typer.Context,
    name: _Name,
    role: Annotated[people.Role, typer.Option(help="The person's role.")],
    password_stdin: _Stdin = False,
) -> None:
    workspace = workspace_of(context)
    check_new_name(name)
    person = people_admin.add_account(workspace, None, name, role, _password(password_stdin))
    print_message(
        f"{person.name} can sign in as {person.role}; pseudonym in exports: {person.pseudonym}."
    )


def list_(
    context: typer.Context,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    people_rows, profiles = people.list_people(workspace), all_profiles(workspace)
    if as_json:
        show_json([asdict(person) | asdict(profiles[person.name]) for person in people_rows])
    elif not people_rows:
        print_message(
            "There are no users yet. Add one with `pagetrail users WS add NAME --role ROLE`."
        )
    else:
        show_table(
            ("name", "role", "pseudonym", "active", "languages", "skills", "group"),
            [(p.name, p.role, p.pseudonym, "yes" if p.active else "no",
              ", ".join(profiles[p.name].languages), ", ".join(profiles[p.name].skills),
              profiles[p.name].group) for p in people_rows],
        )  # fmt: skip


def password(context: typer.Context, name: _Name, password_stdin: _Stdin = False) -> None:
    workspace = workspace_of(context)
    people.find_person(workspace, name)
    person = people_admin.reset_password(workspace, None, name, _password(password_stdin))
    print_message(f"{person.name} has a new password and is signed out everywhere.")


def deactivate(context: typer.Context, name: _Name) -> None:
    person = people_admin.set_active(workspace_of(context), None, name, False)
    print_message(f"{person.name} can no longer sign in.")


def activate(context: typer.Context, name: _Name) -> None:
    person = people_admin.set_active(workspace_of(context), None, name, True)
    print_message(f"{person.name} can sign in again.")


def role(
    context: typer.Context,
    name: _Name,
    role: Annotated[people.Role, typer.Argument(metavar="ROLE", help="The person's role.")],
) -> None:
    person = people_admin.change_role(workspace_of(context), None, name, role)
    print_message(
        f"{person.name} now has the role {person.role}; the pseudonym is still {person.pseudonym}."
    )


def rename(
    context: typer.Context,
    name: _Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name to sign in with.")],
) -> None:
    person = people_admin.rename(workspace_of(context), None, name, new)
    print_message(f"{person.name} is the new name; the pseudonym is still {person.pseudonym}.")


def anonymise(
    context: typer.Context,
    name: _Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    workspace = workspace_of(context)
    if not yes:
        account = people.find_person(workspace, name)
        question = f"Replace {account.name} by {account.pseudonym} for good and close the account?"
        typer.confirm(question, abort=True, err=True)
    person = people_admin.anonymise(workspace, None, name)
    print_message(f"The account is closed; its name is {person.name} everywhere.")
    print_message(people_admin.NOT_REPLACED)


def mapping(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new CSV file.")],
) -> None:
    workspace = workspace_of(context)
    if file.exists():
        raise OutputError(f"{printable(file)} already exists. Choose another name.")
    names = people_admin.name_mapping(workspace, None)
    try:
        with open(file, "xb", opener=open_private) as out:
            out.write(mapping_csv(names))
    except OSError as error:
        raise OutputError(f"{printable(file)} cannot be written: {error.strerror}.") from error
    print_message(f"{len(names):,} people written to {file}. The file identifies them.")


def add_many(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="One person per line; - reads standard input.")
    ],
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    lines = read_lines(workspace, None, _file_text(file))
    added, bad = add_lines(workspace, None, lines)
    if bad:
        rows = [(line.line, line.text, line.reason) for line in bad]
        show_table(("line", "text", "reason"), rows, title="Not added", stderr=True)
    print_message(f"{len(added):,} of {len(added) + len(bad):,} people added.")
    if as_json:
        show_json(
            {"added": [_added(account) for account in added], "bad": [asdict(b) for b in bad]}
        )
    elif added:
        show_table(
            ("name", "role", "pseudonym", "password"),
            [(a.person.name, a.person.role, a.person.pseudonym, a.password) for a in added],
        )
        print_message("The passwords are not shown again. Pass them on; people can change them.")
    if bad or not added:
        raise typer.Exit(1)


def audit(
    context: typer.Context,
    about: Annotated[
        str, typer.Option(help="Only entries with this text in actor, action or detail.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of entries.")] = 50,
    as_json: Json = False,
) -> None:
    entries = audit_entries(workspace_of(context), text=about, limit=limit)
    if as_json:
        show_json([asdict(entry) for entry in entries])
    elif not entries:
        print_message("No entries match.")
    else:
        show_table(
            ("when (UTC)", "who", "action", "detail"),
            [(entry.at[:19], entry.actor, entry.action, entry.text) for entry in entries],
        )


def _added(account: NewAccount) -> dict[str, object]:
    return {**asdict(account.person), "password": account.password}


def _file_text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputFileError(f"{printable(file)} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"{printable(file)} is not UTF-8. Save it as UTF-8.") from error


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if PASSWORD_VARIABLE in os.environ:
        return os.environ[PASSWORD_VARIABLE]
    entered: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return entered
