"""``pagetrail batches``."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

import typer

from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.group import Member, add_group, workspace_of
from pagetrail.app.cli.options import CampaignName, Json, OnlyAnnotators
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.batches import reassignment as reassignment
from pagetrail.storage.batches.board import STATE_WORDS, BatchRow, board
from pagetrail.storage.batches.rebalancing import RebalancePlan, carry_out, plan_rebalance
from pagetrail.storage.batches.single_tasks import give_task
from pagetrail.storage.batches.withdrawal import Withdrawal
from pagetrail.storage.batches.withdrawal import withdraw_batch as withdraw_assignment
from pagetrail.storage.people.audit import COMMAND_LINE

_Batch = Annotated[str, typer.Argument(metavar="BATCH", help="The batch's code name, e.g. Orion.")]
_Annotator = Annotated[str, typer.Argument(metavar="NAME", help="The annotator.")]
_Started = Annotated[
    bool,
    typer.Option(
        "--begun",
        help="Even if work has started. The work stays stored, and submitted tasks count.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    members = (
        Member(
            "list",
            list_,
            "list --campaign baseline",
            "List the batches in the order they are assigned, with annotators and free slots.",
        ),
        Member(
            "give",
            give,
            "give Orion Ada --campaign baseline",
            "Assign a batch to an annotator. A batch that was withdrawn from the same annotator "
            "is reopened as it was.",
        ),
        Member(
            "take-back",
            withdraw,
            "take-back Orion Ada --campaign baseline",
            "Withdraw a batch from an annotator, which frees the slot. No work is lost.",
        ),
        Member(
            "move",
            move,
            "move Orion Ada Grace --campaign baseline",
            "Withdraw a batch from one annotator and assign it to another, in one step.",
        ),
        Member(
            "give-task",
            give_one,
            "give-task q17 Grace --campaign baseline --instead-of Ada",
            "Assign a single task to an additional annotator, or to another one instead. The task "
            "becomes a batch of its own; everybody who has it keeps it and their work.",
        ),
        Member(
            "rebalance",
            rebalance,
            "rebalance --campaign baseline --yes",
            "Distribute the remaining batches evenly, with as few moves as possible. Only batches "
            "that nobody has started are moved. Without --yes the moves are only shown.",
        ),
        Member(
            "priority",
            priority,
            "priority Orion 10 --campaign baseline",
            "Set a batch's priority. Higher priorities come first; new batches have 0.",
            numbers=True,
        ),
        Member(
            "due",
            due,
            "due Orion 2026-12-01 --campaign baseline",
            "Set a batch's deadline, which its annotators see on My batches.",
        ),
    )
    add_group(
        app,
        "batches",
        help="Manage a campaign's batches: list, assign, withdraw, move, rebalance.",
        example="list --campaign baseline",
        members=members,
    )


def list_(context: typer.Context, campaign: CampaignName, as_json: Json = False) -> None:
    batch_board = board(workspace_of(context), campaign)
    if as_json:
        show_json([_batch_json(batch) for batch in batch_board.batches])
        return
    show_table(
        ("batch", "priority", "tasks", "free slots", "annotators"),
        [_batch_row(batch) for batch in batch_board.batches],
        title=f"Campaign {batch_board.campaign}",
    )


def give(
    context: typer.Context,
    batch: _Batch,
    annotator: _Annotator,
    campaign: CampaignName,
    extra: Annotated[
        bool,
        typer.Option("--extra", help="Even if the batch has no free slot."),
    ] = False,
    as_json: Json = False,
) -> None:
    transfer = reassignment.assign_batch(
        workspace_of(context), campaign, batch, annotator, extra=extra, by=COMMAND_LINE
    )
    if as_json:
        show_json(asdict(transfer))
    verb = "has batch {} again" if transfer.reopened else "has batch {}"
    print_message(f"{transfer.annotator} {verb.format(transfer.batch)}.")


def withdraw(
    context: typer.Context,
    batch: _Batch,
    annotator: _Annotator,
    campaign: CampaignName,
    started: _Started = False,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    assignment = reassignment.find_assignment(workspace, campaign, batch, annotator)
    withdrawal = withdraw_assignment(workspace, assignment, started=started, by=COMMAND_LINE)
    if as_json:
        show_json(asdict(withdrawal))
    print_message(withdrawal_sentence(withdrawal))


def withdrawal_sentence(withdrawal: Withdrawal) -> str:
    """The withdrawal, and what became of the work."""
    sentence = f"Batch {withdrawal.batch} was withdrawn from {withdrawal.annotator}."
    if withdrawal.events:
        sentence += f" The {withdrawal.events:,} events of the work so far stay stored."
    return sentence


def move(
    context: typer.Context,
    batch: _Batch,
    annotator: _Annotator,
    to: Annotated[str, typer.Argument(metavar="TO", help="The annotator who gets it.")],
    campaign: CampaignName,
    started: _Started = False,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    assignment = reassignment.find_assignment(workspace, campaign, batch, annotator)
    transfer = reassignment.move_batch(workspace, assignment, to, started=started, by=COMMAND_LINE)
    if as_json:
        show_json(asdict(transfer))
    print_message(f"Batch {transfer.batch} moved to {transfer.annotator}.")


def give_one(
    context: typer.Context,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task's key.")],
    annotator: _Annotator,
    campaign: CampaignName,
    instead_of: Annotated[
        str | None, typer.Option(metavar="NAME", help="The annotator who gives it up.")
    ] = None,
    as_json: Json = False,
) -> None:
    assignment = give_task(
        workspace_of(context), campaign, task, annotator, instead_of=instead_of, by=COMMAND_LINE
    )
    if as_json:
        show_json(asdict(assignment))
    print_message(f"{assignment.annotator} has task {assignment.task}: batch {assignment.batch}.")


def rebalance(
    context: typer.Context,
    campaign: CampaignName,
    annotator: OnlyAnnotators = None,
    yes: Annotated[bool, typer.Option("--yes", help="Make the moves.")] = False,
    as_json: Json = False,
) -> None:
    workspace = workspace_of(context)
    plan = plan_rebalance(workspace, campaign, annotator or None)
    if yes:
        carry_out(workspace, plan, by=COMMAND_LINE)
    if as_json:
        show_json(_plan_json(plan, is_applied=yes))
    else:
        show_table(
            ("annotator", "batches left", "afterwards"),
            [(name, left, plan.after[name]) for name, left in plan.before.items()],
            title=f"Campaign {plan.campaign}",
        )
        if plan.moves:
            show_table(("batch", "from", "to"), [(m.batch, m.giver, m.taker) for m in plan.moves])
    for name, reason in plan.not_open.items():
        print_message(f"{name} gets nothing: {reason}")
    if not plan.moves:
        print_message("The work is already balanced. Nothing has to move.")
    elif yes:
        print_message(f"{_batches(len(plan.moves))} moved.")
    else:
        print_message(f"{_batches(len(plan.moves))} would move. Add --yes to make the moves.")


def priority(
    context: typer.Context,
    batch: _Batch,
    value: Annotated[
        int, typer.Argument(metavar="PRIORITY", help="-1000 to 1000; higher comes first.")
    ],
    campaign: CampaignName,
    as_json: Json = False,
) -> None:
    before = reassignment.set_priority(
        workspace_of(context), campaign, batch, value, by=COMMAND_LINE
    )
    if as_json:
        show_json({"batch": batch, "before": before, "priority": value})
    print_message(f"Batch {batch} had priority {before} and now has {value}.")


def due(
    context: typer.Context,
    batch: _Batch,
    day: Annotated[str, typer.Argument(metavar="DAY", help="YYYY-MM-DD in UTC, or 'none'.")],
    campaign: CampaignName,
) -> None:
    try:
        due_on = None if day == "none" else date.fromisoformat(day)
    except ValueError:
        raise typer.BadParameter("Give the day as 2026-12-01, or none.") from None
    reassignment.set_due(workspace_of(context), campaign, batch, due_on, by=COMMAND_LINE)
    print_message(
        f"Batch {batch} is due on {due_on}." if due_on else f"Batch {batch} has no deadline."
    )


def _plan_json(plan: RebalancePlan, *, is_applied: bool) -> dict[str, Any]:
    return {
        "campaign": plan.campaign,
        "moves": [asdict(step) for step in plan.moves],
        "before": plan.before,
        "after": plan.after,
        "not_open": plan.not_open,
        "carried_out": is_applied,
    }


def _batch_json(batch: BatchRow) -> dict[str, Any]:
    """The batch's fields; its slots are called ``places`` in JSON."""
    slots = [{**asdict(slot), "state": slot.state} for slot in batch.slots]
    return {
        "places" if name == "slots" else name: slots if name == "slots" else value
        for name, value in asdict(batch).items()
    }


def _batch_row(batch: BatchRow) -> tuple[object, ...]:
    people = ", ".join(
        f"{slot.annotator} ({slot.finished}/{slot.tasks}, {STATE_WORDS[slot.state]})"
        for slot in batch.slots
    )
    return batch.code_name, batch.priority, batch.tasks, batch.free, people


def _batches(number: int) -> str:
    return count_noun(number, "batch", "batches")
