"""``pagetrail pilot``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.pilot_output import show_people, show_tasks
from pagetrail.app.cli.terminal import print_message, show_json
from pagetrail.exports.reports.pilots.wording import DECISIONS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import COMMAND_LINE
from pagetrail.storage.pilots.decisions import decide
from pagetrail.storage.pilots.overview import PersonOverview, TaskOverview, pilot_overview
from pagetrail.storage.qualification.records import Qualification


class Decision(StrEnum):
    """What can be decided."""

    ADMIT = "admit"
    RETRAIN = "retrain"
    RESET = "reset"


class Show(StrEnum):
    """What is printed; ``then-and-now`` of earlier versions is refused."""

    PEOPLE = "people"
    TASKS = "tasks"
    THEN_AND_NOW = "then-and-now"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "pilot",
        help="Show everybody's results in a pilot: the batch, how many of its tasks are done, how "
        "many are right in every part with the 95 % interval (Wilson), the mean score, the "
        "median working time, whether the pass mark is met, and the supervisor's decision. "
        "`--show tasks` shows the pilot's tasks instead. `--decide` overrides the pass mark: "
        "`admit` opens the campaigns that require the pilot, `retrain` closes them until the "
        "next pilot batch is passed and assigns that batch, with the same tasks again if "
        "none is left, `reset` removes the override.",
        epilog='Examples: pagetrail pilot my-workspace --campaign "Baseline pilot"  ·  '
        "pagetrail pilot my-workspace --campaign pilot --show tasks --json  ·  "
        "pagetrail pilot my-workspace --campaign pilot --decide admit --person Ada "
        '--reason "One slip in 25, in the spelling of a name"',
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: Annotated[str, typer.Option(help="The pilot campaign's name.")],
    show: Annotated[Show, typer.Option(help="What to print.")] = Show.PEOPLE,
    decision: Annotated[
        Decision | None, typer.Option("--decide", help="The decision on the --person.")
    ] = None,
    person: Annotated[
        str | None, typer.Option(metavar="NAME", help="The person to decide on, or to show alone.")
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="The reason, in a sentence; stored with the decision.")
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="NAME", help="The supervisor who decides.")
    ] = COMMAND_LINE,
    baseline: Annotated[
        bool,
        typer.Option(
            "--baseline",
            help="No longer available: every decision stores the person's results.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    if baseline or show is Show.THEN_AND_NOW:
        raise PagetrailError(
            "Results of a pilot are no longer stored to compare later work with: each decision "
            "(--decide) stores those that it rests on, and `pagetrail quality` reports later work, "
            "with agreement, hidden checks and time per task.",
            code="no_baselines",
        )
    opened = Workspace.open(workspace)
    if decision is not None:
        if person is None or reason is None:
            raise typer.BadParameter("give --person and --reason with it.", param_hint="--decide")
        _decide(opened, campaign, person, decision, reason, by)
    elif reason is not None:
        raise typer.BadParameter("belongs to a decision: add --decide.", param_hint="--reason")
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
        pilot_person = overview.person(person)
        people = [] if pilot_person is None else [pilot_person]
    if as_json:
        show_json([_of_person(pilot_person, overview.history) for pilot_person in people])
    elif people:
        show_people(overview, people)
    elif overview.people:
        print_message(f"{person} has no batch of {campaign}.")
    else:
        print_message(f"Nobody has a batch of {campaign} yet. Assign some with `pagetrail assign`.")


def _decide(
    workspace: Workspace, campaign: str, person: str, decision: Decision, reason: str, by: str
) -> None:
    outcome = decide(workspace, campaign, person, decision.value, reason, by=by)
    stored = outcome.row
    print_message(f"{stored.user_name}: {DECISIONS[stored.decision].lower()}. {stored.reason}")
    if outcome.gave is not None:
        print_message(f"{stored.user_name} now has batch {outcome.gave} of the pilot.")
    if outcome.remark:
        print_message(outcome.remark)


def _of_person(overview: PersonOverview, rows: Sequence[Qualification]) -> dict[str, Any]:
    result = overview.result
    return {
        **asdict(result),
        "admitted": result.admitted,
        "waiting": result.is_waiting,
        "needs_decision": result.needs_decision,
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
        "undecided": overview.undecided,
        "share": overview.share.model_dump(),
        "score": overview.score,
        "parts": [part.model_dump() for part in overview.parts],
        "everybody_wrong": overview.everybody_wrong,
        "suspicious": overview.suspicious,
    }
