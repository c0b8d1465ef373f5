"""Workspaces and trajectories for tests, straight into the tables and through the real recorder.

``make_workspace`` writes documents, people, one campaign with its batches, tasks, assignments and
attempts as rows; every id and time in it is fixed, so that exports of it can be compared byte for
byte. ``AttemptDriver`` is one attempt being worked on with a hand-driven clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.event_log import EventLog
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorded, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.clock import ManualClock, iso
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.ports import DocumentInfo
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Document, Page
from pagetrail.storage.database.workspace import Workspace
from tests.support.memory_log import MemoryEventLog
from tests.support.table_rows import add_annotators, add_task, inserter

START = datetime(2026, 3, 2, 9, 0, 0, 250_000, tzinfo=UTC)
DOCUMENTS = {"annual report.pdf": 12, "b.pdf": 3}
PEOPLE = ("Ada", "Grace")


def start_clock() -> ManualClock:
    """A clock at the beginning of the tests' time."""
    return ManualClock(START)


class FakePages:
    """A ``DocumentSource`` over a table of page counts."""

    def __init__(self, pages: dict[str, int] | None = None) -> None:
        self._pages = DOCUMENTS if pages is None else pages

    def document(self, name: str, version: int | None = None) -> DocumentInfo | None:
        count = self._pages.get(name)
        if count is None:
            return None
        size = PageSize(width=612, height=792)
        return DocumentInfo(name=name, sha256=_hash(name), pages=(size,) * count)

    def document_names(self) -> DocumentNames:
        return DocumentNames(self._pages)


@dataclass
class AttemptDriver:
    """An attempt being worked on: each call records one command and returns what came of it."""

    log: EventLog
    context: AttemptContext
    clock: ManualClock = field(default_factory=start_clock)
    recorder: Recorder = field(init=False)
    sent: int = 0

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.log, FakePages(), self.clock)

    def do(self, payload: ev.Payload, *, after_s: float = 0, age_ms: int = 0) -> Recorded:
        """Let time pass, then record the payload under a new client event id."""
        self.clock.advance(seconds=after_s)
        self.sent += 1
        command = Command(f"c{self.sent:04}", payload, iso(self.clock.now()), age_ms)
        return self.recorder.record(self.context, [command])

    @property
    def events(self) -> list[ev.Event]:
        """Everything that is stored."""
        return list(self.log.events(self.context.attempt_id))

    @property
    def state(self) -> AttemptState:
        """The stored fold."""
        return self.log.state(self.context.attempt_id)


def memory_driver(
    protocol: Protocol | None = None, pages: frozenset[tuple[str, int]] | None = None
) -> AttemptDriver:
    """An attempt over a log in memory; with the search preset by default."""
    context = AttemptContext("a1", "Ada", protocol or preset("search"), pages)
    return AttemptDriver(MemoryEventLog("a1"), context)


def searched(
    query: str = "otters", n: int = 1, total_hits: int = 7, pages: Sequence[int] = (3, 4, 5, 6, 7)
) -> ev.Searched:
    """A search that found pages of the annual report."""
    hits = tuple(
        SearchHit(rank=rank, file="annual report.pdf", page=page, score=9.5 - rank)
        for rank, page in enumerate(pages, start=1)
    )
    return ev.Searched(
        search_id=f"s{n}",
        query=query,
        parsed=f"text:{query}",
        top_k=5,
        total_hits=total_hits,
        took_ms=1.25,
        index_id="index-1",
        results=hits,
    )


def viewed(page: int = 3, via: ev.Via = "result", rank: int | None = None) -> ev.PageViewed:
    """A page of the annual report came into the viewer."""
    return ev.PageViewed(
        document="annual report.pdf",
        page=page,
        via=via,
        search_id="s1" if rank else None,
        rank=rank,
    )


def cited(page: int = 3) -> ev.CitationAdded:
    """A page of the annual report was cited."""
    return ev.CitationAdded(document="annual report.pdf", page=page)


def events_at(*steps: tuple[float, ev.Payload]) -> list[ev.Event]:
    """Events at the given seconds since the first, as a log would hold them."""
    return [
        ev.Event(
            attempt_id="a1",
            seq=seq,
            server_ts=f"2026-03-02T09:00:00.{seq:06}Z",
            client_ts=None,
            elapsed_ms=round(seconds * 1000),
            actor="Ada",
            client_event_id=f"c{seq}",
            payload=payload,
        )
        for seq, (seconds, payload) in enumerate(steps, start=1)
    ]


TASKS: tuple[dict[str, Any], ...] = (
    {
        "id": "t/1",
        "question": "How many otters were counted?",
        "answer_variants": [["42"], ["forty-two"]],
        "evidence": [{"document": "annual report.pdf", "page": 3}],
        "document_category": "Report",
        "domain": "Wildlife",
        "modality": ["Table"],
    },
    {
        "id": "t/2",
        "question": "Où vivent-ils ?\u2028Name both rivers.",
        "answer_variants": [["Saône", "Rhône"]],
        "evidence": [
            {"document": "annual report.pdf", "page": 4},
            {"document": "b.pdf", "page": 1},
        ],
    },
    {"id": "t/3", "question": "Who signed?", "answer_variants": [], "unanswerable": True},
    {"id": "t/4", "question": "A question without gold"},
)


