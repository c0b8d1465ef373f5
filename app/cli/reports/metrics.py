"""``pagetrail metrics``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.operations import list_some
from pagetrail.app.cli.options import (
    CampaignName,
    OutsideVerdicts,
    PricedWork,
    WorkspaceFolder,
    only_verdicts,
)
from pagetrail.app.cli.report_output import ReportOutput, make_report
from pagetrail.exports.reports.metrics.madqa_report import MADQA, madqa_metrics
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.options import ScoredOptions


class Convention(StrEnum):
    """Whose rules the numbers follow."""

    PAGETRAIL = "pagetrail"
    MADQA = MADQA


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "metrics",
        help="Report how people and systems did in a campaign: answers, evidence, effort, errors, "
        "search. Prints the tables, and writes a folder with report.html, report.json, "
        "tables as CSV and LaTeX, and charts as SVG, PNG and PDF. The same database gives "
        "the same bytes. Annotators appear under pseudonyms.",
        epilog="Example: pagetrail metrics my-workspace --campaign baseline --compare bm25-agent "
        "gpt-agent --by domain",
    )(with_model_options(run))


def list_unused_vectors(options: ScoredOptions) -> None:
    """List the rows of the file of vectors that are not used."""
    if options.vector_file is not None:
        list_some(
            ("row", "reason"),
            [(f"{bad.line:,}", bad.reason) for bad in options.vector_file.bad],
            "Vectors that are not used",
        )


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    options: MetricsOptions,
    counted_work: PricedWork,
    output: ReportOutput,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Further systems for --compare."),
    ] = None,
    people_only: Annotated[
        bool, typer.Option("--people-only", help="Leave out all systems.")
    ] = False,
    verdicts: OutsideVerdicts = None,
    convention: Annotated[
        Convention,
        # The numbers of MADQA's evaluate.py alone, as `report --paper madqa` gives them.
        typer.Option(hidden=True),
    ] = Convention.PAGETRAIL,
    results: Annotated[
        list[Path] | None,
        typer.Option(hidden=True),
    ] = None,
) -> None:
    if more and not options.compare:
        raise typer.BadParameter(f"{more[0]!r} is unexpected: name systems after --compare.")
    if people_only and options.compare:
        raise typer.BadParameter("--people-only and --compare exclude each other.")
    if results and convention is not Convention.MADQA:
        raise typer.BadParameter("--results needs --convention madqa.")
    if options.beside and convention is Convention.MADQA:
        raise typer.BadParameter("--beside and --convention madqa exclude each other.")
    verdicts_name = only_verdicts(verdicts)
    if verdicts_name and convention is Convention.MADQA:
        raise typer.BadParameter("--verdicts and --convention madqa exclude each other.")
    list_unused_vectors(options)
    systems = (*(options.compare or ()), *(more or ()))
    report_options = options.model_copy(
        update={
            "verdicts": verdicts_name,
            "compare": systems or (() if people_only else None),
        }
    )
    make_report(
        workspace,
        campaign,
        "metrics" if convention is Convention.PAGETRAIL else f"metrics-{convention.value}",
        lambda source: (
            madqa_metrics(source, results or ())
            if convention is Convention.MADQA
            else metrics(source, report_options)
        ),
        output,
        submission=counted_work.submission,
        prices=counted_work.prices,
    )
