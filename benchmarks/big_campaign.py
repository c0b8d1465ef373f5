"""A large campaign: many annotators, many attempts, each with the events of somebody's work.

Events are made of the real payloads and folded by the real fold; only the recorder is passed by,
whose checks and commits would take hours. ``storage.review.projection.refresh`` then gives real
rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from benchmarks.support import CAMPAIGN, PASSWORD
from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.clock import iso
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.storage.attempts.event_log import projection_row
from pagetrail.storage.attempts.event_rows import event_row, payload_chars
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    AttemptStateRow,
    Batch,
    Campaign,
    Document,
    EventRow,
    Page,
    ReviewTask,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.people.people_by_id import People

OVERLAP = 3
BATCH = 25
SUPERVISOR = "sven"
DAYS = 30
N_DOCUMENTS, N_PAGES = 60, 40
KINDS = ("fact", "comparison", "calculation")
EFFORTS = ("easy", "middling", "hard")
DOMAINS = ("Finance", "Energy", "Health", "Law")
ATTEMPTS_AT_ONCE = 500


@dataclass(frozen=True)
class Size:
    """How large the campaign is.

    Attributes:
        page_turns: pages that each person who searches turns besides opening results.
    """

    annotators: int = 100
    tasks: int = 6_667
    seed: int = 5
    page_turns: int = 0


def protocol() -> Protocol:
    """Searching and answering, with a choice and a scale asked of every task."""
    fields = [
        {"name": "kind", "label": "Kind of question", "scope": "task", "kind": "choice",
         "required": True, "options": [{"value": k, "label": k.title()} for k in KINDS]},
        {"name": "effort", "label": "Difficulty", "scope": "task", "kind": "ordinal",
         "required": True,
         "options": [{"value": e, "label": e.title(), "code": n} for n, e in enumerate(EFFORTS)]},
    ]  # fmt: skip
    search_preset = preset("search").model_dump(mode="json")
    return Protocol.model_validate({**search_preset, "fields": fields, "overlap": OVERLAP})


def big_workspace(root: Path, size: Size | None = None) -> Workspace:
    """A workspace with a supervisor and a campaign of this size.

    Nothing is compared yet: every task with work is marked for it.
    """
    size = size or Size()
    workspace = Workspace.create(root)
    add_user(workspace, SUPERVISOR, "supervisor", PASSWORD)
    with write_transaction(workspace.engine) as connection:
        created_at = iso(datetime.now(UTC) - timedelta(days=DAYS + 1))
        for number in range(N_DOCUMENTS):
            name = _document(number)
            key = connection.execute(
                insert(Document).values(
                    sha256=sha256(name.encode()).hexdigest(), name=name, n_pages=N_PAGES,
                    size_bytes=1_000_000, extractor="benchmark", ingested_at=created_at,
                )
            ).inserted_primary_key  # fmt: skip
            assert key is not None
            connection.execute(
                insert(Page),
                [
                    {"document_id": key[0], "number": n, "width": 612.0, "height": 792.0,
                     "rotation": 0, "crop_x0": 0.0, "crop_y0": 0.0, "text_source": "pdf",
                     "text": f"page {n}"}
                    for n in range(1, N_PAGES + 1)
                ],
            )  # fmt: skip
        for number in range(size.annotators):
            connection.execute(
                insert(User).values(
                    name=f"a{number:03}", role="annotator", pseudonym=f"annotator-{number:03}",
                    created_at=created_at,
                )
            )  # fmt: skip
    add_campaign(workspace, CAMPAIGN, size)
    return workspace


def _document(number: int) -> str:
    return f"report {number:02}.pdf"


def add_campaign(workspace: Workspace, name: str, size: Size) -> None:
    """One more campaign, of the annotators that there are."""
    draw = random.Random(size.seed)
    settings = protocol()
    created_at = iso(datetime.now(UTC) - timedelta(days=DAYS + 1))
    with write_transaction(workspace.engine) as connection:

        def insert_row(table: Any, **values: Any) -> int:
            key = connection.execute(insert(table).values(**values)).inserted_primary_key
            assert key is not None
            return int(key[0])

        people = {
            row.id: row.name
            for row in connection.execute(select(User).where(User.role == "annotator"))
        }
        campaign = insert_row(
            Campaign, name=name, protocol=settings.model_dump(mode="json"),
            guidelines="# Guidelines", seed=size.seed, status="open", created_at=created_at,
        )  # fmt: skip
        tasks, slots = [], []
        turns = _turns(list(people), draw)
        for start in range(0, size.tasks, BATCH):
            position = start // BATCH + 1
            batch = insert_row(
                Batch, campaign_id=campaign, position=position, code_name=f"Batch {position:03}",
                priority=0,
            )  # fmt: skip
            holders = [next(turns) for _ in range(OVERLAP)]
            assignments = {
                user: insert_row(
                    Assignment, batch_id=batch, user_id=user, seed=1, status="open",
                    created_at=created_at,
                )
                for user in holders
            }  # fmt: skip
            for number in range(start, min(start + BATCH, size.tasks)):
                record = _record(number, draw)
                task = insert_row(
                    Task, campaign_id=campaign, batch_id=batch, key=record["id"],
                    position=number + 1, record=record,
                )  # fmt: skip
                tasks.append(task)
                slots += [(task, user, assignments[user], record) for user in holders]
        connection.execute(
            insert(Attempt),
            [
                {"id": f"{task}-{user}", "task_id": task, "user_id": user,
                 "assignment_id": assignment, "setting": "search", "created_at": created_at}
                for task, user, assignment, _ in slots
            ],
        )  # fmt: skip
        connection.execute(
            insert(ReviewTask),
            [
                {
                    "task_id": task,
                    "campaign_id": campaign,
                    "stale": True,
                    "parts": "[]",
                    "sources": "[]",
                }
                for task in tasks
            ],
        )
    clocks: dict[int, datetime] = {}
    for first in range(0, len(slots), ATTEMPTS_AT_ONCE):
        logs = []
        for task, user, _, record in slots[first : first + ATTEMPTS_AT_ONCE]:
            begin = clocks.setdefault(
                user, datetime.now(UTC) - timedelta(days=DAYS - draw.uniform(0, 4))
            )
            work = attempt_events(
                f"{task}-{user}", people[user], record, begin, draw, size.page_turns
            )
            log = list(work)
            clocks[user] = begin + timedelta(hours=draw.expovariate(1 / 3.2))
            if log:
                logs.append(log)
        with write_transaction(workspace.engine) as connection:
            accounts = People(connection)
            for log in logs:
                rows = [event_row(event, accounts) for event in log]
                size_chars = sum(map(payload_chars, rows))
                state = projection_row(log[0].attempt_id, fold(log), size_chars, accounts)
                connection.execute(insert(EventRow), rows)
                connection.execute(insert(AttemptStateRow), [state])


def _turns(people: list[int], draw: random.Random) -> Iterator[int]:
    """Everybody once, then everybody again: three in a row are three people."""
    order = draw.sample(people, len(people))
    while True:
        yield from order


def _record(number: int, draw: random.Random) -> dict[str, Any]:
    page = {"document": _document(draw.randrange(N_DOCUMENTS)), "page": draw.randint(1, N_PAGES)}
    return {
        "id": f"q{number:05}",
        "question": f"Which number does report {number} give for topic {draw.randrange(400)}?",
        "answer_variants": [[f"{draw.randrange(10_000)} units"]],
        "evidence": [page],
        "domain": draw.choice(DOMAINS),
    }


def attempt_events(
    attempt: str,
    name: str,
    record: dict[str, Any],
    start: datetime,
    draw: random.Random,
    page_turns: int,
) -> Iterator[ev.Event]:
    """What somebody did: mostly submitted; some skipped, some started, some not even opened."""
    fate = draw.random()
    if start > datetime.now(UTC) or fate > 0.97:
        return
    elapsed = 0
    for seq, (seconds, payload) in enumerate(_steps(record, fate, draw, page_turns), 1):
        elapsed += round(seconds * 1000)
        at = iso(start + timedelta(milliseconds=elapsed))
        yield ev.Event(
            attempt_id=attempt,
            seq=seq,
            server_ts=at,
            client_ts=at,
            elapsed_ms=elapsed,
            actor=name,
            client_event_id=f"c{seq}",
            payload=payload,
        )


def _steps(
    record: dict[str, Any], fate: float, draw: random.Random, page_turns: int
) -> Iterator[tuple[float, ev.Payload]]:
    gold = (record["evidence"][0]["document"], record["evidence"][0]["page"])
    pace = draw.lognormvariate(0, 0.5)
    yield 0, ev.Opened(session="tab")
    if fate > 0.95:
        yield 20, ev.Skipped(reason="The page cannot be read.")
        return
    is_gold_found = draw.random() < 0.62
    for n in range(1, draw.choice((1, 1, 2, 2, 3)) + 1):
        pages = [(_document(draw.randrange(N_DOCUMENTS)), draw.randint(1, N_PAGES)) for _ in "1234"]
        if is_gold_found:
            pages.insert(draw.randrange(4), gold)
        hits = tuple(
            SearchHit(rank=rank, file=name, page=page, score=10.0 - rank)
            for rank, (name, page) in enumerate(dict.fromkeys(pages), start=1)
        )
        yield (
            15 * pace,
            ev.Searched(
                search_id=f"s{n}",
                query=f"topic {n}",
                parsed=f"text:topic {n}",
                top_k=5,
                total_hits=40,
                took_ms=3.0,
                index_id="index",
                results=hits,
            ),
        )
        for hit in hits[: draw.randint(1, 3)]:
            yield (
                20 * pace,
                ev.PageViewed(
                    document=hit.file,
                    page=hit.page,
                    via="result",
                    search_id=f"s{n}",
                    rank=hit.rank,
                ),
            )
        is_gold_found = is_gold_found or draw.random() < 0.6
    for _ in range(page_turns):
        yield 5 * pace, ev.PageViewed(document=gold[0], page=draw.randint(1, N_PAGES), via="next")
    if fate > 0.92:
        return
    cited = gold if draw.random() < 0.9 else (gold[0], gold[1] % N_PAGES + 1)
    yield 8, ev.CitationAdded(document=cited[0], page=cited[1])
    right = draw.random() < 0.85
    answer = record["answer_variants"][0][0] if right else f"{draw.randrange(10_000)} units"
    yield 12 * pace, ev.AnswerEdited(text=answer)
    true = sum(record["id"].encode())
    for name, options in (("kind", KINDS), ("effort", EFFORTS)):
        option_index = true % 3 if draw.random() < 0.85 else draw.randrange(3)
        yield 3, ev.FieldSet(field=name, value=options[option_index])
    if draw.random() < 0.03:
        yield 4, ev.Flagged(comment="Two pages give different numbers.")
    outcome = "answered" if draw.random() < 0.96 else "not_found"
    yield 3, ev.Submitted(outcome=outcome)
