"""``pagetrail export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.app.cli.options import (
    CampaignName,
    Json,
    OutsideVerdicts,
    PricesFile,
    SubmissionChoice,
    WorkspaceFolder,
    only_verdicts,
)
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.exports.reading.source import PAGE_DPI, Columns, PageContent
from pagetrail.exports.run import (
    ADJUDICATED,
    CORRECTED,
    FORMATS,
    ORIGINAL,
    export,
    formats_by_checks,
    formats_by_gold,
    formats_with,
    has_submissions,
)
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
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A new or empty folder. Default: WS/exports/CAMPAIGN-FORMAT, followed by -GOLD "
            "if --gold is given, by -final with --submission final, by the content with --pages, "
            "and by -originals.",
        ),
    ] = None,
    identify: Annotated[
        bool, typer.Option("--identify", help="Show annotators' names instead of pseudonyms.")
    ] = False,
    gold: Annotated[
        str | None,
        typer.Option(
            metavar="GOLD",
            help=f"{ADJUDICATED}: the last version decided in review, instead of people's work or "
            f"the gold that tasks came with, without dropped tasks. For "
            f"{', '.join(formats_by_gold())}. {CORRECTED}: the gold after checks of suspect gold, "
            f"without dropped tasks; {ORIGINAL}: that before. For "
            f"{', '.join(formats_by_checks())}.",
        ),
    ] = None,
    submission: SubmissionChoice = "first",
    columns: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help=f"Of {', '.join(formats_with('columns'))}: published for the columns of the "
            "published data sets, mteb for the names that mteb's loader reads.",
        ),
    ] = "published",
    pages: Annotated[
        str,
        typer.Option(
            metavar="CONTENT",
            help=f"Of {', '.join(formats_with('page_content'))}: what read_page returned: "
            "reference (which page it was), text or image.",
        ),
    ] = "reference",
    originals: Annotated[
        bool,
        typer.Option(
            "--originals",
            help="Also write the rows and samples that imported runs were read from. For "
            f"{', '.join(formats_with('originals'))}.",
        ),
    ] = False,
    verdicts: OutsideVerdicts = None,
    undecided: Annotated[
        bool,
        typer.Option(
            "--undecided",
            help=f"Of {', '.join(formats_with('undecided'))}: only answers that the rule leaves "
            "undecided.",
        ),
    ] = False,
    prices: PricesFile = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier export in that folder.")
    ] = False,
    dpi: Annotated[
        int, typer.Option(help="Resolution of page images, if the format has them.")
    ] = PAGE_DPI,
    as_json: Json = False,
) -> None:
    verdicts_name = only_verdicts(verdicts)
    opened = Workspace.open(workspace)
    # A folder is named after what is not the default, so that neither export replaces the other.
    final = submission != "first" and has_submissions(format_, gold)
    contents = pages if pages != "reference" else None
    choices = [gold, submission if final else None, verdicts_name, contents]
    choices += ["undecided"] if undecided else []
    choices += ["originals"] if originals else []
    name = "-".join([campaign, format_, *(choice for choice in choices if choice)])
    folder = out if out is not None else opened.exports_dir / encoded_stem(name)
    with progress_bar() as bar:
        line = bar.add_task("Exporting", total=None)
        manifest = export(
            opened,
            campaign,
            format_,
            folder,
            identify=identify,
            gold=gold,
            submission=cast(SubmissionVersion, submission),
            columns=cast(Columns, columns),
            page_content=cast(PageContent, pages),
            originals=originals,
            verdicts=verdicts_name,
            undecided=undecided,
            prices=None if prices is None else read_price_table(prices),
            overwrite=overwrite,
            refuse_empty=True,
            dpi=dpi,
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
