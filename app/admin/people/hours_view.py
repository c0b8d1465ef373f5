"""Hours and payment per person: a table for a period, its CSV file, and the rates."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.app.admin.actions import ask
from pagetrail.app.admin.csv_files import hours_csv, totals
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import day_format, format_number
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.progress.hours import Hours, hours

_TIME_AT_WORK = (
    "Time at work is the time between actions, at most a minute each, without pauses and hidden "
    "tabs. A task counts on the day of its first submission; later work on it counts as time only. "
    "Skipped tasks are not paid by task."
)


def show_hours(app: Services) -> None:
    """An expander whose numbers are computed only while it is open."""
    opened = st.expander("Hours and payment", icon=":material/payments:", on_change="rerun",
                         key="hours-open")  # fmt: skip
    with opened:
        if opened.open:
            _hours(app)


def show_own_hours(app: Services, person: Person) -> None:
    """Somebody's own time at work and what it pays, in the same way."""
    opened = st.expander("Your hours", icon=":material/schedule:", on_change="rerun",
                         key="own-hours-open")  # fmt: skip
    with opened:
        if not opened.open:
            return
        first, last = _period(app, st.container(width=420), "own-hours-period")
        if last is None:
            st.caption("Choose the last day too.")
            return
        found = hours(app.workspace, first=first, last=last, user_id=person.id)
        _table(found, "own-hours", empty="You have not worked in this period.", own=True)
        st.caption(_TIME_AT_WORK)


def _hours(app: Services) -> None:
    which, period, rates = st.columns([4, 4, 3], vertical_alignment="bottom")
    names = [campaign.name for campaign in list_campaigns(app.workspace, archived=True)]
    campaign = which.selectbox(
        "Campaign", names, index=None, key="hours-campaign", placeholder="All campaigns"
    )
    with rates.container(horizontal=True, horizontal_alignment="right"):
        st.button(
            "Rates", icon=":material/price_change:", key="hours-rates", on_click=ask,
            args=("rates", campaign or ""), disabled=not names,
            help="What each campaign pays, and who is paid something else in it.",
        )  # fmt: skip
    first, last = _period(app, period, "hours-period")
    if last is None:
        st.caption("Choose the last day too.")
        return
    found = hours(app.workspace, campaign=campaign, first=first, last=last)
    _table(found, "hours-table", empty="Nobody worked on tasks in this period.")
    st.caption(f"{_TIME_AT_WORK} Payment is at the rates as they are now, for the whole period.")
    st.download_button(
        "Hours and payment (CSV)", partial(hours_csv, found),
        file_name=f"hours-{first}-{last}.csv", mime="text/csv", on_click="ignore",
        icon=":material/download:", key="hours-csv", disabled=not found,
        help="It has people’s names: keep it apart from exports.",
    )  # fmt: skip


def _period(app: Services, place: Any, key: str) -> tuple[date | None, date | None]:
    """The first and the last day; a range that is being chosen has only the first."""
    today = app.clock.now().date()
    days = place.date_input(
        "From – to (UTC)", (today.replace(day=1), today), key=key, format=day_format()
    )
    chosen = tuple(days) if isinstance(days, tuple | list) else (days,)
    return (chosen[0], chosen[1]) if len(chosen) == 2 else (chosen[0] if chosen else None, None)


def _table(found: list[Hours], key: str, *, empty: str, own: bool = False) -> None:
    """A row for each person and campaign, and what they come to.

    Args:
        own: of whoever is looking, without name, group and skipped tasks.
    """
    if not found:
        st.info(empty, icon=":material/schedule:")
        return
    frame = pd.DataFrame(
        {
            "Name": [each.name for each in found],
            "Group": [each.group for each in found],
            "Campaign": [each.campaign for each in found],
            "Submitted": [each.submitted for each in found],
            "Skipped": [each.skipped for each in found],
            "Hours": [float(each.hours) for each in found],
            "Rate": [
                None if each.rate is None else each.rate.written(format_number) for each in found
            ],
            "Payment": [None if each.payment is None else float(each.payment) for each in found],
        }
    )
    if not any(each.group for each in found):
        frame = frame.drop(columns="Group")
    if own:
        frame = frame.drop(columns=["Name", "Group", "Skipped"], errors="ignore")
    if not any(each.rate for each in found):
        frame = frame.drop(columns=["Rate", "Payment"])
    # Streamlit's own formats follow the browser's language, not what the person has chosen.
    amounts = [name for name in ("Hours", "Payment") if name in frame]
    st.dataframe(
        frame.style.format(lambda value: format_number(value, 2), subset=amounts, na_rep="–"),
        hide_index=True,
        height=min(440, 36 + 35 * len(found) + 2),
        placeholder="–",
        key=key,
        column_config={"Rate": st.column_config.TextColumn(width=170)},
    )
    worked = float(sum(each.hours for each in found))
    total = f"{format_number(worked, 2)} hours, "
    submitted = sum(each.submitted for each in found)
    total += "1 submitted task" if submitted == 1 else f"{format_number(submitted)} submitted tasks"
    total += f", {paid} to pay" if (paid := totals(found, format_number)) else ""
    without = sum(each.rate is None for each in found)
    st.markdown(f"**Together: {total}.**")
    if paid and without:
        rows = "1 row has" if without == 1 else f"{format_number(without)} rows have"
        st.caption(f"{rows} no rate, and no payment.")
