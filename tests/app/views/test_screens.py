"""The screens from the entry point: what they show, and which events they store."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextInput

from pagetrail.app.services.composition import Services
from pagetrail.app.ui import connected_identities, current_user
from pagetrail.storage.people.accounts import authenticate, find_person
from pagetrail.storage.people.identities import (
    Identity,
    add_person,
    connect_identity,
    identities_of,
)
from pagetrail.storage.people.login_sessions import open_session, session_user
from tests.app.review_case import under_review
from tests.app.screens import as_person, at_screen, outbox, workspace_data
from tests.support.audit_log import audited


def event(id_: str, type_: str, **payload: Any) -> dict[str, Any]:
    """One event as the browser sends it."""
    return {"id": id_, "type": type_, "payload": payload}


def test_signed_out_visitors_see_only_the_way_in(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a session: a title and a link, no data."""
    at = as_person(services, None, monkeypatch)
    assert not at.exception
    assert [title.value for title in at.title] == ["Signed out"]
    assert not at.button


def test_batch_is_started_worked_on_and_submitted(
    searching: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From "My batches" to a submitted task: the stored events are what was done, once each."""
    at = as_person(searching, "alma", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    assert not at.exception
    boot = workspace_data(at)["boot"]
    attempt = boot["attempt"]
    message = {
        "n": 1,
        "attempt": attempt,
        "session": "tab",
        "search": {"id": "tab-2", "query": "otters"},
        "events": [event("tab-1", "opened", session="tab")],
    }
    at = outbox(at, message)
    reply = workspace_data(at)["reply"]
    assert reply["n"] == 1
    assert [hit["document"] for hit in reply["search"]["results"]] == ["report.pdf", "report.pdf"]
    at = outbox(
        at,
        {
            "n": 2,
            "attempt": attempt,
            "session": "tab",
            "search": None,
            "events": [
                event("tab-3", "citation_added", document="report.pdf", page=1),
                event("tab-4", "answer_edited", text="rivers"),
                event("tab-5", "submitted", outcome="answered"),
            ],
        },
    )
    at = at.run().run()  # a component keeps its last value: reruns must not record again
    stored = [e.type for e in searching.log.events(attempt)]
    assert stored == ["opened", "searched", "citation_added", "answer_edited", "submitted"]
    assert workspace_data(at)["boot"]["state"]["outcome"] == "answered"


def test_a_deep_link_opens_the_task_at_the_page(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """?attempt=…&document=…&page=… reaches the component; a page that is not there is dropped."""
    at = as_person(services, "alma", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    attempt = at.query_params["attempt"]
    for page, link in (("2", {"document": "report.pdf", "page": 2}), ("99", None), ("x", None)):
        at.query_params["attempt"] = attempt
        at.query_params["document"] = "report.pdf"
        at.query_params["page"] = page
        at.run()
        assert workspace_data(at)["boot"]["link"] == link


@pytest.mark.parametrize(
    ("screen", "query"),
    [
        ("progress", {}),
        ("progress", {"campaign": "Otters", "annotator": "bruno"}),
        ("results", {"campaign": "Otters"}),
        ("reviewing", {"task": "TASK"}),
        ("gold", {"campaign": "Otters"}),
        ("trajectory", {}),
        ("trajectory", {"attempt": "OWN", "with": "OTHER"}),
        ("administration", {"part": "Batches"}),
        ("administration", {"part": "Campaigns"}),
        ("administration", {"part": "Collection"}),
        ("administration", {"part": "Exports"}),
    ],
)
def test_annotators_are_refused_and_audited_on_supervisors_screens(
    services: Services, monkeypatch: pytest.MonkeyPatch, screen: str, query: dict[str, str]
) -> None:
    """A refusal without data or controls, and an audit line; also for their own attempt."""
    case = under_review(services)
    places = {"TASK": str(case.task), "OWN": case.alma, "OTHER": case.bruno}
    address = {key: places.get(value, value) for key, value in query.items()}
    at = at_screen(services, "alma", monkeypatch, screen, **address).run()
    assert not at.exception
    assert [error.value for error in at.error] == [
        "This page is for supervisors. The access was noted."
    ]
    assert not at.dataframe and not at.metric and not at.text
    assert not at.selectbox and not at.button
    assert not at.get("bidi_component")
    assert ("alma", "forbidden screen", screen) in audited(services.workspace)


def test_another_persons_task_does_not_open(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another person's attempt in the address: a sentence, no component, nothing stored."""
    at = as_person(services, "bruno", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    brunos_attempt = workspace_data(at)["boot"]["attempt"]
    at = at_screen(services, "alma", monkeypatch, "task")
    at.query_params["attempt"] = brunos_attempt
    at.run()
    assert not at.exception
    assert "not yours" in at.error[0].value
    with pytest.raises(AssertionError):
        workspace_data(at)


def test_supervisors_see_progress_and_trajectories(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of the assigned batches, and the events of an attempt in words."""
    at = as_person(services, "alma", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    attempt = workspace_data(at)["boot"]["attempt"]
    outbox(
        at,
        {
            "n": 1,
            "attempt": attempt,
            "session": "tab",
            "search": None,
            "events": [
                event("1", "opened", session="tab"),
                event("2", "flagged", comment="unclear <b>question</b>"),
            ],
        },
    )
    at = as_person(services, "sven", monkeypatch)
    assert not at.exception
    assert [title.value for title in at.title] == ["Progress"]
    assert "unclear <b>question</b>" in " ".join(text.value for text in at.text)
    at = at.switch_page("views/trajectory.py").run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 1, "one attempt has started"
    at.query_params["attempt"] = attempt
    at.run()
    assert not at.exception
    table_ = at.dataframe[0].value
    assert len(table_) == 2


def test_a_link_to_a_trajectory_opens_that_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """?attempt=… decides, also after another one was on screen."""
    at = as_person(services, "alma", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    tasks = [task["attempt"] for task in workspace_data(at)["boot"]["batch"]["tasks"]]
    for number, attempt in enumerate(tasks):
        note = event(f"n{number}", "note_edited", text=f"note {number}")
        outbox(at, {"n": number, "attempt": attempt, "events": [note], "search": None})
    at = at_screen(services, "sven", monkeypatch, "trajectory").run()
    for number, attempt in [*enumerate(tasks), (0, tasks[0])]:
        at.query_params["attempt"] = attempt
        at.run()
        assert not at.exception
        assert f"note {number}" in [text.value for text in at.text]


def test_questions_with_markup_stay_text(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question reaches the component as data, character for character."""
    at = as_person(services, "alma", monkeypatch)
    next(button for button in at.button if button.label == "Start").click().run()
    boot = workspace_data(at)["boot"]
    assert "<script>alert(" in boot["task"]["question"]
    assert "secret gold answer" not in json.dumps(boot)


def _press(at: AppTest, label: str) -> None:
    next(button for button in at.button if button.label == label).click().run()


def test_signing_out_ends_the_session_of_the_screen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button asks for no address that another site could lead to."""
    alma = find_person(services.workspace, "alma")
    token = open_session(services.workspace, alma.id, timedelta(hours=1))
    at = at_screen(services, "alma", monkeypatch, "account").run()
    monkeypatch.setattr(current_user, "session_token", lambda: token)
    _press(at.run(), "Sign out")
    assert session_user(services.workspace, token) is None


def _password_fields(at: AppTest) -> list[TextInput]:
    return [field for field in at.text_input if "password" in field.label.lower()]


def test_the_password_can_be_changed_by_its_owner_only(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The present password is asked for; afterwards only the new one works."""
    at = at_screen(services, "alma", monkeypatch, "account").run()
    old, new, repeated_password = _password_fields(at)
    old.set_value("wrong wrong")
    new.set_value("a better horse")
    repeated_password.set_value("a better horse")
    _press(at, "Change password")
    assert at.error[0].value == "The current password is wrong."
    old, new, repeated_password = _password_fields(at)
    old.set_value("correct horse")
    new.set_value("a better horse")
    repeated_password.set_value("a better horse")
    _press(at, "Change password")
    assert at.success
    assert authenticate(services.workspace, "alma", "a better horse") is not None
    assert authenticate(services.workspace, "alma", "correct horse") is None


def test_a_connected_sign_in_is_told_and_removed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told on every screen until the person confirms it, to a session with the password only."""
    alma = find_person(services.workspace, "alma")
    identity = Identity("https://id.example", "s-1")
    connect_identity(services.workspace, alma, identity, "annotator", clock=services.clock)
    by_service = open_session(services.workspace, alma.id, timedelta(hours=1), service_session="")
    with monkeypatch.context() as patch:
        patch.setattr(connected_identities, "session_token", lambda: by_service)
        assert not at_screen(services, "alma", monkeypatch, "batches").run().warning
    at = at_screen(services, "alma", monkeypatch, "batches").run()
    assert "id.example, account s-1" in at.warning[0].value
    _press(at, "That was me")
    at = at_screen(services, "alma", monkeypatch, "account").run()
    assert not at.warning and "id.example" in str([text.value for text in at.markdown])
    _press(at, "Remove")
    assert identities_of(services.workspace, alma) == [] and not at.exception
    assert session_user(services.workspace, by_service) is None


def test_the_only_way_to_sign_in_stays(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a password the person asks for one first."""
    identity = Identity("https://id.example", "s-2")
    add_person(services.workspace, identity, "Nora", "annotator")
    at = at_screen(services, "Nora", monkeypatch, "account").run()
    assert not at.warning, "she has made the account herself"
    _press(at, "Remove")
    assert "only way to sign in" in at.error[0].value
    assert identities_of(services.workspace, find_person(services.workspace, "Nora"))
