"""``pagetrail sample``."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.operations import print_parts
from pagetrail.app.cli.options import (
    BatchSize,
    Changes,
    Json,
    NoAssign,
    Overlap,
    WorkspaceFolder,
    settings_of,
)
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.operations.task_reports import passed_over, shortfall_sentence, task_report
from pagetrail.exports.sampling import (
    SAMPLE_ALLOCATIONS,
    SAMPLE_KINDS,
    SampleReport,
    SampleRequest,
    draw_sample,
)
from pagetrail.storage.batches.assignments import AssignReport, kept_from_sentences
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.kept_fields import format_counts

_HELP = "\n\n".join(
    (
        "Draw a random sample into a campaign: answers of systems for people to judge, tasks of a "
        "pool, or pages of the collection.",
        "--strata names fields to stratify by. Answers have verdict, system, document, hop and "
        "the fields of their tasks, such as category; tasks have the same without verdict and "
        "system; pages have document, layout and the columns of --page-fields. Seed, strata and "
        "inclusion probabilities are stored with the campaign. The same command again draws more; "
        "--allocation neyman then takes the strata that make the corrected accuracy most precise.",
        "Answers that equal an accepted one exactly are not drawn, since no judge sees them. Who "
        "would judge the drawn ones is listed; `pagetrail assign` then assigns them, or --yes at "
        "once. Nobody judges their own answer, unless a new campaign has --set own_answers=true.",
        "Exit code: 0 when something was drawn, else 1.",
    )
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "sample",
        help=_HELP,
        epilog="Example: pagetrail sample my-workspace --from baseline --n 200 "
        "--strata verdict,system,category --seed 7 --into judging",
    )(run)


def run(
    workspace: WorkspaceFolder,
    into: Annotated[
        str, typer.Option(metavar="CAMPAIGN", help="The new or existing campaign to draw into.")
    ],
    n: Annotated[int, typer.Option("--n", min=1, max=100_000, help="How many to draw.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="CAMPAIGN",
            help="The campaign to draw from; without it, pages of the collection are drawn.",
        ),
    ] = None,
    strata: Annotated[
        str, typer.Option(metavar="FIELDS", help="Fields to stratify by, separated by commas.")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Seed of the draw.")] = 7,
    what: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="predictions, tasks or pages. Default: predictions with --from, tasks if the "
            "protocol of --into shows no predictions, pages without --from.",
        ),
    ] = None,
    verdicts: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Imported verdicts of the judge. Default: the only set, or else the answer rule.",
        ),
    ] = None,
    allocation: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="How many of each stratum: proportional, equal, neyman (for a second draw), or "
            "undecided: every answer that the rule leaves undecided, and --n of those that it "
            "decided.",
        ),
    ] = "proportional",
    page_fields: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table with document, optionally page, and fields such as domain or layout.",
        ),
    ] = None,
    question: Annotated[
        str, typer.Option(metavar="TEXT", help="Question of tasks that are made of pages.")
    ] = "",
    protocol: Annotated[
        str | None,
        typer.Option(
            help="Of a new campaign: a preset's name or the path of a TOML file. Default: judge "
            "for predictions, that of --from for tasks, relevance for pages."
        ),
    ] = None,
    changes: Changes = None,
    batch_size: BatchSize = None,
    overlap: Overlap = None,
    no_assign: NoAssign = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Assign answers to judges at once."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be drawn; store nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    request = SampleRequest(
        into=into,
        n=n,
        fields=tuple(name.strip() for name in strata.split(",") if name.strip()),
        source=source,
        kind=_choice("--what", what, SAMPLE_KINDS) if what else None,
        seed=seed,
        verdicts=verdicts,
        allocation=_choice("--allocation", allocation, SAMPLE_ALLOCATIONS),
        page_fields=page_fields,
        question=question,
        protocol=protocol,
        settings=settings_of(changes),
        overlap=overlap,
        batch_size=batch_size,
        assign=not no_assign,
        is_confirmed=yes,
    )
    report = draw_sample(Workspace.open(workspace), request, dry=dry_run)
    _print(report)
    if as_json:
        show_json(_json(report))
    if report.imported is not None and not report.imported.imported:
        raise typer.Exit(1)


def _choice(option: str, value: str, values: Any) -> Any:
    if value not in values:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(values)}.", param_hint=option)
    return value


def _print(report: SampleReport) -> None:
    rows = [
        (
            *stratum.values,
            stratum.size,
            stratum.before,
            len(stratum.keys),
            f"{stratum.inclusion_probability:.4f}",
        )
        for stratum in report.strata
    ]
    columns = (*report.fields, "all", "drawn before", "drawn now", "inclusion probability")
    show_table(columns, rows, title=f"Strata of the {report.kind}", stderr=True)
    if report.left_out:
        print_message(f"Not drawn from: {format_counts(report.left_out)}.")
    if report.imported is None:
        print_message(f"Nothing was stored; {count_noun(report.n_drawn, 'task')} would be drawn.")
    else:
        print_parts(task_report(report.imported, is_assigned=report.planned is None))
    if report.planned is not None:
        _print_judges(report.planned)


def _print_judges(planned: AssignReport) -> None:
    """Who would judge, and how to assign them."""
    n_batches = Counter(name for _, name in planned.created)
    show_table(
        ("judge", "batches"), sorted(n_batches.items()), title="Who would judge", stderr=True
    )
    print_parts(passed_over(planned) + kept_from_sentences(planned))
    if planned.shortfall:
        print_message(shortfall_sentence(planned))
    print_message(
        f"Nothing is assigned yet. `pagetrail assign WORKSPACE --campaign {planned.campaign}` "
        "assigns these batches, with --annotator to the people whom you name; --yes does at once."
    )


def _json(report: SampleReport) -> dict[str, Any]:
    return {
        "campaign": report.campaign,
        "kind": report.kind,
        "source": report.source,
        "verdicts": report.verdicts,
        "fields": list(report.fields),
        "seed": report.seed,
        "drawn": report.n_drawn,
        "strata": [
            {
                "values": dict(zip(report.fields, stratum.values, strict=True)),
                "size": stratum.size,
                "drawn_before": stratum.before,
                "drawn": list(stratum.keys),
                "inclusion_probability": stratum.inclusion_probability,
            }
            for stratum in report.strata
        ],
        "left_out": dict(report.left_out),
        "planned": None if report.planned is None else asdict(report.planned),
        "imported": None if report.imported is None else asdict(report.imported),
    }
