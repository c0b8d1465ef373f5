"""A person under another name or none: nothing stored has the old one, and work goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.errors import ConflictError, Forbidden, PagetrailError
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.jobs import store_job
from pagetrail.storage.database.tables import (
    AttemptStateRow,
    Audit,
    EventRow,
    Job,
    ReviewTask,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.people import administration
from pagetrail.storage.people.accounts import add_user, authenticate, find_person
from pagetrail.storage.people.administration import anonymise, change_role, name_mapping, rename
from pagetrail.storage.people.audit import audit, audit_entries
from pagetrail.storage.projections import rebuild
from pagetrail.storage.qualification.records import insert_qualification
from tests.app.conftest import PASSWORD, services, template
from tests.app.review_case import Case, current_version, send_back, under_review
from tests.app.signed_in import attempts_of
from tests.support.function_process import exit_code_of

__all__ = ["services", "template"]

BUILDING = Job(kind="index", id=1, title="Building", by="sven", started_at="2026")


@pytest.fixture
def case(services: Services) -> Case:
    """Work in every table that holds names: alma answers and comments, sven reviews and decides."""
    case = under_review(services)
    send_back(services, case.other_alma)
    attempt = queries.attempt(services.workspace.engine, case.alma)
    services.recorder.record(attempt.context(), [Command("c1", ev.Commented(text="Why?"))])
    add_user(services.workspace, "root", "admin", PASSWORD)
    add_user(services.workspace, "tove", "supervisor", PASSWORD)
    services.reviews.take(case.task, "tove", "take-2", take_over=True)
    services.reviews.take(case.task, "sven", "take-3", take_over=True)
    audit(services.workspace, "alma", "forbidden page", "alma wanted Alma's and salma's page")
    change_role(services.workspace, find_person(services.workspace, "root"), "tove", "annotator")
    with write_transaction(services.workspace.engine) as connection:
        insert_qualification(
            connection, 1, 1, decision="admit", reason="Good.", by="sven", at="2026", baseline={}
        )
    store_job(services.workspace.engine, BUILDING.changed(state="done"))
    return case


def _actors(services: Services) -> set[str]:
    with services.workspace.engine.connect() as connection:
        actors = select(User.name).join(EventRow, EventRow.actor_id == User.id)
        return set(connection.execute(actors).scalars())


def _stored_work(workspace: Workspace) -> list[tuple[object, ...]]:
    """Rows of the log, of its projections and of the audit log."""
    with workspace.engine.connect() as connection:
        return [
            tuple(row)
            for table in (EventRow, AttemptStateRow, ReviewTask, Audit)
            for row in connection.execute(select(table))
        ]


def _texts(workspace: Workspace) -> str:
    """Everything in the database, as text."""
    with workspace.engine.connect() as connection:
        names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        return "\n".join(
            str(row)
            for (name,) in names.all()
            for row in connection.exec_driver_sql(f"SELECT * FROM {name}")
        )


def _is_whole(services: Services) -> bool:
    services.reviews.acceptance.settle(1)
    return rebuild(services.workspace.engine, check=True).clean


def test_a_renamed_supervisor_is_so_everywhere_and_goes_on(services: Services, case: Case) -> None:
    """Log, states, review, audit and decisions; the review that was held is held still."""
    rename(services.workspace, None, "sven", "Sønja")
    assert "sven" not in _texts(services.workspace)
    assert {"Sønja", "tove", "alma", "bruno"} <= _actors(services)
    services.reviews.put_together(
        case.task, "Sønja", {}, current_version(services, case.task), "draft-2"
    )
    taken = [
        event.payload.over
        for event in services.log.events(case.gold)
        if isinstance(event.payload, ev.ReviewTaken)
    ]
    assert taken == [None, "Sønja", "tove"]
    assert _is_whole(services)
    person = authenticate(services.workspace, "sønja", PASSWORD)
    assert person is not None and person.pseudonym == "supervisor-01"
    assert authenticate(services.workspace, "sven", PASSWORD) is None


def test_nothing_of_an_anonymised_person_is_in_the_workspace(
    services: Services, case: Case
) -> None:
    """Not in a table, not in a file, write-ahead log and unused pages included; work stays."""
    before = len(list(services.log.events(case.alma)))
    anonymous = anonymise(services.workspace, None, "alma")
    assert (anonymous.name, anonymous.active) == ("annotator-01", False)
    stored = _texts(services.workspace)
    with services.workspace.engine.connect() as connection:
        details = list(connection.execute(select(Audit.detail)).scalars())
    assert "annotator-01 wanted Alma's and salma's page" in details
    assert "alma" not in stored.replace("salma", "").replace("says alma", "")
    services.workspace.engine.dispose()
    for path in services.workspace.root.glob("pagetrail.sqlite3*"):
        content = path.read_bytes().replace(b"salma", b"").replace(b"says alma", b"")
        assert b"alma" not in content, path
    assert len(list(services.log.events(case.alma))) == before
    assert _is_whole(services)
    assert all(check.ok for check in verify(services.workspace))
    assert authenticate(services.workspace, "annotator-01", PASSWORD) is None


def test_a_request_under_the_old_name_stores_nothing(services: Services) -> None:
    """One that began before the name changed, and a state that the server has in memory."""
    attempt = attempts_of(services, "alma")[0]
    old = find_person(services.workspace, "alma")
    body = {"session": "s", "events": [{"id": "1", "type": "opened", "payload": {"session": "s"}}]}
    record_events(services, old, attempt, body)
    context = queries.attempt(services.workspace.engine, attempt).context()
    rename(services.workspace, None, "alma", "Ada")
    with pytest.raises(ConflictError, match="another name"):
        services.recorder.record(context, [Command("2", ev.NoteEdited(text="x"))])
    context = queries.attempt(services.workspace.engine, attempt).context()
    assert not services.recorder.record(context, [Command("3", ev.NoteEdited(text="y"))]).refusals
    assert _actors(services) == {"Ada"}


def test_the_log_is_append_only_again(services: Services, case: Case) -> None:
    """The trigger is back, also for whoever tries to change an actor."""
    rename(services.workspace, None, "alma", "Ada")
    for change in ({"actor": "x"}, {"payload": {}}):
        _refuses(services, change)


def _refuses(services: Services, change: dict[str, object]) -> None:
    with (
        pytest.raises((SQLAlchemyError, PagetrailError), match="append-only"),
        write_transaction(services.workspace.engine) as connection,
    ):
        connection.execute(update(EventRow).values(change))


def test_who_may_and_what_is_noted(services: Services, case: Case) -> None:
    """Supervisors rename annotators; only admins anonymise and see the mapping; nobody oneself."""
    ws = services.workspace
    sven, root = find_person(ws, "sven"), find_person(ws, "root")
    rename(ws, sven, "bruno", "Bo")
    for refused in (
        lambda: rename(ws, sven, "root", "x"),
        lambda: anonymise(ws, sven, "Bo"),
        lambda: name_mapping(ws, sven),
    ):
        with pytest.raises(Forbidden):
            refused()
    for clash in (
        lambda: rename(ws, root, "root", "me"),
        lambda: rename(ws, root, "Bo", "ALMA"),
        lambda: anonymise(ws, None, "root"),
    ):
        with pytest.raises(ConflictError):
            clash()
    rename(ws, root, "Bo", "bo")
    assert [(p.pseudonym, p.name) for p in name_mapping(ws, root)][:3] == [
        ("admin-01", "root"),
        ("annotator-01", "alma"),
        ("annotator-02", "bo"),
    ]
    assert [(e.actor, e.action, e.detail) for e in audit_entries(ws, limit=3)] == [
        ("root", "mapping_exported", ""),
        ("root", "user_renamed", "annotator-02"),
        ("sven", "user_renamed", "annotator-02"),
    ]


def test_a_job_under_way_keeps_its_persons_name(services: Services) -> None:
    """Its end is stored under the name that it began with."""
    store_job(services.workspace.engine, BUILDING)
    with pytest.raises(ConflictError, match="Building"):
        anonymise(services.workspace, None, "sven")


def anonymise_and_be_killed(root: str) -> None:
    """Die while a name is replaced."""

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    pytest.MonkeyPatch().setattr(administration, "forget_in_audit", die)
    anonymise(Workspace.open(Path(root)), None, "alma")


def test_killed_in_between_nothing_has_changed(services: Services, case: Case) -> None:
    """All of it or nothing, the trigger included."""
    before = _texts(services.workspace)
    exit_code = exit_code_of(anonymise_and_be_killed, services.workspace.root)
    assert exit_code == -signal.SIGKILL
    assert _texts(services.workspace) == before
    _refuses(services, {"actor": "x"})


def test_a_new_name_changes_nothing_that_is_stored_of_work(services: Services, case: Case) -> None:
    """Events, states, review rows and audit log are the same to the byte."""
    before = _stored_work(services.workspace)
    for old, new in (("alma", "search"), ("sven", "line")):
        rename(services.workspace, None, old, new)
    after = _stored_work(services.workspace)
    assert after[: len(before)] == before
    sources = services.log.state(case.gold).review.sources
    assert [source.annotator for source in sources] == ["search", "bruno"]


def test_a_tab_goes_on_under_the_new_name(services: Services, case: Case) -> None:
    """What another server has in memory has the new one too, and the old one stores nothing."""
    other_server = SqlEventLog(services.workspace.engine)
    with other_server.writing(case.gold) as stream:
        assert stream.state.review.holder == "sven"
    rename(services.workspace, None, "sven", "Sønja")
    version = current_version(services, case.task)
    with pytest.raises(PagetrailError):
        services.reviews.put_together(case.task, "sven", {}, version, "draft-old")
    services.reviews.put_together(case.task, "Sønja", {}, version, "draft-new")
    assert other_server.state(case.gold) == services.log.state(case.gold)
    assert other_server.state(case.gold).review.holder == "Sønja"
    ids = [event.client_event_id for event in other_server.events(case.gold)]
    assert "draft-new" in ids and "draft-old" not in ids
