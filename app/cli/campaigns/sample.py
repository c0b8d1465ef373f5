"""``pagetrail sample``."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Annotated, Any

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.cli.operations import print_parts
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.operations.task_reports import passed_over, shortfall_sentence, task_report
from pagetrail.exports.sampling import (
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
    )(with_model_options(run))


def run(
    workspace: WorkspaceFolder,
    request: SampleRequest,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be drawn; store nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    report = draw_sample(Workspace.open(workspace), request, dry=dry_run)
    _print(report)
    if as_json:
        show_json(_json(report))
    if report.imported is not None and not report.imported.imported:
        raise typer.Exit(1)


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
