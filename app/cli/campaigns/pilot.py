"""``pagetrail pilot``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.app.cli.pilot_output import show_people, show_tasks, show_then_and_now
from pagetrail.app.cli.terminal import say, show_json
from pagetrail.exports.reports.pilots.wording import DECISIONS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.administration import COMMAND_LINE
from pagetrail.storage.pilots.decisions import decide, store_baselines
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview, pilot_overview
from pagetrail.storage.pilots.production_comparison import (
    Agreeing,
    ThenAndNow,
    agreement_now,
    then_and_now,
)
from pagetrail.storage.qualification.records import Qualification


class Decision(StrEnum):
    """What can be decided."""

    ADMIT = "admit"
    RETRAIN = "retrain"
    RESET = "reset"


class Show(StrEnum):
    """What is printed."""

    PEOPLE = "people"
    TASKS = "tasks"
    THEN_AND_NOW = "then-and-now"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "pilot",
        help="Show everybody's results in a pilot: the batch, how many of its tasks are done, how "
        "many are right in every part with the 95 % interval (Wilson), the mean score, the median "
        "working time, whether the pass mark is met, and the supervisor's decision. `--show "
        "tasks` shows the pilot's tasks instead, `--show then-and-now` compares stored results "
        "with production since. `--decide` overrides the pass mark: `admit` opens the campaigns "
        "that require the pilot, `retrain` closes them until the next pilot batch is passed and "
        "assigns that batch, with the same tasks again if none is left, `reset` removes the "
        "override.",
        epilog='Examples: pagetrail pilot my-workspace --campaign "Baseline pilot"  ·  '
        "pagetrail pilot my-workspace --campaign pilot --show tasks --json  ·  "
        "pagetrail pilot my-workspace --campaign pilot --decide admit --person Ada "
        '--reason "One slip in 25, in the spelling of a name"  ·  '
        "pagetrail pilot my-workspace --campaign pilot --baseline",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: Annotated[str, typer.Option(help="The pilot campaign's name.")],
    show: Annotated[Show, typer.Option(help="What to print.")] = Show.PEOPLE,
    decision: Annotated[
        Decision | None, typer.Option("--decide", help="Decide on the --person.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="NAME", help="The person to decide on, or to show alone.")
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="The reason, in a sentence; stored with the decision.")
    ] = None,
    by: Annotated[str, typer.Option(metavar="NAME", help="Who decides.")] = COMMAND_LINE,
    baseline: Annotated[
        bool,
        typer.Option(
            "--baseline",
            help="Store everybody's results, or the --person's, to compare later work with. Every "
            "decision stores them too.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything as JSON on standard output.")
    ] = False,
) -> None:
    opened = Workspace.open(workspace)
    if decision is not None:
        if person is None or reason is None:
            raise typer.BadParameter("give --person and --reason with it.", param_hint="--decide")
        _decide(opened, campaign, person, decision, reason, by)
    elif reason is not None:
        raise typer.BadParameter("belongs to a decision: add --decide.", param_hint="--reason")
    if baseline:
        _store(opened, campaign, person, by)
    if show is Show.THEN_AND_NOW:
        _then_and_now(opened, campaign, person, as_json)
        return
    overview = pilot_overview(opened.engine, campaign)
    if show is Show.TASKS:
        if as_json:
            show_json([_of_task(task) for task in overview.tasks])
        else:
            show_tasks(overview)
        return
    if person is None:
        people = list(overview.people)
    else:
        people = [found for found in [overview.person(person)] if found is not None]
    if as_json:
        show_json([_of_person(each, overview.history) for each in people])
    elif people:
        show_people(overview, people)
    elif overview.people:
        say(f"{person} has no batch of {campaign}.")
    else:
        say(f"Nobody has a batch of {campaign} yet. Assign some with `pagetrail assign`.")


def _decide(
    workspace: Workspace, campaign: str, person: str, decision: Decision, reason: str, by: str
) -> None:
    made = decide(workspace, campaign, person, decision.value, reason, by=by)
    say(f"{made.row.user_name}: {DECISIONS[made.row.decision].lower()}. {made.row.reason}")
    if made.gave is not None:
        say(f"{made.row.user_name} now has batch {made.gave} of the pilot.")
    if made.remark:
        say(made.remark)


def _store(workspace: Workspace, campaign: str, person: str | None, by: str) -> None:
    found = store_baselines(workspace, campaign, by=by, user_name=person)
    for names, words in (
        (found.stored, "Results stored of"),
        (found.unchanged, "Unchanged since they were last stored:"),
        (found.without, "No judged task yet:"),
    ):
        if names:
            say(f"{words} {', '.join(names)}.")


def _then_and_now(workspace: Workspace, campaign: str, person: str | None, as_json: bool) -> None:
    campaigns, found = then_and_now(workspace.engine, campaign)
    wanted = [
        each for each in found if person is None or each.user_name.casefold() == person.casefold()
    ]
    agreeing = {
        each.user_id: agreement_now(workspace.engine, campaign, each.user_id) for each in wanted
    }
    if as_json:
        show_json([_of_then(each, agreeing[each.user_id], campaigns) for each in wanted])
    elif wanted:
        show_then_and_now(wanted, agreeing, campaigns)
    else:
        say(
            "No results are stored yet. Every decision stores them, and so does "
            "`pagetrail pilot WS --campaign NAME --baseline`."
        )


def _of_person(overview: PersonOverview, rows: Sequence[Qualification]) -> dict[str, Any]:
    result = overview.result
    return {
        **asdict(result),
        "admitted": result.admitted,
        "share": overview.share.model_dump(),
        "parts": [part.model_dump() for part in overview.parts],
        "times": overview.times.model_dump(),
        "history": [asdict(row) for row in rows if row.user_id == result.user_id],
    }


def _of_task(overview: TaskOverview) -> dict[str, Any]:
    return {
        "task": overview.key,
        "batch": overview.batch,
        "question": overview.question,
        "judged": overview.judged,
        "right": overview.right,
        "share": overview.share.model_dump(),
        "score": overview.score,
        "parts": [part.model_dump() for part in overview.parts],
        "everybody_wrong": overview.everybody_wrong,
        "suspicious": overview.suspicious,
    }


def _of_then(each: ThenAndNow, now: Agreeing, campaigns: Sequence[str]) -> dict[str, Any]:
    return {
        "user_name": each.user_name,
        "stored_at": each.row.at,
        "stored_by": each.row.by,
        "baseline": each.baseline.model_dump(),
        "gold_changed": each.gold_changed,
        "production": {
            "campaigns": list(campaigns),
            "times": each.now.model_dump(),
            "tasks": now.tasks,
            "shared": now.shared,
            "agreement": now.likeness.model_dump(),
        },
    }
