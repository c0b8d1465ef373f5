"""People at a small campaign: who has which batch, and some of its tasks submitted."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.board import Slot, board
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from tests.storage.task_data import register_documents, task
from tests.support.campaigns import add_campaign

CAMPAIGN = "Baseline"


def make_campaign(workspace: Workspace, *, batches: int = 4, overlap: int = 1) -> str:
    """Batches of two tasks each, nobody there yet."""
    register_documents(workspace)
    rows = [task(n) for n in range(2 * batches)]
    add_campaign(workspace, CAMPAIGN, rows, batch_size=2, overlap=overlap, seed=7)
    return CAMPAIGN


def hand_in(workspace: Workspace, assignment_id: int, tasks: int) -> None:
    """Skip the first tasks of a batch, as its person would."""
    ensure_attempts(workspace.engine, assignment_id, SystemClock())
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    for row in queries.batch_tasks(workspace.engine, assignment_id)[:tasks]:
        context = queries.attempt(workspace.engine, row.attempt_id).context()
        recorder.record(context, [Command("skip", ev.Skipped(reason="test"))])


def states(workspace: Workspace, campaign: str = CAMPAIGN) -> set[tuple[str, str, str]]:
    """(batch, annotator, state) of every place."""
    return {(p.batch, p.annotator, p.state) for p in board(workspace, campaign).slots}


def slot_of(workspace: Workspace, batch: str, annotator: str, campaign: str = CAMPAIGN) -> Slot:
    """The place of one person in one batch."""
    (slot,) = [
        p for p in board(workspace, campaign).slots if (p.batch, p.annotator) == (batch, annotator)
    ]
    return slot
