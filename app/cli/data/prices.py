"""``pagetrail prices``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.costs.price_table import ModelPrice
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.campaigns.price_tables import (
    read_price_table,
    set_price_table,
    stored_price_table,
)
from pagetrail.storage.database.workspace import Workspace

_COLUMNS = ("model", "input", "output", "cached_input", "cache_write", "aliases")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "prices",
        help="Show or replace the workspace's price table: dollars per million tokens of each "
        "model, by which reports price runs that state tokens only, and rates of currencies.",
        epilog="Example: pagetrail prices my-workspace prices.toml",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE.toml", help="A price table to store.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the price table.")] = False,
    as_json: Json = False,
) -> None:
    if remove and file is not None:
        raise typer.BadParameter("Give a file or --remove, not both.")
    opened = Workspace.open(workspace)
    if remove or file is not None:
        set_price_table(opened, None, None if file is None else read_price_table(file))
    prices = stored_price_table(opened)
    if as_json:
        show_json(None if prices is None else prices.to_json())
        return
    if prices is None:
        print_message("There is no price table.")
        return
    rows = [
        [model, *map(_amount, _prices(price)), ", ".join(price.aliases)]
        for model, price in prices.models.items()
    ]
    show_table(_COLUMNS, rows, title=f"{prices}; USD per million tokens")
    for currency, rate in prices.rates.items():
        print_message(f"1 {currency} = {rate:g} USD")


def _prices(price: ModelPrice) -> tuple[float | None, ...]:
    return price.input, price.output, price.cached_input, price.cache_write


def _amount(dollars: float | None) -> str:
    return "" if dollars is None else f"{dollars:g}"
