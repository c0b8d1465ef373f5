"""``pagetrail users … sign-ins``: single sign-on that is connected with an account."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetrail.annotation.errors import NotFoundError
from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.identities import identities_of, remove_identity

_COLUMNS = ("issuer", "subject", "connected_at")


def sign_ins(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.")],
    remove: Annotated[
        str | None,
        typer.Option(metavar="SUBJECT", help="Remove the one with this subject."),
    ] = None,
    issuer: Annotated[
        str, typer.Option(metavar="URL", help="Only of this provider; default: of all.")
    ] = "",
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    person = find_person(workspace, name)
    connected = [
        entry
        for entry in identities_of(workspace, person)
        if issuer in ("", entry.identity.issuer) and remove in (None, entry.identity.subject)
    ]
    if remove is not None:
        if not connected:
            raise NotFoundError(
                f"{person.name} has no connected sign-in {printable(remove)}. List them without "
                "--remove."
            )
        for entry in connected:
            remove_identity(workspace, None, person.name, entry.identity)
            print_message(
                f"{printable(entry.identity.subject)} of {printable(entry.identity.issuer)} no "
                f"longer signs in as {person.name}; its sessions have ended."
            )
        return
    rows = [(e.identity.issuer, e.identity.subject, e.connected_at) for e in connected]
    if as_json:
        show_json([dict(zip(_COLUMNS, row, strict=True)) for row in rows])
    elif rows:
        show_table(_COLUMNS, rows)
    else:
        print_message(f"{person.name} has no connected sign-ins.")


SIGN_INS = Member(
    "sign-ins",
    sign_ins,
    "sign-ins Ada",
    "Show the sign-ins of single sign-on that are connected with an account. With --remove, "
    "disconnect one: sessions that it has opened end, the password and other sign-ins stay.",
)
