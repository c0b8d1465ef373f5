"""Hours and payment per person: a table for a period, its CSV file, and the rates."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext, translate
from pagetrail.app.admin.actions import dialog_button
from pagetrail.app.admin.csv_files import hours_csv, payment_totals
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import day_format, format_count, format_number
from pagetrail.app.ui.page import lazy_expander
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.reports.cells import corrected_notes
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.hours import (
    HOURS_DECIMALS,
    MS_PER_HOUR,
    Hours,
    working_hours,
)

_TIME_AT_WORK = N_(
    "Time at work is the time between actions, at most a minute each, "
    "without pauses and hidden tabs. A task counts on the day of its first "
    "submission; later work on it counts as time only. Skipped tasks are "
    "not paid by task."
)


def show_hours(app: Services) -> None:
    """An expander; hours are computed only while it is open."""
    with lazy_expander(
        gettext("Hours and payment"), "hours-open", ":material/payments:"
    ) as is_open:
        if is_open:
            _hours(app)


def show_own_hours(app: Services, person: Person) -> None:
    """The signed-in person's own time at work and payment, in an expander."""
    with lazy_expander(gettext("Your hours"), "own-hours-open", ":material/schedule:") as is_open:
        if not is_open:
            return
        first, last = _period(app, st.container(width=420), "own-hours-period")
        if last is None:
            st.caption(gettext("Choose the last day too."))
            return
        entries = working_hours(app.workspace, first=first, last=last, user_id=person.id)
        _table(
            entries, "own-hours", empty=gettext("You have not worked in this period."), is_own=True
        )
        st.caption(gettext(_TIME_AT_WORK))


def _hours(app: Services) -> None:
    campaign_column, period, rates = st.columns([4, 4, 3], vertical_alignment="bottom")
    names = [campaign.name for campaign in list_campaigns(app.workspace, archived=True)]
    campaign = campaign_column.selectbox(
        gettext("Campaign"),
        names,
        index=None,
        key="hours-campaign",
        placeholder=gettext("All campaigns"),
    )
    with rates.container(horizontal=True, horizontal_alignment="right"):
        dialog_button(
            gettext("Rates"),
            "hours-rates",
            "rates",
            campaign or "",
            icon=":material/price_change:",
            disabled=not names,
            help=gettext("What each campaign pays, and individual rates."),
        )
    first, last = _period(app, period, "hours-period")
    if last is None:
        st.caption(gettext("Choose the last day too."))
        return
    entries = working_hours(app.workspace, campaign=campaign, first=first, last=last)
    _table(entries, "hours-table", empty=gettext("Nobody worked on tasks in this period."))
    st.caption(
        gettext(
            "{explanation} Current rates apply to the whole period.",
            explanation=gettext(_TIME_AT_WORK),
        )
    )
    st.download_button(
        gettext("Hours and payment (CSV)"),
        partial(hours_csv, entries),
        file_name=f"hours-{first}-{last}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="hours-csv",
        disabled=not entries,
        help=gettext("It contains people’s names: keep it apart from exports."),
    )


def _period(app: Services, column: Any, key: str) -> tuple[date | None, date | None]:
    """First and last day; the last is None while a range is being chosen."""
    today = app.clock.now().date()
    days = column.date_input(
        gettext("From – to (UTC)"), (today.replace(day=1), today), key=key, format=day_format()
    )
    bounds = tuple(days) if isinstance(days, tuple | list) else (days,)
    return (bounds[0], bounds[1]) if len(bounds) == 2 else (bounds[0] if bounds else None, None)


def _table(entries: list[Hours], key: str, *, empty: str, is_own: bool = False) -> None:
    """A row per person and campaign, and the totals.

    Args:
        is_own: the reader's own hours, without name, group and skipped tasks.
    """
    if not entries:
        st.info(empty, icon=":material/schedule:")
        return
    frame = pd.DataFrame(
        {
            N_("Name"): [entry.name for entry in entries],
            N_("Group"): [entry.group for entry in entries],
            N_("Campaign"): [entry.campaign for entry in entries],
            N_("Submitted"): [entry.submitted for entry in entries],
            N_("Skipped"): [entry.skipped for entry in entries],
            N_("Hours"): [float(entry.hours) for entry in entries],
            N_("Clock corrected"): [entry.time_corrected for entry in entries],
            N_("Rate"): [
                None if entry.rate is None else entry.rate.formatted(format_number)
                for entry in entries
            ],
            N_("Payment"): [
                None if entry.payment is None else float(entry.payment) for entry in entries
            ],
        }
    )
    if not any(entry.group for entry in entries):
        frame = frame.drop(columns="Group")
    if is_own:
        frame = frame.drop(columns=["Name", "Group", "Skipped"], errors="ignore")
    corrected = sum(entry.time_corrected for entry in entries)
    if not corrected:
        frame = frame.drop(columns="Clock corrected")
    if not any(entry.rate for entry in entries):
        frame = frame.drop(columns=["Rate", "Payment"])
    formats = {
        name: partial(format_number, decimals=decimals)
        for name, decimals in (("Hours", HOURS_DECIMALS), ("Payment", 2))
        if name in frame
    }
    show_table(
        frame.style.format(formats, na_rep="–"),
        max_height=440,
        placeholder="–",
        key=key,
        column_config={"Rate": st.column_config.TextColumn(width=170)},
    )
    _totals(entries)
    for note in corrected_notes(corrected):
        st.caption(translate(note))


def _totals(entries: list[Hours]) -> None:
    hours_at_work = format_number(sum(entry.active_ms for entry in entries) / MS_PER_HOUR, 2)
    submitted = sum(entry.submitted for entry in entries)
    paid = payment_totals(entries, format_number)
    total = (
        format_count(
            "**Total: {hours} hours, {number} submitted task, {amount} to pay.**",
            "**Total: {hours} hours, {number} submitted tasks, {amount} to pay.**",
            submitted,
            hours=hours_at_work,
            amount=paid,
        )
        if paid
        else format_count(
            "**Total: {hours} hours, {number} submitted task.**",
            "**Total: {hours} hours, {number} submitted tasks.**",
            submitted,
            hours=hours_at_work,
        )
    )
    st.markdown(total)
    unpaid = sum(entry.rate is None for entry in entries)
    if paid and unpaid:
        st.caption(
            format_count(
                "{number} row has no rate, and no payment.",
                "{number} rows have no rate, and no payment.",
                unpaid,
            )
        )
