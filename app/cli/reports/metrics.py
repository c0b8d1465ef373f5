"""``pagetrail metrics``."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.statistics.task_bootstrap import REPLICATES, SEED
from pagetrail.annotation.timing.durations import IDLE_CAPS_S
from pagetrail.app.cli.import_output import list_some
from pagetrail.app.cli.options import (
    CampaignName,
    Json,
    OutsideVerdicts,
    PricesFile,
    SubmissionChoice,
    WorkspaceFolder,
    only_verdicts,
)
from pagetrail.app.cli.report_output import (
    Identify,
    OutFolder,
    Overwrite,
    Replicates,
    Seed,
    make_report,
)
from pagetrail.exports.reports.metrics.groups import METRICS_FIELDS
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.metrics.madqa_report import MADQA, madqa_metrics
from pagetrail.exports.reports.metrics.report import GOLDS, RULES, metrics
from pagetrail.exports.reports.resampling import RESAMPLED_UNITS, ResampledUnits
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors


class Convention(StrEnum):
    """Whose rules the numbers follow."""

    PAGETRAIL = "pagetrail"
    MADQA = MADQA


RuleChoice = Annotated[
    str,
    typer.Option(
        metavar="RULE", help=f"What decides whether an answer is right: {', '.join(RULES)}."
    ),
]
GoldChoice = Annotated[
    str,
    typer.Option(
        metavar="GOLD",
        help=f"Which gold to use: {', '.join(GOLDS)}. task is what the tasks came with; "
        "adjudicated is the last version decided in review; tasks without it are left out of "
        "results that need gold. corrected is the gold after checks of suspect gold, without "
        "dropped tasks.",
    ),
]
IntervalsChoice = Annotated[
    str,
    typer.Option(
        metavar="UNITS",
        help=f"What is resampled for intervals: {', '.join(RESAMPLED_UNITS)}. With annotators "
        "intervals also tell how other annotators would do; this takes five annotators.",
    ),
]
VectorsFile = Annotated[
    Path | None,
    typer.Option(
        "--vectors",
        metavar="FILE.parquet",
        help="Vectors of texts and pages that a model made elsewhere, for the drift of queries and "
        "semantic distances, instead of TF-IDF, and for near duplicates of questions.",
    ),
]
JudgingCampaign = Annotated[
    str | None,
    typer.Option(
        metavar="CAMPAIGN",
        help="A judging campaign in this workspace whose verdicts decide which answers are right. "
        "With --verdicts, those decide, and people's judgements calibrate them.",
    ),
]


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
    )(run)


def read_vector_file(path: Path | None) -> VectorFile | None:
    """The vectors, after a list of the rows that are not used."""
    if path is None:
        return None
    file = read_vectors(path)
    list_some(
        ("row", "reason"),
        [(f"{bad.line:,}", bad.reason) for bad in file.bad],
        "Vectors that are not used",
    )
    return file


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN", help="Further systems for --compare."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CAMPAIGN",
            help="Another campaign to show with it, such as an oracle; may be repeated. Each "
            "participant of each campaign is then a line of its own.",
        ),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN",
            help="One or more systems to compare with the people. Default: every imported run "
            "and agent of the campaign.",
        ),
    ] = None,
    people_only: Annotated[
        bool, typer.Option("--people-only", help="Leave out all systems.")
    ] = False,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help=f"Break accuracy down by {', '.join(METRICS_FIELDS)}, or another field of "
            "the task records. Two fields (FIELD,FIELD) give a cross table; FIELD:10:20 sets the "
            "limits of groups of numbers. Default: domain, if any task has one.",
        ),
    ] = None,
    by_annotator: Annotated[
        bool,
        typer.Option("--by-annotator", help="Also show each annotator."),
    ] = False,
    idle_cap: Annotated[
        int,
        typer.Option(
            metavar="SECONDS",
            help=f"Longer gaps count as idle: {', '.join(map(str, IDLE_CAPS_S))}.",
        ),
    ] = IDLE_CAPS_S[0],
    rule: RuleChoice = "first",
    judgements: JudgingCampaign = None,
    verdicts: OutsideVerdicts = None,
    gold: GoldChoice = "task",
    vectors: VectorsFile = None,
    submission: SubmissionChoice = "first",
    intervals: IntervalsChoice = "tasks",
    prices: PricesFile = None,
    convention: Annotated[
        Convention,
        typer.Option(
            help="madqa: the numbers of MADQA's evaluate.py, by its rules alone; the options above "
            "other than --submission do not apply then."
        ),
    ] = Convention.PAGETRAIL,
    results: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="With --convention madqa: score this file of results as it is, in place of the "
            "campaign's attempts; may be repeated.",
        ),
    ] = None,
    out: OutFolder = None,
    overwrite: Overwrite = False,
    identify: Identify = False,
    replicates: Replicates = REPLICATES,
    seed: Seed = SEED,
    as_json: Json = False,
) -> None:
    if more and not compare:
        raise typer.BadParameter(f"{more[0]!r} is unexpected: name systems after --compare.")
    if people_only and compare:
        raise typer.BadParameter("--people-only and --compare exclude each other.")
    if results and convention is not Convention.MADQA:
        raise typer.BadParameter("--results needs --convention madqa.")
    if beside and convention is Convention.MADQA:
        raise typer.BadParameter("--beside and --convention madqa exclude each other.")
    verdicts_name = only_verdicts(verdicts)
    if verdicts_name and convention is Convention.MADQA:
        raise typer.BadParameter("--verdicts and --convention madqa exclude each other.")
    vector_file = read_vector_file(vectors)
    systems = [] if people_only else [*(compare or []), *(more or [])] or None
    make_report(
        workspace,
        campaign,
        "metrics" if convention is Convention.PAGETRAIL else f"metrics-{convention.value}",
        lambda source: (
            madqa_metrics(source, results or ())
            if convention is Convention.MADQA
            else metrics(
                judged := replace(source, verdicts=verdicts_name),
                beside=[
                    judged.for_campaign(name)
                    for name in dict.fromkeys(beside or ())
                    if name != campaign
                ],
                compare=systems,
                by=by,
                idle_cap_s=idle_cap,
                rule=cast(Rule, rule),
                judgements=judgements,
                gold=cast(Gold, gold),
                vectors=vector_file,
                by_annotator=by_annotator,
                intervals=cast(ResampledUnits, intervals),
                replicates=replicates,
                seed=seed,
            )
        ),
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission=submission,
        as_json=as_json,
        prices=prices,
    )
