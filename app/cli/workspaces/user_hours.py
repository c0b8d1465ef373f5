"""``pagetrail users … hours`` and ``rate``: working hours, payment, and what campaigns pay."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.errors import OutputError, PagetrailError
from pagetrail.app.admin.csv_files import HOURS_COLUMNS, hours_csv, hours_rows
from pagetrail.app.cli.group import Member, workspace_of
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.campaigns.pay_rates import set_rate, stored_rates
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.maintenance.archive import open_private
from pagetrail.storage.progress.hours import working_hours


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no day. Give it as 2026-12-01.") from None


def show_hours(
    context: typer.Context,
    campaign: Annotated[str | None, typer.Option(help="Only this campaign; default: all.")] = None,
    first: Annotated[
        date | None,
        typer.Option("--from", parser=_day, metavar="DAY", help="The first day, UTC."),
    ] = None,
    last: Annotated[
        date | None, typer.Option("--to", parser=_day, metavar="DAY", help="The last day, UTC.")
    ] = None,
    per_hour: Annotated[
        str | None,
        typer.Option(
            metavar="RATE", help="Pay everybody this amount per hour, instead of the stored rates."
        ),
    ] = None,
    per_task: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="Pay everybody this amount per submitted task."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a new CSV file, which has people's names."),
    ] = None,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    paid = _same_for_all(per_hour, per_task)
    if csv is not None and csv.exists():
        raise OutputError(f"{printable(csv)} already exists. Choose another name.")
    worked_hours = working_hours(
        workspace,
        campaign=campaign,
        first=first,
        last=last,
    )
    if paid is not None:
        worked_hours = [replace(row, rate=paid) for row in worked_hours]
    rows = hours_rows(worked_hours)
    if csv is not None:
        try:
            with open(csv, "xb", opener=open_private) as out:
                out.write(hours_csv(worked_hours))
        except OSError as error:
            raise OutputError(f"{printable(csv)} cannot be written: {error.strerror}.") from error
        people = len({row.name for row in worked_hours})
        print_message(f"{people:,} people written to {csv}. The file names them.")
    if as_json:
        show_json([dict(zip(HOURS_COLUMNS, row, strict=True)) for row in rows])
    elif csv is None:
        show_table(HOURS_COLUMNS, rows)


def _same_for_all(per_hour: str | None, per_task: str | None) -> PayRate | None:
    if per_hour is not None and per_task is not None:
        raise typer.BadParameter("Give --per-hour or --per-task, not both.")
    amount, unit = (per_hour, "hour") if per_hour is not None else (per_task, "task")
    return None if amount is None else _rate(amount, unit)


def _rate(amount: str, unit: str, currency: str = "") -> PayRate:
    try:
        return PayRate.parse(amount, unit, currency)
    except PagetrailError as error:
        raise typer.BadParameter(error.message) from None


def rate(
    context: typer.Context,
    campaign: Annotated[
        str, typer.Argument(metavar="CAMPAIGN", help="The campaign that pays the rate.")
    ],
    amount: Annotated[
        str | None, typer.Argument(metavar="AMOUNT", help="Such as 15.50; 'none' to remove it.")
    ] = None,
    per: Annotated[str, typer.Option(metavar="UNIT", help="hour (at work) or task.")] = "hour",
    currency: Annotated[
        str, typer.Option(metavar="CODE", help="Its three letters, such as EUR.")
    ] = "",
    person: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="This person's own rate; default: everybody's."),
    ] = None,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    if amount is not None:
        pay_rate = None if amount == "none" else _rate(amount, per, currency)
        set_rate(workspace, None, campaign, person, pay_rate)
    stored = stored_rates(workspace, campaign)
    columns = ("campaign", "person", "amount", "per", "currency")
    rows = [
        (e.campaign, e.person or "", str(e.rate.amount), e.rate.unit, e.rate.currency)
        for e in stored
    ]
    if as_json:
        show_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif rows:
        show_table(columns, rows)
    else:
        print_message(f"{campaign} has no rates.")


RATE = Member(
    "rate",
    rate,
    "rate baseline 15.50 --per hour --currency EUR",
    "Show or set a campaign's rate, or with --person a person's own rate in it. Changes are "
    "recorded in the audit log; `hours` uses the current rates.",
)

HOURS = Member(
    "hours",
    show_hours,
    "hours --campaign baseline --from 2026-11-01 --to 2026-11-30 --csv pay.csv",
    "Show each person's time at work, tasks and payment in a period, campaign by campaign, at the "
    "rates set with `rate`. Time at work is the time between actions, at most a minute each, "
    "without pauses and time in hidden tabs. A task counts on the day of its first submission.",
)
