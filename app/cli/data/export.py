"""``pagetrail export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.options import (
    CampaignName,
    Json,
    OutsideVerdicts,
    PricesFile,
    WorkspaceFolder,
    only_verdicts,
)
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.exports.run import FORMATS, ExportOptions, export, has_submissions
from pagetrail.exports.writing.file_formats import encoded_stem
from pagetrail.exports.writing.left_out import left_out_words
from pagetrail.exports.writing.manifest import Manifest
from pagetrail.exports.writing.page_images import FOLDER
from pagetrail.storage.campaigns.price_tables import read_price_table
from pagetrail.storage.database.workspace import Workspace


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "export",
        help="Write a campaign to a folder of files with a manifest.json. The same database gives "
        "the same bytes. Annotators appear under pseudonyms; what they wrote is exported "
        "unchanged. Exit code: 1 if there is nothing to write; no folder is created then.\n\n"
        "Formats:\n\n"
        + "\n\n".join(f"[bold]{name}[/]: {format_.summary}" for name, format_ in FORMATS.items()),
        epilog="Example: pagetrail export my-workspace --campaign baseline --format madqa "
        "--out results",
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A new or empty folder. Default: WS/exports/CAMPAIGN-FORMAT, followed by -GOLD "
            "if --gold is given, by -final with --submission final, by the content with --pages, "
            "and by -originals.",
        ),
    ] = None,
    options: ExportOptions,
    verdicts: OutsideVerdicts = None,
    prices: PricesFile = None,
    as_json: Json = False,
) -> None:
    verdicts_name = only_verdicts(verdicts)
    opened = Workspace.open(workspace)
    # A folder is named after what is not the default, so that neither export replaces the other.
    final = options.submission != "first" and has_submissions(format_, options.gold)
    contents = options.page_content if options.page_content != "reference" else None
    choices = [options.gold, options.submission if final else None, verdicts_name, contents]
    choices += ["undecided"] if options.undecided else []
    choices += ["originals"] if options.originals else []
    name = "-".join([campaign, format_, *(choice for choice in choices if choice)])
    folder = out if out is not None else opened.exports_dir / encoded_stem(name)
    price_table = None if prices is None else read_price_table(prices)
    with progress_bar() as bar:
        line = bar.add_task("Exporting", total=None)
        manifest = export(
            opened,
            campaign,
            format_,
            folder,
            **{**dict(options), "verdicts": verdicts_name, "prices": price_table},
            refuse_empty=True,
            progress=lambda completed, total: bar.update(line, completed=completed, total=total),
        )
    if as_json:
        show_json(manifest.to_json())
    else:
        _show(manifest, folder)


def _show(manifest: Manifest, folder: Path) -> None:
    show_table(
        ("file", "rows", "bytes"),
        _files(manifest),
        title=str(folder),
    )
    if manifest.left_out:
        print_message("Left out:")
    for entry in manifest.left_out:
        print_message(f"  {left_out_words(entry)}")
    if manifest.identified:
        print_message(
            "Annotators appear under their own names. Do not publish this folder as it is."
        )


def _files(manifest: Manifest) -> list[tuple[str, int, int]]:
    """One line per file; page images share one line."""
    lines = [
        (str(file["path"]), int(file["rows"]), int(file["bytes"]))
        for file in manifest.files
        if not file["path"].startswith(f"{FOLDER}/")
    ]
    pictures = [file["bytes"] for file in manifest.files if file["path"].startswith(f"{FOLDER}/")]
    return [*lines, (f"{FOLDER}/", len(pictures), sum(pictures))] if pictures else lines
