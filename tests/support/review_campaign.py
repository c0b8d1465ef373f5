"""A campaign in a workspace with people at it, for tests of review: rows, and real events."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import event, insert

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorded, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.clock import ManualClock, iso
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.postgresql import advance_sequences
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    Document,
    Page,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.actions import ReviewedVersion, Reviews
from tests.support.factory import FakePages, start_clock

NAMES = ("Ada", "Bo", "Cy", "Di")
CAMPAIGN = 1
SEED = 7


@dataclass
class Reviewed:
    """One campaign; task ids are 1, 2, …, attempts are called ``<task>-<name>``."""

    workspace: Workspace
    clock: ManualClock = field(default_factory=start_clock)
    recorder: Recorder = field(init=False)
    reviews: Reviews = field(init=False)
    log: SqlEventLog = field(init=False)
    sent: int = 0

    def __post_init__(self) -> None:
        self.log = SqlEventLog(self.workspace.engine)
        self.recorder = Recorder(self.log, FakePages(), self.clock)
        self.reviews = Reviews(self.workspace, self.recorder, self.clock)

    def do(self, attempt: str, *payloads: ev.Payload) -> Recorded:
        """What a person does, in one call; nothing of it may be refused."""
        self.clock.advance(seconds=1)
        commands = []
        for payload in payloads:
            self.sent += 1
            commands.append(Command(f"c{self.sent:05}", payload))
        row = queries.attempt(self.workspace.engine, attempt)
        outcome = self.recorder.record(row.context(), commands)
        assert not outcome.refusals, outcome.refusals
        return outcome

    def answer(self, attempt: str, text: str, *pages: int) -> None:
        """Submit an answer, or resubmit another one."""
        state = self.state(attempt)
        before = [ev.Reopened()] if state.status in ("submitted", "skipped") else []
        cited = [
            ev.CitationAdded(document="b.pdf", page=page)
            for page in pages
            if not state.cites("b.pdf", page)
        ]
        submission = [ev.AnswerEdited(text=text), ev.Submitted(outcome="answered")]
        self.do(attempt, *before, *cited, *submission)

    def state(self, attempt: str) -> AttemptState:
        """The attempt as it is stored."""
        return self.log.state(attempt)

    def current_version(self, task: int) -> ReviewedVersion:
        """The version of the task that a reviewer sees now."""
        task_work = self.reviews.streams.task_work(task)
        return ReviewedVersion(
            task_work.sources(), task_work.gold.state.last_seq if task_work.gold else 0
        )


def campaign(
    root: Path,
    protocol: Protocol,
    records: Sequence[dict[str, Any]],
    *,
    people: int = 2,
    empty: Path | None = None,
    address: str | None = None,
) -> Reviewed:
    """Batches of two tasks each, everybody with an attempt at every task.

    Args:
        empty: a new workspace to begin from, where many are made: it is copied, and what is written
            then may be lost in a power cut.
    """
    if empty is None:
        reviewed = Reviewed(Workspace.create(root, address))
    else:
        shutil.copytree(empty, root)
        reviewed = Reviewed(Workspace.open(root))
        event.listen(reviewed.workspace.engine, "connect", _hasten)
        reviewed.workspace.engine.dispose()
    now = iso(reviewed.clock.now())
    with write_transaction(reviewed.workspace.engine) as connection:
        connection.execute(
            insert(Document).values(id=1, sha256="0" * 64, name="b.pdf", n_pages=3, size_bytes=1,
                                      extractor="test", ingested_at=now)
        )  # fmt: skip
        for number in (1, 2, 3):
            connection.execute(
                insert(Page).values(document_id=1, number=number, width=612.0, height=792.0,
                                      rotation=0, crop_x0=0.0, crop_y0=0.0, text_source="pdf",
                                      text="")
            )  # fmt: skip
        for number, name in enumerate((*NAMES[:people], "Sofia", "Sven"), start=1):
            role = "supervisor" if name.startswith("S") else "annotator"
            connection.execute(
                insert(User).values(id=number, name=name, role=role, pseudonym=f"p{number}",
                                      active=True, created_at=now)
            )  # fmt: skip
        connection.execute(
            insert(Campaign).values(id=CAMPAIGN, name="Random", guidelines="", seed=SEED,
                                      protocol=protocol.model_dump(mode="json"), status="open",
                                      created_at=now)
        )  # fmt: skip
        for number, record in enumerate(records, start=1):
            batch = (number + 1) // 2
            if number % 2:
                connection.execute(
                    insert(Batch).values(id=batch, campaign_id=CAMPAIGN, position=batch,
                                            code_name=f"Batch {batch}", priority=0)
                )  # fmt: skip
                for person in range(1, people + 1):
                    connection.execute(
                        insert(Assignment).values(id=10 * batch + person, batch_id=batch,
                                                    user_id=person, seed=1, status="open",
                                                    created_at=now)
                    )  # fmt: skip
            connection.execute(
                insert(Task).values(id=number, campaign_id=CAMPAIGN, batch_id=batch,
                                      key=record["id"], position=number, record=record)
            )  # fmt: skip
            for person, name in enumerate(NAMES[:people], start=1):
                connection.execute(
                    insert(Attempt).values(id=f"{number}-{name}", task_id=number, user_id=person,
                                             assignment_id=10 * batch + person,
                                             setting=protocol.name, created_at=now)
                )  # fmt: skip
        if connection.dialect.name == "postgresql":
            advance_sequences(connection)
    return reviewed


def _hasten(connection: Any, _entry: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")
