"""``pagetrail campaign``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.app.cli.group import Member, add_group, workspace_of
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.operations import print_parts
from pagetrail.app.cli.options import (
    Changes,
    Json,
    markdown,
    settings_of,
)
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.operations.task_reports import task_report
from pagetrail.storage.batches.changeable_settings import (
    QUALITY,
    change_settings,
    changeable_settings,
)
from pagetrail.storage.batches.quality_preview import quality_preview
from pagetrail.storage.campaigns import guidelines
from pagetrail.storage.campaigns import lifecycle as campaign_admin
from pagetrail.storage.campaigns.lookup import protocol_of_campaign
from pagetrail.storage.database.statuses import CLOSED
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, import_files
from pagetrail.storage.importers.tasks.campaign_settings import resolve_protocol
from pagetrail.storage.importers.tasks.gold_copy import copy_gold
from pagetrail.storage.importers.tasks.request import CampaignOptions

_Name = Annotated[str, typer.Argument(metavar="NAME", help="The campaign's name.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    members = (
        Member(
            "create",
            with_model_options(create),
            "create baseline questions.jsonl --protocol search --overlap 2 --set search.top_k=10",
            "Create a campaign from one or more task files. Rows that cannot be imported are "
            "listed with line and reason, and nothing is stored unless --skip-bad is given. "
            "Exit code: 0 when tasks were imported, else 1.",
        ),
        Member(
            "close",
            close,
            "close baseline",
            "Stop assigning batches; those already assigned can be finished.",
        ),
        Member("reopen", reopen, "reopen baseline", "Reopen a closed or archived campaign."),
        Member(
            "archive",
            archive,
            "archive baseline",
            "Remove a campaign from lists and from My batches. It is read-only until it is "
            "reopened. Needs --unfinished if people still have open tasks.",
        ),
        Member(
            "copy-gold",
            copy_gold_,
            "copy-gold pilot --to experts",
            "Copy the tasks with gold into a new, closed campaign that hidden checks can use. A "
            "pilot cannot be used itself, since it shows its gold.",
        ),
        Member(
            "guidelines",
            guidelines_,
            "guidelines baseline --from guidelines.md",
            "Print the guidelines, or replace them from a file or an earlier version. Every "
            "version is kept.",
        ),
        Member(
            "settings",
            settings_,
            "settings baseline --set review.accept=majority --set overlap=3",
            "Print or change the settings that can change after a campaign was created: overlap, "
            "review rule and hidden checks. Open tasks are compared again. Gold and the checks in "
            "assigned batches stay.",
        ),
    )
    add_group(
        app,
        "campaign",
        help="Create, close, reopen or archive a campaign, and change its guidelines, review rule "
        "and hidden checks.",
        example="close baseline",
        members=members,
    )


def create(
    context: typer.Context,
    name: _Name,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="The task files.")],
    *,
    protocol: Annotated[
        str, typer.Option(help="A preset's name or the path of a TOML file.")
    ] = "search",
    options: CampaignOptions,
    as_json: Json = False,
) -> None:
    settings = dict(options.settings or {})
    settings |= {"overlap": options.overlap} if options.overlap is not None else {}
    settings |= {"batch_size": options.batch_size} if options.batch_size is not None else {}
    request = CampaignImport(
        campaign=name,
        protocol=protocols.with_overrides(resolve_protocol(protocol), settings),
        seed=options.seed,
        guidelines=options.guidelines,
        predictions=options.predictions or {},
        skip_bad=options.skip_bad,
        assign=options.assign,
    )
    imports = import_files(workspace_of(context), None, files, request)
    for file_import in imports:
        if len(imports) > 1:
            print_message(f"{file_import.file}:", style="bold")
        print_parts(task_report(file_import.report))
    if as_json:
        show_json(
            [{"file": file_import.file, **asdict(file_import.report)} for file_import in imports]
        )
    if not any(file_import.report.imported for file_import in imports):
        raise typer.Exit(1)


def close(context: typer.Context, name: _Name, as_json: Json = False) -> None:
    workspace = workspace_of(context)
    campaign_admin.close_campaign(workspace, None, name)
    open_work = campaign_admin.open_work(workspace, name)
    print_message(f"Campaign {name} is closed: no more batches will be assigned.")
    if open_work.batches:
        print_message(f"Open work can be finished: {open_work.sentence()}.")
    if as_json:
        show_json({"campaign": name, "status": "closed", "open": asdict(open_work)})


def reopen(context: typer.Context, name: _Name, as_json: Json = False) -> None:
    campaign_admin.reopen_campaign(workspace_of(context), None, name)
    print_message(f"Campaign {name} is open.")
    if as_json:
        show_json({"campaign": name, "status": "open"})


def archive(
    context: typer.Context,
    name: _Name,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Archive even if people have open tasks.")
    ] = False,
    as_json: Json = False,
) -> None:
    open_work = campaign_admin.archive_campaign(
        workspace_of(context), None, name, unfinished=unfinished
    )
    print_message(f"Campaign {name} is archived. `pagetrail campaigns WS --archived` lists it.")
    if open_work.batches:
        print_message(f"Left unfinished: {open_work.sentence()}.")
    if as_json:
        show_json({"campaign": name, "status": "archived", "open": asdict(open_work)})


def copy_gold_(
    context: typer.Context,
    name: _Name,
    to: Annotated[str, typer.Option(metavar="NEW", help="The new campaign's name.")],
    as_json: Json = False,
) -> None:
    copied = copy_gold(workspace_of(context), None, name, to)
    print_message(
        f"{copied:,} tasks with gold copied to {to}, which is closed. Take hidden checks from it "
        f"with `pagetrail campaign WS settings CAMPAIGN --set quality.gold_from={to} "
        "--set quality.gold_rate=0.1`."
    )
    if as_json:
        show_json({"campaign": to, "status": CLOSED, "tasks": copied})


def guidelines_(
    context: typer.Context,
    name: _Name,
    from_: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE.md", help="Replace the text with this file."),
    ] = None,
    list_versions: Annotated[
        bool, typer.Option("--versions", help="List the versions, newest first.")
    ] = False,
    restore: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Restore an earlier version.")
    ] = None,
    as_json: Json = False,
) -> None:
    if sum((from_ is not None, list_versions, restore is not None)) > 1:
        raise typer.BadParameter("Give only one of --from, --versions and --restore.")
    workspace = workspace_of(context)
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
            workspace, None, name, text, based_on=before.mark, restored=restore
        )
        changed = now.mark != before.mark
        print_message(f"The guidelines of {name} are {'saved' if changed else 'unchanged'}.")
    elif not as_json:
        sys.stdout.write(now.text if now.text.endswith("\n") else f"{now.text}\n")
    if as_json:
        show_json(asdict(now))


def settings_(
    context: typer.Context,
    name: _Name,
    changes: Changes = None,
    preview: Annotated[
        bool,
        typer.Option(
            "--preview", help="Show how hidden checks would change batches; save nothing."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    new_settings = settings_of(changes)
    sentences = []
    if preview or any(key.startswith(QUALITY) for key in new_settings):
        sentences = quality_preview(workspace, name, new_settings).sentences
    if preview:
        if as_json:
            show_json({"campaign": name, "preview": sentences})
        for sentence in sentences:
            print_message(sentence)
        return
    changed = change_settings(workspace, None, name, new_settings) if new_settings else []
    now = changeable_settings(protocol_of_campaign(workspace, name))
    if as_json:
        show_json({"campaign": name, "settings": now, "changed": [asdict(c) for c in changed]})
    elif not new_settings:
        show_table(
            ("setting", "value"),
            [(key, json.dumps(value, ensure_ascii=False)) for key, value in now.items()],
            title=f"Campaign {name}",
        )
    for change in changed:
        before, after = (json.dumps(v, ensure_ascii=False) for v in (change.before, change.after))
        print_message(f"{change.key}: {before} → {after}")
    for sentence in sentences if changed else []:
        print_message(sentence)
    if new_settings and not changed:
        print_message(f"The settings of {name} are unchanged.")


def _list_versions(workspace: Workspace, name: str, as_json: bool) -> None:
    versions = guidelines.guideline_versions(workspace, name)
    if as_json:
        show_json([asdict(version) for version in versions])
    elif not versions:
        print_message(f"The guidelines of {name} have not changed since it was created.")
    else:
        show_table(
            ("version", "by", "characters", "current"),
            [(v.id, v.by, v.characters, "yes" if v.in_force else "") for v in versions],
        )
