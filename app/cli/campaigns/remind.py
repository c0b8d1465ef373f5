"""``pagetrail remind``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from typing import Annotated

import typer

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import MailError
from pagetrail.annotation.sentences import count_noun, plural_form
from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.app.cli.terminal import print_message
from pagetrail.app.services.outgoing_mail import MailServer, mail_server, send
from pagetrail.storage.batches.my_batches import AssignmentRow
from pagetrail.storage.batches.reminders import (
    DAYS_AHEAD,
    Reminder,
    mark_reminded,
    reminders,
    unmark_reminded,
)
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "remind",
        help="Send an e-mail to everybody whose batches are overdue or due soon, once per "
        "deadline. It names their own batches only. The mail server is in "
        "PAGETRAIL_SMTP_HOST, PAGETRAIL_SMTP_PORT, PAGETRAIL_SMTP_SECURITY (starttls, tls or "
        "none), PAGETRAIL_SMTP_USER, PAGETRAIL_SMTP_PASSWORD and PAGETRAIL_SMTP_FROM. Addresses "
        "are set with `pagetrail users`, or under Administration.",
        epilog="Example: pagetrail remind my-workspace --days 2 --address "
        "https://annotate.example.org",
    )(run)


def run(
    workspace: WorkspaceFolder,
    days: Annotated[
        int, typer.Option(min=0, max=60, help="Include batches due within this many days.")
    ] = DAYS_AHEAD,
    address: Annotated[
        str, typer.Option(metavar="URL", help="The sign-in address to put in the message.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the messages; send and store nothing.")
    ] = False,
) -> None:
    opened, today = Workspace.open(workspace), SystemClock().now().date()
    server = None if dry_run else mail_server(os.environ)
    sent, refused = 0, 0
    for reminder in reminders(opened, today, days):
        try:
            sent += _remind(opened, server, reminder, today, address)
        except MailError as error:
            refused += 1
            print_message(error.message)
    if dry_run:
        print_message(f"Nothing was sent; {sent:,} would be.")
    else:
        print_message(f"{count_noun(sent, 'message')} sent.")
    if refused:
        raise typer.Exit(1)


def _remind(
    workspace: Workspace, server: MailServer | None, reminder: Reminder, today: date, address: str
) -> int:
    """Send one person's message; returns how many were sent.

    Raises:
        MailError: the person has no address, or the message was refused.
    """
    if not reminder.email:
        raise MailError(f"{reminder.person} gets no message: no e-mail address is stored.")
    if server is None:
        subject, text = message_of(reminder, reminder.batches, today, address)
        typer.echo(f"To: {reminder.email}\nSubject: {subject}\n\n{text}")
        return 1
    batches = mark_reminded(workspace, reminder.batches)
    if not batches:
        return 0
    subject, text = message_of(reminder, batches, today, address)
    try:
        send(server, reminder.person, reminder.email, subject, text)
    except BaseException:
        unmark_reminded(workspace, batches)
        raise
    return 1


def message_of(
    reminder: Reminder, batches: Sequence[AssignmentRow], today: date, address: str
) -> tuple[str, str]:
    """Subject and text, of this person's batches."""
    noun = plural_form(len(batches), "batch is", "batches are")
    lines = []
    for row in batches:
        line = f"* {row.code_name} ({row.campaign}): {_due_words(row.due_on or '', today)}"
        if row.shows_progress:
            line += f", {row.tasks - row.handled:,} of {row.tasks:,} tasks left"
        lines.append(line)
    text = [f"Hello {reminder.person},", "", f"{len(batches)} of your {noun} due:", "", *lines, ""]
    text += ["Days end at midnight UTC.", ""]
    text += [f"Sign in to continue: {address}", ""] if address else []
    return f"{len(batches)} {noun} due", "\n".join(text)


def _due_words(due_on: str, today: date) -> str:
    if due_on < today.isoformat():
        return f"overdue since {due_on}"
    return "due today" if due_on == today.isoformat() else f"due on {due_on}"
