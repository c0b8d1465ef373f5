"""``pagetrail users … invite``, ``invitations`` and ``withdraw-invitation``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.services.addresses import invitation_path
from pagetrail.storage.people.accounts import Role
from pagetrail.storage.people.invitations import (
    DEFAULT_DAYS,
    MAX_AT_ONCE,
    MAX_DAYS,
    invitations,
    invite,
    withdraw_invitation,
)


def invite_people(
    context: typer.Context,
    role: Annotated[Role, typer.Option(help="The person's role.")] = "annotator",
    days: Annotated[
        int, typer.Option(min=1, max=MAX_DAYS, help="Days for which the link is valid.")
    ] = DEFAULT_DAYS,
    note: Annotated[
        str, typer.Option("--for", metavar="NOTE", help="Whom it is for; shown to supervisors.")
    ] = "",
    group: Annotated[str, typer.Option(metavar="TAG", help="The group of the new account.")] = "",
    count: Annotated[
        int, typer.Option(min=1, max=MAX_AT_ONCE, help="Number of links to create, one per person.")
    ] = 1,
    address: Annotated[
        str,
        typer.Option(
            metavar="URL", help="The server's address as people enter it in their browsers."
        ),
    ] = "http://127.0.0.1:8501",
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    created = [
        invite(workspace, None, role, days=days, note=note, group=group) for _ in range(count)
    ]
    links = [f"{address.rstrip('/')}{invitation_path(token)}" for token, _ in created]
    if as_json:
        show_json(
            [
                {"link": link, **asdict(invitation)}
                for link, (_, invitation) in zip(links, created, strict=True)
            ]
        )
    else:
        for link in links:
            typer.echo(link)
    subject = "It works" if count == 1 else "Each works"
    expiry = created[0][1].expires_at[:16].replace("T", " ")
    print_message(f"{subject} once, until {expiry} UTC, and is not shown again.")


def list_invitations(context: typer.Context, as_json: Json = False) -> None:
    pending = invitations(workspace_of(context))
    if as_json:
        show_json([asdict(invitation) for invitation in pending])
    elif not pending:
        print_message("There are no open invitations.")
    else:
        show_table(
            ("id", "role", "for", "group", "by", "valid until (UTC)"),
            [(e.id, e.role, e.note, e.group, e.by or "command line", e.expires_at[:16])
             for e in pending],
        )  # fmt: skip


def withdraw(
    context: typer.Context,
    id_: Annotated[int, typer.Argument(metavar="ID", help="The id shown by `invitations`.")],
) -> None:
    invitation = withdraw_invitation(workspace_of(context), None, id_)
    print_message(f"Invitation {invitation.id} was withdrawn: its link is not valid any more.")


INVITATION_MEMBERS = (
    Member(
        "invite",
        invite_people,
        "invite --for Ada --days 7 --address https://annotate.example.org",
        "Print a link with which one person can create an account. It works once and expires; "
        "only its hash is stored.",
    ),
    Member(
        "invitations",
        list_invitations,
        "invitations --json",
        "List the open invitations, without their links.",
    ),
    Member(
        "withdraw-invitation",
        withdraw,
        "withdraw-invitation 3",
        "Withdraw an invitation; its link no longer works.",
    ),
)
