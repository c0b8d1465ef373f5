"""``pagetrail users … hours``: working hours and payment per person."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.errors import OutputError
from pagetrail.app.admin.csv_files import HOURS_COLUMNS, hours_csv, hours_rows
from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import say, show_json, show_table
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.operations.archive import open_private
from pagetrail.storage.progress.hours import Unit, hours

_DAY = ["%Y-%m-%d"]


def show_hours(
    context: typer.Context,
    campaign: Annotated[str | None, typer.Option(help="Only this campaign; default: all.")] = None,
    first: Annotated[
        datetime | None, typer.Option("--from", formats=_DAY, help="The first day, UTC.")
    ] = None,
    last: Annotated[
        datetime | None, typer.Option("--to", formats=_DAY, help="The last day, UTC.")
    ] = None,
    per_hour: Annotated[
        str | None, typer.Option(metavar="RATE", help="Pay this per hour at work.")
    ] = None,
    per_task: Annotated[
        str | None, typer.Option(metavar="RATE", help="Pay this per submitted task.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a new CSV file; it names people.")
    ] = None,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    paid = _rate(per_hour, per_task)
    if csv is not None and csv.exists():
        raise OutputError(f"{printable(csv)} already exists. Choose another name.")
    found = hours(
        workspace,
        campaign=campaign,
        first=None if first is None else first.date(),
        last=None if last is None else last.date(),
    )
    rows = hours_rows(found, paid)
    if csv is not None:
        try:
            with open(csv, "xb", opener=open_private) as out:
                out.write(hours_csv(found, paid))
        except OSError as error:
            raise OutputError(f"{printable(csv)} cannot be written: {error.strerror}.") from error
        say(f"{len(found):,} people written to {csv}. The file names them.")
    if as_json:
        show_json([dict(zip(HOURS_COLUMNS, row, strict=True)) for row in rows])
    elif csv is None:
        show_table(HOURS_COLUMNS, rows)


def _rate(per_hour: str | None, per_task: str | None) -> tuple[Decimal, Unit] | None:
    if per_hour is not None and per_task is not None:
        raise typer.BadParameter("Give --per-hour or --per-task, not both.")
    given, unit = (per_hour, "hour") if per_hour is not None else (per_task, "task")
    if given is None:
        return None
    try:
        rate = Decimal(given)
    except InvalidOperation:
        rate = Decimal(-1)
    if not (rate.is_finite() and 0 <= rate <= 1_000_000):
        raise typer.BadParameter(f"{given!r} is no rate. Give a number such as 15.50.")
    return rate, "hour" if unit == "hour" else "task"


HOURS = Member(
    "hours",
    show_hours,
    "hours --campaign baseline --from 2026-11-01 --to 2026-11-30 --per-hour 15.50 --csv pay.csv",
    "Show each person's time at work, tasks and payment in a period. Time at work is the time "
    "between actions, at most a minute each, without pauses and hidden tabs; a task counts on the "
    "day of its first submission.",
)
