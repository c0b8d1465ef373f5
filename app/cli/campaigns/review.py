"""``pagetrail review``."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.review.status import NEEDS_REVIEWER, STATUS_WORDS, Status
from pagetrail.annotation.sentences import plural_form
from pagetrail.app.cli.options import CampaignName, Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.reviewing.wording import differences, shorten, status_words
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.dashboard import still_to_do
from pagetrail.storage.review.actions import Reviews
from pagetrail.storage.review.facets import status_counts
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.projection import stale_tasks
from pagetrail.storage.review.queue import QueueRow, queue

STEP_S = 0.5
_QUESTION = 60


class ListedTasks(StrEnum):
    """Which tasks are listed."""

    PERSON = "person"
    CONFLICT = "conflict"
    CHANGED = "changed"
    INCOMPLETE = "incomplete"
    CHECK = "check"
    SINGLE = "single"
    ALONE = "alone"
    RETURNED = "returned"
    WAITING = "waiting"
    AGREED = "agreed"
    ACCEPTED = "accepted"
    DECIDED = "decided"
    ALL = "all"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "review",
        help="List the tasks of a campaign that need a reviewer, the largest differences first: "
        "how much annotators differ and in which parts, who they are, and who is reviewing. "
        "`--status` lists others: conflict, changed, incomplete, check and single need a "
        "reviewer; returned, waiting, alone, agreed, accepted and decided do not. `--settle` "
        "first compares the tasks that have changed and accepts those that meet the "
        "campaign's rule as gold; after Ctrl-C, the next run does the rest. Decisions are "
        "made in the browser.",
        epilog='Examples: pagetrail review my-workspace --campaign "Baseline"  ·  '
        "pagetrail review my-workspace --campaign baseline --settle  ·  "
        "pagetrail review my-workspace --campaign baseline --status check --json",
    )(run)


def run(
    workspace: WorkspaceFolder,
    campaign: CampaignName,
    status: Annotated[ListedTasks, typer.Option(help="Which tasks to list.")] = ListedTasks.PERSON,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of tasks to list.")] = 100,
    settle: Annotated[
        bool,
        typer.Option(
            "--settle",
            help="First compare changed tasks, and accept those that meet the campaign's rule.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    opened = Workspace.open(workspace)
    with opened.engine.connect() as connection:
        row = get_campaign(connection, campaign)
    if settle:
        _settle(opened, row.id)
    filters = Filters(statuses=_statuses(status))
    clock = SystemClock()
    review_queue = queue(
        opened.engine, [row.id], filters, clock.now(), limit=None if as_json else limit
    )
    counts = status_counts(opened.engine, [row.id])
    left = stale_tasks(opened.engine, row.id)
    if as_json:
        show_json(
            {
                "campaign": row.name,
                "counts": {name: counts.get(name, 0) for name in STATUS_WORDS},
                "to_compare": left,
                "tasks": [_queue_json(row) for row in review_queue.rows],
            }
        )
        return
    if review_queue.rows:
        show_table(
            ("difference", "task", "question", "batch", "differs most in", "annotators", "status",
             "flagged", "reviewer"),
            [_queue_cells(row) for row in review_queue.rows],
            title=row.name,
        )  # fmt: skip
    if review_queue.total > len(review_queue.rows):
        print_message(
            f"{review_queue.total - len(review_queue.rows):,} more; use --limit to list them."
        )
    numbers = [f"{words.lower()}: {counts[name]:,}" for name, words in STATUS_WORDS.items()
               if counts.get(name)]  # fmt: skip
    print_message(f"{row.name}: {', '.join(numbers) or 'no tasks'}.")
    if left:
        noun = plural_form(left, "task has", "tasks have")
        print_message(f"{left:,} {noun} changed and must still be compared: add --settle.")


def _statuses(listed_tasks: ListedTasks) -> tuple[Status, ...]:
    if listed_tasks is ListedTasks.ALL:
        return tuple(STATUS_WORDS)
    return next(((name,) for name in STATUS_WORDS if name == listed_tasks.value), NEEDS_REVIEWER)


def _settle(workspace: Workspace, campaign_id: int) -> None:
    """Compare and accept until a step changes nothing; each is stored when the next begins.

    A step that accepts nothing is not the last one: comparing may have taken all of its time. What
    is left in the end are tasks that reviewers hold.
    """
    clock = SystemClock()
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), clock)
    reviews = Reviews(workspace, recorder, clock)
    left = still_to_do(workspace.engine, campaign_id)
    to_compare, accepted = left[0], 0
    with progress_bar() as bar:
        comparing = bar.add_task("Comparing", total=to_compare)
        try:
            while True:
                before, new = left, reviews.acceptance.settle(campaign_id, budget_s=STEP_S)
                accepted += new
                left = still_to_do(workspace.engine, campaign_id)
                bar.update(
                    comparing,
                    completed=max(0, to_compare - left[0]),
                    description=f"Comparing, {accepted:,} accepted",
                )
                if not any(left) or (left == before and not new):
                    break
        except KeyboardInterrupt:
            bar.stop()
            print_message(
                f"Stopped. {accepted:,} accepted automatically; the rest is left for next time."
            )
            raise typer.Exit(130) from None
    noun = plural_form(accepted, "task")
    print_message(f"{accepted:,} {noun} accepted automatically.")


def _queue_json(row: QueueRow) -> dict[str, object]:
    return {name: value for name, value in asdict(row).items() if name != "campaign_id"}


def _queue_cells(row: QueueRow) -> tuple[object, ...]:
    return (
        f"{row.score:.2f}" if row.compared else "",
        row.key,
        shorten(row.question, _QUESTION),
        row.batch,
        differences(row),
        ", ".join(row.people),
        status_words(row),
        "flagged" if row.flagged else "",
        row.holder or "",
    )
