"""``pagetrail import-verdicts``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.import_output import import_in_worker, list_some, tell_not_kept
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder, markdown
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.verdicts.importer import VerdictReport, import_verdicts


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "import-verdicts",
        help="Import an external judge's or dataset's verdicts on a campaign's answers: CSV, "
        "JSONL, Parquet or Excel with task, system and verdict, and optionally confidence "
        "and rationale. They become a named set, which metrics and the scores export can "
        "use. Say who judged with the options, or in columns judge, judge_model, judge_prompt, "
        "judge_version, judge_round, judge_run and judge_date; each round and run of the columns "
        "becomes a set named NAME-round-2-run-3. Importing again changes nothing, but completes "
        "what is known about the judge.\n\n"
        "Exit code: 0 when verdicts were imported or already existed, else 1.",
        epilog="Example: pagetrail import-verdicts my-workspace labels.csv --campaign baseline "
        "--name gpt-judge",
    )(run)


def run(
    workspace: WorkspaceFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The verdicts.")],
    campaign: CampaignName,
    name: Annotated[str, typer.Option(help="Name of the set of verdicts.")],
    judge: Annotated[
        str | None, typer.Option(help="Who judged. Default: the name of the set.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="The judge's model.")] = None,
    prompt: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The judge's prompt, or a hash of it.")
    ] = None,
    prompt_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Text file with the prompt.")
    ] = None,
    version: Annotated[
        str | None, typer.Option(help="Version of the judge or of its prompt.")
    ] = None,
    round_: Annotated[
        int | None,
        typer.Option("--round", min=1, metavar="N", help="Round of developing the prompt."),
    ] = None,
    run_: Annotated[
        int | None,
        typer.Option("--run", min=1, metavar="N", help="Run, of several with the same prompt."),
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="When the verdicts were given.")
    ] = None,
    as_json: Json = False,
) -> None:
    if prompt is not None and prompt_file is not None:
        raise typer.BadParameter("--prompt and --prompt-file exclude each other.")
    if prompt_file is not None:
        prompt = markdown(prompt_file)
    info = JudgeInfo(judge, model, prompt, version, round_, run_, date)
    report = import_in_worker(_import, workspace, file, campaign, name, info)
    rows = [(str(row.line), row.reason) for row in report.left_out]
    list_some(("line", "what"), rows, "Left out")
    names = ", ".join(report.sets) or report.name
    print_message(
        f"{count_noun(report.imported, 'verdict')} imported as {names} into campaign "
        f"{report.campaign}; {report.already_there:,} already existed."
    )
    tell_not_kept(report.not_kept)
    if as_json:
        show_json(asdict(report))
    if not report.imported + report.already_there:
        raise typer.Exit(1)


def _import(
    workspace: Path, file: Path, campaign: str, name: str, judge: JudgeInfo
) -> VerdictReport:
    """In a process of its own."""
    opened_workspace = Workspace.open(workspace)
    return import_verdicts(opened_workspace, file, campaign=campaign, name=name, judge=judge)
