"""The dialog for rates of pay: a campaign's, and those of single people in it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.app.admin.actions import Asked, answer, asked, dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.pay_rates import (
    PayRate,
    StoredRate,
    Unit,
    set_rate,
    stored_rates,
)
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.overview import PersonRow

_EVERYBODY = "Everybody without a rate of their own"
_UNITS: dict[Unit, str] = {"hour": "per hour at work", "task": "per submitted task"}


def show_rates(app: Services, person: Person, rows: list[PersonRow]) -> None:
    """Draw the dialog if it is open."""
    open_now = asked("rates")
    if open_now is not None:
        dialog("Rates of pay", open_now, lambda found: _form(app, person, rows, found))


def _form(app: Services, person: Person, rows: list[PersonRow], asked: Asked) -> None:
    names = [campaign.name for campaign in list_campaigns(app.workspace, archived=True)]
    campaign = st.selectbox(
        "Campaign", names, index=names.index(asked.about) if asked.about in names else 0,
        key="rate-campaign",
    )  # fmt: skip
    stored = stored_rates(app.workspace, campaign)
    _list(stored)
    people = [row.person.name for row in rows if row.person.role in ROLES]
    whose = st.selectbox("Rate of", [_EVERYBODY, *people], key="rate-person")
    who = None if whose == _EVERYBODY else whose
    now = next((each.rate for each in stored if each.person == who), None)
    usual = now or next((each.rate for each in stored), PayRate.of("0", "hour", "EUR"))
    about = f"{campaign}-{who}"
    amount_place, currency_place, unit_place = st.columns([3, 2, 4])
    amount = amount_place.text_input(
        "Amount", "" if now is None else str(now.amount), key=f"rate-amount-{about}",
        placeholder="15.50", max_chars=20,
    )  # fmt: skip
    currency = currency_place.text_input(
        "Currency", usual.currency, max_chars=3, key=f"rate-currency-{about}",
        help="Its three letters, such as EUR.",
    )  # fmt: skip
    units = list(_UNITS)
    unit = unit_place.selectbox(
        "Paid", units, index=units.index(usual.unit), format_func=_UNITS.__getitem__,
        key=f"rate-unit-{about}",
    )  # fmt: skip

    def save() -> None:
        rate = PayRate.of(amount or "", unit, currency or "")
        set_rate(app.workspace, person, campaign, who, rate)

    def remove() -> None:
        set_rate(app.workspace, person, campaign, who, None)

    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(
            "Remove", key="rate-remove", disabled=now is None, on_click=answer,
            args=(app, person, asked, remove), kwargs={"done": f"A rate of {campaign} is removed."},
        )  # fmt: skip
        st.button(
            "Save", key="rate-save", type="primary", disabled=not amount, on_click=answer,
            args=(app, person, asked, save), kwargs={"done": f"A rate of {campaign} is saved."},
        )  # fmt: skip


def _list(stored: list[StoredRate]) -> None:
    if not stored:
        st.caption("This campaign has no rates yet.")
        return
    frame = pd.DataFrame(
        {
            "Who": [each.person or _EVERYBODY for each in stored],
            "Rate": [each.rate.written(format_number) for each in stored],
        }
    )
    st.dataframe(frame, hide_index=True, height=min(180, 36 + 35 * len(stored) + 2),
                 key="rates-table")  # fmt: skip
