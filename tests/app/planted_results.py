"""Campaigns whose results can be worked out by hand: the grades of each, and who was right."""

from __future__ import annotations

from typing import Any

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment, record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.people.accounts import find_person
from tests.support.campaigns import add_campaign
from tests.support.looks import as_on_screen

GRADES = "Grades of **otters** <b>x</b> :red[y] [z](javascript:alert(1))"
PAGES = (("report.pdf", 1), ("report.pdf", 2), ("report.pdf", 3), ("other.pdf", 1))
GRADES_BY_ANNOTATOR = {
    "alma": {"r1": "0012", "r2": "0002"},
    "bruno": {"r1": "0022", "r2": "0002"},
}
"""One grade a page; seven of eight agree."""

DOMAIN = "Zoo <script>alert(1)</script> **bold**"
ANSWERS = {
    "alma": {"q1": "secret gold answer", "q2": "something else"},
    "bruno": {"q1": "secret gold answer", "q2": "secret gold answer"},
}
"""Three of four are right."""


def plant_grades(services: Services) -> None:
    """A relevance campaign of two tasks, graded by both annotators."""
    rows = [
        {
            "id": key,
            "question": f"Question {key}?",
            "domain": DOMAIN,
            "candidates": [{"document": name, "page": page} for name, page in PAGES],
        }
        for key in ("r1", "r2")
    ]
    add_campaign(
        services.workspace,
        GRADES,
        rows,
        protocol="relevance",
        settings={"boxes.enabled": False},
        overlap=2,
        seed=1,
    )
    for name, grades in GRADES_BY_ANNOTATOR.items():
        for key, attempt in _attempts(services, name, GRADES).items():
            events: list[tuple[str, dict[str, Any]]] = [
                ("opened", {"session": "tab"}),
                ("field_set", {"field": "query_quality", "value": "good"}),
            ]
            for (document, page), grade in zip(PAGES, grades[key], strict=True):
                page_ref = {"document": document, "page": page}
                events.append(("page_viewed", {"via": "given", **page_ref}))
                events.append(("field_set", {"field": "relevance", "value": grade, **page_ref}))
                if grade != "0":
                    events.append(
                        ("field_set", {"field": "modalities", "value": ["text"], **page_ref})
                    )
            events += [
                ("answer_edited", {"text": "otters"}),
                ("submitted", {"outcome": "answered"}),
            ]
            send(services, name, attempt, events)


def plant_answers(services: Services) -> None:
    """The search campaign, answered by both annotators."""
    for name, answers in ANSWERS.items():
        for key, attempt in _attempts(services, name, "Otters").items():
            page = {"document": "report.pdf", "page": int(key[1:])}
            send(
                services,
                name,
                attempt,
                [
                    ("opened", {"session": "tab"}),
                    ("citation_added", page),
                    ("answer_edited", {"text": answers[key]}),
                    ("submitted", {"outcome": "answered"}),
                ],
            )


def send(
    services: Services, name: str, attempt: str, events: list[tuple[str, dict[str, Any]]]
) -> None:
    """Record events as a person's browser would.

    Raises:
        AssertionError: one was refused.
    """
    body = {
        "session": "tab",
        "events": [
            {"id": f"{attempt[:8]}-{n}", "type": type_, "payload": as_on_screen(type_, payload)}
            for n, (type_, payload) in enumerate(events)
        ],
    }
    reply = record_events(services, find_person(services.workspace, name), attempt, body)
    assert not reply["refusals"], reply["refusals"]


def _attempts(services: Services, name: str, campaign: str) -> dict[str, str]:
    person = find_person(services.workspace, name)
    engine = services.workspace.engine
    attempts = {}
    for row in my_batches.assignments(engine, person.id):
        if row.campaign == campaign:
            open_assignment(services, person, row.assignment_id)
            for task in queries.batch_tasks(engine, row.assignment_id):
                attempts[task.key] = task.attempt_id
    return attempts
