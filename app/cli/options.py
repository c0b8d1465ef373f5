"""Arguments and options shared by several commands, and parsing their values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.options import option

WorkspaceFolder = Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")]
CampaignName = Annotated[str, typer.Option(help="The campaign's name.")]
OnlyAnnotators = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Only these people; may be repeated. Default: all active annotators.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]

Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a setting of the protocol; may be repeated."
    ),
]

OutsideVerdicts = Annotated[
    list[str] | None,
    typer.Option(
        "--verdicts",
        metavar="NAME",
        help="Imported verdicts (import-verdicts) that decide which answers are right. One set.",
    ),
]

PricesFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="A price table to use in place of the workspace's (pagetrail prices).",
    ),
]


class CountedWork(BaseModel):
    """Which work counts."""

    submission: str = option(
        "first",
        "Which submission of each attempt counts: first (before anybody sent the task back, "
        "commented on it or showed its gold) or final (the last one).",
        metavar="WHICH",
    )


class PricedWork(CountedWork):
    """Which work counts, and at which prices."""

    prices: Path | None = option(
        None,
        "A price table to use in place of the workspace's (pagetrail prices).",
        metavar="FILE.toml",
    )


def only_verdicts(names: list[str] | None) -> str | None:
    """The one set of verdicts; several would contradict each other, and none is more right."""
    if names and len(names) > 1:
        raise typer.BadParameter(
            f"{len(names)} sets are given ({', '.join(names)}). Give one; to use both, import "
            "them as one set.",
            param_hint="--verdicts",
        )
    return names[0] if names else None


def settings_of(changes: list[str] | None) -> dict[str, Any]:
    """The settings given as ``--set KEY=VALUE``; values are parsed as JSON, or else text."""
    return dict(_key_and_value(change) for change in changes or [])


def _key_and_value(change: str) -> tuple[str, Any]:
    key, equals, value = change.partition("=")
    if not key.strip() or not equals:
        raise typer.BadParameter(f"{change!r} is not KEY=VALUE.", param_hint="--set")
    try:
        return key.strip(), json.loads(value)
    except ValueError:
        return key.strip(), value


def labels_of(changes: list[str] | None) -> dict[str, str]:
    """Class → label of ``--map OLD=NEW`` options."""
    return dict(map(_old_and_new, changes or []))


def _old_and_new(change: str) -> tuple[str, str]:
    old, equals, new = change.rpartition("=")
    if not equals or not old.strip() or not new.strip():
        raise typer.BadParameter(f"{change!r} is not OLD=NEW.", param_hint="--map")
    return old.strip(), new.strip()


def systems_of(entries: list[str] | None) -> dict[str, Path]:
    """The files given as ``--predictions SYSTEM=FILE``, each system once."""
    systems: dict[str, Path] = {}
    for entry in entries or []:
        system, equals, file = entry.partition("=")
        if not system.strip() or not equals or not file:
            raise typer.BadParameter(f"{entry!r} is not SYSTEM=FILE.", param_hint="--predictions")
        if system.strip() in systems:
            raise typer.BadParameter(f"{system} is given twice.", param_hint="--predictions")
        systems[system.strip()] = Path(file)
    return systems


def markdown(path: Path) -> str:
    """The text of a file of guidelines or of a prompt.

    Raises:
        InputFileError: it cannot be read, or is not a text file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"{path} is not UTF-8. Save it as UTF-8.") from error
    if "\0" in text:
        raise InputFileError(f"{path} is not a text file.")
    return text
