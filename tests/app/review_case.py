"""A task under review: two annotators have answered it, and a supervisor is at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient

from pagetrail.annotation.events.returning import Difference
from pagetrail.annotation.review import Pick
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.review.actions import ReviewedVersion
from tests.app.signed_in import attempts_of, sign_in
from tests.support.looks import as_on_screen

ALMA_ANSWER = "planted: thirty otters, says alma"
BRUNO_ANSWER = "planted: fifty otters, says bruno"
BRUNO_NOTE = "planted: a note of bruno"
COMMENT = "Look at page 1 again, please."


@dataclass(frozen=True)
class Case:
    """The task with its attempts by key of the annotator's name, and its gold stream."""

    task: int
    alma: str
    bruno: str
    gold: str
    other_task: int
    other_alma: str

    @property
    def url(self) -> str:
        """Address of the task's routes."""
        return f"/pagetrail/reviews/{self.task}"


def current_version(services: Services, task: int) -> ReviewedVersion:
    """What a reviewer who looks now sees."""
    task_work = services.reviews.streams.task_work(task)
    return ReviewedVersion(
        task_work.sources(), task_work.gold.state.last_seq if task_work.gold else 0
    )


def under_review(
    services: Services,
    *,
    take: bool = True,
    answers: tuple[str, str] = (ALMA_ANSWER, BRUNO_ANSWER),
) -> Case:
    """Alma and bruno submit different answers to a task; sven takes it and puts a draft together.

    Alma has submitted another task as well, which nobody else has touched.
    """
    engine = services.workspace.engine
    attempts = {name: attempts_of(services, name) for name in ("alma", "bruno")}
    alma, other_alma = attempts["alma"]
    task = queries.attempt(engine, alma).task_id
    other_task = queries.attempt(engine, other_alma).task_id
    bruno = next(a for a in attempts["bruno"] if queries.attempt(engine, a).task_id == task)
    hand_in(services, "alma", alma, answers[0], 1)
    hand_in(services, "alma", other_alma, "42", 1)
    hand_in(services, "bruno", bruno, answers[1], 2, note=BRUNO_NOTE)
    gold = services.reviews.streams.gold(task).attempt_id
    if take:
        services.reviews.take(task, "sven", "take-1")
        picks = {"answer": Pick("side", alma)}
        services.reviews.put_together(
            task, "sven", picks, current_version(services, task), "draft-1"
        )
    return Case(task, alma, bruno, gold, other_task, other_alma)


def hand_in(
    services: Services, name: str, attempt: str, answer: str, page: int, *, note: str = ""
) -> None:
    """Answer a task and submit it."""
    events: list[tuple[str, dict[str, Any]]] = [
        ("opened", {"session": "tab"}),
        ("citation_added", {"document": "report.pdf", "page": page}),
        ("answer_edited", {"text": answer}),
    ]
    if note:
        events.append(("note_edited", {"text": note}))
    do(services, name, attempt, "first", *events, ("submitted", {"outcome": "answered"}))


def do(
    services: Services, name: str, attempt: str, visit: str, *events: tuple[str, dict[str, Any]]
) -> None:
    """Record events as a person's browser would, in a visit of its own.

    Raises:
        AssertionError: one was refused.
    """
    sent = [
        {"id": f"{visit}-{n}", "type": type_, "payload": as_on_screen(type_, payload)}
        for n, (type_, payload) in enumerate(events)
    ]
    person = find_person(services.workspace, name)
    reply = record_events(services, person, attempt, {"session": visit, "events": sent})
    assert not reply["refusals"], reply["refusals"]


def send_back(services: Services, attempt: str, *, other: str = "", id_: str = "back-1") -> None:
    """Sven sends an attempt back with a difference; ``other`` is shown beside it if given."""
    difference = Difference(part="answer", label="Answer", yours="thirty", other=other)
    services.reviews.send_back(attempt, "sven", COMMENT, (difference,), id_)


def body_of(client: TestClient, case: Case, name: str = "sven") -> dict[str, Any]:
    """The route's JSON of the case, as that supervisor gets it."""
    sign_in(client, name)
    reply = client.get(case.url)
    assert reply.status_code == 200, reply.text
    data: dict[str, Any] = reply.json()
    return data
