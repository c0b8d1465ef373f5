"""``pagetrail suspects``."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import typer

from pagetrail.annotation.metrics.correctness import Rule
from pagetrail.annotation.statistics.task_bootstrap import REPLICATES, SEED
from pagetrail.app.cli.options import (
    CampaignName,
    Json,
    OutsideVerdicts,
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
from pagetrail.app.cli.reports.metrics import JudgingCampaign, RuleChoice
from pagetrail.exports.reports.suspects.report import suspects


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "suspects",
        help="Report gold that is probably wrong: tasks to check, decisions on them, the error "
        "that remains, and scores before and after. Prints the tables, and writes a folder as the "
        "other reports do.",
        epilog="Example: pagetrail suspects my-workspace --campaign baseline --verdicts gpt-judge",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    rule: RuleChoice = "first",
    judgements: JudgingCampaign = None,
    verdicts: OutsideVerdicts = None,
    submission: SubmissionChoice = "first",
    replicates: Replicates = REPLICATES,
    seed: Seed = SEED,
    out: OutFolder = None,
    overwrite: Overwrite = False,
    identify: Identify = False,
    as_json: Json = False,
) -> None:
    verdicts_name = only_verdicts(verdicts)
    make_report(
        workspace,
        campaign,
        "suspects",
        lambda source: suspects(
            replace(source, verdicts=verdicts_name),
            rule=cast(Rule, rule),
            judgements=judgements,
            replicates=replicates,
            seed=seed,
        ),
        out=out,
        overwrite=overwrite,
        identify=identify,
        submission=submission,
        as_json=as_json,
    )
