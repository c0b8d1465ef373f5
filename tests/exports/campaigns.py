"""Campaigns of any protocol over small real PDFs, worked on through the real recorder.

Every id, name and time is fixed and the files are written by hand, so that exports of them can be
compared byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.clock import ManualClock, iso
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.corpus.documents import REVISION_KEY, Corpus
from pagetrail.storage.corpus.local_files import pdf_path
from pagetrail.storage.corpus.pdf import read_pdf
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Document, Meta, Page
from pagetrail.storage.database.workspace import Workspace
from tests.exports.pdf_bytes import Sheet, pdf_bytes
from tests.support.factory import START, AttemptDriver
from tests.support.table_rows import add_annotators, add_task, inserter

CAMPAIGN = "Work"
FILES: dict[str, tuple[Sheet, ...]] = {
    "annual report.pdf": (
        Sheet(marks=((72, 600, 300, 700),)),
        Sheet(marks=((100, 100, 200, 150),), rotate=90),
        Sheet(size=(595.28, 841.89), marks=((50, 50, 400, 90),)),
    ),
    "b.pdf": (Sheet(size=(400, 300), marks=((60, 60, 160, 120),), crop=(40, 40, 360, 260)),),
}


@dataclass
class Stage:
    """A workspace with one campaign.

    Attributes:
        clock: of all work; it goes on from one attempt to the next.
    """

    workspace: Workspace
    keys: list[str]
    clock: ManualClock = field(default_factory=lambda: ManualClock(START))

    def driver(self, key: str, person: str) -> AttemptDriver:
        """Somebody's attempt at a task, with a driver."""
        attempt_id = f"{self.keys.index(key) + 1}-{person}"
        row = queries.attempt(self.workspace.engine, attempt_id)
        log = SqlEventLog(self.workspace.engine)
        driver = AttemptDriver(log, row.context(), self.clock)
        driver.recorder = Recorder(log, Corpus(self.workspace), self.clock)
        driver.sent = 100 * (1 + len(driver.events))
        self.clock.advance(seconds=60)
        return driver

    def did(self, key: str, person: str, *payloads: ev.Payload) -> None:
        """Record these, five seconds apart, none of which may be refused."""
        driver = self.driver(key, person)
        for payload in payloads:
            recorded = driver.do(payload, after_s=5)
            assert not recorded.refusals, recorded.refusals


def make_stage(
    root: Path,
    protocol: Protocol,
    tasks: Sequence[Mapping[str, Any]],
    people: Sequence[str] = ("Ada", "Grace"),
    files: Mapping[str, tuple[Sheet, ...]] | Mapping[str, bytes] = FILES,
) -> Stage:
    """A workspace in which these people have attempts at all of these tasks, none started."""
    workspace = Workspace.create(root)
    now = iso(START)
    with write_transaction(workspace.engine) as connection:
        insert_row = inserter(connection)
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
        for name, content in files.items():
            data = content if isinstance(content, bytes) else pdf_bytes(*content)
            digest = sha256(data).hexdigest()
            path = pdf_path(workspace, digest)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            pages = read_pdf(path).pages
            document = insert_row(
                Document,
                sha256=digest,
                name=name,
                n_pages=len(pages),
                size_bytes=len(data),
                extractor="test",
                ingested_at=now,
            )
            for number, page in enumerate(pages, start=1):
                insert_row(
                    Page,
                    document_id=document,
                    number=number,
                    width=page.width,
                    height=page.height,
                    rotation=page.rotation,
                    crop_x0=page.crop_x0,
                    crop_y0=page.crop_y0,
                    text_source="pdf",
                    text=f"Text of page {number}.\nOtters\t\u2028here.",
                )
        users = add_annotators(connection, people, now)
        campaign = insert_row(
            Campaign,
            name=CAMPAIGN,
            protocol=protocol.model_dump(mode="json"),
            guidelines="",
            seed=7,
            created_at=now,
        )
        batch = insert_row(Batch, campaign_id=campaign, position=1, code_name="Aquarius")
        assignments = {
            name: insert_row(Assignment, batch_id=batch, user_id=user, seed=1, created_at=now)
            for name, user in users.items()
        }
        for number, record in enumerate(tasks, start=1):
            add_task(
                connection, campaign, batch, number, record, users, assignments, protocol.name, now
            )
    return Stage(workspace, [str(record["id"]) for record in tasks])
