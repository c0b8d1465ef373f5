"""The dialog for rates of pay: a campaign's default, and individual rates."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.costs.pay_rate import PayRate, Unit
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import DialogState, answer_button, current_dialog, show_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.pay_rates import StoredRate, set_rate, stored_rates
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.overview import PersonRow

_DEFAULT_RATE = N_("Everybody without a rate of their own")
_UNITS: dict[Unit, str] = {"hour": N_("per hour at work"), "task": N_("per submitted task")}


def show_rates(app: Services, person: Person, rows: list[PersonRow]) -> None:
    """Show the dialog if it is open."""
    opened = current_dialog("rates")
    if opened is not None:
        show_dialog(gettext("Rates of pay"), opened, lambda state: _form(app, person, rows, state))


def _form(app: Services, person: Person, rows: list[PersonRow], state: DialogState) -> None:
    names = [campaign.name for campaign in list_campaigns(app.workspace, archived=True)]
    campaign = st.selectbox(
        gettext("Campaign"),
        names,
        index=names.index(state.subject) if state.subject in names else 0,
        key="rate-campaign",
    )
    stored = stored_rates(app.workspace, campaign)
    _list(stored)
    people = [row.person.name for row in rows if row.person.role in ROLES]
    rate_owner = st.selectbox(
        gettext("Rate of"),
        ["", *people],
        key="rate-person",
        format_func=lambda name: name or gettext(_DEFAULT_RATE),
    )
    member = rate_owner or None
    current = next((entry.rate for entry in stored if entry.person == member), None)
    defaults = current or next((entry.rate for entry in stored), PayRate.parse("0", "hour", "EUR"))
    key = f"{campaign}-{member}"
    amount_column, currency_column, unit_column = st.columns([3, 2, 4])
    amount = amount_column.text_input(
        gettext("Amount"), "" if current is None else str(current.amount), key=f"rate-amount-{key}",
        placeholder="15.50", max_chars=20,
    )  # fmt: skip
    currency = currency_column.text_input(
        gettext("Currency"), defaults.currency, max_chars=3, key=f"rate-currency-{key}",
        help=gettext("Its three letters, such as EUR."),
    )  # fmt: skip
    units = list(_UNITS)
    unit = unit_column.selectbox(
        gettext("Paid"),
        units,
        index=units.index(defaults.unit),
        format_func=lambda unit: gettext(_UNITS[unit]),
        key=f"rate-unit-{key}",
    )

    def save() -> None:
        rate = PayRate.parse(amount or "", unit, currency or "")
        set_rate(app.workspace, person, campaign, member, rate)

    def remove() -> None:
        set_rate(app.workspace, person, campaign, member, None)

    with st.container(horizontal=True, horizontal_alignment="right"):
        answer_button(
            gettext("Remove"),
            "rate-remove",
            app,
            person,
            state,
            remove,
            success_message=gettext("A rate of {campaign} is removed.", campaign=campaign),
            disabled=current is None,
            is_primary=False,
        )
        answer_button(
            gettext("Save"),
            "rate-save",
            app,
            person,
            state,
            save,
            success_message=gettext("A rate of {campaign} is saved.", campaign=campaign),
            disabled=not amount,
        )


def _list(stored: list[StoredRate]) -> None:
    if not stored:
        st.caption(gettext("This campaign has no rates yet."))
        return
    frame = pd.DataFrame(
        {
            N_("Who"): [entry.person or gettext(_DEFAULT_RATE) for entry in stored],
            N_("Rate"): [entry.rate.formatted(format_number) for entry in stored],
        }
    )
    show_table(frame, max_height=180,
                 key="rates-table")  # fmt: skip