def make_workspace(
    root: Path,
    *,
    campaign: str = "Otters",
    overlap: int = 2,
    protocol: Protocol | None = None,
    address: str | None = None,
) -> Workspace:
    """A workspace with two documents, two annotators and one campaign of two batches.

    Attempt ids are ``<task number>-<annotator>``, e.g. ``1-Ada``; nobody has worked yet.
    """
    workspace = Workspace.create(root, address)
    protocol = protocol or preset("search")
    now = iso(START)
    people = [*PEOPLE][:overlap]
    with write_transaction(workspace.engine) as connection:
        insert = inserter(connection)
        for name, pages in DOCUMENTS.items():
            document = insert(
                Document,
                sha256=_hash(name),
                name=name,
                n_pages=pages,
                size_bytes=1000 * pages,
                extractor="test",
                ingested_at=now,
            )
            for number in range(1, pages + 1):
                insert(
                    Page,
                    document_id=document,
                    number=number,
                    width=612.0,
                    height=792.0,
                    rotation=0,
                    crop_x0=0.0,
                    crop_y0=0.0,
                    text_source="pdf",
                    text=f"otters {number}",
                )
        users = add_annotators(connection, people, now)
        campaign_id = insert(
            Campaign,
            name=campaign,
            protocol=protocol.model_dump(mode="json"),
            guidelines="# Guidelines",
            seed=7,
            created_at=now,
        )
        batches = [
            insert(Batch, campaign_id=campaign_id, position=n, code_name=code)
            for n, code in enumerate(("Aquarius", "Orion"), start=1)
        ]
        assignments = {
            (batch, name): insert(Assignment, batch_id=batch, user_id=user, seed=1, created_at=now)
            for batch in batches
            for name, user in users.items()
        }
        for number, record in enumerate(TASKS, start=1):
            batch = batches[(number - 1) // 3]
            batch_assignments = {name: assignments[batch, name] for name in users}
            add_task(
                connection,
                campaign_id,
                batch,
                number,
                record,
                users,
                batch_assignments,
                protocol.name,
                now,
            )
    return workspace


def driver(
    workspace: Workspace, attempt_id: str, clock: ManualClock | None = None
) -> AttemptDriver:
    """A person's attempt of ``make_workspace``, over the database."""
    context = AttemptContext(attempt_id, attempt_id.split("-")[1], preset("search"))
    return AttemptDriver(SqlEventLog(workspace.engine), context, clock or start_clock())


def record_attempts(workspace: Workspace) -> None:
    """Record typical attempts: finished, reopened, not found, skipped, half-way; not task 4."""
    ada = driver(workspace, "1-Ada")
    ada.do(ev.Opened(session="tab-1"))
    ada.do(searched(), after_s=4)
    ada.do(viewed(3, rank=1), after_s=2)
    ada.do(viewed(4, "next"), after_s=20)
    ada.do(viewed(3, "previous"), after_s=90)
    ada.do(cited(3), after_s=5)
    ada.do(ev.AnswerEdited(text="42"), after_s=6)
    ada.do(ev.Submitted(outcome="answered"), after_s=3)
    ada.do(ev.Reopened(), after_s=3600)
    ada.do(ev.AnswerEdited(text=" 42 \n\nforty-two "), after_s=10)
    ada.do(ev.Submitted(outcome="answered"), after_s=2)

    grace = driver(workspace, "1-Grace")
    grace.do(ev.Opened(session="tab-9"))
    grace.do(
        ev.SearchRefused(
            search_id="s0", query="", reason="query_refused", message="Type a word to search for."
        ),
        after_s=2,
    )
    grace.do(searched("otter* OR “Lutra”", 1, 1, (9,)), after_s=3)
    grace.do(ev.AnswerEdited(text="a draft"), after_s=30)
    grace.do(ev.Submitted(outcome="not_found"), after_s=4)

    rivers = driver(workspace, "2-Ada")
    rivers.do(ev.Opened(session="tab-1"))
    rivers.do(viewed(4, "document"), after_s=5)
    rivers.do(cited(4), after_s=5)
    rivers.do(ev.CitationAdded(document="b.pdf", page=1), after_s=5)
    rivers.do(ev.AnswerEdited(text="Saône\nRhône"), after_s=5)
    rivers.do(ev.Flagged(comment="two spellings 🦦"), after_s=1)
    rivers.do(ev.Submitted(outcome="answered"), after_s=5)

    skipped = driver(workspace, "2-Grace")
    skipped.do(ev.Opened(session="tab-9"))
    skipped.do(ev.Skipped(reason="page unreadable"), after_s=8)

    paused = driver(workspace, "3-Ada")
    paused.do(ev.Opened(session="tab-1"))
    paused.do(searched("signature", 1, 0, ()), after_s=3)
    paused.do(ev.Paused(), after_s=3)
    paused.do(ev.NoteEdited(text="ask Ada"), after_s=600)


def _hash(name: str) -> str:
    return sha256(name.encode()).hexdigest()
