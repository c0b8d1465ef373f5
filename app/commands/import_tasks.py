"""``pagetrail import-tasks``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from annotation.errors import InputFileError
from app.terminal import say, show_json, show_table
from storage.importers.tasks import ImportReport, import_tasks
from storage.pilots import OPENS
from storage.workspace import Workspace

_SHOWN = 50

_HELP = "\n\n".join(
    (
        "Import questions from JSONL, JSON, CSV or Parquet into a campaign, in batches.",
        "A campaign that does not exist is made; one that exists gets the tasks as new batches. "
        "Rows that cannot be imported are listed with line and reason, and nothing is imported "
        "unless --skip-bad is given. New batches go to the active annotators at once, so that "
        "each task reaches as many people as --overlap says.",
        "Exit code: 0 when tasks were imported, else 1.",
    )
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-tasks",
        help=_HELP,
        epilog="Example: pagetrail import-tasks my-workspace questions.jsonl --campaign baseline "
        "--protocol search --overlap 2 --set search.top_k=10",
    )(run)


def run(
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The task file.")],
    campaign: Annotated[str, typer.Option(help="The campaign's name.")],
    protocol: Annotated[
        str | None,
        typer.Option(
            help="A preset's name or the path of a TOML file; "
            "default: the existing campaign's, or search."
        ),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(min=1, max=1_000, help="Tasks in a batch; default: the protocol's."),
    ] = None,
    overlap: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="People who answer each task; default: the protocol's."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed of task orders and assignments; default: 7."),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a setting of the protocol; may be repeated."
        ),
    ] = None,
    guidelines: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="Markdown guidelines; default: the preset's."),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=FILE",
            help="A system's results (id and answer in each row), to be judged blind; may be "
            "repeated.",
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Import the good rows where others are bad.")
    ] = False,
    no_assign: Annotated[
        bool, typer.Option("--no-assign", help="Leave the new batches unassigned.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON on standard output.")
    ] = False,
) -> None:
    report = import_tasks(
        Workspace.open(workspace),
        file,
        campaign=campaign,
        protocol=protocol,
        settings=dict(key_and_value(change, "--set") for change in changes or []),
        batch_size=batch_size,
        overlap=overlap,
        seed=seed,
        skip_bad=skip_bad,
        guidelines=None if guidelines is None else markdown(guidelines),
        predictions=systems(predictions or []),
        assign=not no_assign,
    )
    tell(report)
    if as_json:
        show_json(asdict(report))
    if not report.imported:
        raise typer.Exit(1)


def key_and_value(change: str, option: str) -> tuple[str, Any]:
    """``KEY=VALUE`` of a command line; the value as JSON where it is JSON, else as text."""
    key, equals, value = change.partition("=")
    if not key.strip() or not equals:
        raise typer.BadParameter(f"{change!r} is not KEY=VALUE.", param_hint=option)
    try:
        return key.strip(), json.loads(value)
    except ValueError:
        return key.strip(), value


def systems(entries: list[str]) -> dict[str, Path]:
    """``SYSTEM=FILE`` of a command line, each system once."""
    found: dict[str, Path] = {}
    for entry in entries:
        system, equals, file = entry.partition("=")
        if not system.strip() or not equals or not file:
            raise typer.BadParameter(f"{entry!r} is not SYSTEM=FILE.", param_hint="--predictions")
        if system.strip() in found:
            raise typer.BadParameter(f"{system} is there twice.", param_hint="--predictions")
        found[system.strip()] = Path(file)
    return found


def markdown(path: Path) -> str:
    """The text of a file of guidelines.

    Raises:
        InputFileError: it cannot be read, or is no text.
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


def tell(report: ImportReport) -> None:
    """The rows that are left out, and what was imported."""
    if report.bad:
        show_table(
            ("line", "id", "reason"),
            [(str(row.line), row.id or "", row.reason) for row in report.bad[:_SHOWN]],
            title="Rows that cannot be imported",
            stderr=True,
        )
        if len(report.bad) > _SHOWN:
            say(f"… and {len(report.bad) - _SHOWN:,} more; --json lists all.")
    if not report.imported:
        advice = "Correct them, or import the others with --skip-bad."
        say(f"Nothing was imported: {count(len(report.bad), 'bad row')}. {advice}", style="bold")
        return
    tell_imported(report)


def tell_imported(report: ImportReport) -> None:
    """What was imported, and who has it now."""
    for warning in report.warnings[:_SHOWN]:
        say(f"Note: {warning}")
    if len(report.warnings) > _SHOWN:
        say(f"… and {len(report.warnings) - _SHOWN:,} more notes; --json lists all.")
    names = ", ".join(report.batches[:8]) + (" …" if len(report.batches) > 8 else "")
    say(
        f"{count(report.imported, 'task')} in {count(len(report.batches), 'batch', 'es')} "
        f"({names}) imported into campaign {report.campaign}."
    )
    if report.assigned is None:
        say(
            "Nobody has these batches yet. Add annotators with `pagetrail users`, "
            "then run `pagetrail assign`."
        )
        return
    say(f"{count(len(report.assigned.created), 'assignment')} made.")
    tell_passed_over(report.assigned.passed_over)
    if report.assigned.shortfall:
        say(shortfall_sentence(report.assigned.shortfall))


def tell_passed_over(reasons: dict[str, str]) -> None:
    """Say who got no batch of a pilot or of a campaign that waits for one, why, and the way out."""
    for name, reason in reasons.items():
        say(f"{name} gets no batch: {reason}")
    waiting = sum(reason.startswith(OPENS) for reason in reasons.values())
    if waiting:
        say(
            f"{count(waiting, 'annotator')} will be given batches by the next `pagetrail assign` "
            "after the pilot is passed. To let somebody in without that: `pagetrail pilot WS "
            "--campaign PILOT --decide admit --person NAME --reason WHY`."
        )


def shortfall_sentence(shortfall: dict[str, int]) -> str:
    """What the assignment still lacks, and the way out."""
    return (
        f"{count(len(shortfall), 'batch', 'es')} could not reach the wanted overlap: "
        f"{count(max(shortfall.values()), 'more annotator')} needed. "
        "Add them with `pagetrail users`, then run `pagetrail assign`."
    )


def count(number: int, noun: str, plural: str = "s") -> str:
    """A number with its noun, in the plural where it needs one."""
    return f"{number:,} {noun}{'' if number == 1 else plural}"
