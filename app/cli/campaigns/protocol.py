"""``pagetrail protocol``."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.protocols.protocol import preset, preset_names
from pagetrail.annotation.protocols.text import overview
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.options import Json
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.tasks.campaign_settings import (
    check_protocol_file,
    resolve_protocol,
)


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    protocol = typer.Typer(
        help="List, show and check protocols: what a campaign asks of its annotators.",
        epilog="Example: pagetrail protocol check my-protocol.toml",
        no_args_is_help=True,
    )
    for name, run, example, help_ in (
        ("list", list_, "list", "List the presets with what they are for."),
        (
            "show",
            show,
            "show relevance",
            "Show a preset or a TOML file: which sections are on, its fields and their keys.",
        ),
        (
            "check",
            check,
            "check my-protocol.toml",
            "Check a TOML file and list all problems: line, key, value, and what is allowed. "
            "Exit code: 0 when it is valid, else 1.",
        ),
    ):
        protocol.command(name, help=help_, epilog=f"Example: pagetrail protocol {example}")(run)
    app.add_typer(protocol, name="protocol")


def list_(as_json: Json = False) -> None:
    presets = [preset(name) for name in preset_names()]
    if as_json:
        show_json([{"name": protocol.name, "title": protocol.title} for protocol in presets])
    else:
        show_table(("preset", "title"), [(protocol.name, protocol.title) for protocol in presets])


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A preset, or a TOML file's path.")],
    as_json: Json = False,
) -> None:
    protocol = resolve_protocol(name)
    if as_json:
        show_json(protocol.model_dump(mode="json"))
    else:
        sys.stdout.write(overview(protocol))


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The TOML file.")],
    as_json: Json = False,
) -> None:
    problems = check_protocol_file(file)
    if as_json:
        show_json([asdict(problem) for problem in problems])
    for problem in problems:
        print_message(problem.sentence(printable(file)))
    if problems:
        count = count_noun(len(problems), "problem")
        print_message(f"{count} in {printable(file)}.", style="bold")
        raise typer.Exit(1)
    print_message(f"{printable(file)} is valid: use it with --protocol {printable(file)}")
