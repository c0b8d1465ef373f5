"""Hours and payment per person: a table for a period, and its CSV file."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.app.admin.csv_files import HOURS_COLUMNS, hours_csv, hours_rows
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.progress.hours import Hours, Unit, hours

_UNITS: dict[str, Unit] = {"per hour at work": "hour", "per submitted task": "task"}


def show_hours(app: Services) -> None:
    """An expander whose numbers are computed only while it is open."""
    opened = st.expander("Hours and payment", icon=":material/payments:", on_change="rerun",
                         key="hours-open")  # fmt: skip
    with opened:
        if opened.open:
            _hours(app)


def _hours(app: Services) -> None:
    which, period, rate_place, unit_place = st.columns([4, 4, 2, 3], vertical_alignment="bottom")
    names = [campaign.name for campaign in list_campaigns(app.workspace, archived=True)]
    campaign = which.selectbox(
        "Campaign", names, index=None, key="hours-campaign", placeholder="All campaigns"
    )
    today = app.clock.now().date()
    days = period.date_input(
        "From – to (UTC)", (today.replace(day=1), today), key="hours-period", format="YYYY-MM-DD"
    )
    rate = rate_place.number_input(
        "Rate", 0.0, 100_000.0, None, 0.5, key="hours-rate", placeholder="None", format="%.2f"
    )
    unit = unit_place.selectbox("Paid", list(_UNITS), key="hours-unit", disabled=rate is None)
    first, last = _ends(days)
    if last is None:
        st.caption("Choose the last day too.")
        return
    found = hours(app.workspace, campaign=campaign, first=first, last=last)
    paid = None if rate is None else (Decimal(str(rate)), _UNITS[unit])
    _table(found, paid)
    st.caption(
        "Time at work is the time between actions, at most a minute each, without pauses and "
        "hidden tabs. A task counts on the day of its first submission; later work on it counts as "
        "time only. Skipped tasks are not paid by task."
    )
    st.download_button(
        "Hours and payment (CSV)", partial(hours_csv, found, paid),
        file_name=f"hours-{first}-{last}.csv", mime="text/csv", on_click="ignore",
        icon=":material/download:", key="hours-csv", disabled=not found,
        help="It has people’s names: keep it apart from exports.",
    )  # fmt: skip


def _ends(days: Any) -> tuple[date | None, date | None]:
    """The first and the last day; a range that is being chosen has only the first."""
    chosen = tuple(days) if isinstance(days, tuple | list) else (days,)
    return (chosen[0], chosen[1]) if len(chosen) == 2 else (chosen[0] if chosen else None, None)


def _table(found: list[Hours], paid: tuple[Decimal, Unit] | None) -> None:
    if not found:
        st.info("Nobody worked on tasks in this period.", icon=":material/schedule:")
        return
    frame = pd.DataFrame(hours_rows(found, paid), columns=list(HOURS_COLUMNS)).rename(
        columns={"name": "Name", "pseudonym": "Pseudonym", "group": "Group",
                 "submitted": "Submitted", "skipped": "Skipped", "hours": "Hours",
                 "payment": "Payment"}
    )  # fmt: skip
    shown = frame[["Name", "Group", "Submitted", "Skipped", "Hours", "Payment"]]
    if paid is None:
        shown = shown.drop(columns="Payment")
    st.dataframe(
        shown.astype({"Hours": float} | ({} if paid is None else {"Payment": float})),
        hide_index=True,
        height=min(440, 36 + 35 * len(found) + 2),
        key="hours-table",
        column_config={
            name: st.column_config.NumberColumn(format="%.2f") for name in ("Hours", "Payment")
        },
    )
    total = f"{sum(each.hours for each in found):,} hours, "
    total += f"{sum(each.submitted for each in found):,} submitted tasks"
    if paid is not None:
        total += f", {sum(each.payment(*paid) for each in found):,} to pay"
    st.markdown(f"**Together: {total}.**")
