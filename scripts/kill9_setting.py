"""Prepares ``scripts/kill9``: work to review, pages to edit, annotators, another database."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

from sqlalchemy import text

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import StorageError
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment, record_events
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.maintenance.move import move_to_postgresql
from pagetrail.storage.people.accounts import add_user, find_person
from scripts.kill9_tabs import EditedTable, TypedText
from tests.e2e.support.small_workspace import (
    AIDED,
    PASSWORD,
    QUESTIONS,
    SINGLE,
    STUDY,
    attempts,
)
from tests.support.postgresql import new_database, sync_to_disk

CROWD = "Crowd"


def in_postgresql(workspace: Workspace) -> Workspace:
    """The workspace with its database in a temporary PostgreSQL server."""
    address = new_database()
    sync_to_disk()
    move_to_postgresql(workspace, address, SystemClock())
    os.environ[DATABASE_URL] = address
    return Workspace.open(workspace.root)


def kill_connections(workspace: Workspace) -> None:
    """Kill one PostgreSQL process; the server then ends all others and recovers from its log."""
    own_pid = text("SELECT pg_backend_pid()")
    try:
        with workspace.engine.connect() as connection:
            os.kill(connection.execute(own_pid).scalar_one(), signal.SIGKILL)
    except StorageError as error:  # still recovering from the last kill
        if error.code != "storage_gone":
            raise
    workspace.engine.dispose()


def crowd(workspace: Workspace, folder: Path, number: int, overlap: int) -> list[str]:
    """Add annotators with the same two tasks each; returns their names."""
    names = [f"crowd{n:02}" for n in range(number)]
    for name in names:
        add_user(workspace, name, "annotator", PASSWORD)
    if names:
        tasks = folder / "crowd.jsonl"
        rows = [{"id": key, "question": QUESTIONS[key]} for key in ("q1", "q2")]
        tasks.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        # overlap of all annotators, so that everybody gets them
        import_tasks(workspace, tasks, campaign=CROWD, overlap=overlap)
    services = Services(workspace)
    for name in names:
        person = find_person(workspace, name)
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(services, person, row.assignment_id)
    return names


def plant_pages(
    workspace: Workspace, folder: Path
) -> tuple[dict[str, dict[str, TypedText | EditedTable]], frozenset[str]]:
    """Give each of two people a text and a table to edit.

    Returns:
        what each person edits, by attempt, and the ids of the events that open them.
    """
    page = {"document": STUDY, "page": 1}
    text = "Otters counted in spring: 42.\n"
    rows = [["River", "Otters"], ["Saale", "42"]]
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    records: dict[str, dict[str, Any]] = {
        "transcribe": {"transcript": text},
        "verify_table": {"tables": [{"id": "t1", "html": f"<table>{cells}</table>"}]},
    }
    people = ("alma", "bruno")
    services = Services(workspace)
    edited: dict[str, dict[str, TypedText | EditedTable]] = {name: {} for name in people}
    planted = set()
    for protocol, record in records.items():
        tasks = folder / f"{protocol}.jsonl"
        row = {"id": "p1", "question": "Correct it.", "candidates": [page], **record}
        tasks.write_text(json.dumps(row), encoding="utf-8")
        import_tasks(workspace, tasks, campaign=protocol, protocol=protocol, overlap=len(people))
        for name in people:
            person = find_person(workspace, name)
            for batch in my_batches.assignments(workspace.engine, person.id):
                if batch.campaign == protocol:
                    open_assignment(services, person, batch.assignment_id)
            attempt = attempts(workspace, name, protocol)["p1"]
            opening = {
                "id": f"planted-{name}-{protocol}",
                "type": "opened",
                "payload": {"session": "planted"},
            }
            body = {"session": "planted", "events": [opening]}
            if record_events(services, person, attempt, body)["refusals"]:
                raise AssertionError(f"{name} cannot open {protocol}")
            planted |= {event.client_event_id for event in services.log.events(attempt)}
            edited[name][attempt] = (
                TypedText(text, STUDY, 1)
                if protocol == "transcribe"
                else EditedTable("t1", [list(cells_of_row) for cells_of_row in rows], STUDY, 1)
            )
    return edited, frozenset(planted)


def plant(workspace: Workspace) -> tuple[dict[str, list[str]], frozenset[str]]:
    """Plant work to review: different answers and pages on two tasks, by two people.

    On three more, one of the two has yet to submit an answer that agrees.

    Returns:
        these attempts of each person, in the same order of tasks, and the ids of the events.
    """
    add_user(workspace, "sigrid", "supervisor", PASSWORD)
    services = Services(workspace)
    submitted: dict[str, list[str]] = {}
    planted = set()
    for name, answer in (("alma", "42"), ("bruno", "57 otters")):
        person = find_person(workspace, name)
        aided, single = (attempts(workspace, name, campaign) for campaign in (AIDED, SINGLE))
        plain = attempts(workspace, name)
        submitted[name] = [aided["q1"], aided["evil"], single["q1"], plain["q3"], plain["evil"]]
        for number, attempt in enumerate(submitted[name]):
            # The pages of the first differ too: submitting again does not make it agree.
            page = {"document": STUDY, "page": 2 if number == 0 and name == "bruno" else 1}
            steps: list[tuple[str, dict[str, Any]]] = [
                ("opened", {"session": "planted"}),
                ("page_viewed", {"via": "next", **page}),
                ("citation_added", page),
                ("answer_edited", {"text": answer}),
                ("submitted", {"outcome": "answered"}),
            ]
            if name == "bruno" and number > 1:
                del steps[-1]
            events = [
                {"id": f"planted-{name}-{number}-{kind}", "type": kind, "payload": payload}
                for kind, payload in steps
            ]
            body = {"session": "planted", "events": events}
            refusals = record_events(services, person, attempt, body)["refusals"]
            if refusals:
                raise AssertionError(f"the work to be reviewed was refused: {refusals}")
            planted |= {str(event["id"]) for event in events}
    return submitted, frozenset(planted)
