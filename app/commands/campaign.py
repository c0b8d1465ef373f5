"""``pagetrail campaign``."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from annotation import protocol as protocols
from app.commands.import_tasks import key_and_value, markdown, systems, tell
from app.terminal import say, show_json, show_table
from storage import campaign_admin, guidelines
from storage.campaign_create import Wanted, import_files
from storage.importers.campaign_settings import resolve_protocol
from storage.workspace import Workspace

_Name = Annotated[str, typer.Argument(metavar="NAME", help="The campaign's name.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    campaign = typer.Typer(
        help="Make a campaign, close, reopen or archive it, and change its guidelines.",
        epilog="Example: pagetrail campaign my-workspace close baseline",
        no_args_is_help=True,
    )
    campaign.callback()(_keep)
    for name, run, example, help_ in (
        (
            "create",
            create,
            "create baseline questions.jsonl --protocol search --overlap 2 --set search.top_k=10",
            "Make a new campaign from one task file or several. Rows that cannot be imported are "
            "listed with line and reason, and nothing is stored unless --skip-bad is given. "
            "Exit code: 0 when tasks were imported, else 1.",
        ),
        (
            "close",
            close,
            "close baseline",
            "Give out no more batches; those on people's desks can be finished.",
        ),
        ("reopen", reopen, "reopen baseline", "Take up a closed or archived campaign again."),
        (
            "archive",
            archive,
            "archive baseline",
            "Take a campaign out of lists and off desks; until it is reopened it can only be "
            "read. Where people still have tasks of it, --unfinished has to be given.",
        ),
        (
            "guidelines",
            guidelines_,
            "guidelines baseline --from guidelines.md",
            "Print the guidelines; or put others in force, from a file or from a version that was "
            "kept. Every version is kept.",
        ),
    ):
        campaign.command(
            name, help=help_, epilog=f"Example: pagetrail campaign my-workspace {example}"
        )(run)
    app.add_typer(campaign, name="campaign")


def _keep(
    context: typer.Context,
    workspace: Annotated[Path, typer.Argument(metavar="WS", help="The workspace folder.")],
) -> None:
    # Opened by the commands, so that their --help does without a workspace.
    context.obj = workspace


def _workspace(context: typer.Context) -> Workspace:
    return Workspace.open(context.obj)


def create(
    context: typer.Context,
    name: _Name,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="The task files.")],
    protocol: Annotated[
        str, typer.Option(help="A preset's name or the path of a TOML file.")
    ] = "search",
    overlap: Annotated[
        int | None,
        typer.Option(min=1, max=100, help="People who answer each task; default: the protocol's."),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(min=1, max=1_000, help="Tasks in a batch; default: the protocol's."),
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
            metavar="SYSTEM=FILE", help="A system's results, to be judged blind; may be repeated."
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Import the good rows where others are bad.")
    ] = False,
    no_assign: Annotated[
        bool, typer.Option("--no-assign", help="Leave the new batches unassigned.")
    ] = False,
    as_json: _Json = False,
) -> None:
    settings = dict(key_and_value(change, "--set") for change in changes or [])
    settings |= {"overlap": overlap} if overlap is not None else {}
    settings |= {"batch_size": batch_size} if batch_size is not None else {}
    wanted = Wanted(
        campaign=name,
        protocol=protocols.override(resolve_protocol(protocol), settings),
        seed=seed,
        guidelines=None if guidelines is None else markdown(guidelines),
        predictions=systems(predictions or []),
        skip_bad=skip_bad,
        assign=not no_assign,
    )
    found = import_files(_workspace(context), None, files, wanted)
    for each in found:
        if len(found) > 1:
            say(f"{each.file}:", style="bold")
        tell(each.report)
    if as_json:
        show_json([{"file": each.file, **asdict(each.report)} for each in found])
    if not any(each.report.imported for each in found):
        raise typer.Exit(1)


def close(context: typer.Context, name: _Name, as_json: _Json = False) -> None:
    workspace = _workspace(context)
    campaign_admin.close_campaign(workspace, None, name)
    work = campaign_admin.open_work(workspace, name)
    say(f"Campaign {name} is closed: nobody gets a batch of it any more.")
    if work.batches:
        say(f"Still to be finished: {work.sentence()}.")
    if as_json:
        show_json({"campaign": name, "status": "closed", "open": asdict(work)})


def reopen(context: typer.Context, name: _Name, as_json: _Json = False) -> None:
    campaign_admin.reopen_campaign(_workspace(context), None, name)
    say(f"Campaign {name} is open.")
    if as_json:
        show_json({"campaign": name, "status": "open"})


def archive(
    context: typer.Context,
    name: _Name,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Archive it although people have tasks of it.")
    ] = False,
    as_json: _Json = False,
) -> None:
    work = campaign_admin.archive_campaign(_workspace(context), None, name, unfinished=unfinished)
    say(f"Campaign {name} is archived. `pagetrail campaigns WS --archived` lists it.")
    if work.batches:
        say(f"Left unfinished: {work.sentence()}.")
    if as_json:
        show_json({"campaign": name, "status": "archived", "open": asdict(work)})


def guidelines_(
    context: typer.Context,
    name: _Name,
    from_: Annotated[
        Path | None, typer.Option("--from", metavar="FILE.md", help="Put this text in force.")
    ] = None,
    list_versions: Annotated[
        bool, typer.Option("--versions", help="List what was kept, the newest first.")
    ] = False,
    restore: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Put a kept version in force again.")
    ] = None,
    as_json: _Json = False,
) -> None:
    if sum((from_ is not None, list_versions, restore is not None)) > 1:
        raise typer.BadParameter("Give only one of --from, --versions and --restore.")
    workspace = _workspace(context)
    if list_versions:
        _list_versions(workspace, name, as_json)
        return
    before = guidelines.guidelines_of(workspace, name)
    now = before
    if from_ is not None or restore is not None:
        text = (
            guidelines.version_text(workspace, name, restore)
            if restore is not None
            else markdown(from_ or Path())
        )
        now = guidelines.save_guidelines(
            workspace, None, name, text, seen=before.mark, restored=restore
        )
        changed = now.mark != before.mark
        say(f"The guidelines of {name} are {'saved' if changed else 'as they were'}.")
    elif not as_json:
        sys.stdout.write(now.text if now.text.endswith("\n") else f"{now.text}\n")
    if as_json:
        show_json(asdict(now))


def _list_versions(workspace: Workspace, name: str, as_json: bool) -> None:
    found = guidelines.versions(workspace, name)
    if as_json:
        show_json([asdict(version) for version in found])
    elif not found:
        say(f"The guidelines of {name} are those that it was made with.")
    else:
        show_table(
            ("version", "by", "characters", "in force"),
            [(v.id, v.by, v.characters, "yes" if v.in_force else "") for v in found],
        )
