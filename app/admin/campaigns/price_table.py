"""The workspace's prices of models: shown, replaced by an uploaded file, or removed."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import run_supervisor_action
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.price_tables import set_price_table, stored_price_table
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.people.accounts import Person

_AUDITED = "set prices"


def show_prices(app: Services) -> None:
    """The price table of the whole workspace."""
    st.header(gettext("Prices of models"), anchor=False)
    st.caption(
        gettext(
            "Dollars per million tokens, as a TOML file, for all campaigns. Results use them where "
            "a run states tokens and no dollars, and convert people’s pay by the file’s rates."
        )
    )
    prices = stored_price_table(app.workspace)
    if prices is not None:
        _show_table(prices)
    file = st.file_uploader(gettext("Price table"), type=["toml"], key="prices-file")
    with st.container(horizontal=True):
        st.button(
            gettext("Store the prices"),
            key="prices-store",
            disabled=file is None,
            on_click=_store,
            args=(file,),
        )
        if prices is not None:
            st.button(gettext("Remove"), key="prices-remove", on_click=_remove)


def _show_table(prices: PriceTable) -> None:
    st.markdown(literal(str(prices)))
    frame = pd.DataFrame(
        {
            N_("Model"): list(prices.models),
            N_("Input"): [price.input for price in prices.models.values()],
            N_("Cached"): [price.cached_input for price in prices.models.values()],
            N_("Output"): [price.output for price in prices.models.values()],
        }
    )
    show_table(frame, max_height=260, key="prices-table")
    rates = [f"1 {currency} = {rate:g} USD" for currency, rate in prices.rates.items()]
    if rates:
        st.caption(" · ".join(rates))


def _store(file: Any) -> None:
    def store(app: Services, person: Person) -> str:
        name = printable(file.name)
        try:
            text = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputFileError(
                gettext("{path} is not UTF-8. Save it as UTF-8.", path=name)
            ) from error
        prices = PriceTable.parse(text, name)
        set_price_table(app.workspace, person, prices)
        return gettext("Prices are stored: {table}.", table=str(prices))

    run_supervisor_action(_AUDITED, store)


def _remove() -> None:
    def remove(app: Services, person: Person) -> str:
        set_price_table(app.workspace, person, None)
        return gettext("The prices are removed.")

    run_supervisor_action(_AUDITED, remove)
