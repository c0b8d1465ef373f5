"""Groups of commands on one workspace, such as ``pagetrail users WS add``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import typer

from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.storage.database.workspace import Workspace


class Member(NamedTuple):
    """A command of a group.

    Attributes:
        run: the function; its first parameter is the context, for ``workspace_of``.
        example: arguments after the workspace in the help's example.
        numbers: treat negative numbers as values, not as options.
    """

    name: str
    run: Callable[..., None]
    example: str
    help: str
    numbers: bool = False


def add_group(
    app: typer.Typer, name: str, *, help: str, example: str, members: Sequence[Member]
) -> None:
    """Add a group of commands to the program."""
    group = typer.Typer(
        help=help, epilog=f"Example: pagetrail {name} my-workspace {example}", no_args_is_help=True
    )
    group.callback()(_keep)
    for member in members:
        group.command(
            member.name,
            help=member.help,
            epilog=f"Example: pagetrail {name} my-workspace {member.example}",
            context_settings={"ignore_unknown_options": member.numbers},
        )(member.run)
    app.add_typer(group, name=name)


def _keep(context: typer.Context, workspace: WorkspaceFolder) -> None:
    # Opened by the commands, so that their --help does without a workspace.
    context.obj = workspace


def workspace_of(context: typer.Context) -> Workspace:
    """The workspace that the group was called with."""
    return Workspace.open(context.obj)
